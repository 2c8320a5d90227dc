"""D201: a formatter renders success while its producer can report a gap that it never reads."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Severity, Verdict

_PRODUCER = """
    def copy_all(names):
        failed = [name for name in names if not copy(name)]
        return {"copied": len(names) - len(failed), "failed": failed}


    def copy(name):
        return bool(name)
"""
_SERVER = """
    from mcp.server.fastmcp import FastMCP
    from shop.copying import copy_all

    mcp = FastMCP("shop")


    @mcp.tool()
    def copy_orders(names: list[str]) -> str:
        \"\"\"Copies orders to the archive.\"\"\"
        result = copy_all(names)
        return f"Copied {result['copied']} orders."
"""
_READING = _SERVER.replace(
    "        return f", "        if result['failed']:\n            return f\"{len(result['failed'])} orders not copied\"\n        return f"
)  # fmt: skip


class DroppedGap(Rule):
    """A formatter renders a result as success, and never reads the member of it that says what is missing.

    The producer of the result can report failures, skipped items or a truncation; the text that the agent gets is the
    same with and without them. The chain is read out of the code: who calls whom, which members are written and read.

    Habit: taking partial work for done.
    Instead: read the member in the formatter and say it: how many of how many, the names of what failed, `truncated`.
    """

    code, name, habit, severity = "D201", "dropped-gap", Habit.COMPLETION, Severity.HIGH
    needs_code = True
    found = (
        Example(
            "Copied {} orders.", files={"shop/__init__.py": "", "shop/copying.py": _PRODUCER, "shop/server.py": _SERVER}
        ),
    )
    passed = (
        Example(
            "Copied {} orders.",
            because="reads-gap",
            files={"shop/__init__.py": "", "shop/copying.py": _PRODUCER, "shop/server.py": _READING},
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge a result text by what the code around it drops."""
        if text.surface not in ("tool_result", "notification") or text.branch is not None:
            return
        gap = facts.dropped_gap(text)
        if gap is None:
            return
        reading = read(text.text)
        shaped = any(
            family("success_words").holds(sentence) or family("done_any").holds(sentence)
            for sentence in reading.sentences
        )
        if not shaped or any(family("gap_named").touches(sentence) for sentence in reading.sentences):
            return
        yield Adjudication(
            self.code, Verdict.FINDING, "drops-gap", 0, len(text.text),
            message=(
                f"{gap.producer} ({gap.path}:{gap.line}) can give back `{gap.field}`, and {gap.formatter}, which renders its "
                "result here, never reads it."
            ),
            confidence=Confidence.LIKELY,
        )  # fmt: skip
