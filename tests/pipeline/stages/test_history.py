"""The history: which commits, which files under today's names, and which pairs; worked out by hand or asked of git."""

from __future__ import annotations

import io
import itertools
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from gitrepo import DAY, START, GitRepo

from scaup.pipeline import git, store
from scaup.pipeline.stages import discover, history
from scaup.pipeline.stages.dirty import is_dirty
from scaup.pipeline.stages.renames import Change, Names

posix = pytest.mark.skipif(os.name != "posix", reason="scripts, links and names of bytes are POSIX")
LINES = [f"line {n}\n" for n in range(40)]


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "repo")


@pytest.fixture
def writer() -> Iterator[store.Writer]:
    with store.write(store.Location(None, "memory"), timeout=0) as writer:
        yield writer
        writer.con.close()


def text(name: str, *edits: int) -> str:
    """Return forty lines that no other name has, some of them edited."""
    return "".join(f"{name} {line.strip()}{' edited' if n in edits else ''}\n" for n, line in enumerate(LINES))


def touched(writer: store.Writer) -> dict[str, set[str]]:
    """Return the commits of each file."""
    found: dict[str, set[str]] = {}
    for path, sha in writer.con.execute("SELECT path, sha FROM commit_files").fetchall():
        found.setdefault(path, set()).add(sha)
    return found


def pairs(writer: store.Writer, repo: GitRepo) -> dict[tuple[str, str], int]:
    """Return the rows of cochange for the files and the HEAD of a repository."""
    head = git.head(repo.root)
    paths = repo.git("ls-files", "-z").split("\0")[:-1]
    writer.append("files", {"path": paths})
    writer.append("meta", {"key": ["head_committed_at"], "value": [str(head.committed_at)]})
    history.cochange(writer.con)
    rows = writer.con.execute("SELECT file_a, file_b, together FROM cochange").fetchall()
    return {(first, second): together for first, second, together in rows}


# --------------------------------------------------------------------------------------------------- what a commit is


def test_a_commit_has_its_message_date_and_files(repo: GitRepo, writer: store.Writer) -> None:
    first = repo.commit({"a.py": "1", "b.py": "2"}, "Start\nhere\n\nBecause.\n\nSigned-off: me", date=START)
    second = repo.commit({"a.py": "3"}, "more", date=START + 60)
    assert history.run(writer, repo.root) == history.Outcome("complete", None, {"commits": 2, "commit_files": 3})
    rows = writer.con.execute("SELECT sha, epoch(committed_at)::BIGINT, subject, body, files FROM commits").fetchall()
    assert rows == [(second, START + 60, "more", "", 1), (first, START, "Start here", "Because.\n\nSigned-off: me", 2)]
    files = writer.con.execute("SELECT sha, path, status FROM commit_files ORDER BY ALL").fetchall()
    assert sorted(files) == sorted([(first, "a.py", "A"), (first, "b.py", "A"), (second, "a.py", "M")])


def test_merges_are_no_commits_but_what_they_merge_is(repo: GitRepo, writer: store.Writer) -> None:
    repo.commit({"a.py": "1"})
    repo.branch("side")
    repo.commit({"b.py": "1"})
    repo.checkout("main")
    repo.commit({"c.py": "1"})
    repo.merge("side")
    history.run(writer, repo.root)
    shas = {sha for (sha,) in writer.con.execute("SELECT sha FROM commits").fetchall()}
    assert shas == set(repo.git("log", "--no-merges", "--format=%H").split())


def test_a_message_cannot_pass_for_a_commit(repo: GitRepo, writer: store.Writer) -> None:
    forged = f"{'0' * 40}\n:100644 100644 {'1' * 40} {'2' * 40} M\nforged.py\n"
    sha = repo.commit({"a.py": "1"}, f"subject\n\n{forged}")
    history.run(writer, repo.root)
    assert writer.con.execute("SELECT subject, body FROM commits").fetchall() == [("subject", forged.rstrip("\n"))]
    assert touched(writer) == {"a.py": {sha}}


