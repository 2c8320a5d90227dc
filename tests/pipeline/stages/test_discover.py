"""Which files there are, against plain git; which are in scope; and whether the tree differs from HEAD."""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import subprocess
import time
from pathlib import Path

import pytest
from gitrepo import GitRepo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaup.pipeline import git
from scaup.pipeline.response import ScaupError
from scaup.pipeline.stages import discover
from scaup.pipeline.stages.dirty import blob_id, is_dirty
from scaup.pipeline.stages.roles import role

posix = pytest.mark.skipif(os.name != "posix", reason="links, modes and names of bytes are POSIX")
SETTINGS = discover.Settings()


def identify(path: str) -> str | None:
    return {"py": "python", "go": "go", "rs": "rust"}.get(path.rpartition(".")[2])


def identify_interpreter(line: bytes) -> str | None:
    return "python" if b"python" in line else None


def scan(root: Path, limits: discover.Settings = SETTINGS) -> discover.Scan:
    return discover.scan(root, limits, identify=identify, identify_interpreter=identify_interpreter)


def reasons(root: Path, limits: discover.Settings = SETTINGS) -> dict[str, str | None]:
    return {file.path: file.excluded_reason for file in scan(root, limits).files}


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "repo")


# ------------------------------------------------------------------------------------------------------- which files


def test_the_files_are_those_that_git_lists_as_tracked_or_untracked(repo: GitRepo) -> None:
    repo.commit({"a.py": "1", "src/b.py": "2", "gone.py": "3", ".gitignore": "*.log\nbuild/\n", "kept.log": "4"})
    repo.git("add", "-f", "kept.log")
    repo.commit()
    repo.write({"new.py": "5", "x.log": "6", "build/out.py": "7", "src/.gitignore": "!y.log\n", "src/y.log": "8"})
    (repo.root / "gone.py").unlink()
    entries = discover.list_files(repo.root, SETTINGS).entries
    tracked = set(repo.git("ls-files").split()) - {"gone.py"}
    untracked = set(repo.git("ls-files", "-o", "--exclude-standard").split())
    assert {entry.path for entry in entries if entry.tracked} == tracked
    assert {entry.path for entry in entries if not entry.tracked} == untracked
    assert [entry.path for entry in entries] == sorted(tracked | untracked)


def test_an_entry_has_the_stat_data_of_the_file_and_the_blob_of_the_index(repo: GitRepo) -> None:
    repo.commit({"a.py": "print()\n"})
    repo.write({"b.py": ""})
    first, second = discover.list_files(repo.root, SETTINGS).entries
    status = (repo.root / "a.py").lstat()
    assert first == discover.Entry(
        "a.py",
        b"a.py",
        8,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        status.st_mode,
        True,
        first.blob,
        None,
    )
    assert first.blob == repo.git("rev-parse", "HEAD:a.py").strip()
    assert (second.path, second.tracked, second.blob) == ("b.py", False, None)


@posix
def test_names_of_any_bytes_are_listed(repo: GitRepo) -> None:
    names = [
        b"new\nline.py",
        b'quo"te.py',
        b"back\\slash.py",
        b"caf\xe9.py",
        "ünï.py".encode(),
        b" lead.py",
        b"? x.py",
        b"t\tab.py",
    ]
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(repo.root), name))).write_text("1")
    untracked = discover.list_files(repo.root, SETTINGS)
    repo.commit()
    tracked = discover.list_files(repo.root, SETTINGS)
    assert sorted(entry.raw for entry in untracked.entries) == sorted(names)
    assert sorted(entry.raw for entry in tracked.entries) == sorted(names)
    assert {entry.path for entry in tracked.entries} >= {r"back\\slash.py", r"caf\xe9.py", "new\nline.py"}


def test_a_file_in_a_merge_conflict_is_listed_once_and_without_a_blob(repo: GitRepo) -> None:
    repo.commit({"a.py": "1\n", "b.py": "1\n"})
    repo.branch("side")
    repo.commit({"a.py": "2\n"})
    repo.checkout("main")
    repo.commit({"a.py": "3\n"})
    repo.git("merge", "-q", "side", check=False)
    listing = discover.list_files(repo.root, SETTINGS)
    assert [(entry.path, entry.blob is None) for entry in listing.entries] == [("a.py", True), ("b.py", False)]
    assert listing.conflicts == 1
    assert is_dirty(listing, {})


