"""Packs as text for agents and terminals, and as Markdown for issues.

Both have the same lines in the same places: one header; for each section a heading, a line of facts, the body between
two fences, and a note where the body is not all. The packer counts them so (`layout.FRAME`). Below stands what had no
room.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from scaup.reports import inert

Response = dict[str, Any]

BEYOND = "## Beyond budget (zoom to expand)"
_QUERY = 200  # characters of the question that the header repeats
_NAMES = 12  # external names, and files with counts, that one line lists


def render_text(response: Response) -> str:
    """Return a pack as plain text; every line ends in a line feed."""
    return _join(_lines(response, _plain))


def render_markdown(response: Response) -> str:
    """Return a pack as Markdown: what comes from the repository stands in code spans and fences, and does nothing."""
    return _join(_lines(response, _code))


def _join(lines: Iterator[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _lines(response: Response, name: Callable[[str], str]) -> Iterator[str]:
    yield f"# {name(_header(response))}"
    for section in response["sections"]:
        yield from _section(section, name)
    beyond = list(_beyond(response, name))
    if beyond:
        yield BEYOND
        yield from beyond


def _plain(text: str) -> str:
    return inert.line(text)


def _code(text: str) -> str:
    """Return a code span, whose marks are longer than any run of them inside."""
    text = inert.line(text)
    mark = "`" * (_longest_run(text) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{mark}{space}{text}{space}{mark}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


# ---------------------------------------------------------------------------------------------------------- header


def _header(response: Response) -> str:
    """Return the header: what was asked, what it cost, what is missing."""
    degraded = list(response["degraded"])
    query = response["query"] if len(response["query"]) <= _QUERY else f"{response['query'][: _QUERY - 1]}…"
    neighbors = str(response["neighbors"])
    if "graph-unavailable" in degraded:
        neighbors = "skipped(graph-unavailable)"
    budget = f"budget={response['budget']}"
    if "budget_asked" in response:
        budget += f" (cut from {response['budget_asked']})"
    asked = "rev" if "rev" in response else "query"
    quoted = '"' + query.replace("\\", "\\\\").replace('"', '\\"') + '"'
    parts = [
        "pack",
        f"mode={response['mode']}",
        f"{asked}={quoted}" + (f" ({response['rev'][:12]})" if "rev" in response else ""),
        f"seeds={response['seeds']}",
        f"neighbors={neighbors}",
        f"{budget} used={response['used']}",
        f"est_tokens={response['est_tokens']}",
        "facts=stale" if "facts-stale" in degraded or "stale" in response else "facts=fresh",
    ]
    if degraded:
        parts.append(f"degraded={','.join(degraded)}")
    if not response["seeds"] and "rev" in response:
        parts.append("nothing differs")
    elif not response["seeds"]:
        parts.append("nothing could be looked up" if "index-unavailable" in degraded else "nothing matches")
    if response["low_confidence"]:
        parts.append("confidence=low (scores do not separate)")
    if "first_body_needs" in response:
        parts.append(f"too small for the first body: it needs a budget of {response['first_body_needs']}")
    if "tests_left_out" in response:
        parts.append(f"tests_left_out={response['tests_left_out']}")
    return " | ".join(parts)


# --------------------------------------------------------------------------------------------------------- section


def _section(section: Response, name: Callable[[str], str]) -> Iterator[str]:
    yield f"## {name(_place(section))}"
    yield name(" | ".join([section["reason"], *_contained(section), *_facts(section["facts"]), *_changed(section)]))
    body = inert.block(section["text"])
    fence = "`" * max(3, _longest_run(body) + 1)
    yield f"{fence}{section['language'] or ''}"
    yield body
    yield fence
    if section["cut"]:
        yield name(_note(section["cut"]))


def _place(row: Response) -> str:
    return f"{row['path']}:{row['line']} {row['kind']} {row['qualname']}"


def _contained(section: Response) -> Iterator[str]:
    for inner in section.get("contains", ()):
        yield f"also {inner['reason']}: {inner['qualname']} (line {inner['line']})"


def _changed(section: Response) -> Iterator[str]:
    if section.get("changed"):
        yield "CHANGED since the facts were made: lines may be off"


def _facts(facts: Response) -> Iterator[str]:
    """Yield the facts of a heading, as words."""
    if "tested" in facts:
        yield _tested(facts) if facts["tested"] else "untested"
    if "purity" in facts:
        kinds = f" ({', '.join(facts['effect_kinds'])})" if facts.get("effect_kinds") else ""
        yield "purity unknown" if facts["purity"] == "unknown" else facts["purity"] + kinds
    if "churn" in facts:
        yield f"churn {facts['churn']}"
    if "amp" in facts:
        yield f"amp {facts['amp']} ({facts['callers']} callers + {facts['cochange_files']} files)"
    elif "callers" in facts:
        yield f"callers {facts['callers']}"
    if "reach" in facts:
        yield f"reach {facts['reach']}"
    elif facts.get("reach_capped"):
        yield "reach >32"
    if "cyclomatic" in facts:
        yield f"cyclomatic {facts['cyclomatic']}"


def _tested(facts: Response) -> str:
    number = ">32" if facts.get("tested_by_capped") else str(facts.get("tested_by", "?"))
    nearest = f"nearest {facts['nearest_test']}" if "nearest_test" in facts else ""
    more = [test for test in facts.get("tests", ()) if test != facts.get("nearest_test")]
    names = ", ".join([nearest, *more] if nearest else more)
    return f"tested by {number} ({names})" if names else f"tested by {number}"


def _note(cut: Response) -> str:
    if cut["as"] == "menu":
        what = f"menu: {cut['members']} of {cut['of_members']} members, {cut['shown']} of {cut['of']} lines"
    elif cut["as"] == "outline":
        what = f"outline: {cut['shown']} of {cut['of']} lines"
        if cut.get("of_members"):
            what += f", {cut['members']} of {cut['of_members']} definitions listed"
    else:
        what = f"cut: {cut['shown']} of {cut['of']} lines"
    if "long_lines" in cut:
        what += f", {cut['long_lines']} of them shortened"
    return f"{what}; all of it: {cut['command']}"


# ---------------------------------------------------------------------------------------------------------- beyond


def _beyond(response: Response, name: Callable[[str], str]) -> Iterator[str]:
    for stub in response["beyond_budget"]:
        yield f"- {name(_stub(stub))}"
    counts = response.get("beyond_counts", [])
    if counts:
        total = sum(row["symbols"] for row in counts)
        yield f"- {total} more, by file: {_listed([(row['path'], row['symbols']) for row in counts], name)}"
        commands = response["beyond_commands"]
        for command in commands[:_NAMES]:
            yield f"- listed by {name(command)}"
        if len(commands) > _NAMES:
            yield f"- and by {len(commands) - _NAMES} more commands like these, for the other files"
    unresolved = response["unresolved_calls"]
    if any(unresolved[reason] for reason in ("external", "ambiguous", "dynamic")):
        names = unresolved["names"]
        more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
        external = f" ({name(', '.join(names[:_NAMES]) + more)})" if names else ""
        yield (
            f"- unresolved callees: {unresolved['external']} external{external}, "
            f"{unresolved['ambiguous']} ambiguous, {unresolved['dynamic']} dynamic"
        )


def _stub(stub: Response) -> str:
    if stub["qualname"] is None:
        return f"{stub['target']} (no containing symbol) | {stub['reason']}"
    if stub["target"].endswith(f"::{stub['qualname']}"):
        return f"{stub['target']} | line {stub['line']} {stub['kind']} | {stub['reason']}"
    return f"{stub['target']} | {stub['kind']} {stub['qualname']} | {stub['reason']}"


def _listed(counts: list[tuple[str, int]], name: Callable[[str], str]) -> str:
    shown = ", ".join(f"{name(path)} {number}" for path, number in counts[:_NAMES])
    rest = counts[_NAMES:]
    return f"{shown} and {sum(number for _, number in rest)} in {len(rest)} more files" if rest else shown