def test_a_message_that_is_not_utf8_is_kept_as_far_as_it_can_be_read(repo: GitRepo, writer: store.Writer) -> None:
    tree = repo.git("write-tree").strip()
    about = f"tree {tree}\nauthor A <a@b> {START} +0000\ncommitter A <a@b> {START} +0000\n"
    latin = repo.git(
        "hash-object", "-t", "commit", "-w", "--stdin", input=f"{about}encoding latin1\n\ncaf\xe9\n".encode("latin1")
    )
    repo.git("update-ref", "HEAD", latin.strip())
    history.run(writer, repo.root)
    assert writer.con.execute("SELECT subject FROM commits").fetchall() == [("café",)]
    raw = repo.git("hash-object", "-t", "commit", "-w", "--stdin", input=about.encode() + b"\ncaf\xe9 nul\0gone\n")
    repo.git("update-ref", "HEAD", raw.strip())
    history.run(writer, repo.root)
    assert writer.con.execute("SELECT subject FROM commits").fetchall() == [("caf\ufffd nul",)]


@posix
def test_names_of_any_bytes_are_written_as_discover_writes_them(repo: GitRepo, writer: store.Writer) -> None:
    for name in (b"new\nline", b"back\\slash", b"caf\xe9", b":100644 x"):
        Path(os.fsdecode(os.path.join(os.fsencode(repo.root), name))).write_text("1")
    repo.commit()
    history.run(writer, repo.root)
    assert set(touched(writer)) == {entry.path for entry in discover.list_files(repo.root, discover.Settings()).entries}


def test_a_commit_can_claim_any_date(repo: GitRepo, writer: store.Writer) -> None:
    repo.commit({"a.py": "1", "b.py": "1"}, date=0)
    repo.commit({"a.py": "2", "b.py": "2"}, date=2**60)
    assert history.run(writer, repo.root).state == "complete"
    assert writer.con.execute("SELECT year(max(committed_at)), year(min(committed_at)) FROM commits").fetchall() == [
        (9999, 1970)
    ]
    assert pairs(writer, repo) == {("a.py", "b.py"): 1}


# ------------------------------------------------------------------------------------------------------- which commits


