"""Today's names of the files that past commits touched.

A rename is known at the commit that made it. Which commits saw the file under the old name is a question of ancestry,
not of dates: branches are shown interleaved, and merges show no changes. For a file `p` that commit `c` touched:

1. the nearest descendant of `c` that renamed, deleted or added `p` decides, for all that is known on the line of `c`. A
   rename is followed, from there on in the same way. After a deletion the name stays. So it does where `p` was added:
   that is another file, and both are counted under the one name;
2. but a branch beside `c` may have renamed the file before that descendant (or before HEAD): `c` then edited it under
   the old name, and a merge carried the edit over. That rename is followed where both branches had the file from the
   commit at which they parted, and the merge did not keep it under its name: `p` is gone, or what is there now came to
   the name on the other branch.

The names are then those that a merge by git gives. The exception is a file that two branches, side by side, each rename
and rename back. Steps that lead in a circle end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple


class Change(NamedTuple):
    """A change of names in a commit: `old` is None for an addition, `new` for a deletion. All are numbers."""

    commit: int
    old: int | None
    new: int | None


class _Event(NamedTuple):
    """What a commit did to a name. It is born where it was added or another file was renamed to it."""

    position: int
    commit: int
    bit: int
    born: bool
    target: int | None  # the new name where it was renamed
    source: int | None  # the old name where another file was renamed to it


class Names:
    """Follows names through the commits of a walk.

    Commits are numbered in the order of the walk, `parents` holds the parents of each as far as the walk has them.
    `changes` need to cover the names that a rename took away, and may cover others. `today` are the names in HEAD.
    """

    def __init__(self, parents: Sequence[Sequence[int]], changes: Iterable[Change], today: frozenset[int]) -> None:
        changes = list(changes)
        renamed = {change.old for change in changes if change.old is not None and change.new is not None}
        changes = [change for change in changes if change.old in renamed or change.new in renamed]
        self._today = today
        order = _children_first(parents)
        self._position = [0] * len(parents)
        for position, commit in enumerate(order):
            self._position[commit] = position
        self._bits = bits = {commit: 1 << n for n, commit in enumerate(sorted({change.commit for change in changes}))}
        self._after = _descendants(parents, order, bits)
        self._before = _ancestors(parents, order, bits)
        self._events = self._by_name(changes, renamed, bits)
        self._known: dict[tuple[int, int], int] = {}

    def resolve(self, name: int, commit: int) -> int:
        """Return today's name of the file that `commit` left as `name` (or deleted under that name)."""
        if name not in self._events:
            return name
        start = (name, commit)
        if start not in self._known:
            steps = dict.fromkeys([start])  # a set in the order in which it was filled
            while (step := self._next(name, commit)) is not None and step not in steps:
                steps[step] = None
                name, commit = step
            if step is not None:  # a circle: of its names, one that there is
                name = next((old for old, _ in reversed(steps) if old in self._today), name)
            self._known[start] = name
        return self._known[start]

    def _next(self, name: int, commit: int) -> tuple[int, int] | None:
        """Return the name that the file got next, and the commit that gave it."""
        events = self._events.get(name, ())
        after = next((event for event in events if self._after[commit] & event.bit), None)
        moved = self._moved_beside(name, commit, events, after)
        event = after if moved is None else moved
        return None if event is None or event.target is None else (event.target, event.commit)

    def _moved_beside(self, name: int, commit: int, events: Sequence[_Event], after: _Event | None) -> _Event | None:
        """Return the rename beside `commit` that took its file away before `after` (before HEAD where that is None)."""
        related = self._after[commit] | self._before[commit]
        merged = -1 if after is None else self._before[after.commit]
        beside = [e for e in events if e.commit != commit and not e.bit & related and e.bit & merged]
        if not beside:
            return None
        is_there = name in self._today if after is None else not after.born
        if is_there and not any(event.born for event in self._last(beside)):
            return None  # the merge kept the file under its name
        moves = [e for e in self._first(beside) if e.target is not None and self._is_shared(name, commit, e)]
        here = self._position[commit]
        return min(moves, key=lambda event: (event.position > here, abs(event.position - here)), default=None)

    def _is_shared(self, name: int, commit: int, beside: _Event) -> bool:
        """Return whether the file had this name already where the branches of the two commits parted."""
        past = self._before[beside.commit]
        old: int | None = name
        reach = self._before[commit] | self._bits.get(commit, 0)
        while old is not None:
            births = [e for e in self._events.get(old, ()) if e.born and e.bit & reach & ~past]
            if not births:
                return old == name
            birth = min(births, key=lambda event: event.position)
            old, reach = birth.source, self._before[birth.commit]
        return False

    def _first(self, events: Sequence[_Event]) -> list[_Event]:
        return [event for event in events if not any(self._before[event.commit] & other.bit for other in events)]

    def _last(self, events: Sequence[_Event]) -> list[_Event]:
        return [event for event in events if not any(self._before[other.commit] & event.bit for other in events)]

    def _by_name(
        self, changes: Iterable[Change], renamed: set[int], bits: Mapping[int, int]
    ) -> dict[int, list[_Event]]:
        """Return the events of the names that a rename took away, nearest to the past first."""
        events: dict[int, list[_Event]] = {name: [] for name in renamed}
        for commit, old, new in changes:
            place = (self._position[commit], commit, bits[commit])
            if old in renamed:
                events[old].append(_Event(*place, False, new, None))
            if new in renamed:
                events[new].append(_Event(*place, True, None, old))
        for rows in events.values():
            rows.sort(key=lambda event: (-event.position, event.born))
        return events


def _children_first(parents: Sequence[Sequence[int]]) -> list[int]:
    """Return the commits in an order in which each stands after its children, else as near to the walk as can be."""
    children = [0] * len(parents)
    for row in parents:
        for parent in row:
            children[parent] += 1
    ready = [commit for commit, count in enumerate(children) if not count]
    heapify(ready)
    order = []
    while ready:
        commit = heappop(ready)
        order.append(commit)
        for parent in parents[commit]:
            children[parent] -= 1
            if not children[parent]:
                heappush(ready, parent)
    return order


def _descendants(parents: Sequence[Sequence[int]], order: Sequence[int], bits: Mapping[int, int]) -> list[int]:
    """Return for each commit the bits of its descendants."""
    found = [0] * len(parents)
    for commit in order:
        own = _union(found[commit], bits.get(commit, 0))
        for parent in parents[commit]:
            found[parent] = _union(found[parent], own)
    return found


def _ancestors(parents: Sequence[Sequence[int]], order: Sequence[int], bits: Mapping[int, int]) -> list[int]:
    """Return for each commit the bits of its ancestors."""
    found = [0] * len(parents)
    for commit in reversed(order):
        for parent in parents[commit]:
            found[commit] = _union(found[commit], _union(found[parent], bits.get(parent, 0)))
    return found


def _union(one: int, other: int) -> int:
    """Return the bits of both, as one of the two where it has them all: most commits then share their number."""
    both = one | other
    return one if both == one else other if both == other else both
