"""What differs between a sentence and its proposal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaup.rules.fixes.hunks import Hunk, PlaceholderError, applied, hunks


def test_a_tail_is_one_insertion() -> None:
    assert hunks("Try again.", "Try again, once.", []) == [Hunk(9, 9, ", once")]


def test_a_wrapper_goes_at_both_ends_and_what_is_in_it_stays() -> None:
    old = "<system-reminder>The plan file changed.</system-reminder>"
    new = "From the system, do not repeat: The plan file changed."
    assert hunks(old, new, []) == [
        Hunk(0, 17, "From the system, do not repeat: "),
        Hunk(39, 57, ""),
    ]


def test_placeholders_stand_between_hunks() -> None:
    assert hunks("[X] {a} is {b}", "Of x: {a} is {b}!", [(4, 7), (11, 14)]) == [Hunk(0, 3, "Of x:"), Hunk(14, 14, "!")]


@pytest.mark.parametrize(
    ("old", "new", "placeholders"),
    [
        ("a {x} b", "a b", [(2, 5)]),
        ("a {x} {y}", "a {y} {x}", [(2, 5), (6, 9)]),
        ("a {x}", "a {x} {x}", [(2, 5)]),
        ("{x} {x}", "{x} {x}", [(4, 7)]),  # the first is text that looks the same
        ("{} and {}", "{}", [(0, 2), (7, 9)]),
    ],
)
def test_placeholders_that_are_lost_added_or_in_another_order(
    old: str, new: str, placeholders: list[tuple[int, int]]
) -> None:
    with pytest.raises(PlaceholderError):
        hunks(old, new, placeholders)


@given(st.lists(st.text(alphabet="ab .\n<>", max_size=12), min_size=1, max_size=4), st.data())
def test_hunks_make_the_proposal_and_leave_placeholders_alone(parts: list[str], data: st.DataObject) -> None:
    new_parts = [data.draw(st.text(alphabet="ab .\n<>", max_size=12)) for _ in parts]
    names = [f"{{v{index}}}" for index in range(len(parts) - 1)]
    old = "".join(part + name for part, name in zip(parts, [*names, ""], strict=True))
    new = "".join(part + name for part, name in zip(new_parts, [*names, ""], strict=True))
    places = [(old.index(name), old.index(name) + len(name)) for name in names]
    found = hunks(old, new, places)
    assert applied(old, found) == new
    assert found == sorted(found)
    assert not any(hunk.start < end and start < hunk.end for hunk in found for start, end in places)


def test_long_texts_are_one_hunk() -> None:
    old = "<x>" + "word " * 4_000 + "</x>"
    assert applied(old, hunks(old, old[3:-4], [])) == old[3:-4]
