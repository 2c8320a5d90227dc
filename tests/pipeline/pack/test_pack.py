"""Packs of small repositories: what they hold, in which order, and that nothing in a repository can break them."""

from __future__ import annotations

import json
import shlex
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from gitrepo import GitRepo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from packs import above, build, headings, packed, reasons
from syrupy.assertion import SnapshotAssertion

from scaup.pipeline import store, symbols
from scaup.pipeline.facts import open_facts
from scaup.pipeline.ingest import ingest, project
from scaup.pipeline.pack import answer, degradations, gather, pack
from scaup.pipeline.pack import candidates as found
from scaup.pipeline.response import ScaupError
from scaup.reports.pack import BEYOND, render_markdown, render_text

BAKERY = {
    "bakery/__init__.py": "",
    "bakery/oven.py": '''
        """The oven."""

        import time


        class Oven:
            """Heats what is put in."""

            limit = 250

            def heat(self, degrees):
                """Heat up to some degrees, at most the limit."""
                self.degrees = check(degrees, self.limit)
                time.sleep(1)

            def bake_bread(self, dough):
                """Bake bread from dough."""
                self.heat(220)
                return Bread(dough)


        class Bread:
            def __init__(self, dough):
                self.dough = dough


        def check(degrees, limit):
            return min(degrees, limit)
        ''',
    "bakery/shop.py": '''
        from bakery.oven import Oven


        def open_shop(orders):
            """Bake what is ordered."""
            oven = Oven()
            return [oven.bake_bread(order) for order in orders]


        @cache
        # Prices are by weight.
        def price(bread):
            if bread.dough:
                return 3
            return 0
        ''',
    "tests/test_oven.py": """
        from bakery.oven import Oven


        def test_bake_bread():
            Oven().bake_bread("rye")


        def test_bake_bread_twice():
            Oven().bake_bread("rye")
        """,
}


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("bakery"), BAKERY)


# ------------------------------------------------------------------------------------------------------------ symbol


def test_a_symbol_comes_with_its_callers_then_its_callees(bakery: Path) -> None:
    response = packed(bakery, symbol="Oven.bake_bread", path="bakery/oven.py")
    assert [(row["qualname"], row["reason"]) for row in response["sections"]] == [
        ("Oven.bake_bread", "seed 1 (asked for)"),
        ("open_shop", "caller of Oven.bake_bread (type)"),
        ("Oven.heat", "callee of Oven.bake_bread (exact)"),
        ("Bread", "callee of Oven.bake_bread (same_file)"),
    ]
    # A call of a class is one of its constructor too, which stands in the class's body.
    assert [row["qualname"] for row in response["sections"][3]["contains"]] == ["Bread.__init__"]
    assert (response["seeds"], response["neighbors"], response["tests_left_out"]) == (1, 4, 2)
    assert response["beyond_budget"] == []


def test_there_is_no_second_hop(bakery: Path) -> None:
    assert "check" not in {row["qualname"] for row in packed(bakery, symbol="Oven.bake_bread")["sections"]}


def test_tests_are_left_out_unless_asked_for_and_named_all_the_same(bakery: Path) -> None:
    without = packed(bakery, symbol="Oven.bake_bread")
    facts = without["sections"][0]["facts"]
    assert (facts["tested"], facts["tested_by"], facts["nearest_test"]) == (True, 2, "test_bake_bread")
    assert facts["tests"] == ["test_bake_bread", "test_bake_bread_twice"]
    with_tests = packed(bakery, symbol="Oven.bake_bread", include_tests=True)
    assert {row["qualname"] for row in with_tests["sections"]} == {row["qualname"] for row in without["sections"]} | {
        "test_bake_bread",
        "test_bake_bread_twice",
    }
    assert with_tests["neighbors"] == 6


def test_a_test_that_is_asked_for_is_shown(bakery: Path) -> None:
    assert packed(bakery, symbol="test_bake_bread")["sections"][0]["qualname"] == "test_bake_bread"


def test_a_body_is_verbatim_with_its_decorators_and_comments(bakery: Path) -> None:
    (section,) = packed(bakery, symbol="price")["sections"]
    lines = (bakery / "bakery/shop.py").read_text().splitlines()
    assert section["text"].split("\n") == lines[section["start_line"] - 1 : section["end_line"]]
    assert section["text"].startswith("@cache\n# Prices are by weight.\ndef price")
    assert section["line"] == section["start_line"] + 2


