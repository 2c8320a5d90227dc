"""What goes to standard error beside an answer: a failure, and each gap of an answer that is not complete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scaup.reports import inert
from scaup.reports.paint import Paint

LISTED = 10  # files that are named; JSON has all of them


def render(response: dict[str, Any], paint: Paint) -> str:
    """Return the lines of a failure, or of the gaps; empty for a complete answer."""
    if not response["success"]:
        return "".join(line + "\n" for line in _failure(response, paint))
    if response["complete"]:
        return ""
    return "".join(f"{paint.warning('incomplete')}: {inert.line(gap)}\n" for gap in gaps(response))


def _failure(response: dict[str, Any], paint: Paint) -> Iterator[str]:
    yield f"{paint.error('error')}[{response['code']}]: {inert.block(response['message'])}"
    for candidate in response.get("candidates", []):
        place = candidate["path"] + (f":{candidate['line']}" if "line" in candidate else "")
        name = f"  {candidate['kind']} {candidate['qualname']}" if "qualname" in candidate else ""
        yield inert.line(f"  {place}{name}")


def gaps(response: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each thing that is missing from an answer; text of the repository in them is not inert."""
    stages = response.get("stages", [])
    for gap in stages:
        # Answers of ingest and status have a row for every stage under that name, with its state.
        if gap.get("state", "failed") == "failed" or (gap["stage"], gap["state"]) == ("discover", "partial"):
            yield f"{gap['stage']}: {gap.get('reason') or gap['state']}"
    if "stale" in response and not any(gap["stage"] == "ingest" for gap in stages):
        yield f"ingest: {response['stale']['reason']}"
    skipped = response.get("skipped_files", [])
    for gap in skipped[:LISTED]:
        yield f"{gap['file']} was not read ({gap['reason']})"
    if len(skipped) > LISTED:
        yield f"{len(skipped) - LISTED} more files were not read; --format json lists them"
    for member, what in (
        ("pending_files", "is not read yet"),
        ("unchecked_files", "changed since the facts were made: what other files tell of it was not checked"),
    ):
        files = response.get(member, [])
        for file in files[:LISTED]:
            yield f"{file} {what}"
        if len(files) > LISTED:
            yield f"{len(files) - LISTED} more files: each {what}"
    if response.get("walk_truncated"):
        yield "there are more files than the limit of ingest.max-files: the rest was left out"
    yield from response.get("scope_warnings", [])
    if response.get("no_files_matched_scope"):
        yield "no file matched what was asked for"