def test_a_file_that_a_sparse_checkout_leaves_out_is_not_there_and_not_missing(repo: GitRepo) -> None:
    repo.commit({"in/a.py": "1", "out/b.py": "2"})
    repo.git("sparse-checkout", "set", "in")
    listing = discover.list_files(repo.root, SETTINGS)
    assert [entry.path for entry in listing.entries] == ["in/a.py"]
    assert listing.deleted == 0
    assert not is_dirty(listing, {})


def test_a_submodule_and_an_untracked_repository_are_one_excluded_file_each(repo: GitRepo, tmp_path: Path) -> None:
    inner = GitRepo(tmp_path / "inner")
    inner.commit({"x.py": "1"})
    repo.commit({"a.py": "1"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "sub")
    repo.commit()
    GitRepo(repo.root / "nested").commit({"y.py": "1"})
    found = reasons(repo.root)
    assert (found["sub"], found["nested"]) == ("submodule", "submodule")
    assert not any(path.startswith(("sub/", "nested/")) for path in found)


def test_the_store_of_scaup_is_no_file_and_a_tracked_one_is_named(repo: GitRepo) -> None:
    repo.commit({"a.py": "1", ".scaup/facts.duckdb": "planted"})
    repo.write({".scaup/other": "x"})
    listing = discover.list_files(repo.root, SETTINGS)
    assert [entry.path for entry in listing.entries] == ["a.py"]
    assert listing.planted == (".scaup/facts.duckdb",)


def test_head_and_shallowness_stand_in_the_listing(repo: GitRepo, tmp_path: Path) -> None:
    assert discover.list_files(repo.root, SETTINGS).head == git.Head(None, None)
    repo.commit({"a.py": "1"})
    sha = repo.commit({"a.py": "2"})
    listing = discover.list_files(repo.clone(tmp_path / "shallow", "--depth=1").root, SETTINGS)
    assert (listing.head.sha, listing.shallow, listing.is_git) == (sha, True, True)


def test_the_digest_changes_with_the_index_and_with_the_ignore_file(repo: GitRepo) -> None:
    def digest() -> str:
        return discover.list_files(repo.root, SETTINGS).digest

    repo.commit({"a.py": "1", ".gitignore": ".scaupignore\n"})
    clean = digest()
    assert digest() == clean
    repo.write({"a.py": "22"})
    assert digest() == clean  # the stat data of the entry tells that
    repo.git("add", "a.py")
    staged = digest()
    assert staged != clean
    repo.write({".scaupignore": "a.py\n"})
    assert digest() != staged


def test_a_listing_that_is_too_long_is_cut_and_says_so(repo: GitRepo) -> None:
    repo.commit({f"f{n}.py": "1" for n in range(5)})
    listing = discover.list_files(repo.root, discover.Settings(max_files=3))
    assert (len(listing.entries), listing.truncated) == (3, True)


def test_a_broken_repository_is_an_error_and_not_a_plain_folder(repo: GitRepo) -> None:
    (repo.root / ".git").rename(repo.root / "moved")
    (repo.root / ".git").write_text("gitdir: /nowhere/at/all\n")
    with pytest.raises(ScaupError, match="not a git repository"):
        discover.list_files(repo.root, SETTINGS)


# ----------------------------------------------------------------------------------------------------- without git


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    root = tmp_path / "plain"
    root.mkdir()
    return root


def write(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)


def test_a_folder_without_git_is_walked(plain: Path) -> None:
    write(
        plain,
        {"b.py": "1", "a/c.py": "2", ".git/config/x": "no", ".scaup/facts": "no", ".gitignore": "*.tmp\n", "d.tmp": ""},
    )
    (plain / ".git").rename(plain / ".hg")
    listing = discover.list_files(plain, SETTINGS)
    assert [entry.path for entry in listing.entries] == [".gitignore", "a/c.py", "b.py"]
    assert (listing.is_git, listing.head, is_dirty(listing, {})) == (False, git.Head(None, None), False)


_PATTERNS = st.sampled_from(
    [
        "*.a",
        "/x",
        "x/",
        "!x.a",
        "y/*.a",
        "**/z",
        "x/**",
        "!*.a",
        "# no",
        "",
        "y",
        "!y/",
        "x/y",
        "*",
        "!*/",
        "[xy].a",
        "z/**/x",
    ]
)
_NAMES = st.lists(st.sampled_from(["x", "y", "z", "x.a", "y.a"]), min_size=1, max_size=3).map("/".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sets(_NAMES, min_size=1, max_size=8),
    st.dictionaries(st.sampled_from(["", "x/", "y/"]), st.lists(_PATTERNS, max_size=4), max_size=3),
)
def test_the_walk_without_git_lists_what_git_would(
    tmp_path_factory: pytest.TempPathFactory, names: set[str], ignores: dict[str, list[str]]
) -> None:
    repo = GitRepo(tmp_path_factory.mktemp("walk"))
    write(repo.root, {name: "" for name in names if not any(other.startswith(f"{name}/") for other in names)})
    for folder, lines in ignores.items():
        if (repo.root / folder).is_dir():
            write(repo.root, {f"{folder}.gitignore": "\n".join(lines)})
    listed = sorted(repo.git("ls-files", "-z", "-o", "--exclude-standard").split("\0")[:-1])
    walked = discover._list_without_git(repo.root, SETTINGS)
    assert [entry.path for entry in walked.entries] == listed


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(_NAMES, min_size=1, max_size=8), st.lists(_PATTERNS, max_size=5))
def test_scaupignore_means_what_gitignore_would(
    tmp_path_factory: pytest.TempPathFactory, names: set[str], lines: list[str]
) -> None:
    repo = GitRepo(tmp_path_factory.mktemp("ignore"))
    write(repo.root, {name: "" for name in names if not any(other.startswith(f"{name}/") for other in names)})
    write(repo.root, {".scaupignore": "\n".join(lines)})
    listed = set(repo.git("ls-files", "-z", "-o", "--exclude-from=.scaupignore").split("\0")[:-1])
    assert {path for path, reason in reasons(repo.root).items() if reason != "ignored"} == listed


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root can read everything")
def test_a_folder_that_cannot_be_listed_is_named(plain: Path) -> None:
    write(plain, {"a/b.py": "1", "c.py": "2"})
    (plain / "a").chmod(0)
    try:
        listing = discover.list_files(plain, SETTINGS)
    finally:
        (plain / "a").chmod(0o755)
    assert (listing.unreadable, [entry.path for entry in listing.entries]) == (("a",), ["c.py"])


