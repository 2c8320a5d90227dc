"""Packs of what differs from a revision: which symbols a change touches, and what stands around them."""

from __future__ import annotations

import hashlib
import os
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from commands import Scaup
from gitrepo import GitRepo
from packs import packed
from syrupy.assertion import SnapshotAssertion

from scaup.pipeline.ingest import ingest, project
from scaup.pipeline.response import ScaupError
from scaup.reports.pack import render_text

CODE = textwrap.dedent('''\
    import os


    class Kettle:
        """Boils."""

        size = 3

        @property
        def lid(self):
            return 1

        def boil(self):
            if self.size:
                heat(self.size)
            return self.lid


    def heat(size):
        print(size)
        return size


    def serve():
        kettle = Kettle()
        kettle.boil()
    ''')
TEST = "from kettle import serve\n\n\ndef test_serve():\n    serve()\n"
FILES = {"kettle.py": CODE, "test_kettle.py": TEST, "notes.txt": "one\ntwo\n"}


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "repo")
    repo.commit(FILES)
    return repo


def differing(repo: GitRepo, rev: str = "HEAD", **options: Any) -> dict[str, Any]:
    ingest(project(repo.root), workers=1)
    return packed(repo.root, diff=rev, **options)


def seeds(response: Mapping[str, Any]) -> dict[str, str]:
    """Return what differs, by `path:line` or qualified name, and how."""
    rows = [*response["sections"], *response["beyond_budget"]]
    rows += [inner for section in response["sections"] for inner in section.get("contains", ())]
    found = [row for row in rows if row["reason"].startswith("seed")]
    found.sort(key=lambda row: int(row["reason"].split()[1]))
    return {
        row["qualname"] or f"{row['path']}:{row['line']}": row["reason"].split("(", 1)[1].removesuffix(")")
        for row in found
    }


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("heat(self.size)", "heat(2)", {"Kettle.boil": "changed: line 15"}),
        ("        if self.size:\n", "", {"Kettle.boil": "changed: 1 line removed after line 13 `if self.size:`"}),
        ("size = 3", "size = 4", {"Kettle": "changed: line 7"}),
        ('"""Boils."""', '"""Boils water."""', {"Kettle": "changed: line 5"}),
        ("    @property\n", "", {"Kettle.lid": "changed: 1 line removed after line 8 `@property`"}),
        ("    print(size)\n    return size\n", "    print(size)\n",
         {"heat": "changed: 1 line removed after line 20 `return size`"}),
        ("    kettle.boil()\n", "", {"serve": "changed: 1 line removed after line 25 `kettle.boil()`"}),
        ("def heat(size):\n    print(size)\n    return size\n\n\n", "",
         {"kettle.py:18": "changed: 5 lines removed after line 18 `def heat(size):`"}),
        ("import os\n", "import re\n", {"kettle.py:1": "changed: line 1"}),
        ("\n\ndef heat", "\n\n\n\ndef heat", {"kettle.py:19": "changed: lines 19-20"}),
        ("def serve", "def brew():\n    heat(1)\n\n\ndef serve", {"brew": "changed: all lines"}),
        ("class Kettle:", "class Kettle(Pot):", {"Kettle": "changed: line 4"}),
    ],
)  # fmt: skip
def test_a_change_is_told_by_the_innermost_symbol_around_it(
    repo: GitRepo, old: str, new: str, expected: dict[str, str]
) -> None:
    assert CODE.count(old) == 1
    repo.write({"kettle.py": CODE.replace(old, new)})
    assert seeds(differing(repo)) == expected


def test_committed_staged_changed_and_untracked_files_count_alike(repo: GitRepo) -> None:
    repo.commit({"one.py": "def one():\n    pass\n"})
    repo.write({"two.py": "def two():\n    pass\n", "kettle.py": CODE.replace("size = 3", "size = 4")})
    repo.git("add", "kettle.py")
    repo.write({"notes.txt": "one\nthree\n"})
    assert seeds(differing(repo, "HEAD~1")) == {
        "Kettle": "changed: line 7",
        "notes.txt:2": "changed: line 2",
        "one": "changed: all lines",
        "two": "changed: all lines",
    }
    assert set(seeds(differing(repo, "HEAD"))) == {"Kettle", "notes.txt:2", "two"}


