"""Running git: what it says, what it refuses, and how names are written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from gitrepo import START, GitRepo
from hypothesis import given
from hypothesis import strategies as st

from scaup.pipeline import git
from scaup.pipeline.response import ScaupError

posix = pytest.mark.skipif(os.name != "posix", reason="names of bytes and links are POSIX")


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "repo")


def test_the_root_is_found_from_a_file_and_from_a_folder_below(repo: GitRepo) -> None:
    repo.write({"a/b/c.py": "x"})
    root = repo.root.resolve()
    assert git.find_root(repo.root / "a" / "b") == root
    assert git.find_root(repo.root / "a/b/c.py") == root


@posix
def test_the_root_is_found_where_its_name_has_a_newline(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "odd\nname")
    assert git.find_root(repo.root) == repo.root.resolve()


def test_a_linked_work_tree_is_its_own_root(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    repo.git("worktree", "add", "-q", str(tmp_path / "other"))
    assert git.find_root(tmp_path / "other") == (tmp_path / "other").resolve()
    assert git.head(tmp_path / "other").sha == repo.head()


def test_a_folder_without_git_has_no_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "plain").mkdir()
    assert git.find_root(tmp_path / "plain") is None


def test_without_git_on_the_path_there_is_no_root_and_running_says_so(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert git.find_root(repo.root) is None
    with pytest.raises(git.GitError, match="not installed") as caught:
        git.run(repo.root, "version")
    assert caught.value.returncode == git.NOT_INSTALLED


def test_a_bare_repository_and_the_inside_of_a_git_folder_are_refused(repo: GitRepo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    with pytest.raises(ScaupError, match="bare repository") as caught:
        git.find_root(tmp_path / "bare")
    assert caught.value.code == "invalid_request"
    with pytest.raises(ScaupError, match="work tree"):
        git.find_root(repo.root / ".git")


def test_a_work_tree_that_is_set_to_a_folder_elsewhere_is_refused(repo: GitRepo) -> None:
    repo.git("config", "core.worktree", "../..")
    with pytest.raises(ScaupError, match="work tree is set to") as caught:
        git.find_root(repo.root)
    assert caught.value.code == "invalid_request"


def test_the_way_out_is_named_where_git_refuses_a_folder_of_another_user(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setattr(git, "_KEPT", re.compile("GIT_.*"))
    with pytest.raises(ScaupError, match=r"git config --global --add safe\.directory") as caught:
        git.find_root(repo.root)
    assert caught.value.code == "facts_unavailable"


def test_a_failure_carries_what_git_said_and_its_exit_status(repo: GitRepo) -> None:
    with pytest.raises(git.GitError, match="Needed a single revision") as caught:
        git.run(repo.root, "rev-parse", "--verify", "nothing")
    assert caught.value.returncode == 128
    assert caught.value.code == "facts_unavailable"


def test_a_stream_that_fails_raises_after_its_last_line(repo: GitRepo) -> None:
    repo.commit({"a": "1"})
    with pytest.raises(git.GitError, match="bad revision"), git.stream(repo.root, "log", "nothing", "--") as output:
        assert output.read() == b""


def test_a_stream_that_is_left_early_is_ended_without_an_error(repo: GitRepo) -> None:
    repo.commit({"large": "line\n" * 400_000})
    with git.stream(repo.root, "cat-file", "blob", "HEAD:large") as output:
        assert output.readline() == b"line\n"


def test_an_error_of_the_reader_is_not_replaced_by_one_of_git(repo: GitRepo) -> None:
    with pytest.raises(KeyError), git.stream(repo.root, "log", "nothing", "--"):
        raise KeyError("mine")


def test_the_head_is_the_commit_that_is_checked_out(repo: GitRepo) -> None:
    assert git.head(repo.root) == git.Head(None, None)
    first = repo.commit({"a": "1"}, date=START)
    repo.commit({"a": "2"})
    repo.git("checkout", "-q", "--detach", first)
    assert git.head(repo.root) == git.Head(first, START)


def test_a_head_that_cannot_be_read_is_an_error_and_not_an_empty_repository(repo: GitRepo) -> None:
    sha = repo.commit({"a": "1"})
    (repo.root / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    with pytest.raises(git.GitError):
        git.head(repo.root)


def test_the_variables_that_git_sets_for_hooks_do_not_lead_to_another_repository(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = GitRepo(tmp_path / "other")
    other.commit({"b": "1"})
    sha = repo.commit({"a": "1"})
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    assert git.find_root(repo.root) == repo.root.resolve()
    assert git.head(repo.root).sha == sha
    assert git.run(repo.root, "ls-files") == b"a\n"


def test_shallow_and_partial_clones_are_known(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    last = repo.commit({"a": "2"})
    shallow = repo.clone(tmp_path / "shallow", "--depth=1")
    partial = repo.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    assert (git.is_shallow(repo.root), git.is_partial(repo.root)) == (False, False)
    assert (git.is_shallow(shallow.root), git.is_partial(shallow.root)) == (True, False)
    assert (git.is_shallow(partial.root), git.is_partial(partial.root)) == (False, True)
    assert git.shallow_commits(shallow.root) == {last}


def test_a_missing_object_of_a_partial_clone_is_not_fetched(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    partial = repo.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    with pytest.raises(git.GitError):
        git.run(partial.root, "cat-file", "blob", "HEAD:a")


def test_importing_the_module_does_not_import_gitpython() -> None:
    code = "import sys, scaup.pipeline.git; sys.exit('git' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@posix
@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"src/a.py", "src/a.py"),
        ("src/ä/日.py".encode(), "src/ä/日.py"),
        (b"caf\xe9.py", r"caf\xe9.py"),
        (b"back\\slash", r"back\\slash"),
        (b"\\xe9", r"\\xe9"),
        (b'quote"\nline', 'quote"\nline'),
        (b"\xed\xa0\x80", r"\xed\xa0\x80"),
    ],
)
def test_names_are_text_with_other_bytes_and_backslashes_escaped(raw: bytes, path: str) -> None:
    assert git.encode_path(raw) == path
    assert git.decode_path(path) == raw


@posix
@given(st.binary() | st.text(st.sampled_from("\\x0e9é/")).map(str.encode))
def test_every_name_comes_back_from_its_text(raw: bytes) -> None:
    path = git.encode_path(raw)
    assert git.decode_path(path) == raw
    path.encode("utf-8")  # no surrogates: the store takes none


@posix
@given(st.sets(st.binary(max_size=4) | st.text(st.sampled_from("\\x0e9é"), max_size=6).map(str.encode)))
def test_two_names_never_have_the_same_text(names: set[bytes]) -> None:
    assert len({git.encode_path(name) for name in names}) == len(names)


@posix
@pytest.mark.parametrize("path", ["a\\b", "a\\", "\\xZZ"])
def test_a_stray_backslash_in_a_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="backslash"):
        git.decode_path(path)