@pytest.mark.parametrize(
    "path", ["bakery/oven.py", "./bakery/oven.py", "bakery\\oven.py", "oven.py", "{root}/bakery/oven.py"]
)
def test_the_spelling_of_a_path_decides_nothing(bakery: Path, path: str) -> None:
    expected = packed(bakery, symbol="Oven.heat", path="bakery/oven.py")
    assert packed(bakery, symbol="Oven.heat", path=path.format(root=bakery)) == expected


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, "invalid_request"),
        ({"query": "x", "symbol": "heat"}, "invalid_request"),
        ({"path": "bakery/oven.py"}, "invalid_request"),
        ({"query": "bread", "budget": 0}, "invalid_request"),
        ({"query": "bread", "budget": -3}, "invalid_request"),
        ({"query": "bread", "seeds": 0}, "invalid_request"),
        ({"query": "bread", "seeds": 16}, "invalid_request"),
        ({"query": " "}, "invalid_request"),
        ({"query": "bread", "path": "nowhere"}, "path_not_found"),
        ({"symbol": "heat", "path": "nowhere.py"}, "path_not_found"),
        ({"symbol": "heaat"}, "symbol_not_found"),
        ({"symbol": "__init__", "path": "shop.py"}, "symbol_not_found"),
    ],
)
def test_what_cannot_be_packed_says_why(bakery: Path, options: dict[str, Any], code: str) -> None:
    with pytest.raises(ScaupError) as caught:
        packed(bakery, **options)
    assert caught.value.code == code
    assert caught.value.message


def test_a_name_that_several_symbols_have_is_ambiguous(tmp_path: Path) -> None:
    root = build(tmp_path, {"a.py": "def run():\n    pass\n", "b.py": "def run():\n    pass\n"})
    with pytest.raises(ScaupError) as caught:
        packed(root, symbol="run")
    assert caught.value.code == "ambiguous_match"
    assert [row["path"] for row in caught.value.details["candidates"]] == ["a.py", "b.py"]


# ---------------------------------------------------------------------------------------------------------- question


def test_a_question_is_seeded_by_search_and_every_seed_comes_before_any_neighbour(bakery: Path) -> None:
    response = packed(bakery, "bake bread dough", seeds=2)
    kinds = [row["reason"].split()[0] for row in response["sections"]]
    assert kinds[:2] == ["seed", "seed"]
    assert set(kinds[2:]) <= {"caller", "callee"} != set()
    assert response["sections"][0]["qualname"] == "Oven.bake_bread"
    assert response["sections"][0]["reason"].startswith("seed 1 (score 0.")
    assert response["seeds"] == 2


def test_a_seed_is_no_neighbour(bakery: Path) -> None:
    response = packed(bakery, "bake bread heat oven check degrees shop price")
    assert all(number == 1 for number in Counter(reasons(response)).values())


def test_a_path_narrows_the_seeds_and_not_their_neighbours(bakery: Path) -> None:
    response = packed(bakery, "bake bread", path="bakery/shop.py")
    seeds = [row for row in response["sections"] if row["reason"].startswith("seed")]
    assert {row["path"] for row in seeds} == {"bakery/shop.py"}
    assert "bakery/oven.py" in {row["path"] for row in response["sections"]}


def test_a_question_that_matches_nothing_is_a_complete_success(bakery: Path) -> None:
    response = packed(bakery, "zzyzx")
    assert (response["success"], response["complete"], response["seeds"], response["used"]) == (True, True, 0, 1)
    text = render_text(response)
    assert "nothing matches" in text
    assert text.count("\n") == 1


def test_a_place_without_a_symbol_stays_as_a_stub(tmp_path: Path) -> None:
    root = build(tmp_path, {"deploy.cfg": "[x]\n" * 9, "a.py": "def run():\n    pass\n"})
    response = packed(root, "what does deploy.cfg:3 say")
    assert response["beyond_budget"][0] | {"reason": ""} == {
        "path": "deploy.cfg", "line": 3, "qualname": None, "kind": None, "target": "deploy.cfg:3", "reason": "",
    }  # fmt: skip
    assert "- deploy.cfg:3 (no containing symbol) | seed 1" in render_text(response)


