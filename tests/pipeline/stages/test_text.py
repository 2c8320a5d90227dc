"""Which strings are agent-facing, by which evidence: small repositories worked out by hand."""

from __future__ import annotations

from pathlib import Path

from facts import Facts

SERVER = """
    from mcp.server.fastmcp import FastMCP
    from shop.render import summary
    from shop.texts import DELETE_HELP

    mcp = FastMCP("shop")


    @mcp.tool()
    def list_orders(limit: int) -> str:
        \"\"\"List the newest orders.\"\"\"
        if limit < 0:
            raise ValueError("The limit has to be positive")
        logger.info("listing the orders of everyone")
        if limit == "not an order number":
            return ""
        return summary(load(limit))


    @mcp.tool(description=DELETE_HELP)
    def delete_order(number: int) -> str:
        message = f"Order {number} was deleted"
        note = "never given back to anyone"
        return message


    def unrelated() -> str:
        return "no tool leads to this text"
"""
RENDER = """
    def summary(orders) -> str:
        lines = []
        for order in orders:
            lines.append(f"order {order.number} of {order.customer}")
        lines.append(footer())
        return "\\n".join(lines)


    def footer() -> str:
        return "end of the list"


    def banner() -> str:
        return "shown to people alone"
"""
TEXTS = 'DELETE_HELP = "Delete one order for good."\nOTHER_HELP = "Nobody registers this text."\n'


def _repository(root: Path) -> Facts:
    return Facts(
        root, {"shop/__init__.py": "", "shop/server.py": SERVER, "shop/render.py": RENDER, "shop/texts.py": TEXTS}
    )


def _rows(facts: Facts, path: str) -> dict[str, tuple[str, str | None, str | None]]:
    rows = facts.rows("SELECT text, evidence, surface, tool FROM agent_text WHERE path = ?", path)
    return {text: (evidence, surface, tool) for text, evidence, surface, tool in rows}


def test_a_handlers_own_texts_are_declared_or_reached_by_what_becomes_of_them(tmp_path: Path) -> None:
    rows = _rows(_repository(tmp_path), "shop/server.py")
    assert rows == {
        "List the newest orders.": ("declared", "tool_description", "list_orders"),
        "The limit has to be positive": ("reachable", "error_message", "list_orders"),
        "not an order number": ("candidate", None, None),
        "Order {number} was deleted": ("reachable", "tool_result", "delete_order"),
        "never given back to anyone": ("candidate", None, None),
        "no tool leads to this text": ("candidate", None, None),
    }


def test_a_formatter_in_another_file_is_reached_over_calls(tmp_path: Path) -> None:
    rows = _rows(_repository(tmp_path), "shop/render.py")
    assert rows == {
        "order {order.number} of {order.customer}": ("reachable", "tool_result", "list_orders"),
        "end of the list": ("reachable", "tool_result", "list_orders"),
        "shown to people alone": ("candidate", None, None),
    }


def test_a_constant_that_a_registration_names_is_declared_where_it_stands(tmp_path: Path) -> None:
    rows = _rows(_repository(tmp_path), "shop/texts.py")
    assert rows == {
        "Delete one order for good.": ("declared", "tool_description", "delete_order"),
        "Nobody registers this text.": ("candidate", None, None),
    }


def test_the_evidence_says_how_it_is_known(tmp_path: Path) -> None:
    facts = _repository(tmp_path)
    details = dict(facts.rows("SELECT text, evidence_detail FROM agent_text WHERE evidence <> 'candidate'"))
    assert details["List the newest orders."] == "@mcp.tool"
    assert details["end of the list"] == "reached from list_orders"
    assert details["Order {number} was deleted"] == "given back by delete_order"
    assert details["Delete one order for good."] == "description of tool DELETE_HELP"