def test_a_deleted_file_stays_and_a_renamed_one_is_deleted_and_new(repo: GitRepo) -> None:
    repo.git("mv", "kettle.py", "pot.py")
    (repo.root / "notes.txt").unlink()
    found = seeds(differing(repo))
    assert (found["kettle.py:1"], found["notes.txt:1"]) == ("file deleted", "file deleted")
    assert found["heat"] == "changed: all lines"


def test_callers_callees_and_the_nearest_tests_stand_around(repo: GitRepo) -> None:
    repo.write({"kettle.py": CODE.replace("heat(self.size)", "heat(2)")})
    response = differing(repo)
    assert [(row["qualname"], row["reason"]) for row in response["sections"]][1:] == [
        ("serve", "caller of Kettle.boil (type)"),
        ("heat", "callee of Kettle.boil (same_file)"),
        ("test_serve", "nearest test of Kettle.boil (distance 2)"),
    ]
    assert "tests_left_out" not in response
    repo.write({"kettle.py": CODE.replace("kettle.boil()", "kettle.boil(), 1")})
    response = differing(repo)
    # As a caller it is a test and left out; as the nearest test it is shown, and so it is not counted as left out.
    assert response["sections"][-1]["reason"] == "nearest test of serve (distance 1)"
    assert "tests_left_out" not in response
    assert packed(repo.root, symbol="serve")["tests_left_out"] == 1


def test_a_changed_test_is_a_seed(repo: GitRepo) -> None:
    repo.write({"test_kettle.py": TEST + "    serve()\n"})
    assert seeds(differing(repo)) == {"test_serve": "changed: line 6"}


def test_nothing_that_differs_is_a_complete_success(repo: GitRepo) -> None:
    response = differing(repo)
    assert (response["complete"], response["seeds"], response["sections"]) == (True, 0, [])
    assert "nothing differs" in render_text(response)


def test_line_ends_that_git_would_store_otherwise_are_no_change(repo: GitRepo) -> None:
    repo.write({"kettle.py": CODE.replace("\n", "\r\n")})
    assert seeds(differing(repo)) == {}


def test_a_file_of_git_lfs_differs_only_where_its_content_does(repo: GitRepo) -> None:
    content = b"\x01\x02 a picture"
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(content).hexdigest()}\nsize 14\n"
    repo.commit({"a.dat": pointer})
    repo.write({"a.dat": content})
    assert seeds(differing(repo)) == {}
    repo.write({"a.dat": content + b"!"})
    assert set(seeds(differing(repo))) == {"a.dat:1"}


def test_what_has_no_lines_stays_as_a_stub_that_says_how_it_differs(repo: GitRepo) -> None:
    repo.commit({"blob.bin": b"\0a", "link.txt": "x\n", "sub/gone.txt": "x\n"})
    repo.write({"blob.bin": b"\0b", "new.bin": b"\0", "empty.txt": "", "big.txt": "x\n" * 600_000, "new.txt": "x\n"})
    (repo.root / "link.txt").unlink()
    os.symlink("kettle.py", repo.root / "link.txt")
    repo.git("rm", "-q", "--cached", "sub/gone.txt")
    repo.write({".git/info/exclude": "sub\n"})
    response = differing(repo)
    assert seeds(response) == {
        "big.txt:1": "file differs, too large to compare",
        "blob.bin:1": "binary file differs",
        "empty.txt:1": "new empty file",
        "link.txt:1": "file differs",
        "new.bin:1": "new binary file",
        "new.txt:1": "new file",
        "sub/gone.txt:1": "file no longer tracked",
    }
    assert "- blob.bin:1 (no containing symbol) | seed 2 (binary file differs)" in render_text(response)


def test_a_sparse_checkout_deletes_nothing(repo: GitRepo) -> None:
    repo.commit({"far/away.py": "def away():\n    pass\n"})
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/far/")
    assert not (repo.root / "far").exists()
    assert seeds(differing(repo)) == {}