# ------------------------------------------------------------------------------------------------------------ budget


@pytest.mark.parametrize("query", ["how is bread baked in the oven", "price"])
@pytest.mark.parametrize("include_tests", [False, True])
def test_at_every_budget_used_is_the_number_of_lines_above_the_last_section(
    bakery: Path, query: str, include_tests: bool
) -> None:
    with open_facts(project(bakery), refresh=False) as facts:
        seeds = found.of_question(facts.con, query, prefix=None, limit=15, include_tests=include_tests)
        gathered = gather(facts, seeds, "question", query, include_tests=include_tests)
        every = {row.reason for row in [*seeds.candidates, *gathered.neighbors]}
        for budget in (*range(1, 150), *range(150, 801, 25), 800):
            response = answer(facts, gathered, budget, [])
            for text in (render_text(response), render_markdown(response)):
                assert len(above(text)) == response["used"] <= budget
            assert len(reasons(response)) == len(every)


def test_a_budget_above_the_most_is_cut_and_the_header_says_so(bakery: Path) -> None:
    response = packed(bakery, "bread", budget=5000)
    assert (response["budget"], response["budget_asked"]) == (800, 5000)
    assert "budget=800 (cut from 5000)" in render_text(response)


def test_a_budget_too_small_for_the_first_body_says_so(bakery: Path) -> None:
    response = packed(bakery, symbol="Oven.bake_bread", budget=5)
    assert response["sections"] == []
    assert response["first_body_needs"] == 9
    assert "too small for the first body: it needs a budget of 9" in render_text(response).split("\n")[0]
    assert packed(bakery, symbol="Oven.bake_bread", budget=9)["sections"]


def test_what_is_beyond_a_hundred_is_counted_by_file_with_the_command_that_lists_it(tmp_path: Path) -> None:
    callers = "from a import hub\n\n\n" + "".join(f"def use_{n:03}():\n    hub()\n\n\n" for n in range(130))
    root = build(tmp_path, {"a.py": "def hub():\n    pass\n", "b.py": callers, "c.py": callers})
    response = packed(root, symbol="hub", budget=20)
    counts = response["beyond_counts"]
    assert len(response["beyond_budget"]) == 100
    assert sum(row["symbols"] for row in counts) + 100 + len(response["sections"]) == 1 + response["neighbors"] == 261
    assert response["beyond_commands"] == ["scaup calls a.py::hub"]
    text = render_text(response)
    assert "more, by file: c.py 130, b.py " in text
    assert "- listed by scaup calls a.py::hub" in text


def test_the_same_state_and_question_give_the_same_bytes(bakery: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(bakery, tmp_path / "copy", ignore=shutil.ignore_patterns(".scaup"))
    ingest(project(copy), workers=1)
    for options in ({"query": "bake bread"}, {"symbol": "Oven.heat"}):
        first, second, third = packed(bakery, **options), packed(bakery, **options), packed(copy, **options)
        assert json.dumps(first) == json.dumps(second) == json.dumps(third)


def test_show_takes_what_a_stub_and_a_cut_print(tmp_path: Path) -> None:
    body = "".join(f"        self.kettle({n})\n" for n in range(200))
    code = f"class Kettle:\n    def boil(self):\n{body}\n    @property\n    def lid(self):\n{body}\n"
    root = build(tmp_path, {"a b/it's.py": code, "c.py": "class Kettle:\n    def boil(self):\n        return 1\n"})
    for budget in (5, 12, 400):
        response = packed(root, "boil kettle lid", budget=budget)
        with open_facts(project(root), refresh=False) as facts:
            for stub in response["beyond_budget"]:
                line = next(row for row in render_text(response).split("\n") if row.startswith(f"- {stub['path']}::"))
                assert symbols.show(facts, line[2:].split(" | ")[0])["symbols"]
                named = symbols.show(facts, f"{stub['path']}::{stub['qualname']}")["symbols"]
                assert [row["line"] for row in named] == [stub["line"]]
            for section in response["sections"]:
                if section["cut"]:
                    command = shlex.split(section["cut"]["command"])
                    assert command[:2] == ["scaup", "show"]
                    (shown,) = symbols.show(facts, command[2])["symbols"]
                    assert (shown["path"], shown["qualname"]) == (section["path"], section["qualname"])


# ------------------------------------------------------------------------------------------------------- degradation


def test_a_complete_repository_lacks_nothing(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"a.py": "def run():\n    pass\n"})
    ingest(project(tmp_path), workers=1)
    with open_facts(project(tmp_path), refresh=False) as facts:
        assert degradations(facts) == []
    assert "degraded" not in render_text(packed(tmp_path, "run"))


