"""Churn, co-change and amp against plain git: renames on two branches, merges, and a file that came back."""

from __future__ import annotations

from pathlib import Path

import pytest
from facts import Facts
from gitrepo import DAY, GitRepo

A = "def a():\n    return b()\n\n\ndef b():\n    return 1\n\n\ndef padding():\n    return 'to follow a rename by'\n"


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """A history of two years, of which the last counts for churn and the last eighteen months for co-change."""
    repo = GitRepo(tmp_path_factory.mktemp("history") / "repo")
    start = repo.date
    repo.commit({"one.py": A, "two.py": "def two():\n    return 2\n", "gone.py": "x = 1\n"}, "first", date=start)
    repo.commit({"one.py": A + "\n"}, "older than a year", date=start + 200 * DAY)
    repo.commit({"two.py": "def two():\n    return 3\n", "one.py": A}, "both, in 18 months", date=start + 300 * DAY)
    repo.branch("left")
    repo.rename("one.py", "left.py", "renamed on one branch", date=start + 700 * DAY)
    repo.commit({"left.py": A + "# left\n", "gone.py": None}, "edited after, and one deleted", date=start + 701 * DAY)
    repo.checkout("main")
    repo.branch("right")
    repo.rename("two.py", "right.py", "renamed on the other", date=start + 702 * DAY)
    repo.commit({"one.py": A + "# right\n"}, "edited under the old name", date=start + 703 * DAY)
    repo.checkout("main")
    repo.merge("left", date=start + 704 * DAY)
    # The edit of the right branch and the rename of the left one meet: git keeps one side, as asked.
    repo.git("merge", "-q", "-X", "ours", "--no-edit", "right", check=False)
    repo.git("add", "-A")
    repo.commit(message="merge right", date=start + 705 * DAY)
    repo.commit({"gone.py": "def back():\n    return 1\n"}, "it came back", date=start + 706 * DAY)
    repo.commit(
        {"gone.py": "def back():\n    return 2\n", "right.py": "def two():\n    return 4\n"},
        "both",
        date=start + 730 * DAY,
    )
    return repo


@pytest.fixture(scope="module")
def facts(repo: GitRepo) -> Facts:
    return Facts(repo.root)


def shas(repo: GitRepo, path: str, since: int) -> set[str]:
    """The non-merge commits since a date that plain git ascribes to a file, over its renames."""
    lines = repo.git("log", "--no-merges", "--follow", "--format=%H %ct", "--", path).splitlines()
    return {line.split()[0] for line in lines if int(line.split()[1]) >= since}


def test_churn_is_the_commits_of_twelve_months_that_git_ascribes_to_the_file(facts: Facts, repo: GitRepo) -> None:
    head = int(repo.git("log", "-1", "--format=%ct"))
    year = head - 365 * DAY
    churn = facts.metric("churn")
    assert churn["right.py:two"] == len(shas(repo, "right.py", year)) == 2  # the rename, and the last
    assert churn["gone.py:back"] == len(shas(repo, "gone.py", year)) == 3  # deleted, added again, changed
    # git's --follow walks from HEAD and loses the edit under the old name on the other branch; it belongs to the file.
    assert shas(repo, "left.py", year) <= set(repo.git("log", "--format=%H").split())
    assert churn["left.py:a"] == 3  # the rename, the edit after it, the edit under the old name
    assert facts.metric("churn")["left.py:a"] == churn["left.py:b"]


def test_cochange_counts_distinct_files_of_today_in_eighteen_months(facts: Facts) -> None:
    assert facts.rows("SELECT file_a, file_b, together FROM cochange ORDER BY ALL") == [
        ("gone.py", "left.py", 1),  # the deletion with the edit
        ("gone.py", "right.py", 1),  # the last commit
        ("left.py", "right.py", 1),  # one.py and two.py, under today's names
    ]
    assert facts.metric("cochange_files")["left.py:a"] == 2


def test_amp_is_callers_and_files_together(facts: Facts) -> None:
    amp, callers, files = facts.metric("amp"), facts.metric("callers"), facts.metric("cochange_files")
    assert callers["left.py:b"] == 1
    assert amp["left.py:b"] == 3
    assert all(amp[name] == callers[name] + files[name] for name in amp)


def test_a_shallow_clone_says_so_and_keeps_its_metrics(repo: GitRepo, tmp_path: Path) -> None:
    clone = repo.clone(tmp_path / "shallow", "--depth", "1")
    facts = Facts(clone.root)
    state, reason = facts.rows("SELECT state, reason FROM stage_runs WHERE stage = 'history'")[0]
    assert state == "partial"
    assert "shallow" in reason
    assert facts.metric("tested")["left.py:a"] is False
