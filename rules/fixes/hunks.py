"""What differs between a stretch of a text and its proposal, in as few characters as words allow."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
# Beyond it, comparing takes longer than a smaller edit is worth.
_MOST_TOKENS = 3_000
# Shorter stretches that happen to be equal in the middle of a change tell nobody anything.
_SHORTEST = 8


class Hunk(NamedTuple):
    """Characters `start` to `end` of a text become `new`."""

    start: int
    end: int
    new: str


class PlaceholderError(Exception):
    """A proposal loses, adds or reorders a placeholder."""


def hunks(old: str, new: str, placeholders: Sequence[tuple[int, int]]) -> list[Hunk]:
    """Return what turns `old` into `new`, in order; no hunk touches a placeholder.

    `placeholders` are the stretches of `old` that stand for values. Raises `PlaceholderError` where they are not the
    same, in the same order, in `new`, or where text that looks the same leaves it open which is which.
    """
    parts = _between(old, new, placeholders)
    return [hunk for at, old_part, new_part in parts for hunk in _changed(at, old_part, new_part)]


def _between(old: str, new: str, placeholders: Sequence[tuple[int, int]]) -> Iterator[tuple[int, str, str]]:
    """Yield the parts between placeholders: where each starts in `old`, its text there, and in `new`."""
    written = [old[start:end] for start, end in placeholders]
    for one in set(written):
        if not old.count(one) == new.count(one) == written.count(one):
            raise PlaceholderError
    at = at_new = 0
    for (start, end), one in zip(placeholders, written, strict=True):
        place = new.find(one, at_new)
        if place < 0:
            raise PlaceholderError
        yield at, old[at:start], new[at_new:place]
        at, at_new = end, place + len(one)
    yield at, old[at:], new[at_new:]


def _changed(at: int, old: str, new: str) -> Iterator[Hunk]:
    """Yield the hunks of a stretch without placeholders that starts at `at`."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    first = last = 0
    while first < min(len(a), len(b)) and a[first] == b[first]:
        first += 1
    while last < min(len(a), len(b)) - first and a[-1 - last] == b[-1 - last]:
        last += 1
    at += sum(map(len, a[:first]))
    a, b = a[first : len(a) - last], b[first : len(b) - last]
    blocks: list[tuple[int, int, int]] = []
    if len(a) + len(b) <= _MOST_TOKENS:
        matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
        blocks = [(block.a, block.b, block.size) for block in matcher.get_matching_blocks()[:-1]]
    done = done_new = 0
    for i, j, size in [*blocks, (len(a), len(b), 0)]:
        equal = sum(map(len, a[i : i + size]))
        if size and equal < _SHORTEST:
            continue
        changed = sum(map(len, a[done:i]))
        if i > done or j > done_new:
            yield Hunk(at, at + changed, "".join(b[done_new:j]))
        at += changed + equal
        done, done_new = i + size, j + size


def applied(text: str, changes: Sequence[Hunk]) -> str:
    """Return a text with hunks, which do not overlap, put in."""
    for hunk in sorted(changes, reverse=True):
        text = text[: hunk.start] + hunk.new + text[hunk.end :]
    return text
