"""The line matcher: what it returns turns the old text into the new one, and it says no more than it has to."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from scaup.pipeline.pack.lines import Hunk, hunks

TEXTS = st.lists(st.sampled_from(["", "}", "a", "b", "c", "d", "e", "f", "g"]), max_size=40)


def rebuilt(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the old text, made from the new one by taking each hunk back."""
    found: list[str] = []
    line = 1
    for hunk in hunks(old, new):
        found += [*new[line - 1 : hunk.first - 1], *hunk.removed]
        line = hunk.last + 1
    return [*found, *new[line - 1 :]]


@given(TEXTS, TEXTS)
def test_hunks_tell_all_that_differs(old: list[str], new: list[str]) -> None:
    assert rebuilt(old, new) == old


@given(TEXTS, st.data())
def test_equal_texts_have_no_hunks_and_one_new_line_is_one_hunk(old: list[str], data: st.DataObject) -> None:
    assert hunks(old, old) == []
    at = data.draw(st.integers(0, len(old)))
    assert hunks(old, [*old[:at], "new", *old[at:]]) == [Hunk(at + 1, at + 1, ())]
    assert hunks([*old[:at], "gone", *old[at:]], old) == [Hunk(at + 1, at, ("gone",))]


def test_a_moved_function_is_taken_from_one_place_and_put_at_another() -> None:
    a, b = ["def a():", "    x"], ["def b():", "    y", "    z"]
    assert hunks([*a, *b], [*b, *a]) == [Hunk(1, 0, tuple(a)), Hunk(4, 5, ())]


def test_long_texts_of_equal_lines_are_compared_in_little_time() -> None:
    old = ["}", "", "x"] * 20_000
    new = ["", "}", "y"] * 20_000
    started = time.process_time()
    assert rebuilt(old, new) == old
    assert rebuilt([*old, "one", *new], [*new, "one", *old]) == [*old, "one", *new]
    assert time.process_time() - started < 5
