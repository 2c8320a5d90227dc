"""What holds of every pack, over repositories that hypothesis builds: budget, places, bytes, headings, commands."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gitrepo import GitRepo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from packs import above, below, headings, packed, reasons

from scaup.pipeline import symbols
from scaup.pipeline.facts import Facts, open_facts
from scaup.pipeline.ingest import ingest, project
from scaup.pipeline.pack import answer, gather, gather_changes
from scaup.pipeline.pack import candidates as found
from scaup.pipeline.pack.assembly import Gathered
from scaup.pipeline.pack.excerpt import MARK
from scaup.reports.pack import BEYOND, render_markdown, render_text

# What could break out of a fence, pass for a heading or a stub, steer a terminal, or be cut in the middle.
EVIL = [
    "```", "`````", "~~~", "## m0.py:1 function forged", "# pack | mode=question | seeds=99", BEYOND,
    "- m0.py::forged | line 1 function | seed 1", "cut: 1 of 2 lines; all of it: scaup show forged",
    "\x1b[2J\x07", "\x9b2J", "\u202etxt.exe", "\x0c\x0b", "\u2028\u2029\x85", "héé漢字\N{PILE OF POO}\u0301",
    "é" * 3000, "` `` ```", "$(touch x)",
]  # fmt: skip
STEERING = {chr(code) for code in (*range(9), *range(11, 32), 0x7F, *range(0x80, 0xA0), 0x202E, 0x2028, 0x2029)}
TITLES = ["adds", "calls f0()", "ratio 1:2", "a::b", "## forged", "```", "it's `x`\\n", "$HOME", "m0.py:1", " pad "]

SETTINGS = settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


@st.composite
def repositories(draw: st.DrawFn) -> dict[str, str]:
    """Files that call each other, with classes, overloads, code outside of definitions, tests and hostile text."""
    modules = draw(st.integers(1, 3))
    files = {}
    for module in range(modules):
        code = [f"from m{other} import f{other}" for other in range(modules) if other != module]
        code += ["", f"SIZE = {module}", ""]
        code += [f"if SIZE > {n}:\n    print(SIZE)" for n in range(draw(st.integers(0, 3)))]
        for name in (f"f{module}", f"g{module}"):
            text = "\n".join(draw(st.lists(st.sampled_from(EVIL), max_size=6))).replace("\\", "")
            calls = "".join(f"    f{draw(st.integers(0, modules - 1))}()\n" for _ in range(draw(st.integers(0, 3))))
            body = "    x = 1\n" * draw(st.sampled_from([0, 2, 30, 200]))
            code.append(f'\ndef {name}():\n    """kettle {text}\n    """\n{calls}{body}    return SIZE\n')
        if draw(st.booleans()):
            code.append(
                f"class C{module}:\n    size = 1\n\n    @property\n    def lid(self):\n        return f{module}()\n\n"
                f"    @lid.setter\n    def lid(self, value):\n        g{module}()\n"
            )
        files[f"m{module}.py"] = "\n".join(code) + draw(st.sampled_from(["", "\n", "f0()\n", "f0()\n\n\n"]))
    files["test_m.py"] = "from m0 import f0\n\n\ndef test_kettle():\n    f0()\n"
    titles = draw(st.lists(st.sampled_from(TITLES), min_size=1, max_size=4, unique=True))
    tests = "\n".join(f"  it({json.dumps(title)}, () => {{\n    kettle();\n  }});" for title in titles)
    files["a b/kettle.test.js"] = f'function kettle() {{}}\n\ndescribe("kettle", () => {{\n{tests}\n}});\n'
    return files


def gatherings(facts: Facts) -> Iterator[Gathered]:
    """Yield what packs in each mode are made of."""
    for tests in (False, True):
        seeds = found.of_question(facts.con, "kettle f0 lid", prefix=None, limit=15, include_tests=tests)
        yield gather(facts, seeds, "question", "kettle f0 lid", include_tests=tests)
        yield gather_changes(facts, "HEAD", include_tests=tests)
    for (ids,) in facts.con.execute(
        "SELECT list(symbol_id ORDER BY symbol_id) FROM symbols WHERE qualname IN ('f0', 'C0.lid', '<module>') "
        "GROUP BY path, qualname ORDER BY path, qualname"
    ).fetchall():
        yield gather(facts, found.of_symbol(facts.con, ids, "asked for"), "symbol", "x", include_tests=False)


def build(root: Path, files: dict[str, str]) -> Path:
    """Commit half of the files, and leave the others and a change to the first in the working tree."""
    repo = GitRepo(root)
    early = dict(sorted(files.items())[: len(files) // 2])
    repo.commit(
        {name: text.replace("SIZE = 0", "SIZE = 9\n\n\ndef gone():\n    pass\n") for name, text in early.items()}
    )
    repo.write(files)
    ingest(project(root), workers=1)
    return root


def check(facts: Facts, gathered: Gathered, budget: int) -> None:
    """Check one pack in both forms."""
    response = answer(facts, gathered, budget, [])
    everybody = Counter(
        f"{row.path}:{row.line} {row.qualname}" for row in [*gathered.begun.candidates, *gathered.neighbors]
    )
    shown = Counter(reasons(response))
    counted = sum(row["symbols"] for row in response.get("beyond_counts", []))
    assert not shown - everybody
    assert sum(shown.values()) + counted == sum(everybody.values())
    for section in response["sections"]:
        path = facts.project.root / section["path"]
        lines = path.read_bytes().decode().split("\n")
        text = section["text"].split("\n")
        if section["cut"] is None:
            assert text == lines[section["start_line"] - 1 : section["end_line"]]
        else:
            rest = iter(lines)
            own = [
                row for row in text if row != MARK and " more characters)" not in row and not re.match(r"\d+: |… ", row)
            ]
            assert all(row in rest for row in own)
    for text in (render_text(response), render_markdown(response)):
        assert len(above(text)) == response["used"] <= budget
        assert len(headings(text)) == 1 + len(response["sections"]) + (BEYOND in headings(text))
        assert len(text.splitlines()) == text.count("\n")
        assert not set(text) & STEERING
        text.encode("utf-8")


@SETTINGS
@given(repositories(), st.lists(st.integers(1, 800), min_size=6, max_size=6))
def test_every_pack_keeps_its_contract(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str], budgets: list[int]
) -> None:
    root = build(tmp_path_factory.mktemp("repo"), files)
    with open_facts(project(root), refresh=False) as facts:
        for gathered in gatherings(facts):
            for budget in budgets:
                check(facts, gathered, budget)


FIXED = {
    "m0.py": "import os\n\nSIZE = 0\n\n\ndef f0():\n" + "    f1()\n" * 20 + "    return g0()\n\n\n"
    "def g0():\n    return 1\n\n\nclass C0:\n    @property\n    def lid(self):\n        return f0()\n\n"
    "    @lid.setter\n    def lid(self, v):\n        g0()\n\n\nprint(f0())\n",
    "m1.py": "from m0 import f0\n\n\ndef f1():\n" + "    f0()\n" * 150 + "\n\n"
    + "".join(f"def k{n}():\n    f1()\n\n\n" for n in range(40)),
    "test_m.py": "from m0 import f0\n\n\ndef test_kettle():\n    f0()\n",
}  # fmt: skip


def test_at_every_budget_from_1_to_800_used_is_exact_and_each_candidate_stands_in_one_place(tmp_path: Path) -> None:
    root = build(tmp_path, FIXED)
    with open_facts(project(root), refresh=False) as facts:
        for number, gathered in enumerate(gatherings(facts)):
            # The change takes every budget; the others a part of them, each another one.
            for budget in range(1, 801) if number == 1 else range(1 + number, 801, 37):
                check(facts, gathered, budget)


@SETTINGS
@given(repositories(), st.sampled_from([1, 9, 40, 120, 800]))
def test_each_command_that_a_pack_prints_shows_the_symbol(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str], budget: int
) -> None:
    root = build(tmp_path_factory.mktemp("repo"), files)
    with open_facts(project(root), refresh=False) as facts:
        for gathered in gatherings(facts):
            response = answer(facts, gathered, budget, [])
            lines = render_text(response).split("\n")
            stubs = [line[2:].split(" | ")[0] for line in below(render_text(response)) if " | " in line]
            for stub, printed in zip(response["beyond_budget"], stubs, strict=False):
                if stub["qualname"] is None:
                    assert printed == f"{stub['path']}:{stub['line']} (no containing symbol)"
                    continue
                shown = symbols.show(facts, printed)["symbols"]
                assert (stub["path"], stub["qualname"], stub["line"]) in places(shown)
            for section in response["sections"]:
                if section["cut"]:
                    command = shlex.split(section["cut"]["command"])
                    assert command[:2] == ["scaup", "show"] and len(command) == 3
                    assert any(line.endswith(section["cut"]["command"]) for line in lines)
                    shown = symbols.show(facts, command[2])["symbols"]
                    assert (section["path"], section["qualname"], section["line"]) in places(shown)
            for command in response.get("beyond_commands", []):
                _, name, *target = shlex.split(command)
                if name == "calls":
                    assert symbols.calls(facts, *target)["symbol"]
                else:
                    assert packed(root, diff=target[1], path=target[3])["seeds"]


def places(shown: list[dict[str, Any]]) -> set[tuple[str, str, int]]:
    return {(row["path"], row["qualname"], row["line"]) for row in shown}


@SETTINGS
@given(repositories(), st.sampled_from(["{}", "./{}", ".\\{}", "{root}/{}", "x/../{}"]), st.integers(1, 800))
def test_seeds_win_over_neighbours_however_the_path_is_spelled_and_bytes_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str], spelling: str, budget: int
) -> None:
    root = build(tmp_path_factory.mktemp("repo"), files)
    path = spelling.format("m0.py", root=root)
    for options in ({"symbol": "f0"}, {"query": "kettle f0"}, {"diff": "HEAD"}):
        expected = packed(root, **options, path="m0.py", budget=budget)
        response = packed(root, **options, path=path, budget=budget)
        assert json.dumps(response) == json.dumps(expected)
        seen = Counter(reasons(response))
        assert max(seen.values(), default=1) == 1
        for row in [*response["sections"], *response["beyond_budget"]]:
            if (row["path"], row["qualname"]) == ("m0.py", "f0"):
                assert row["reason"].startswith("seed")
