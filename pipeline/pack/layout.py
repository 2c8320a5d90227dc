"""The budget of a pack, in lines: which candidates get how much of it, and what each shows of itself.

Everything here is a pure function of the candidates and of the lines of their files. What is counted is what
`reports.pack` writes: one header, and for each section a heading, a line of facts, an opening and a closing fence, the
body, and a note where the body is not all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scaup.pipeline.pack import excerpt
from scaup.pipeline.pack.candidates import Candidate, Member
from scaup.pipeline.pack.commands import show_command
from scaup.pipeline.pack.excerpt import Excerpt
from scaup.pipeline.pack.source import LONGEST_LINE, shorten

HEADER = 1
FRAME = 4  # heading, facts, two fences
NOTE = 1
MOST = 800  # a pack beyond is a file dump
SHARE_LEAST, SHARE_MOST = 10, 150
LEAST_BODY = 3  # a cut of fewer lines says no more than its heading

Read = Callable[[str], list[str] | None]


@dataclass
class Section:
    """A candidate that has room. `lines` are shown of it: `start_line` to `end_line`, or what stands for them.

    `verbatim` are the lines of the file that are among them, by number.
    """

    candidate: Candidate
    start_line: int
    end_line: int
    lines: list[str]
    verbatim: list[int]
    cut: dict[str, Any] | None
    contains: list[Candidate] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The lines that the section takes of the budget."""
        return FRAME + len(self.lines) + (NOTE if self.cut else 0)


@dataclass
class Layout:
    """What has room, in order, and what has not. Where no body has, `needs` is the smallest budget that shows one."""

    sections: list[Section]
    beyond: list[Candidate]
    used: int
    needs: int | None = None


class _Shown:
    """The lines of each file that stand in the pack already, and in which section."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, Section]] = {}

    def add(self, section: Section) -> None:
        lines = self._lines.setdefault(section.candidate.path, {})
        lines.update(dict.fromkeys(section.verbatim, section))

    def at(self, path: str, line: int) -> Section | None:
        return self._lines.get(path, {}).get(line)

    def first_gap(self, path: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the first run of lines that is not shown."""
        lines = self._lines.get(path, {})
        first = next((line for line in range(start, end + 1) if line not in lines), None)
        if first is None:
            return None
        last = next((line for line in range(first, end + 1) if line in lines), end + 1) - 1
        return first, last


def lay_out(
    candidates: Sequence[Candidate], budget: int, read: Read, members: Mapping[int, Sequence[Member]]
) -> Layout:
    """Give each candidate its share of the budget: seeds first, then neighbours, each group in order."""
    left = budget - HEADER
    shown = _Shown()
    layout = Layout([], [], 0)
    waiting = {True: 0, False: 0}
    for candidate in candidates:
        waiting[candidate.is_seed] += candidate.symbol_id is not None
    for candidate in candidates:
        if candidate.symbol_id is None:
            layout.beyond.append(candidate)
            continue
        share = min(max(left // waiting[candidate.is_seed], SHARE_LEAST), SHARE_MOST, left)
        waiting[candidate.is_seed] -= 1
        span = _span(candidate, read)
        if span is None:
            layout.beyond.append(candidate)
            continue
        lines, start, end = span
        gap = shown.first_gap(candidate.path, start, end)
        if gap is None:
            around = shown.at(candidate.path, min(max(candidate.line, start), end))
            assert around is not None  # noqa: S101 - all its lines are shown
            around.contains.append(candidate)
            continue
        inner = members.get(candidate.symbol_id, ())
        section = _fit(candidate, share, lines, (start, end), gap, inner, shown)
        if section is None:
            layout.beyond.append(candidate)
            continue
        layout.sections.append(section)
        left -= section.size
        shown.add(section)
    layout.used = budget - left
    if not layout.sections:
        layout.needs = _needs(candidates, read)
    return layout


def _span(candidate: Candidate, read: Read) -> tuple[list[str], int, int] | None:
    """Return the lines of the file and the candidate's first and last; None where there is nothing to show."""
    lines = read(candidate.path)
    if lines is None:
        return None
    start, end = max(candidate.span_start, 1), min(candidate.end_line, len(lines))
    return (lines, start, end) if start <= end else None


def _fit(
    candidate: Candidate,
    share: int,
    lines: list[str],
    span: tuple[int, int],
    gap: tuple[int, int],
    members: Sequence[Member],
    shown: _Shown,
) -> Section | None:
    """Return the section of a candidate within its share; None where the share is too small for one."""
    start, end = span
    size = end - start + 1
    is_module = candidate.kind == "module" and bool(members)
    if gap == span and FRAME + size <= share and not is_module:
        return _verbatim(candidate, lines, start, end, None)
    room = share - FRAME - NOTE
    if room < min(LEAST_BODY, size):
        return None
    cut = {"shown": 0, "of": size, "as": "lines", "command": show_command(candidate)}
    if is_module or (members and candidate.focus):
        path = candidate.path
        rows = excerpt.outline(candidate, lines, span, members, lambda line: shown.at(path, line) is not None, room)
        return _instead(candidate, span, rows, cut | {"as": "outline"})
    if members:
        head_end = min(gap[1], min(member.span_start for member in members) - 1) if gap[0] == start else start - 1
        rows = excerpt.menu(lines[start - 1 : head_end], start, members, room)
        return _instead(candidate, span, rows, cut | {"as": "menu"})
    first, last = gap[0], min(gap[1], gap[0] + room - 1)
    if any(last < line <= gap[1] for line in candidate.focus):
        return _instead(candidate, gap, excerpt.around(candidate, lines, gap, room), cut | {"as": "excerpt"})
    cut["shown"] = last - first + 1
    return _verbatim(candidate, lines, first, last, cut)


def _verbatim(candidate: Candidate, lines: list[str], first: int, last: int, cut: dict[str, Any] | None) -> Section:
    body = lines[first - 1 : last]
    long = sum(len(line) > LONGEST_LINE for line in body)
    if long and cut is None:
        cut = {"shown": len(body), "of": len(body), "as": "lines", "command": show_command(candidate)}
    if long and cut:
        cut["long_lines"] = long
    return Section(candidate, first, last, [shorten(line) for line in body], list(range(first, last + 1)), cut)


def _instead(candidate: Candidate, span: tuple[int, int], rows: Excerpt, cut: dict[str, Any]) -> Section:
    """Return the section of a body that something stands for."""
    cut["shown"] = len(rows.shown)
    if rows.of_members:
        cut |= {"members": rows.members, "of_members": rows.of_members}
    return Section(candidate, *span, rows.lines, rows.shown, cut)


def _needs(candidates: Sequence[Candidate], read: Read) -> int | None:
    """Return the smallest budget that shows something of the first candidate that can be shown."""
    for candidate in candidates:
        if candidate.symbol_id is not None and (span := _span(candidate, read)) is not None:
            _, start, end = span
            return HEADER + FRAME + min(end - start + 1, LEAST_BODY + NOTE)
    return None