def test_a_path_narrows_the_seeds_however_it_is_spelled(repo: GitRepo) -> None:
    repo.commit({"a/one.py": "def one():\n    two()\n\n\ndef two():\n    pass\n", "ab.py": "def ab():\n    pass\n"})
    for path in ("a", "./a", "a/", "a\\", str(repo.root / "a"), "a/one.py", "a\\one.py"):
        assert set(seeds(differing(repo, "HEAD~1", path=path))) == {"one", "two"}


@pytest.mark.parametrize("rev", ["nope", "", " ", "-x", "--all", "HEAD..HEAD", "HEAD:kettle.py", "a\0b", "\ud800", "^"])
def test_a_revision_that_there_is_not_is_an_invalid_request(repo: GitRepo, rev: str) -> None:
    with pytest.raises(ScaupError) as caught:
        differing(repo, rev)
    assert caught.value.code == "invalid_request"
    assert "no revision" in caught.value.message


@pytest.mark.parametrize("options", [{"query": "x"}, {"symbol": "heat"}, {"seeds": 3}])
def test_a_diff_is_a_mode_of_its_own(repo: GitRepo, options: dict[str, Any]) -> None:
    with pytest.raises(ScaupError) as caught:
        differing(repo, **options)
    assert caught.value.code == "invalid_request"


def test_without_git_there_is_no_revision(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def run():\n    pass\n")
    ingest(project(tmp_path), workers=1)
    with pytest.raises(ScaupError) as caught:
        packed(tmp_path, diff="HEAD")
    assert (caught.value.code, "no git repository" in caught.value.message) == ("invalid_request", True)


def test_a_content_that_a_partial_clone_lacks_is_a_gap(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"kettle.py": CODE + "\n# more\n"})
    clone = repo.clone(tmp_path / "partial", "--filter=blob:none")
    response = differing(clone, "HEAD~1")
    assert response["complete"] is False
    assert response["skipped_files"] == [{"file": "kettle.py", "reason": "its content at the revision is missing"}]
    assert seeds(response) == {"kettle.py:1": "file differs, its content at the revision is missing"}


def test_no_program_of_the_repository_is_run(repo: GitRepo, tmp_path: Path) -> None:
    repo.arm(tmp_path / "mark")
    repo.write({"kettle.py": CODE.replace("size = 3", "size = 4")})
    os.utime(repo.root / "notes.txt", (1, 1))
    assert set(seeds(differing(repo))) == {"Kettle"}
    assert list((tmp_path / "mark").iterdir()) == []


def test_the_command_prints_it_in_each_format(repo: GitRepo, capsys: pytest.CaptureFixture[str]) -> None:
    scaup = Scaup(repo.root, capsys)
    repo.write({"kettle.py": CODE.replace("heat(self.size)", "heat(2)")})
    response = scaup("pack", "--diff", "HEAD", "--format", "json").json
    assert (response["mode"], response["query"], response["rev"]) == ("diff", "HEAD", repo.head())
    text = scaup("pack", "--diff", "HEAD").out
    assert text.startswith(f'# pack | mode=diff | rev="HEAD" ({repo.head()[:12]}) | seeds=1 | neighbors=3 | ')
    assert scaup("pack", "--diff", "HEAD", "--format", "markdown").out.startswith('# `pack | mode=diff | rev="HEAD"')
    failed = scaup("pack", "--diff", "nope")
    assert (failed.status, failed.out) == (2, "")
    assert "git knows no revision 'nope'" in failed.err


def test_a_whole_pack_of_a_change(repo: GitRepo, snapshot: SnapshotAssertion) -> None:
    repo.write(
        {
            "kettle.py": "import sys\n" + CODE.replace("heat(self.size)", "heat(2)") + "\n\nprint(sys.argv)\n",
            "notes.txt": "one\ntwo\nthree\n",
            "cup.py": "from kettle import heat\n\n\ndef cup():\n    return heat(1)\n",
            "test_kettle.py": None,
        }
    )
    assert render_text(differing(repo)) == snapshot(name="change")
    assert render_text(differing(repo, budget=20)) == snapshot(name="change, tight budget")