def test_configured_globs_give_a_surface_and_name_their_file(tmp_path: Path) -> None:
    facts = Facts(
        tmp_path,
        {
            "scaup.toml": '[[audit.surfaces]]\npaths = ["out/*.py"]\nsurface = "hint"\n',
            "out/texts.py": 'FIRST = "a text of this folder"\n',
            "in/texts.py": 'SECOND = "a text of another"\n',
        },
    )
    rows = facts.rows("SELECT text, evidence, surface, evidence_detail FROM agent_text ORDER BY path DESC")
    assert rows == [
        ("a text of this folder", "declared", "hint", "configured in scaup.toml"),
        ("a text of another", "candidate", None, None),
    ]


def test_a_configuration_deeper_in_the_tree_hides_the_one_above(tmp_path: Path) -> None:
    facts = Facts(
        tmp_path,
        {
            "scaup.toml": '[[audit.surfaces]]\npaths = ["**/*.py"]\nsurface = "hint"\n',
            "part/scaup.toml": '[[audit.surfaces]]\npaths = ["/x.py"]\nsurface = "prompt"\n',
            "part/x.py": 'A = "read as a prompt"\n',
            "part/y.py": 'B = "not configured at all"\n',
            "z.py": 'C = "read as a hint"\n',
        },
    )
    rows = facts.rows("SELECT path, surface FROM agent_text ORDER BY path")
    assert rows == [("part/x.py", "prompt"), ("part/y.py", None), ("z.py", "hint")]


def test_a_changed_configuration_changes_the_surfaces(tmp_path: Path) -> None:
    texts = {"a.py": 'A = "some words of prose"\n'}
    assert Facts(tmp_path, texts).rows("SELECT surface FROM agent_text") == [(None,)]
    configured = {"scaup.toml": '[[audit.surfaces]]\npaths = ["a.py"]\nsurface = "notification"\n'}
    assert Facts(tmp_path, configured).rows("SELECT surface FROM agent_text") == [("notification",)]


def test_identity_does_not_depend_on_lines(tmp_path: Path) -> None:
    def ids(root: Path, source: str) -> dict[str, int]:
        return dict(Facts(root, {"a.py": source}).rows("SELECT text, text_id FROM agent_text"))

    before = ids(tmp_path / "one", 'def f():\n    return "first text here"\n\nX = "second text here"\n')
    after = ids(tmp_path / "two", '\n\nX = "second text here"\n\n\ndef f():\n    a = 1\n    return "first text here"\n')
    assert before == after
    assert len(set(before.values())) == 2


def test_tests_and_generated_files_hold_no_text_of_agents(tmp_path: Path) -> None:
    source = 'from mcp import tool\n\n@tool\ndef f():\n    """Some text of it."""\n'
    facts = Facts(tmp_path, {"tests/test_a.py": source, "gen.py": "# DO NOT EDIT\n" + source, "real.py": source})
    assert facts.rows("SELECT DISTINCT path FROM agent_text") == [("real.py",)]


def test_a_handler_of_another_file_is_the_one_that_the_registering_file_calls(tmp_path: Path) -> None:
    register = """
        import {{ z }} from "zod";
        import {{ search }} from "./api.js";
        export function make(server) {{
          server.registerTool("{0}", {{ description: "Search the {0}." }}, async ({{ word }}) => {{
            const found = await search(word);
            return {{ content: [{{ type: "text", text: found }}] }};
          }});
        }}
    """
    answer = """
        export async function search(word: string): Promise<string> {{
          return `Nothing was found in the {0} for ${{word}}.`;
        }}
    """
    files = {}
    for name in ("books", "maps"):
        files[f"packages/{name}/src/index.ts"] = register.format(name)
        files[f"packages/{name}/src/api.ts"] = answer.format(name)
    facts = Facts(tmp_path, files)
    found = facts.rows("SELECT text, tool FROM agent_text WHERE evidence = 'reachable' ORDER BY text")
    assert found == [
        ("Nothing was found in the books for {word}.", "books"),
        ("Nothing was found in the maps for {word}.", "maps"),
    ]
