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
        return {{"orders": rows[:50], "truncated": len(rows) > 50}}
"""


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
            files={"server.py": _SERVER.format(description="Finds orders by a word.")},
        ),
    )
    passed = (
        Example(
            "Finds orders by a word; `truncated` says that there are more.", "tool_description", "names-gap",
            files={"server.py": _SERVER.format(description="Finds orders by a word; `truncated` says that there are more.")},
        ),
    )  # fmt: skip

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
            replacement=f"{text.text.strip()} The result says by {listed} whether something is missing.",
        )  # fmt: skip
