"""The budget, as properties of the layout alone: for any candidates, over files of any shape, at every budget."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scaup.pipeline.pack.candidates import Candidate, Member
from scaup.pipeline.pack.layout import (
    FRAME,
    HEADER,
    LEAST_BODY,
    MOST,
    NOTE,
    SHARE_LEAST,
    SHARE_MOST,
    Layout,
    Section,
    lay_out,
)

LINES = 400  # of each file
FILES = {path: [f"{path} {number}" for number in range(1, LINES + 1)] for path in ("a.py", "b.py", "c.py")}

Pack = tuple[list[Candidate], dict[int, list[Member]]]


def read(path: str) -> list[str] | None:
    return FILES.get(path)


def candidate(
    number: int, start: int, end: int, *, path: str = "a.py", kind: str = "function", is_seed: bool = True
) -> Candidate:
    return Candidate(path, start, f"q{number}", kind, "python", start, end, number, f"r{number}", number, is_seed)


@st.composite
def spans(draw: st.DrawFn) -> tuple[int, int]:
    start = draw(st.integers(1, LINES))
    return start, min(LINES, start + draw(st.sampled_from([0, 1, 2, 3, 5, 9, 30, 200, 399])))


@st.composite
def packs(draw: st.DrawFn) -> Pack:
    """Candidates with spans that nest and overlap at will, some of files that are gone, some without a symbol."""
    found: list[Candidate] = []
    members: dict[int, list[Member]] = {}
    seeds = draw(st.integers(0, 15))
    for number in range(1, draw(st.integers(0, 40)) + 1):
        start, end = draw(spans())
        path = draw(st.sampled_from(["a.py", "a.py", "b.py", "c.py", "gone.py"]))
        kind = draw(st.sampled_from(["function", "class", "module"]))
        focus = draw(st.sets(st.integers(start, end), max_size=4)) if draw(st.booleans()) else set()
        row = candidate(number, start, end, path=path, kind=kind, is_seed=number <= seeds)
        row = replace(row, focus=tuple(sorted(focus)))
        if draw(st.integers(0, 9)) == 0:
            row = Candidate(path, start, None, None, None, start, start, None, row.reason, number, row.is_seed)
        elif kind != "function" and end > start:
            lines = sorted(draw(st.sets(st.integers(start + 1, end), min_size=1, max_size=30)))
            ends = [*(line - 1 for line in lines[1:]), end]
            last = [draw(st.sampled_from([line, stop])) for line, stop in zip(lines, ends, strict=True)]
            members[number] = [
                Member(line, line, f"def m{line}(self)", stop) for line, stop in zip(lines, last, strict=True)
            ]
        found.append(row)
    return found, members


def size(section: Section) -> int:
    return FRAME + len(section.lines) + (NOTE if section.cut else 0)


def places(layout: Layout) -> Counter[str]:
    """Return how often each candidate stands in a layout, by its reason."""
    bodies = [section.candidate for section in layout.sections]
    inside = [inner for section in layout.sections for inner in section.contains]
    return Counter(row.reason for row in [*bodies, *inside, *layout.beyond])


@given(packs(), st.integers(1, MOST))
def test_the_budget_is_never_passed_and_what_is_used_is_exact(pack: Pack, budget: int) -> None:
    layout = lay_out(pack[0], budget, read, pack[1])
    assert layout.used == HEADER + sum(map(size, layout.sections)) <= budget


@given(packs())
def test_at_every_budget_each_candidate_stands_in_one_place(
    pack: Pack,
) -> None:
    for budget in (*range(1, 40), *range(40, MOST + 1, 37), MOST):
        layout = lay_out(pack[0], budget, read, pack[1])
        assert layout.used <= budget
        assert places(layout) == Counter({row.reason: 1 for row in pack[0]})


@given(packs(), st.integers(1, MOST))
def test_no_line_of_a_file_is_shown_twice_and_each_is_the_files_own(pack: Pack, budget: int) -> None:
    seen: set[tuple[str, int]] = set()
    for section in lay_out(pack[0], budget, read, pack[1]).sections:
        path, rest = section.candidate.path, iter(section.lines)
        # Lines shown as they are stand in their order, with nothing but marks and members between them.
        assert all(FILES[path][line - 1] in rest for line in section.verbatim)
        assert not seen & {(path, line) for line in section.verbatim}
        seen |= {(path, line) for line in section.verbatim}
        assert section.cut is None or section.cut["shown"] == len(section.verbatim)
        if section.cut is None:
            assert (section.start_line, section.end_line) == (section.candidate.span_start, section.candidate.end_line)
            assert len(section.lines) == len(section.verbatim)


@given(packs(), st.integers(1, MOST))
def test_sections_stand_in_the_order_of_the_candidates(pack: Pack, budget: int) -> None:
    order = [row.reason for row in pack[0]]
    shown = [order.index(section.candidate.reason) for section in lay_out(pack[0], budget, read, pack[1]).sections]
    assert shown == sorted(shown)


@given(packs(), st.integers(1, MOST))
def test_no_section_is_above_the_largest_share(pack: Pack, budget: int) -> None:
    for section in lay_out(pack[0], budget, read, pack[1]).sections:
        assert size(section) <= max(SHARE_LEAST, SHARE_MOST)


def test_a_seeds_share_is_what_is_left_divided_by_the_seeds_left() -> None:
    # 101 lines less the header are 100: 33 for the first of three. It takes 4 + 6 = 10, so the second has 90 // 2 = 45,
    # of which 4 + 1 are its frame and its note; the last has 45 as well, all that is left.
    seeds = [candidate(1, 1, 6), candidate(2, 100, 199), candidate(3, 200, 299)]
    layout = lay_out(seeds, 101, read, {})
    assert [(len(s.lines), s.cut and s.cut["shown"]) for s in layout.sections] == [(6, None), (40, 40), (40, 40)]
    assert layout.used == 101


def test_neighbours_take_what_the_seeds_leave() -> None:
    rows = [candidate(1, 1, 50), candidate(2, 100, 150, is_seed=False), candidate(3, 1, 5, path="b.py", is_seed=False)]
    layout = lay_out(rows, 60, read, {})
    # 60 - 1 - 54 leave 5: too little for the least body of the second, too little for all of the third.
    assert [s.candidate.qualname for s in layout.sections] == ["q1"]
    assert [row.qualname for row in layout.beyond] == ["q2", "q3"]


def test_a_small_candidate_still_fits_where_a_large_one_did_not() -> None:
    rows = [candidate(1, 1, 50), candidate(2, 100, 150), candidate(3, 1, 1, path="b.py")]
    layout = lay_out(rows, 1 + SHARE_LEAST + 5, read, {})
    assert [s.candidate.qualname for s in layout.sections] == ["q1", "q3"]


def test_a_budget_too_small_for_the_first_body_says_what_it_needs() -> None:
    for lines, needs in ((1, 6), (2, 7), (3, 8), (4, 9), (100, 9)):
        rows = [candidate(1, 1, lines)]
        for budget in range(1, 30):
            layout = lay_out(rows, budget, read, {})
            assert bool(layout.sections) == (budget >= needs)
            assert layout.needs == (None if layout.sections else needs)


def test_a_body_above_its_share_is_cut_and_says_how_much_of_it_stands_there() -> None:
    (section,) = lay_out([candidate(1, 1, 300)], MOST, read, {}).sections
    assert section.cut == {
        "shown": SHARE_MOST - FRAME - NOTE,
        "of": 300,
        "as": "lines",
        "command": "scaup show a.py::q1",
    }
    assert section.end_line == SHARE_MOST - FRAME - NOTE


def test_a_class_above_its_share_is_a_menu_of_its_members() -> None:
    members = {1: [Member(line, line - 1, f"def  m{line}(self):\n  ...", line + 9) for line in (11, 51, 151)]}
    (section,) = lay_out([candidate(1, 1, 300, kind="class")], 16, read, members).sections
    # 15 lines, 5 of them frame and note: three members, and seven lines of the head, which ends before line 10.
    assert section.lines == [
        *FILES["a.py"][:7],
        "11: def m11(self): ...",
        "51: def m51(self): ...",
        "151: def m151(self): ...",
    ]
    assert section.cut == {
        "shown": 7, "of": 300, "as": "menu", "command": "scaup show a.py::q1", "members": 3, "of_members": 3,
    }  # fmt: skip


def test_a_menu_that_is_too_long_counts_the_rest() -> None:
    members = {1: [Member(line, line, f"m{line}", line) for line in range(2, 102)]}
    (section,) = lay_out([candidate(1, 1, 300, kind="class")], 16, read, members).sections
    assert section.lines == ["a.py 1", *(f"{n}: m{n}" for n in range(2, 10)), "… 92 more members"]
    assert section.cut is not None
    assert (section.cut["members"], section.cut["of_members"]) == (8, 100)


def test_a_seed_inside_another_is_shown_once() -> None:
    layout = lay_out([candidate(1, 1, 20), candidate(2, 5, 9)], 400, read, {})
    assert [(s.candidate.qualname, [c.qualname for c in s.contains]) for s in layout.sections] == [("q1", ["q2"])]


def test_a_function_around_a_shown_one_is_cut_before_it() -> None:
    layout = lay_out([candidate(1, 5, 9), candidate(2, 1, 20)], 400, read, {})
    assert [(s.start_line, s.end_line, s.cut is None) for s in layout.sections] == [(5, 9, True), (1, 4, False)]


def test_a_class_around_a_shown_method_is_a_menu() -> None:
    members = {2: [Member(5, 5, "m5", 9), Member(10, 10, "m10", 20)]}
    layout = lay_out([candidate(1, 5, 9), candidate(2, 1, 20, kind="class")], 400, read, members)
    assert layout.sections[1].lines == [*FILES["a.py"][:4], "5: m5", "10: m10"]


def test_a_line_that_nobody_reads_is_shortened_and_said_so() -> None:
    layout = lay_out([candidate(1, 1, 1)], 400, lambda path: ["x" * 900_000], {})
    (section,) = layout.sections
    assert len(section.lines[0]) < 2_100
    assert section.cut is not None
    assert section.cut["long_lines"] == 1


def test_a_span_beyond_the_end_of_a_file_that_shrank_is_clipped_or_a_stub() -> None:
    layout = lay_out([candidate(1, 1, 9), candidate(2, 8, 9)], 400, lambda path: ["a", "b"], {})
    assert [(s.start_line, s.end_line) for s in layout.sections] == [(1, 2)]
    assert [row.qualname for row in layout.beyond] == ["q2"]


def test_the_least_body_is_less_than_the_least_share() -> None:
    assert HEADER + FRAME + NOTE + LEAST_BODY <= SHARE_LEAST


def test_a_module_is_its_own_code_with_each_definition_folded_to_a_line() -> None:
    text = ["import a", "", "", "@b", "def f():", "    pass", "", "", "X = 1", "", "f()"]
    members = {1: [Member(5, 4, "def f()", 6), Member(9, 9, "X = 1", 9)]}
    (section,) = lay_out([candidate(1, 1, 11, kind="module")], 400, lambda path: text, members).sections
    assert section.lines == ["import a", "", "5: def f()", "X = 1", "", "f()"]
    assert section.verbatim == [1, 2, 9, 10, 11]
    assert section.cut == {
        "shown": 5, "of": 11, "as": "outline", "command": "scaup show a.py::q1", "members": 1, "of_members": 1,
    }  # fmt: skip


def test_what_a_module_has_no_room_for_is_marked_and_the_lines_that_matter_stay() -> None:
    seed = replace(candidate(1, 1, 300, kind="module"), focus=(250,))
    members = {1: [Member(100, 100, "def f()", 199)]}
    (section,) = lay_out([seed], 16, read, members).sections
    # Ten lines of room: the line that matters with its neighbours, code from the top, and a mark.
    assert section.lines == [*FILES["a.py"][:6], "…", *FILES["a.py"][248:251]]
    assert section.verbatim == [*range(1, 7), 249, 250, 251]


def test_a_body_that_is_cut_keeps_its_head_and_the_lines_that_matter() -> None:
    seed = replace(candidate(1, 1, 300), focus=(200, 300))
    (section,) = lay_out([seed], 16, read, {}).sections
    assert section.lines == [*FILES["a.py"][:3], "…", *FILES["a.py"][198:201], "…", *FILES["a.py"][298:300]]
    assert section.cut is not None
    assert (section.cut["as"], section.cut["shown"]) == ("excerpt", 8)


def test_a_body_whose_first_lines_hold_all_that_matters_is_cut_as_any_other() -> None:
    (section,) = lay_out([replace(candidate(1, 1, 300), focus=(2,))], 16, read, {}).sections
    assert section.cut is not None
    assert (section.cut["as"], section.lines) == ("lines", FILES["a.py"][:10])