@posix
def test_a_very_deep_folder_is_walked(plain: Path) -> None:
    here = os.open(plain, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("f.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    try:
        (entry,) = discover.list_files(plain, SETTINGS).entries
    finally:
        subprocess.run(["rm", "-rf", str(plain)], check=True)  # shutil.rmtree recurses, and pytest would call it
    assert entry.path == "d/" * 1500 + "f.py"


# ------------------------------------------------------------------------------------------------------- which scope


def test_a_file_is_excluded_for_one_named_reason(repo: GitRepo) -> None:
    repo.commit(
        {
            "a.py": "1",
            "large.py": "x" * 101,
            "picture.png": b"\x89PNG",
            "legacy/b.py": "1",
            "legacy/kept.py": "1",
            ".scaupignore": "# ours\nlegacy/*\n!legacy/kept.py\n[z-a\n",
        }
    )
    assert reasons(repo.root, discover.Settings(max_file_bytes=100)) == {
        ".scaupignore": "unsupported_language",
        "a.py": None,
        "large.py": "too_large",
        "legacy/b.py": "ignored",
        "legacy/kept.py": None,
        "picture.png": "unsupported_language",
    }


@posix
def test_links_are_never_followed(repo: GitRepo, tmp_path: Path) -> None:
    write(tmp_path, {"outside/secret.py": "1", "outside/deep/er.py": "1"})
    repo.commit({"a.py": "1", "folder/secret.py": "1", "folder/deep/er.py": "1"})
    (repo.root / "link.py").symlink_to(tmp_path / "outside/secret.py")
    (repo.root / "inside.py").symlink_to("a.py")
    (repo.root / "broken.py").symlink_to("nothing")
    (repo.root / "tree").symlink_to(tmp_path / "outside")
    repo.commit()
    for name in ("folder/deep/er.py", "folder/secret.py"):
        (repo.root / name).unlink()
    (repo.root / "folder/deep").rmdir()
    (repo.root / "folder").rmdir()
    (repo.root / "folder").symlink_to(tmp_path / "outside")
    found = reasons(repo.root)
    assert found.pop("a.py") is None
    assert set(found) == {
        "broken.py", "folder", "folder/deep/er.py", "folder/secret.py", "inside.py", "link.py", "tree",
    }  # fmt: skip
    assert set(found.values()) == {"symlink"}


@posix
def test_special_files_are_named_and_not_opened(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(plain / "pipe.py")
    os.mkfifo(plain / ".gitignore")
    monkeypatch.chdir(plain)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")
        assert reasons(plain) == {".gitignore": "special", "pipe.py": "special", "socket.py": "special"}


@posix
def test_an_executable_without_a_suffix_has_the_language_of_its_first_line(repo: GitRepo) -> None:
    repo.write(
        {
            "tool": "#!/usr/bin/env python3\n",
            "quiet": "#!/usr/bin/env python3\n",
            "bin.x": "#!python",
            "sh": "#!/bin/sh",
        }
    )
    for name in ("tool", "bin.x", "sh"):
        (repo.root / name).chmod(0o755)
    languages = {file.path: file.language for file in scan(repo.root).files}
    assert languages == {"tool": "python", "quiet": None, "bin.x": None, "sh": None}


def test_the_columns_are_those_of_the_tables(repo: GitRepo) -> None:
    repo.commit({"a.py": "print()\n", "b.png": b"\0"})
    columns = discover.columns(scan(repo.root))
    assert columns["files"] == {
        "path": ["a.py", "b.png"],
        "language": ["python", None],
        "role": ["source", "source"],
        "size": [8, 1],
        "excluded_reason": [None, "unsupported_language"],
    }
    assert columns["internal.file_stat"]["raw_path"] == [b"a.py", b"b.png"]
    assert columns["internal.file_stat"]["mtime_ns"] == [
        (repo.root / name).stat().st_mtime_ns for name in ("a.py", "b.png")
    ]


@pytest.mark.parametrize(
    ("expected", "paths"),
    [
        ("source", "src/app.py lib/history.py pkg/latest.java Contest.java app/docs_view.py a.go contest.py"),
        (
            "test",
            "tests/a.py src/test/java/A.java a_test.go test_a.py a.test.ts FooTest.java conftest.py tests/README.md",
        ),
        ("docs", "README.md docs/conf.py LICENSE guide/intro.rst LICENSE-MIT"),
        (
            "config",
            "pyproject.toml .github/workflows/ci.yml Makefile CMakeLists.txt vite.config.ts requirements.txt .eslintrc",
        ),
        ("generated", "package-lock.json a/b.pb.go x_pb2.py dist/app.js jquery.min.js Cargo.lock"),
        ("vendored", "vendor/x/test_a.py web/node_modules/a/index.js third_party/lib.c"),
    ],
)
def test_the_role_of_a_file_follows_from_its_path(expected: str, paths: str) -> None:
    assert {path: role(path) for path in paths.split()} == dict.fromkeys(paths.split(), expected)


# -------------------------------------------------------------------------------------------------------------- dirty


def dirty(repo: GitRepo, hashes: dict[str, str] | None = None) -> bool:
    return is_dirty(discover.list_files(repo.root, SETTINGS), hashes or {})


def test_a_fresh_commit_is_clean_and_every_kind_of_change_is_dirty(repo: GitRepo) -> None:
    repo.commit({"a.py": "one\n", "b.py": "two\n"})
    assert not dirty(repo)
    repo.write({"new.py": ""})
    assert dirty(repo)
    repo.write({"new.py": None, "a.py": "six\n"})
    assert dirty(repo)
    repo.git("add", "a.py")
    assert dirty(repo)
    repo.git("reset", "-q", "--hard")
    assert not dirty(repo)
    repo.write({"b.py": None})
    assert dirty(repo)


def test_an_empty_file_that_is_only_intended_to_be_added_is_dirty(repo: GitRepo) -> None:
    repo.commit({"a.py": "1"})
    repo.write({"new.py": ""})
    repo.git("add", "-N", "new.py")
    assert dirty(repo)


def test_before_the_first_commit_any_file_is_a_change(repo: GitRepo) -> None:
    assert not dirty(repo)
    repo.write({"a.py": "1"})
    assert dirty(repo)
    repo.git("add", "a.py")
    assert dirty(repo)


def test_a_file_that_was_touched_but_not_changed_is_clean(repo: GitRepo) -> None:
    repo.commit({"a.py": "1", "data.bin": b"\0\1"})
    for name in ("a.py", "data.bin"):
        os.utime(repo.root / name, (1, 1))
    assert not dirty(repo)


def test_a_change_of_equal_size_in_the_instant_of_the_index_is_seen(repo: GitRepo) -> None:
    repo.commit({"a.py": "one\n"})
    before = (repo.root / "a.py").stat()
    repo.write({"a.py": "two\n"})
    os.utime(repo.root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert dirty(repo)


def test_hashes_that_are_known_settle_their_files_without_reading(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.py": "one\n"})
    os.utime(repo.root / "a.py", (1, 1))
    monkeypatch.setattr("scaup.pipeline.stages.dirty.open_file", None)
    assert not dirty(repo, {"a.py": blob_id(b"one\n")})


def test_line_ends_that_a_checkout_converts_are_no_change(repo: GitRepo) -> None:
    repo.commit({".gitattributes": "*.py text eol=crlf\n", "a.py": "one\ntwo\n"})
    repo.write({"a.py": None})
    repo.git("checkout", "-q", "a.py")
    assert (repo.root / "a.py").read_bytes() == b"one\r\ntwo\r\n"
    assert not dirty(repo)
    os.utime(repo.root / "a.py", (1, 1))
    assert not dirty(repo, {"a.py": blob_id(b"one\r\ntwo\r\n")})
    repo.write({"a.py": "one\r\nsix\r\n"})
    assert dirty(repo)


@posix
def test_a_link_that_points_elsewhere_is_dirty(repo: GitRepo) -> None:
    (repo.root / "link").symlink_to("a")
    repo.commit()
    assert not dirty(repo)
    (repo.root / "link").unlink()
    (repo.root / "link").symlink_to("b")
    assert dirty(repo)


def test_many_files_in_doubt_are_asked_for_at_once(repo: GitRepo) -> None:
    repo.commit({f"{'long' * 20}{n}.bin": str(n) for n in range(400)})
    assert not dirty(repo)


def test_a_blob_id_is_that_of_git(repo: GitRepo) -> None:
    repo.commit({"a": "text\n"})
    assert blob_id(b"text\n") == repo.git("rev-parse", "HEAD:a").strip()
    assert blob_id(b"text\n", "0" * 64) == hashlib.sha256(b"blob 5\0text\n").hexdigest()


# -------------------------------------------------------------------------------------------------------------- speed


def test_five_thousand_files_are_listed_in_a_fraction_of_a_second(repo: GitRepo) -> None:
    repo.commit({f"p{n % 100}/m{n}.py": "" for n in range(5000)})
    started = time.perf_counter()
    listing = discover.list_files(repo.root, SETTINGS)
    assert len(listing.entries) == 5000
    assert all(stat.S_ISREG(entry.mode) for entry in listing.entries)
    assert time.perf_counter() - started < 5  # about 0.07 s on an idle machine: this catches what is not linear
