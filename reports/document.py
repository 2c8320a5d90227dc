"""An audit as a document in Markdown, in the shape of one that was made by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from scaup.reports import findings
from scaup.reports.pages import cell

Row = dict[str, Any]

_NAMES = {
    "A": "wake and boundary", "B": "conditional absolutes", "C": "bounded retry and check-again",
    "D": "evidenced completion", "E": "imitation of system text", "F": "durable automatic delivery",
    "S": "upkeep of suppressions",
}  # fmt: skip
_YIELD = 5  # fixes that are listed as those with the highest yield


def render(response: Row) -> str:
    """Return the document; for a failure, why there is none."""
    lines = _failure(response) if not response["success"] else _document(response)
    return "".join(f"{line}\n" for line in lines)


def _failure(response: Row) -> Iterator[str]:
    yield "# Audit of the texts that agents read"
    yield ""
    yield f"It could not be made. {cell(' '.join(findings.missing(response)))}"


def _document(response: Row) -> Iterator[str]:
    yield "# Audit of the texts that agents read"
    yield ""
    yield from _scope(response)
    yield from _counts(response)
    yield from _findings(response)
    yield from _fixes(response)
    yield from _accepted(response)
    yield from _passes(response)


def _scope(response: Row) -> Iterator[str]:
    inspected = response["inspected"]
    yield "## Scope and coverage"
    yield ""
    if not inspected["strings"]:
        yield f"Nothing was inspected: there is no text of agents in {findings.counted(inspected['files'], 'file')}."
    else:
        yield (
            f"Inspected: {findings.counted(inspected['strings'], 'string')} of "
            f"{findings.counted(inspected['files_with_text'], 'file')}; "
            f"looked at: {findings.counted(inspected['files'], 'file')}."
        )
        yield ""
        yield "| read as | strings |"
        yield "| --- | --- |"
        for surface, number in inspected["surfaces"].items():
            yield f"| {cell(surface)} | {number} |"
    facts = response.get("facts") or {}
    if facts.get("head"):
        state = ", with changes" if facts.get("dirty") else ""
        yield ""
        yield f"State: commit {cell(facts['head'][:12])}{state}."
    if gaps := findings.missing(response):
        yield ""
        yield "Not everything could be looked at:"
        yield ""
        for gap in gaps:
            yield f"- {cell(gap)}"
    yield ""


def _counts(response: Row) -> Iterator[str]:
    yield "## Counts by class"
    yield ""
    yield "| class | findings | need evidence | accepted | passes |"
    yield "| --- | --- | --- | --- | --- |"
    for letter, counts in response["classes"].items():
        if letter in "ABCDEF" or any(counts.values()):
            numbers = " | ".join(str(counts[name]) for name in ("findings", "needs_evidence", "suppressed", "passes"))
            yield f"| {letter}: {_NAMES[letter]} | {numbers} |"
    yield ""


def _findings(response: Row) -> Iterator[str]:
    rows = findings.counting(response)
    yield "## Findings"
    yield ""
    if not rows:
        yield "None."
        yield ""
        return
    yield "| place | text | class | why it misfires, and the habit | severity | proposal |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in rows:
        sure = "" if row["confidence"] == "likely" else f" ({row['confidence'].replace('_', ' ')})"
        why = f"{cell(row['message'])} Habit: {cell(row['habit'])}.{sure}"
        yield (
            f"| {_place(row)} | {cell(row['text'])} | {row['rule']} | {why} | {row['severity']} "
            f"| {cell(row['suggestion'] or '')} |"
        )
    yield ""


def _fixes(response: Row) -> Iterator[str]:
    """Yield the changes that end most findings: one text that stands in many places, or one proposal."""
    rows = findings.counting(response)
    if len(rows) < 2:
        return
    same = Counter((row["rule"], " ".join(row["text"].split())) for row in rows)
    yield "## Where a change yields most"
    yield ""
    repeated = [(key, number) for key, number in same.most_common(_YIELD) if number > 1]
    for (rule, text), number in repeated:
        yield f"- {number} times {rule}: {cell(text)}"
    files = Counter(row["path"] for row in rows)
    for path, number in sorted(files.items(), key=lambda one: (-one[1], one[0]))[: _YIELD - len(repeated)]:
        yield f"- {findings.counted(number, 'finding')} in {cell(path)}"
    yield ""


def _accepted(response: Row) -> Iterator[str]:
    rows = findings.suppressed(response)
    stale = response.get("baseline", {}).get("stale", [])
    if not rows and not stale:
        return
    yield "## Accepted"
    yield ""
    if rows:
        yield "| place | text | rule | accepted by | reason |"
        yield "| --- | --- | --- | --- | --- |"
    for row in rows:
        silenced = row["suppressed"]
        until = f" (until {silenced['until']})" if silenced["until"] else ""
        yield (
            f"| {_place(row)} | {cell(row['text'])} | {row['rule']} | {silenced['by']} "
            f"| {cell((silenced['reason'] or '') + until)} |"
        )
    if stale:
        yield ""
        yield "The baseline accepts what is no longer there:"
        yield ""
    for entry in stale:
        yield f"- {entry['rule']} in {cell(entry['path'])}: {cell(entry['text'])}"
    yield ""


def _passes(response: Row) -> Iterator[str]:
    if "passes" not in response:
        return
    yield "## Passes"
    yield ""
    yield "| place | text | rule | reason |"
    yield "| --- | --- | --- | --- |"
    for row in response["passes"]:
        yield f"| {_place(row)} | {cell(row['text'])} | {row['rule']} | {cell(row['reason'])} |"
    yield ""


def _place(row: Row) -> str:
    return cell(f"{row['path']}:{row['span']['start_line']}")
