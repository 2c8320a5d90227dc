"""The fix of one text, for tests: planned on a file in a folder, put in, and checked as the command does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textfacts import texts

from scaup.pipeline.text import documents, naming
from scaup.pipeline.text.rows import AgentText
from scaup.rules.fixes import check
from scaup.rules.fixes.hunks import applied
from scaup.rules.fixes.plan import Fix, Planner
from scaup.rules.fixes.proposals import Proposal
from scaup.rules.fixes.rewrite import rewritten
from scaup.rules.model import Adjudication, Verdict

DOCUMENTS = ("json", "yaml", "toml", "markdown")


def agent_texts(path: str, content: bytes) -> list[AgentText]:
    """Return all strings of a file as rules get them."""
    language = naming.identify(path) or ""
    if language in DOCUMENTS:
        rows = documents.extract(language, path, content, "instructions").strings
    else:
        rows = texts(content, language, path).strings
    return [
        AgentText(
            text=row.text, surface="instructions", path=path, span=row.span, segments=tuple(row.segments),
            placeholders=tuple(row.placeholders),
        )
        for row in rows
    ]  # fmt: skip


def plan(folder: Path, path: str, content: bytes, old: str, new: str) -> tuple[Fix, list[dict[str, Any]]]:
    """Write a file, and return the fix that makes `old`, in the one text that has it, `new`; and its edits."""
    (folder / path).write_bytes(content)
    (text,) = (one for one in agent_texts(path, content) if old in one.text)
    start = text.text.index(old)
    decided = Adjudication("C101", Verdict.FINDING, "no-bound", start, start + len(old))
    planner = Planner(folder)
    edits = planner.plan("f", text, decided, Proposal(new, False), text.span.start_line)
    return planner.fixes["f"], edits


def fixed(folder: Path, path: str, content: bytes | str, old: str, new: str) -> str:
    """Return a file with the fix put in, checked to say what is meant; of a text that cannot be, the reason."""
    source = content.encode() if isinstance(content, str) else content
    fix, _ = plan(folder, path, source, old, new)
    if fix.reason is not None:
        return f"not fixed: {fix.reason}"
    language = naming.identify(path) or ""
    after = rewritten(language, source, fix.edits)
    assert check.problem(language, source, after) is None, after
    before = check.strings(language, path, source, "instructions")
    meant = {check.Said(fix.text.span, fix.text.text): applied(fix.text.text, fix.hunks)}
    said = [one.text for one in check.strings(language, path, after, "instructions")]
    assert said == check.expected(before, meant), after
    return after.decode()