def test_the_history_has_18_months_or_the_last_commits_where_they_reach_further(
    repo: GitRepo, writer: store.Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # HEAD is of 2023-11-15; 18 months before is 2022-05-15, 549 days.
    days = [600, 550, 549, 548, 10, 0]
    shas = {day: repo.commit({"a.py": str(day)}, date=START + DAY - day * DAY) for day in days}
    names = {sha: day for day, sha in shas.items()}

    def walked(commits: int) -> list[int]:
        monkeypatch.setattr(history, "COMMITS", commits)
        history.run(writer, repo.root)
        return sorted(names[sha] for (sha,) in writer.con.execute("SELECT sha FROM commits").fetchall())

    assert walked(1) == [0, 10, 548, 549]
    assert walked(5) == [0, 10, 548, 549, 550]
    assert walked(4000) == sorted(days)


def test_a_commit_of_a_wrong_clock_does_not_hide_what_is_before_it(
    repo: GitRepo, writer: store.Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "COMMITS", 1)
    first = repo.commit({"a.py": "1"}, date=START)
    wrong = repo.commit({"a.py": "2"}, date=1)
    last = repo.commit({"a.py": "3"}, date=START + DAY)
    assert repo.git("log", f"--since={START - DAY}", "--format=%H").split() == [last]
    history.run(writer, repo.root)
    assert touched(writer) == {"a.py": {first, last}}
    assert wrong not in touched(writer)["a.py"]


def test_merges_do_not_count_towards_the_last_commits(
    repo: GitRepo, writer: store.Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "COMMITS", 3)
    dates = itertools.count(START, 1000 * DAY)
    repo.commit({"a.py": "0"}, date=next(dates))
    for n in range(3):
        repo.branch(f"side{n}")
        repo.commit({"a.py": f"{n + 1}"}, date=next(dates))
        repo.checkout("main")
        repo.merge(f"side{n}", date=next(dates))
    assert history.run(writer, repo.root).counts == {"commits": 3, "commit_files": 3}


# ------------------------------------------------------------------------------------------------------ today's names


def test_churn_is_that_of_git_log_follow(repo: GitRepo, writer: store.Writer) -> None:
    # Both branches rename, after all edits that the other could still make under the old name.
    repo.commit({"a.py": text("a"), "b.py": text("b"), "c.py": text("c"), "gone.py": text("gone")})
    repo.commit({"a.py": text("a", 1), "b.py": text("b", 1), "gone.py": text("gone", 1)})
    repo.branch("side")
    repo.commit({"a.py": text("a", 1, 2)})
    repo.rename("a.py", "lib/a.py")
    repo.commit({"lib/a.py": text("a", 1, 2, 3)})
    repo.checkout("main")
    repo.commit({"b.py": text("b", 1, 2), "c.py": text("c", 1)})
    repo.rename("b.py", "lib/b.py")
    repo.merge("side")
    repo.write({"gone.py": None})
    repo.commit({"c.py": text("c", 1, 2)})
    repo.commit({"gone.py": text("gone", 5)})
    repo.rename("lib/b.py", "lib/core.py")
    repo.commit({"lib/core.py": text("b", 1, 2, 3), "lib/a.py": text("a", 1, 2, 3, 4)})
    history.run(writer, repo.root)
    found = touched(writer)
    for path in ("lib/a.py", "lib/core.py", "c.py"):
        assert found[path] == set(repo.git("log", "--follow", "--no-merges", "--format=%H", "--", path).split()), path
    # A file that was deleted and added again has one path, and all the commits of the path.
    assert found["gone.py"] == set(repo.git("log", "--no-merges", "--format=%H", "--", "gone.py").split())
    assert len(found["gone.py"]) == 4
    assert set(found) == set(repo.git("ls-files").split())
    assert pairs(writer, repo) == together(repo, found)


def together(repo: GitRepo, files: dict[str, set[str]]) -> dict[tuple[str, str], int]:
    """Return how often pairs of files changed together, from the commits of each."""
    counts = {(a, b): len(files[a] & files[b]) for a, b in itertools.combinations(sorted(files), 2)}
    return {pair: count for pair, count in counts.items() if count}


def test_an_edit_under_the_old_name_on_a_parallel_branch_belongs_to_the_renamed_file(
    repo: GitRepo, writer: store.Writer
) -> None:
    repo.commit({"old.py": text("x")})
    repo.branch("side")
    before = repo.commit({"old.py": text("x", 1)})
    repo.checkout("main")
    repo.rename("old.py", "new.py")
    repo.checkout("side")
    after = repo.commit({"old.py": text("x", 1, 2)})  # newer than the rename, and still not after it
    repo.checkout("main")
    repo.merge("side")
    assert (repo.root / "new.py").read_text() == text("x", 1, 2)
    history.run(writer, repo.root)
    found = touched(writer)
    assert {before, after} <= found["new.py"]
    assert len(found["new.py"]) == 4
    assert set(found) == {"new.py"}


def test_a_new_file_under_the_old_name_does_not_take_over_what_a_parallel_branch_did(
    repo: GitRepo, writer: store.Writer
) -> None:
    repo.commit({"old.py": text("x")})
    repo.branch("side")
    edit = repo.commit({"old.py": text("x", 1)})
    repo.checkout("main")
    repo.rename("old.py", "new.py")
    repo.merge("side")
    fresh = repo.commit({"old.py": text("other")})
    history.run(writer, repo.root)
    found = touched(writer)
    assert found["old.py"] == {fresh}
    assert edit in found["new.py"]


def test_a_file_that_is_renamed_away_and_back_keeps_all_its_commits(repo: GitRepo, writer: store.Writer) -> None:
    shas = {repo.commit({"a.py": text("x")}), repo.rename("a.py", "b.py"), repo.commit({"b.py": text("x", 1)})}
    shas |= {repo.rename("b.py", "a.py"), repo.commit({"a.py": text("x", 1, 2)})}
    history.run(writer, repo.root)
    assert touched(writer) == {"a.py": shas}


def test_two_files_that_swap_their_names_in_three_steps_swap_their_commits(repo: GitRepo, writer: store.Writer) -> None:
    repo.commit({"a.py": text("a"), "b.py": text("b")})
    one = repo.commit({"a.py": text("a", 1)})
    two = repo.commit({"b.py": text("b", 1)})
    repo.rename("a.py", "t.py")
    repo.rename("b.py", "a.py")
    repo.rename("t.py", "b.py")
    history.run(writer, repo.root)
    found = touched(writer)
    assert one in found["b.py"]
    assert two in found["a.py"]
    assert one not in found["a.py"]
    assert set(found) == {"a.py", "b.py"}


def test_a_name_that_is_given_to_another_file_after_a_rename_does_not_mix_the_two(
    repo: GitRepo, writer: store.Writer
) -> None:
    first = repo.commit({"a.py": text("first")})
    moved = repo.rename("a.py", "b.py")
    second = repo.commit({"a.py": text("second")})
    again = repo.rename("a.py", "c.py")
    history.run(writer, repo.root)
    assert touched(writer) == {"b.py": {first, moved}, "c.py": {second, again}}


def test_a_file_that_exists_no_longer_keeps_its_last_name(repo: GitRepo, writer: store.Writer) -> None:
    shas = {repo.commit({"a.py": text("x")}), repo.rename("a.py", "b.py")}
    repo.write({"b.py": None})
    shas.add(repo.commit())
    history.run(writer, repo.root)
    assert touched(writer) == {"b.py": shas}


def test_a_file_that_was_deleted_is_not_the_one_that_is_added_and_renamed_later(
    repo: GitRepo, writer: store.Writer
) -> None:
    first = repo.commit({"a.py": text("first"), "k.py": "1"})
    repo.write({"a.py": None})
    deleted = repo.commit()
    second = repo.commit({"a.py": text("second")})
    renamed = repo.rename("a.py", "b.py")
    history.run(writer, repo.root)
    found = touched(writer)
    assert found["b.py"] == {second, renamed}
    assert found["a.py"] == {first, deleted}


def names(parents: list[list[int]], changes: list[tuple[int, int | None, int | None]], *today: int) -> Names:
    return Names(parents, [Change(*change) for change in changes], frozenset(today))


def test_renames_in_a_circle_of_two_branches_end() -> None:
    # 0 merges 1 and 2, both children of 3: 1 renamed a to b, 2 renamed b to a; neither is there today.
    a, b = 0, 1
    follow = names([[1, 2], [3], [3], []], [(1, a, b), (2, b, a)])
    assert {follow.resolve(a, 3), follow.resolve(b, 3), follow.resolve(a, 2), follow.resolve(b, 1)} <= {a, b}


def test_names_end_for_any_history() -> None:
    chance = random.Random(7)  # noqa: S311
    for _ in range(200):
        size = chance.randint(2, 12)
        parents = [
            sorted(chance.sample(range(n + 1, size), min(size - n - 1, chance.randint(0, 2)))) for n in range(size)
        ]
        changes = [
            (chance.randrange(size), chance.choice([None, 0, 1, 2]), chance.choice([None, 0, 1, 2]))
            for _ in range(size)
        ]
        follow = names(parents, changes, chance.randrange(3))
        for name, commit in itertools.product(range(3), range(size)):
            assert follow.resolve(name, commit) in {0, 1, 2}


class Model:
    """A history of files that have an identity of their own, made at random: what a name stands for is known here.

    Commits are numbered from the oldest. There are at most two branches at a time, and a merge that would conflict is
    not made. No file goes back to a name that it had: where two branches both do that side by side, nothing in a log
    tells whose name counted.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.parents: list[list[int]] = []
        self.changes: list[tuple[int, int | None, int | None]] = []
        self.touched: list[tuple[int, int, int]] = []  # commit, name, identity
        self.born = itertools.count()
        self.branches: list[tuple[int | None, dict[int, int]]] = [(None, {})]  # tip, and the identity of each name
        self.fork: dict[int, int] = {}
        self.had: set[tuple[int, int]] = set()  # a file and a name of it

    def step(self) -> None:
        if self.chance.random() < 0.2:
            self.join() if len(self.branches) == 2 else self.split()
            return
        which = self.chance.randrange(len(self.branches))
        tip, files = self.branches[which]
        old: int | None = self.chance.choice([*files, None])
        free = [
            name for name in range(4) if name not in files and (-1 if old is None else files[old], name) not in self.had
        ]
        new = self.chance.choice(free) if free and (old is None or self.chance.random() < 0.5) else None
        if old is None and new is None:
            return
        commit = self.commit(tip)
        if old is None and new is not None:
            files[new] = next(self.born)
        elif old is not None and new is not None:
            files[new] = files.pop(old)
        elif old is not None and self.chance.random() < 0.4:
            self.changes.append((commit, old, None))
            self.touched.append((commit, old, files.pop(old)))
            self.branches[which] = (commit, files)
            return
        name = old if new is None else new
        assert name is not None
        self.had.add((files[name], name))
        if new is not None:
            self.changes.append((commit, old, new))
        self.touched.append((commit, name, files[name]))
        self.branches[which] = (commit, files)

    def commit(self, *parents: int | None) -> int:
        self.parents.append([parent for parent in parents if parent is not None])
        return len(self.parents) - 1

    def split(self) -> None:
        tip, files = self.branches[0]
        self.fork = dict(files)
        self.branches.append((tip, dict(files)))

    def join(self) -> bool:
        (tip, ours), (other, theirs) = self.branches
        base, mine, yours = ({file: name for name, file in side.items()} for side in (self.fork, ours, theirs))
        merged: dict[int, int] = {}
        for file in sorted(base | mine | yours):
            before, first, second = base.get(file), mine.get(file), yours.get(file)
            if first != before and second != before and first != second:
                return False
            name = second if first == before else first
            if name is not None:
                if name in merged:
                    return False
                merged[name] = file
        self.branches = [(self.commit(tip, other), merged)]
        return True


def test_files_that_exist_today_have_all_their_commits_in_any_history() -> None:
    chance = random.Random(7)  # noqa: S311
    for _ in range(5000):
        model = Model(chance)
        for _ in range(chance.randint(2, 25)):
            model.step()
        if len(model.branches) == 2 and not model.join():
            continue
        last = len(model.parents) - 1
        parents = [[last - parent for parent in row] for row in reversed(model.parents)]
        today = {file: name for name, file in model.branches[0][1].items()}
        follow = names(parents, [(last - commit, old, new) for commit, old, new in model.changes], *today.values())
        for commit, name, file in model.touched:
            if file in today:
                assert follow.resolve(name, last - commit) == today[file], (model.parents, model.changes, commit, name)


def test_a_parent_that_is_shown_before_its_child_is_still_before_it() -> None:
    # A wrong clock: the walk shows the parent 1, then its child 2, which renamed a to b.
    a, b = 0, 1
    follow = names([[1, 2], [3], [1], []], [(2, a, b)], b)
    assert follow.resolve(a, 1) == b


# ---------------------------------------------------------------------------------------------------------- co-change


def test_pairs_are_of_todays_files_in_small_commits_of_18_months(repo: GitRepo, writer: store.Writer) -> None:
    many = {f"m{n:02}.py": "1" for n in range(29)}
    repo.commit({"a.py": "0", "b.py": "0"}, date=START - 560 * DAY)
    repo.commit({"a.py": "1", "b.py": "1", "dead.py": "1"}, date=START)
    repo.commit({"a.py": "2", "b.py": "2", "dead.py": None})
    repo.commit({"a.py": "3", "c.py": "3", **many})  # 31 files
    repo.commit({"a.py": "4", "c.py": "4"} | dict.fromkeys(list(many)[:28], "2"))  # 30 files
    history.run(writer, repo.root)
    found = pairs(writer, repo)
    assert found["a.py", "b.py"] == 2
    assert found["a.py", "c.py"] == 1
    assert found["a.py", "m00.py"] == 1
    assert ("a.py", "m28.py") not in found
    assert not any("dead.py" in pair for pair in found)


def test_the_window_of_pairs_counts_back_from_a_head_that_is_a_merge(repo: GitRepo, writer: store.Writer) -> None:
    repo.commit({"a.py": "1", "b.py": "1"}, date=START)
    repo.branch("side")
    repo.commit({"c.py": "1"}, date=START)
    repo.checkout("main")
    repo.merge("side", date=START + 600 * DAY)
    history.run(writer, repo.root)
    assert pairs(writer, repo) == {}


# ----------------------------------------------------------------------------------------------------- what is missing


def test_without_git_or_without_commits_the_stage_is_skipped(
    tmp_path: Path, writer: store.Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "plain").mkdir()
    assert history.run(writer, tmp_path / "plain") == history.Outcome("skipped", "no git repository")
    assert history.run(writer, GitRepo(tmp_path / "new").root) == history.Outcome("skipped", "no commits yet")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert history.run(writer, tmp_path / "new") == history.Outcome("skipped", "git is not installed")


def test_a_detached_head_and_a_linked_work_tree_have_their_own_history(
    repo: GitRepo, tmp_path: Path, writer: store.Writer
) -> None:
    first = repo.commit({"a.py": "1"})
    second = repo.commit({"a.py": "2"})
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "old"), first)
    history.run(writer, tmp_path / "old")
    assert touched(writer) == {"a.py": {first}}
    repo.git("checkout", "-q", "--detach")
    history.run(writer, repo.root)
    assert touched(writer) == {"a.py": {first, second}}


def test_a_shallow_clone_is_partial_and_its_cut_touched_nothing(
    repo: GitRepo, tmp_path: Path, writer: store.Writer
) -> None:
    repo.commit({"a.py": "1", "b.py": "1"})
    cut = repo.commit({"a.py": "2"})
    last = repo.commit({"a.py": "3"})
    outcome = history.run(writer, repo.clone(tmp_path / "shallow", "--depth=2").root)
    assert outcome.state == "partial"
    assert outcome.reason is not None
    assert outcome.reason.startswith("shallow clone: ")
    assert touched(writer) == {"a.py": {last}}
    rows = writer.con.execute("SELECT sha, files FROM commits").fetchall()
    assert rows == [(last, 1), (cut, 0)]


def test_a_partial_clone_follows_exact_renames_and_fetches_nothing(
    repo: GitRepo, tmp_path: Path, writer: store.Writer
) -> None:
    one = repo.commit({"a.py": text("a"), "b.py": text("b")})
    exact = repo.rename("a.py", "exact.py")
    repo.git("mv", "b.py", "edited.py")
    edited = repo.commit({"edited.py": text("b", 1)})
    clone = repo.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    clone.git("config", "remote.origin.uploadpack", f"touch {tmp_path}/fetched; git-upload-pack")
    objects = clone.git("count-objects", "-v")
    outcome = history.run(writer, clone.root)
    assert outcome.state == "partial"
    assert outcome.reason is not None
    assert outcome.reason.startswith("partial clone: ")
    assert touched(writer) == {"exact.py": {one, exact}, "edited.py": {edited}, "b.py": {one, edited}}
    assert clone.git("count-objects", "-v") == objects
    assert not (tmp_path / "fetched").exists()
    history.run(writer, repo.root)
    assert touched(writer) == {"exact.py": {one, exact}, "edited.py": {one, edited}}


def test_a_clone_without_trees_fails_with_what_git_says(repo: GitRepo, tmp_path: Path, writer: store.Writer) -> None:
    repo.commit({"a.py": "1"})
    repo.commit({"a.py": "2"})
    outcome = history.run(writer, repo.clone(tmp_path / "treeless", "--filter=tree:0", "--no-checkout").root)
    assert outcome.state == "failed"
    assert writer.con.execute("SELECT count(*) FROM commits").fetchall() == [(0,)]


def test_where_contents_are_missing_only_exact_renames_are_followed(repo: GitRepo, writer: store.Writer) -> None:
    first = repo.commit({"a.py": text("a"), "b.py": text("b")})
    blob = repo.git("rev-parse", "HEAD:b.py").strip()
    moved = repo.rename("a.py", "c.py")
    repo.git("mv", "b.py", "d.py")
    last = repo.commit({"d.py": text("b", 1)})
    (repo.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    outcome = history.run(writer, repo.root)
    assert outcome.state == "partial"
    assert outcome.reason is not None
    assert blob in outcome.reason
    assert touched(writer) == {"c.py": {first, moved}, "b.py": {first, last}, "d.py": {last}}


def test_a_log_that_fails_half_way_leaves_no_rows(
    repo: GitRepo, writer: store.Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_CHUNK", 1)
    repo.commit({"a.py": "1"})
    tree = repo.git("rev-parse", "HEAD^{tree}").strip()
    repo.commit({"a.py": "2"})
    repo.commit({"a.py": "3"})
    (repo.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    outcome = history.run(writer, repo.root)
    assert outcome.state == "failed"
    assert outcome.reason is not None
    assert tree in outcome.reason
    assert outcome.counts == {}
    assert writer.con.execute("SELECT count(*) FROM commits").fetchall() == [(0,)]
    assert writer.con.execute("SELECT count(*) FROM commit_files").fetchall() == [(0,)]


@pytest.mark.parametrize("output", [b"nonsense\0", b"a" * 40 + b"\0\0", b"a" * 40 + b"\0\0soon\0s\0b\0"])
def test_a_log_in_another_form_is_an_error(output: bytes) -> None:
    with pytest.raises(git.GitError):
        list(history.parse_log(io.BytesIO(output)))


@posix
def test_reading_a_hostile_repository_runs_nothing_of_it(
    repo: GitRepo, tmp_path: Path, writer: store.Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.py": text("a"), "b.py": text("b")})
    repo.git("mv", "a.py", "c.py")
    repo.commit({"c.py": text("a", 1), ".gitattributes": "* diff=trap filter=trap\n"})
    signed = repo.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n\n", 1
    )
    repo.git(
        "update-ref", "HEAD", repo.git("hash-object", "-t", "commit", "-w", "--stdin", input=signed.encode()).strip()
    )
    mark = tmp_path / "mark"
    repo.arm(mark)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(repo.root / ".git/trap.sh"))
    monkeypatch.setenv("GIT_PAGER", str(repo.root / ".git/trap.sh"))
    repo.write({"b.py": text("b", 2)})
    assert git.find_root(repo.root) == repo.root.resolve()
    listing = discover.list_files(repo.root, discover.Settings())
    discover.scan(repo.root, discover.Settings(), identify=lambda _: None, identify_interpreter=lambda _: None)
    assert is_dirty(listing, {})
    outcome = history.run(writer, repo.root)
    assert list(mark.iterdir()) == []
    assert outcome.counts["commits"] == 2
    assert "b.py" in touched(writer)
    # The traps work: git's own status runs the clean filter and asks the file system monitor.
    repo.git("status", check=False)
    assert list(mark.iterdir()) != []
