"""Answers of the auditor as text: a line a diagnostic, the sentence, what to write instead, what was inspected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from scaup.reports import findings, inert
from scaup.reports.paint import Paint

Response = dict[str, Any]

WIDTH = 160  # columns of a quoted text; a longer one is cut, and the cut shows


def audit(response: Response, paint: Paint) -> Iterator[str]:
    """Yield the lines of an audit."""
    for row in findings.counting(response):
        yield from _diagnostic(row, paint)
    for row in response.get("passes", ()):
        place = paint.place(inert.line(_place(row)))
        yield f"{place} {row['rule']} pass ({row['reason']}) {paint.minor(_quoted(row['text']))}"
    if "fixed" in response:
        yield from _fixes(response, paint)
    yield from _summary(response, paint)


def rules(response: Response, paint: Paint) -> Iterator[str]:
    """Yield a line for each rule."""
    width = max((len(row["name"]) for row in response["rules"]), default=0)
    for row in response["rules"]:
        yield f"{paint.name(row['code'])}  {row['severity']:<6}  {row['name']:<{width}}  {inert.line(row['summary'])}"


def rule(response: Response, paint: Paint) -> Iterator[str]:
    """Yield what one rule says of itself, with its examples."""
    for row in response["rules"]:
        about = f"class {row['class']}: {row['habit']}; severity {row['severity']}"
        yield f"{paint.name(row['code'])} {row['name']}  ({about})"
        yield ""
        yield from inert.block(row["help"]).rstrip("\n").split("\n")
        for title, examples in (("Found", row["found"]), ("Passed", row["passed"])):
            if examples:
                yield ""
                yield f"{title}:"
            for example in examples:
                because = f"  ({example['because']})" if example["because"] else ""
                yield f"  {example['surface']}: {_quoted(example['text'])}{paint.minor(because)}"
                for name, text in example["siblings"].items():
                    yield paint.minor(f"    beside parameter {inert.line(name)}: {_quoted(text)}")


def _diagnostic(row: Response, paint: Paint) -> Iterator[str]:
    place = paint.place(inert.line(_place(row)))
    sure = "" if row["confidence"] == "likely" else f" [{row['confidence'].replace('_', ' ')}]"
    yield f"{place} {paint.error(row['rule'])} {row['class']} {inert.line(row['message'])}{paint.minor(sure)}"
    yield from _excerpt(row, paint)
    if row["suggestion"]:
        yield f"  {paint.minor('instead:')} {_quoted(row['suggestion'])}"


def _excerpt(row: Response, paint: Paint) -> Iterator[str]:
    """Yield the line of the source, and marks under what was judged; where the line is not there, the text."""
    source, span = row["excerpt"], row["span"]
    if source is None:
        yield f"  {paint.minor(row['surface'] + ':')} {_quoted(row['text'])}"
        return
    start = span["start_column"] - 1
    end = span["end_column"] - 1 if span["end_line"] == span["start_line"] else len(source)
    before, marked, behind = (inert.line(part) for part in (source[:start], source[start:end], source[end:]))
    before = before.replace("\\t", " ")
    lead = before.lstrip()
    if len(lead) > WIDTH // 2:
        lead = "…" + lead[-WIDTH // 2 :]
    shown = marked if len(marked) <= WIDTH else marked[: WIDTH - 1] + "…"
    room = max(WIDTH - len(lead) - len(shown), 0)
    tail = behind if len(behind) <= room else behind[: max(room - 1, 0)] + "…"
    number = str(span["start_line"])
    yield f"  {paint.minor(f'{number} |')} {lead}{shown}{tail}"
    more = "" if span["end_line"] == span["start_line"] else f" to line {span['end_line']}"
    under = paint.error("^" * max(_columns(shown), 1))
    yield f"  {' ' * len(number)} {paint.minor('|')} {' ' * _columns(lead)}{under} {paint.minor(row['surface'] + more)}"


def _columns(text: str) -> int:
    """Return the width of a text on a terminal: characters of East Asian scripts take two columns, marks none."""
    from rich.cells import cell_len

    return cell_len(text) if not text.isascii() else len(text)


def _fixes(response: Response, paint: Paint) -> Iterator[str]:
    """Yield the diff of a dry run, what was not done and why, and how many findings were fixed."""
    counts = response["fixes"]
    yield from inert.block(response.get("diff", "")).removesuffix("\n").split("\n") if response.get("diff") else ()
    for row in response["fixed"]:
        place = paint.place(inert.line(row["path"]))
        if row["reason"]:
            what = "rolled back" if row["rolled_back"] else "not touched"
            yield f"{place} {what}: {_said(row['reason'])}"
        for skip in row["skipped"]:
            if skip["reason"] not in ("unsafe", row["reason"]):
                at = paint.place(inert.line(f"{row['path']}:{skip['line']}"))
                yield f"{at} {skip['rule']} not fixed: {_said(skip['reason'])}"
        for name, step in (("format_skipped_reason", "formatted"), ("validate_skipped_reason", "checked")):
            if row.get(name) in ("formatter_not_installed", "checker_not_installed", "timeout", "error"):
                yield f"{place} not {step}: {_said(row[name])}"
        for found in row.get("findings_of_checker", ()):
            at = paint.place(inert.line(f"{row['path']}:{found['line']}:{found['column']}"))
            yield f"{at} {inert.line(found['code'] or 'error')} {inert.line(found['message'])}"
    left = counts["unsafe_left"]
    rest = f" ({left} unsafe {'one' if left == 1 else 'ones'} left: --unsafe-fixes)" if left else ""
    did = "Would fix" if counts["dry_run"] else "Fixed"
    yield f"{did} {counts['applied']} of {findings.counted(counts['findings'], 'finding')}{rest}."


def _said(reason: str) -> str:
    return inert.line(reason.replace("_", " "))


def _summary(response: Response, paint: Paint) -> Iterator[str]:
    inspected, number = response["inspected"], len(findings.counting(response))
    for entry in response.get("baseline", {}).get("stale", ()):
        stale = f"no longer there: {entry['rule']} {inert.line(entry['path'])}"
        yield f"{paint.place(inert.line(response['baseline']['path']))} {stale} {_quoted(entry['text'])}"
    if number or response.get("passes") or response.get("baseline", {}).get("stale"):
        yield ""
    if not inspected["strings"]:
        yield f"Nothing inspected: no agent-facing text in {findings.counted(inspected['files'], 'file')}."
        return
    by_class = ", ".join(
        f"{letter} {counts['findings']}" for letter, counts in response["classes"].items() if counts["findings"]
    )
    found = paint.error(findings.counted(number, "finding")) if number else "No findings"
    strings, passes = findings.counted(inspected["strings"], "string"), inspected["passes"]
    with_text, files = (findings.counted(inspected[name], "file") for name in ("files_with_text", "files"))
    yield (
        f"{found}{f' ({by_class})' if by_class else ''} in {strings} of {with_text}; {files} looked at, "
        f"{findings.counted(passes, 'pass', 'passes')} with a reason."
    )
    yield from _accepted(response, paint)
    if hidden := response["hidden"]["needs_evidence"]:
        what = "promise that needs" if hidden == 1 else "promises that need"
        yield paint.minor(f"{hidden} more {what} evidence: --confidence needs_evidence shows them.")


def _accepted(response: Response, paint: Paint) -> Iterator[str]:
    """Yield what was found and does not count."""
    by = Counter(row["suppressed"]["by"] for row in findings.suppressed(response))
    if by:
        said = ", ".join(f"{number} by {what}" for what, number in sorted(by.items()))
        yield paint.minor(f"{by.total()} more accepted: {said}.")
    if "written" in response.get("baseline", {}):
        written = findings.counted(response["baseline"]["written"], "finding")
        yield f"{inert.line(response['baseline']['path'])} written: it accepts {written}."
    if outside := response.get("outside_change"):
        yield paint.minor(f"{findings.counted(outside, 'finding')} outside of the change.")


def _place(row: Response) -> str:
    return f"{row['path']}:{row['span']['start_line']}:{row['span']['start_column']}"


def _quoted(text: str) -> str:
    folded = inert.line(" ".join(text.split()))
    return f'"{folded}"' if len(folded) <= WIDTH else f'"{folded[: WIDTH - 1]}…"'
