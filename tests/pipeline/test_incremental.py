"""An ingest after any edits equals a full one, row for row."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from facts import Facts
from gitrepo import GitRepo
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scaup.pipeline.ingest import ingest, project
from scaup.pipeline.languages import extract

NAMES = ["a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "tests/test_a.py", "notes.txt", "d.js", "conftest.py"]
BODIES = [
    "def one():\n    return two()\n\n\ndef two():\n    return open('x')\n",
    "from a import one\nfrom pkg.c import Thing\n\n\ndef three():\n    Thing().go()\n    return one()\n",
    "class Base:\n    def go(self):\n        return self.stop()\n\n    def stop(self):\n        return 1\n",
    "from pkg import c\n\n\nclass Thing(c.Base):\n    def stop(self):\n        return super().stop()\n",
    "import pytest\nfrom b import three\n\n\n@pytest.fixture\ndef it():\n    return three()\n\n\n"
    "def test_it(it):\n    assert it\n",
    "def broken(:\n    pass\n\ndef fine():\n    return print('x')\n",
    "one()\n",
    "",
    "binary\0",
    "@fixture\ndef it():\n    return 1\n",
    "from .c import Base as Other\nfrom a import *\n\n\ndef two():\n    return Other().go() or two()\n",
    "function one() { return two(); }\nfunction two() { return 1; }\n",
]

edit = st.tuples(st.just("write"), st.sampled_from(NAMES), st.integers(0, len(BODIES) - 1))
delete = st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just(0))
rename = st.tuples(st.just("rename"), st.sampled_from(NAMES), st.integers(0, len(NAMES) - 1))
commit = st.tuples(st.just("commit"), st.just(""), st.just(0))
ingested = st.tuples(st.just("ingest"), st.just(""), st.just(0))
steps = st.lists(st.one_of(edit, edit, edit, delete, rename, commit, ingested), min_size=4, max_size=14)


# What tells runs apart, or only grows: stat data, and terms that no symbol has any more.
APART = {"internal.file_stat", "internal.vocabulary"}


def public(facts: Facts) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables, sorted; times and what only tells runs apart left out."""
    con = facts.connect()
    try:
        tables = [
            row[0]
            for row in con.execute(
                "SELECT CASE schema_name WHEN 'main' THEN '' ELSE schema_name || '.' END || table_name "
                "FROM duckdb_tables() WHERE database_name = 'facts' ORDER BY 1"
            ).fetchall()
            if row[0] not in APART
        ]
        found = {}
        for table in tables:
            columns = "* EXCLUDE (seconds)" if table == "stage_runs" else "*"
            where = "WHERE key NOT IN ('input_digest', 'history_key')" if table == "meta" else ""
            found[table] = sorted(con.execute(f"SELECT {columns} FROM {table} {where}").fetchall(), key=repr)
        return found
    finally:
        con.close()


def apply(repo: GitRepo, step: tuple[str, str, int]) -> None:
    """Do one step."""
    kind, name, number = step
    file = repo.root / name
    if kind == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(BODIES[number])
    elif kind == "delete":
        file.unlink(missing_ok=True)
    elif kind == "rename" and file.exists():
        to = repo.root / NAMES[number]
        to.parent.mkdir(parents=True, exist_ok=True)
        file.replace(to)
    elif kind == "commit":
        repo.commit(message=f"change number {repo.date}")
    elif kind == "ingest":
        ingest(project(repo.root), workers=1)


@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(steps)
def test_an_incremental_ingest_equals_a_full_one(steps: list[tuple[str, str, int]]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="scaup-incremental-"))
    try:
        repo = GitRepo(folder / "repo")
        for step in steps:
            apply(repo, step)
        incremental = public(Facts(repo.root))
        ingest(project(repo.root), fresh=True, workers=1)
        full = public(Facts(repo.root))
        assert set(incremental) == set(full)
        for table in full:
            assert incremental[table] == full[table], table
    finally:
        shutil.rmtree(folder)


def test_unchanged_files_are_not_parsed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = GitRepo(tmp_path / "repo")
    for name, body in (("a.py", 0), ("b.py", 1), ("pkg/c.py", 2)):
        apply(repo, ("write", name, body))
    Facts(repo.root)
    parsed: list[str] = []
    original = extract.Extractor.extract

    def spy(self: extract.Extractor, path: str, *rest: Any) -> int:
        parsed.append(path)
        return original(self, path, *rest)

    monkeypatch.setattr(extract.Extractor, "extract", spy)
    (repo.root / "a.py").write_text(BODIES[2])
    (repo.root / "b.py").unlink()
    facts = Facts(repo.root)
    assert parsed == ["a.py"]
    assert {path for (path,) in facts.rows("SELECT DISTINCT path FROM symbols")} == {"a.py", "pkg/c.py"}
