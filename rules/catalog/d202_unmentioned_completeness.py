"""D202: a tool's result has a completeness member that its description never mentions."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Verdict

_SERVER = """
    from mcp.server.fastmcp import FastMCP

    mcp = FastMCP("shop")


    @mcp.tool()
    def find_orders(word: str) -> dict:
        \"\"\"{description}\"\"\"
        rows = [order for order in ORDERS if word in order]
        return {{"orders": rows[:50], "truncated": {truncated}}}
"""
_HANDING_ON = """
    from mcp.server.fastmcp import FastMCP
    from shop.archive import read_archive

    mcp = FastMCP("shop")


    @mcp.tool()
    def archive_orders(year: int):
        \"\"\"{description}\"\"\"
        return read_archive(year)
"""
_ARCHIVE = """
    from dataclasses import dataclass


    @dataclass
    class Archive:
        orders: list
        complete: bool


    def read_archive(year):
        orders, missing = load(year)
        return Archive(orders=orders, complete=not missing)
"""
_TYPESCRIPT = """
    import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";

    async function listUsers({{ team }}: {{ team: string }}) {{
      const found = await query(team, 101);
      return {{ structuredContent: {{ users: found.slice(0, 100), hasMore: found.length > 100 }} }};
    }}

    export function register(server: McpServer) {{
      server.registerTool("list_users", {{ description: "{description}" }}, listUsers);
    }}
"""
_GO = """
    package tools

    import "github.com/modelcontextprotocol/go-sdk/mcp"

    type Listing struct {{
        Names     []string
        Truncated bool
    }}

    func register(server *mcp.Server) {{
        mcp.AddTool(server, &mcp.Tool{{Name: "list_branches", Description: "{description}"}}, listBranches)
    }}

    func listBranches(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Listing, error) {{
        names := branches()
        return nil, Listing{{Names: names, Truncated: len(names) > 99}}, nil
    }}
"""


def _handing_on(description: str) -> dict[str, str]:
    return {
        "shop/__init__.py": "",
        "shop/archive.py": _ARCHIVE,
        "shop/server.py": _HANDING_ON.format(description=description),
    }


class UnmentionedCompleteness(Rule):
    """A tool's result has a member that says whether it is complete, and the tool's description does not mention it.

    An agent that was not told reads the list and takes it for all there is.

    Habit: taking a partial answer for the whole.
    Instead: say in the description which member tells it, and what to do then.
    """

    code, name, habit = "D202", "unmentioned-completeness", Habit.COMPLETION
    needs_code = True
    found = (
        Example(
            "Finds orders by a word.",
            "tool_description",
            files={"server.py": _SERVER.format(description="Finds orders by a word.", truncated="len(rows) > 50")},
        ),
        Example("Reads the orders of a year.", "tool_description", files=_handing_on("Reads the orders of a year.")),
        Example(
            "Lists the users of a team.",
            "tool_description",
            files={"src/users.ts": _TYPESCRIPT.format(description="Lists the users of a team.")},
        ),
        Example(
            "Lists branches by name.",
            "tool_description",
            files={"go.mod": "module tools\n", "branches.go": _GO.format(description="Lists branches by name.")},
        ),
    )
    passed = (
        Example(
            "Finds orders; `truncated` says that there are others.",
            "tool_description",
            "names-gap",
            files={
                "server.py": _SERVER.format(
                    description="Finds orders; `truncated` says that there are others.", truncated="len(rows) > 50"
                )
            },
        ),
        # All of them are given back, and the member says so each time.
        Example(
            "Finds orders by a word.",
            "tool_description",
            files={"server.py": _SERVER.format(description="Finds orders by a word.", truncated="False")},
        ),
        Example(
            "Reads the orders of a year, or a part of them where a day is damaged: then `complete` is false.",
            "tool_description",
            "names-gap",
            files=_handing_on(
                "Reads the orders of a year, or a part of them where a day is damaged: then `complete` is false."
            ),
        ),
        Example(
            "Lists the users of a team, at most 100.",
            "tool_description",
            "names-gap",
            files={"src/users.ts": _TYPESCRIPT.format(description="Lists the users of a team, at most 100.")},
        ),
        Example(
            "Lists the first 99 branches by name.",
            "tool_description",
            "names-gap",
            files={
                "go.mod": "module tools\n",
                "branches.go": _GO.format(description="Lists the first 99 branches by name."),
            },
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge a tool's description by the members of its result."""
        if text.surface != "tool_description":
            return
        fields = facts.unmentioned_fields(text)
        if not fields:
            return
        reading = read(text.text)
        lowered = text.text.lower()
        if any(name.lower() in lowered for name in fields) or any(
            family("names_partial").touches(sentence) for sentence in reading.sentences
        ):
            yield Adjudication(self.code, Verdict.PASS, "names-gap", 0, len(text.text))
            return
        listed = ", ".join(f"`{name}`" for name in fields)
        yield Adjudication(
            self.code, Verdict.FINDING, "never-mentioned", 0, len(text.text),
            message=f"The result of {text.tool} has {listed}, and the description does not say so.",
            confidence=Confidence.LIKELY,
            replacement=f"{_sentence(text.text)} The result says by {listed} whether something is missing.",
        )  # fmt: skip


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "`")) else f"{text}."
