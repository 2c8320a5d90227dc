"""Which lines of a text differ from an older one: patience diff, down to difflib where that is cheap.

Lines that stand once in both texts are anchors: the longest run of them in the same order divides the texts, and each
part is compared by itself. Time stays near the size of the texts, where plain difflib can take its square.
"""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Lines of one part times lines of the other, up to which difflib compares them: some tens of milliseconds.
_CHEAP = 250_000


@dataclass(frozen=True)
class Hunk:
    """A difference. Lines `first` to `last` are new, from 1; where there are none, `last` is the line before.

    `removed` are the lines that stood there.
    """

    first: int
    last: int
    removed: tuple[str, ...]


def hunks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Return the differences by place."""
    found = [
        Hunk(first + 1, last, tuple(old[low:high]))
        for low, high, first, last in _parts(old, new, (0, len(old), 0, len(new)))
    ]
    return [hunk for hunk in found if hunk.removed or hunk.first <= hunk.last]


_Part = tuple[int, int, int, int]  # old from, old to, new from, new to


def _parts(old: Sequence[str], new: Sequence[str], whole: _Part) -> Iterator[_Part]:
    """Yield the parts that differ."""
    waiting = [whole]
    while waiting:
        low, high, first, last = waiting.pop()
        while low < high and first < last and old[low] == new[first]:
            low, first = low + 1, first + 1
        while low < high and first < last and old[high - 1] == new[last - 1]:
            high, last = high - 1, last - 1
        if low == high or first == last:
            yield low, high, first, last
        elif anchors := _anchors(old[low:high], new[first:last]):
            # In reverse, for the last one in is the first one out.
            ends = [*((low + a, first + b) for a, b in anchors), (high, last)]
            starts = [(low, first), *((low + a + 1, first + b + 1) for a, b in anchors)]
            waiting += [(a, c, b, d) for (a, b), (c, d) in zip(reversed(starts), reversed(ends), strict=True)]
        elif (high - low) * (last - first) <= _CHEAP:
            matcher = difflib.SequenceMatcher(None, old[low:high], new[first:last], autojunk=False)
            for tag, a, b, c, d in matcher.get_opcodes():
                if tag != "equal":
                    yield low + a, low + b, first + c, first + d
        else:
            yield low, high, first, last


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of lines that stand once in both, as many as have one order in both."""
    once = {line for line, number in Counter(old).items() if number == 1}
    once &= {line for line, number in Counter(new).items() if number == 1}
    place = {line: at for at, line in enumerate(new) if line in once}
    pairs = [(at, place[line]) for at, line in enumerate(old) if line in once]
    # The longest increasing subsequence of the places in the new text, by patience sorting.
    tops: list[int] = []
    tails: list[int] = []
    before: list[int] = []
    for index, (_, at) in enumerate(pairs):
        pile = bisect_left(tops, at)
        before.append(tails[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(at)
            tails.append(index)
        else:
            tops[pile], tails[pile] = at, index
    chain, index = [], tails[-1] if tails else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]
