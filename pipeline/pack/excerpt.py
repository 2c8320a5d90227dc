"""What stands for a body that is not shown as a whole: a menu of members, an outline, an excerpt around what matters.

Everything here is a pure function of lines. What a row shows verbatim has its line number; what it only names has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scaup.pipeline.pack.candidates import Candidate, Member
from scaup.pipeline.pack.source import shorten

MENU_TEXT = 160  # of a member's signature
MARK = "…"  # stands where lines are left out
_NEAR = 1  # lines shown on each side of one that matters


@dataclass(frozen=True)
class Row:
    """A line of an excerpt. Rows of a lower rank go first; `number` is the line of the file that it shows."""

    text: str
    rank: int
    number: int | None = None


@dataclass(frozen=True)
class Excerpt:
    """Lines that stand for a body, and which lines of the file they show as they are."""

    lines: list[str]
    shown: list[int]
    members: int = 0
    of_members: int = 0


def menu(head: Sequence[str], start: int, members: Sequence[Member], room: int) -> Excerpt:
    """Return a class as its head and one line a member."""
    head = list(head)
    while head and not head[-1].strip():
        head.pop()
    # At least half of the room is for the members: they are what the menu is for.
    listed = min(len(members), max(room - len(head), room - room // 2))
    head = head[: room - listed]
    entries = [_entry(member) for member in members]
    if listed < len(members):
        listed -= 1
        entries = [*entries[:listed], f"{MARK} {len(members) - listed} more members"]
    return Excerpt([*map(shorten, head), *entries], list(range(start, start + len(head))), listed, len(members))


def outline(
    candidate: Candidate,
    lines: Sequence[str],
    span: tuple[int, int],
    members: Sequence[Member],
    is_shown: Callable[[int], bool],
    room: int,
) -> Excerpt:
    """Return the code of a module or class outside of its definitions, with one line for each of these.

    Where not all has room, the lines that matter come first, then code, then definitions.
    """
    start, end = span
    folded = {member.span_start: member for member in members if member.end_line > member.span_start}
    matters = _near(candidate)
    rows: list[Row] = []
    line = start
    while line <= end:
        if (member := folded.get(line)) is not None and member.end_line <= end:
            rows.append(Row(_entry(member), 3))
            line = member.end_line + 1
            continue
        if is_shown(line):
            if rows and rows[-1].text != MARK:
                rows.append(Row(MARK, 4))
        elif lines[line - 1].strip():
            rows.append(Row(shorten(lines[line - 1]), _rank(candidate, line, matters), line))
        elif rows and rows[-1].number is not None and rows[-1].text.strip():
            rows.append(Row("", 4, line))
        line += 1
    picked = _pick(rows, room)
    return _excerpt(picked, sum(row.rank == 3 for row in picked), len(folded))


def around(candidate: Candidate, lines: Sequence[str], gap: tuple[int, int], room: int) -> Excerpt:
    """Return the first line of a definition, the lines that matter, and as much of the rest as has room."""
    matters = _near(candidate)
    rows = [Row(shorten(lines[line - 1]), _rank(candidate, line, matters), line) for line in range(gap[0], gap[1] + 1)]
    return _excerpt(_pick(rows, room))


def _excerpt(rows: Sequence[Row], members: int = 0, of_members: int = 0) -> Excerpt:
    shown = [row.number for row in rows if row.number is not None]
    return Excerpt([row.text for row in rows], shown, members, of_members)


def _near(candidate: Candidate) -> set[int]:
    return {line + step for line in candidate.focus for step in range(-_NEAR, _NEAR + 1)}


def _rank(candidate: Candidate, line: int, matters: set[int]) -> int:
    if line in candidate.focus or (line == candidate.line and candidate.kind != "module"):
        return 0
    return 1 if line in matters else 2


def _entry(member: Member) -> str:
    return f"{member.line}: {' '.join(member.text.split())[:MENU_TEXT]}"


def _pick(rows: Sequence[Row], room: int) -> list[Row]:
    """Return the rows that have room, in order, with a mark where some are left out between others."""
    order = sorted(range(len(rows)), key=lambda at: (rows[at].rank, at))
    for number in range(min(room, len(rows)), 0, -1):
        picked = list(_marked(rows, sorted(order[:number])))
        if len(picked) <= room:
            return picked
    return []


def _marked(rows: Sequence[Row], kept: Sequence[int]) -> Iterable[Row]:
    before = kept[0] - 1
    for at in kept:
        left_out = any(row.text.strip() for row in rows[before + 1 : at])  # blank lines are not missed
        if left_out and rows[at].text != MARK and rows[before].text != MARK:
            yield Row(MARK, 4)
        yield rows[at]
        before = at