@pytest.mark.parametrize("query", ["run", "zzyzx"])
def test_without_git_the_header_says_that_history_was_skipped(tmp_path: Path, query: str) -> None:
    root = build(tmp_path, {"a.py": "def run():\n    pass\n"})
    assert packed(root, query)["degraded"] == ["history-skipped"]
    assert "degraded=history-skipped" in render_text(packed(root, query))


def test_a_shallow_clone_says_so(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "full")
    for number in range(3):
        repo.commit({"a.py": f"def run():\n    return {number}\n"})
    root = repo.clone(tmp_path / "shallow", "--depth", "1").root
    ingest(project(root), workers=1)
    assert packed(root, "run")["degraded"] == ["history-shallow"]


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ("UPDATE stage_runs SET state = 'failed' WHERE stage = 'graph'", ["history-skipped", "graph-unavailable"]),
        ("UPDATE stage_runs SET state = 'partial' WHERE stage = 'index'", ["history-skipped", "index-partial"]),
        ("UPDATE stage_runs SET state = 'failed' WHERE stage = 'history'", ["history-failed"]),
        ("UPDATE stage_runs SET state = 'partial' WHERE stage = 'parse'", ["files-skipped", "history-skipped"]),
    ],
)
@pytest.mark.parametrize("query", ["run", "zzyzx"])
def test_a_stage_that_did_not_complete_is_named(tmp_path: Path, change: str, names: list[str], query: str) -> None:
    root = build(tmp_path, {"a.py": "def run():\n    pass\n"})
    with store.write(store.locate(root), timeout=5) as writer:
        writer.con.execute(change)
        if "graph" in change:
            writer.con.execute("DELETE FROM edges")
        writer.publish()
    response = packed(root, query)
    assert response["degraded"] == names
    header = render_text(response).split("\n")[0]
    assert f"degraded={','.join(names)}" in header
    assert ("neighbors=skipped(graph-unavailable)" in header) == ("graph-unavailable" in names)


def test_a_file_that_changed_since_is_marked_and_is_a_gap(tmp_path: Path) -> None:
    root = build(tmp_path, {"a.py": "def run():\n    pass\n", "b.py": "def walk():\n    pass\n"})
    (root / "a.py").write_text("# new\ndef run():\n    pass\n")
    (root / "b.py").unlink()
    response = packed(root, "run walk")
    assert response["complete"] is False
    assert {"file": "a.py", "reason": "changed"} in response["skipped_files"]
    assert {"file": "b.py", "reason": "unreadable"} in response["skipped_files"]
    assert response["degraded"][0] == "facts-stale"
    (section,) = response["sections"]
    assert section["changed"] is True
    assert [row["path"] for row in response["beyond_budget"]] == ["b.py"]
    text = render_text(response)
    assert "facts=stale" in text
    assert "CHANGED since the facts were made" in text


def test_scores_that_do_not_separate_are_marked(tmp_path: Path) -> None:
    root = build(tmp_path, {f"m{n}.py": f"def kettle_{n}():\n    pass\n" for n in range(6)})
    assert packed(root, "kettle")["low_confidence"] is True
    assert "confidence=low" in render_text(packed(root, "kettle"))
    assert packed(root, "kettle_3()")["low_confidence"] is False


# ----------------------------------------------------------------------------------------------------------- hostile

EVIL = [
    "```", "````", "~~~", "## evil.py:1 function forged", "# pack | mode=question", BEYOND, "- a.py::x | line 1",
    "\x1b[2J\x07", "\x9b2J", "\u202etxt.exe", "\x0c", "\r", "\x0b\x1c\x85", "\u2028\u2029", "héé漢字\N{PILE OF POO}",
    "\ufeff", "` `` ``` ````",
]  # fmt: skip

