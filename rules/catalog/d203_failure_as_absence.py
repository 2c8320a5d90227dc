"""D203: a text says that there is nothing, and its producer gives back nothing where it fails too."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Verdict

_ARCHIVE = """
    import json


    def find_orders(word):
        try:
            rows = json.loads(fetch("/orders"))
        except {error}:
            return []
        return [row for row in rows if word in row["title"]]


    def fetch(path):
        with open(path) as file:
            return file.read()
"""
_SERVER = """
    from mcp.server.fastmcp import FastMCP
    from shop.archive import find_orders

    mcp = FastMCP("shop")


    @mcp.tool()
    def search_orders(word: str) -> str:
        \"\"\"Search the orders by a word.\"\"\"
        found = find_orders(word)
        if not found:
            return "{text}"
        return ", ".join(found)
"""


def _python(text: str, error: str = "Exception") -> dict[str, str]:
    return {
        "shop/__init__.py": "",
        "shop/archive.py": _ARCHIVE.format(error=error),
        "shop/server.py": _SERVER.format(text=text),
    }


_MAILS = {
    "box/service.py": """
        class MailBox:
            def read_recent_mails(self, most):
                try:
                    return self.client.read(most)
                except Exception:
                    return []
    """,
    "box/tools.py": """
        from mcp.server.fastmcp import FastMCP
        from box.service import MailBox

        mcp = FastMCP("box")
        _box: MailBox | None = None


        @mcp.tool()
        def recent_mails(most: int) -> str:
            mails = _box.read_recent_mails(most)
            if not mails:
                return "No recent mails found."
            return str(mails)
    """,
}
_CLIENT = """
    export async function findIssues(word: string): Promise<string[]> {{
      try {{
        const reply = await fetch(`/issues?word=${{word}}`);
        return await reply.json();
      }} catch (error) {{
        {given}
      }}
    }}
"""
_TOOLS = """
    import {{ z }} from "zod";
    import {{ findIssues }} from "./client.js";

    export function register(server) {{
      server.registerTool("search_issues", {{ description: "Search issues.", inputSchema: {{ word: z.string() }} }},
        async ({{ word }}) => {{
          const found = await findIssues(word);
          if (found.length === 0) {{
            return {{ content: [{{ type: "text", text: "{text}" }}] }};
          }}
          return {{ content: [{{ type: "text", text: found.join(", ") }}] }};
        }});
    }}
"""


def _typescript(text: str, given: str = "return [];") -> dict[str, str]:
    return {"src/client.ts": _CLIENT.format(given=given), "src/tools.ts": _TOOLS.format(text=text)}


class FailureAsAbsence(Rule):
    """A text says that there is nothing, while the function that was asked gives back nothing where it fails, too.

    A search that could not be made and a search that found nothing look the same to whoever gets the empty value, so
    the text claims what nobody knows.

    Habit: taking a failure for an answer. An agent goes on as if there were no orders, no mails, no issues.
    Instead: let the failure through (raise it, or give it back beside the value), and say that it could not be looked.
    """

    code, name, habit = "D203", "failure-as-absence", Habit.COMPLETION
    needs_code = True
    found = (
        Example("No orders found.", files=_python("No orders found.")),
        Example("There are no orders yet.", files=_python("There are no orders yet.", "OSError")),
        Example("No issues found.", files=_typescript("No issues found.")),
        Example("No recent mails found.", files=_MAILS),
        Example("Nothing to show.", files=_python("Nothing to show.", "(OSError, RuntimeError) as error")),
    )
    passed = (
        Example(
            "No orders found, or the archive could not be read.", because="names-failure",
            files=_python("No orders found, or the archive could not be read."),
        ),
        Example("No orders are here.", files=_python("No orders are here.", "FileNotFoundError")),
        Example("No issues found.", files=_typescript("No issues found.", "throw error;")),
        Example("The search is done.", files=_python("The search is done.")),
    )  # fmt: skip

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge a text that says that there is nothing by where the emptiness comes from."""
        if text.surface not in ("tool_result", "error_message", "notification", "hint") or text.branch == "error":
            return
        if text.context in ("log", "docstring"):
            return
        sentence = next((one for one in read(text.text).sentences if family("reports_nothing").touches(one)), None)
        if sentence is None or (hidden := facts.hidden_failure(text)) is None:
            return
        if any(family("says_failure").touches(one) for one in read(text.text).sentences):
            yield Adjudication(self.code, Verdict.PASS, "names-failure", sentence.start, sentence.end)
            return
        yield Adjudication(
            self.code, Verdict.FINDING, "hides-failure", sentence.start, sentence.end,
            message=(
                f"{hidden.producer} ({hidden.path}:{hidden.line}) gives back an empty value where it fails, "
                "and here that is told as nothing being there."
            ),
            confidence=Confidence.CERTAIN if hidden.exact else Confidence.LIKELY,
        )  # fmt: skip