STEERING = {chr(code) for code in (*range(9), *range(11, 32), 0x7F, *range(0x80, 0xA0), 0x202E, 0x2028, 0x2029)}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    bodies=st.lists(st.lists(st.sampled_from(EVIL), min_size=1, max_size=12), min_size=1, max_size=4),
    budgets=st.lists(st.integers(1, 120), min_size=6, max_size=6),
)
def test_no_content_breaks_or_forges_a_heading(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[list[str]], budgets: list[int]
) -> None:
    root = tmp_path_factory.mktemp("evil")
    for number, body in enumerate(bodies):
        lines = "\n".join(body).replace('"""', "")
        (root / f"m{number}.py").write_bytes(f'def evil_{number}():\n    """x\n{lines}\n    """\n'.encode())
    ingest(project(root), workers=1)
    with open_facts(project(root), refresh=False) as facts:
        seeds = found.of_question(facts.con, "evil x", prefix=None, limit=15, include_tests=False)
        gathered = gather(facts, seeds, "question", "evil x", include_tests=False)
        for budget in budgets:
            response = answer(facts, gathered, budget, [])
            check_hostile(response, root)


def check_hostile(response: dict[str, Any], root: Path) -> None:
    for section in response["sections"]:
        lines = (root / section["path"]).read_bytes().decode().replace("\r\n", "\n").split("\n")
        if not section["cut"] or section["cut"]["as"] == "lines":
            assert section["text"].split("\n") == lines[section["start_line"] - 1 : section["end_line"]]
    for text in (render_text(response), render_markdown(response)):
        assert len(headings(text)) == 1 + len(response["sections"]) + (BEYOND in headings(text))
        assert len(text.splitlines()) == text.count("\n")
        assert not set(text) & STEERING
        text.encode("utf-8")
        inside = text[: text.rindex(BEYOND)] if BEYOND in headings(text) else text
        assert len(inside.splitlines()) == response["used"]


def test_names_cannot_forge_a_heading(tmp_path: Path) -> None:
    name = "a\n## forged.py:1 function x\x1b[2J`` _b_.py"
    (tmp_path / name).write_text("def kettle():\n    pass\n")
    ingest(project(tmp_path), workers=1)
    query = "kettle\n# pack | seeds=99\x1b[2J"
    for render in (render_text, render_markdown):
        text = render(packed(tmp_path, query))
        assert len(headings(text)) == 2
        assert "\x1b" not in text


def test_bytes_that_are_no_text_are_shown(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b'def kettle():\n    return "\xff\xfe\xc3"\n')
    ingest(project(tmp_path), workers=1)
    (section,) = packed(tmp_path, "kettle")["sections"]
    assert section["text"] == 'def kettle():\n    return "\\xff\\xfe\\xc3"'


def test_line_ends_of_windows_are_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"def kettle():\r\n    pass\r\n")
    ingest(project(tmp_path), workers=1)
    (section,) = packed(tmp_path, "kettle")["sections"]
    assert section["text"] == "def kettle():\n    pass"


# --------------------------------------------------------------------------------------------------------- snapshots


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("question", {"query": "how is bread baked"}),
        ("symbol", {"symbol": "Oven.bake_bread", "path": "bakery/oven.py"}),
        ("class as a menu", {"symbol": "Oven", "budget": 12}),
        ("tight budget", {"query": "how is bread baked", "budget": 30}),
        ("no body", {"query": "how is bread baked", "budget": 3}),
        ("nothing", {"query": "zzyzx"}),
    ],
)
def test_whole_packs(bakery: Path, snapshot: SnapshotAssertion, name: str, options: dict[str, Any]) -> None:
    response = packed(bakery, **options)
    assert render_text(response) == snapshot(name=f"{name}, text")
    assert render_markdown(response) == snapshot(name=f"{name}, markdown")


def test_the_whole_object(bakery: Path, snapshot: SnapshotAssertion) -> None:
    with open_facts(project(bakery), refresh=False) as facts:
        assert pack(facts, query="how is bread baked", budget=30, seeds=2) == snapshot
