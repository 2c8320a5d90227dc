"""Files under fixes: whole, or not at all; what stands in the way is named."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixing import agent_texts
from gitrepo import GitRepo

from scaup.rules.fixes import place, post_steps, run
from scaup.rules.fixes.plan import Planner
from scaup.rules.fixes.proposals import Proposal
from scaup.rules.fixes.rewrite import Edit
from scaup.rules.model import Adjudication, Verdict

OLD = "Retry the call now."
SOURCE = 'x = "Busy. Retry the call now."\ny = "Busy too. Repeat the call now."\n'


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "r")
    repo.commit({"m.py": SOURCE})
    return repo


def planned(repo: GitRepo, path: str, *changes: tuple[str, str, bool]) -> tuple[Planner, list[dict[str, Any]]]:
    """Plan a fix for each (old, new, safe); return the planner and findings, as much of them as counts."""
    planner, rows = Planner(repo.root), []
    for number, (old, new, safe) in enumerate(changes):
        content = (repo.root / path).read_bytes()
        (text,) = (one for one in agent_texts(path, content) if old in one.text)
        start = text.text.index(old)
        decided = Adjudication(f"C10{number}", Verdict.FINDING, "no-bound", start, start + len(old))
        planner.plan(str(number), text, decided, Proposal(new, safe), text.span.start_line)
        rows.append({"fingerprint": str(number), "suppressed": None})
    return planner, rows


def outcome(repo: GitRepo, *changes: tuple[str, str, bool], path: str = "m.py", **wanted: bool) -> dict[str, Any]:
    """Return what became of the one file."""
    planner, rows = planned(repo, path, *changes)
    (row,) = run.apply(planner, rows, run.Wanted(**{"unsafe": True, **wanted}))["fixed"]
    return dict(row)


ONE = (OLD, "Retry it once.", True)


def test_a_fix_is_put_in(repo: GitRepo) -> None:
    assert outcome(repo, ONE) == {
        "path": "m.py",
        "applied": 1,
        "skipped": [],
        "rolled_back": False,
        "reason": None,
        "format_skipped_reason": "no_formatter_configured",
        "validate_skipped_reason": "no_checker_configured",
    }
    assert (repo.root / "m.py").read_text() == SOURCE.replace(OLD, "Retry it once.")


def test_unsafe_ones_wait_until_they_are_asked_for(repo: GitRepo) -> None:
    row = outcome(repo, (OLD, "Retry it once.", False), unsafe=False)
    assert row["applied"] == 0
    assert row["skipped"] == [{"rule": "C100", "line": 1, "reason": "unsafe"}]
    assert (repo.root / "m.py").read_text() == SOURCE


def test_of_overlapping_fixes_the_first_is_made(repo: GitRepo) -> None:
    row = outcome(
        repo,
        (OLD, "Retry the call once.", True),
        ("Retry the call now", "Retry the call twice", True),
        ("Repeat the call now.", "Repeat it.", False),
        ("Repeat the call", "Do repeat the call", False),  # not the same bytes, but the same sentence
        ("Busy.", "It is busy.", True),
    )
    assert row["applied"] == 3
    assert [(skip["rule"], skip["reason"]) for skip in row["skipped"]] == [
        ("C101", "overlaps_other_fix"),
        ("C103", "overlaps_other_fix"),
    ]
    expected = 'x = "It is busy. Retry the call once."\ny = "Busy too. Repeat it."\n'
    assert (repo.root / "m.py").read_text() == expected


def test_suppressed_findings_are_not_fixed(repo: GitRepo) -> None:
    planner, rows = planned(repo, "m.py", ONE)
    rows[0]["suppressed"] = {"by": "comment"}
    members = run.apply(planner, rows, run.Wanted())
    assert members == {"fixed": [], "fixes": {"findings": 0, "applied": 0, "unsafe_left": 0, "dry_run": False}}


def test_what_would_say_something_else_is_rolled_back(repo: GitRepo) -> None:
    # The blank that a cell would start with is none of its text.
    table = "| a | b |\n|---|---|\n| Busy | Retry the call now. Bye. |\n"
    repo.commit({"AGENTS.md": table})
    row = outcome(repo, (OLD, "", True), path="AGENTS.md")
    assert (row["applied"], row["rolled_back"], row["reason"]) == (0, True, "says_something_else")
    assert row["skipped"] == [{"rule": "C100", "line": 3, "reason": "says_something_else"}]
    assert (repo.root / "AGENTS.md").read_text() == table


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("m.py", SOURCE, "would_not_parse"),
        ("m.json", '{"prompt": "Busy. Retry the call now."}', "would_not_parse"),
        ("m.toml", 'prompt = "Busy. Retry the call now."', "would_not_parse"),
        ("m.rs", 'const X: &str = "Busy. Retry the call now.";', "would_not_parse"),
    ],
)
def test_what_would_not_parse_is_rolled_back(repo: GitRepo, path: str, content: str, reason: str) -> None:
    """No plan makes such an edit: the last check is tried with one made by hand."""
    repo.commit({path: content})
    planner, rows = planned(repo, path, ONE)
    at = content.index("Retry")
    planner.fixes["0"] = replace(planner.fixes["0"], edits=(Edit(at, at, '"'),))
    (row,) = run.apply(planner, rows, run.Wanted())["fixed"]
    assert (row["applied"], row["rolled_back"], row["reason"]) == (0, True, reason)
    assert (repo.root / path).read_text() == content


def test_python_is_edited_within_strings_only(repo: GitRepo) -> None:
    planner, rows = planned(repo, "m.py", ONE)
    planner.fixes["0"] = replace(planner.fixes["0"], edits=(Edit(0, 1, "z"),))
    (row,) = run.apply(planner, rows, run.Wanted())["fixed"]
    assert (row["applied"], row["rolled_back"], row["reason"]) == (0, True, "not_rewritten")
    assert (repo.root / "m.py").read_text() == SOURCE


def test_the_mode_stays_and_nothing_is_left_behind(repo: GitRepo) -> None:
    file = repo.root / "m.py"
    file.chmod(0o754)
    assert outcome(repo, ONE)["applied"] == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o754
    assert sorted(os.listdir(repo.root)) == [".git", "m.py"]


def test_a_file_that_git_does_not_know(repo: GitRepo) -> None:
    repo.write({"new.py": SOURCE})
    assert outcome(repo, ONE, path="new.py")["reason"] == "not_in_git"
    assert (repo.root / "new.py").read_text() == SOURCE


def test_without_git_nothing_is_touched(tmp_path: Path) -> None:
    folder = GitRepo(tmp_path / "plain", create=False)
    folder.write({"m.py": SOURCE})
    assert outcome(folder, ONE)["reason"] == "not_in_git"


def test_a_file_that_is_read_only(repo: GitRepo) -> None:
    (repo.root / "m.py").chmod(0o444)
    assert outcome(repo, ONE)["reason"] == "read_only"
    assert (repo.root / "m.py").read_text() == SOURCE


def test_links_are_not_followed(repo: GitRepo) -> None:
    outside = repo.root.parent / "outside.py"
    outside.write_text(SOURCE)
    (repo.root / "link.py").symlink_to(outside)
    (repo.root / "folder").symlink_to(repo.root.parent)
    repo.commit()
    assert outcome(repo, ONE, path="link.py")["skipped"][0]["reason"] == "symlink"
    planner, rows = planned(repo, "folder/outside.py", ONE)
    (row,) = run.apply(planner, rows, run.Wanted())["fixed"]
    assert row["applied"] == 0
    with pytest.raises(place.RefusedError) as error:
        place.writable(repo.root, repo.root / "folder" / "outside.py")
    assert error.value.reason == "symlink"
    assert outside.read_text() == SOURCE


@pytest.mark.parametrize("later", [SOURCE + "z = 1\n", SOURCE.replace("Busy", "Idle")])
def test_a_file_that_changed_between_audit_and_fix(repo: GitRepo, later: str) -> None:
    planner, rows = planned(repo, "m.py", ONE)
    (repo.root / "m.py").write_text(later)
    (row,) = run.apply(planner, rows, run.Wanted())["fixed"]
    assert (row["applied"], row["rolled_back"], row["reason"]) == (0, False, "changed_since_audit")
    assert (repo.root / "m.py").read_text() == later


def test_a_file_that_changes_while_its_fix_is_checked(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> post_steps.Ended:
        (repo.root / "m.py").write_text("other = 1\n")
        return post_steps.Ended(b"", [], "error")

    monkeypatch.setattr(post_steps, "format_file", slow)
    assert outcome(repo, ONE)["reason"] == "changed_since_audit"
    assert (repo.root / "m.py").read_text() == "other = 1\n"


def test_an_audited_text_that_is_not_there_any_more(repo: GitRepo) -> None:
    """The file changed before it was read for fixes: what it says is not what was judged."""
    content = (repo.root / "m.py").read_bytes()
    (text,) = (one for one in agent_texts("m.py", content) if OLD in one.text)
    (repo.root / "m.py").write_text(SOURCE.replace("Busy.", "Idle."))
    planner = Planner(repo.root)
    decided = Adjudication("C101", Verdict.FINDING, "no-bound", 6, 6 + len(OLD))
    planner.plan("0", text, decided, Proposal("Retry it once.", True), 1)
    (row,) = run.apply(planner, [{"fingerprint": "0", "suppressed": None}], run.Wanted())["fixed"]
    assert row["applied"] == 0
    assert row["skipped"][0]["reason"] in ("within_escape", "changed_since_audit")
    assert "Idle" in (repo.root / "m.py").read_text()


def test_a_failure_to_write_leaves_the_old_file(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert outcome(repo, ONE)["reason"] == "not_written"
    assert (repo.root / "m.py").read_text() == SOURCE
    assert sorted(os.listdir(repo.root)) == [".git", "m.py"]


def test_a_crash_between_writing_and_replacing_leaves_the_old_file(repo: GitRepo) -> None:
    file = repo.root / "m.py"
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from scaup.rules.fixes import place\n"
        "os.replace = lambda *_: os._exit(9)\n"
        "file = Path(sys.argv[1])\n"
        "place.replace(file, file.read_bytes(), b'new')\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(file)], check=False)
    assert ran.returncode == 9
    assert file.read_text() == SOURCE


def test_a_dry_run_shows_what_git_would_and_writes_nothing(repo: GitRepo) -> None:
    repo.commit({"m.py": SOURCE.rstrip("\n").replace("\n", "\r\n")})
    planner, rows = planned(repo, "m.py", ONE, ("Repeat the call now.", "Repeat it.", True))
    members = run.apply(planner, rows, run.Wanted(dry_run=True))
    assert members["fixes"] == {"findings": 2, "applied": 2, "unsafe_left": 0, "dry_run": True}
    before = (repo.root / "m.py").read_bytes()
    repo.git("apply", "-", input=members["diff"].encode())
    shown = (repo.root / "m.py").read_bytes()
    repo.git("checkout", "-q", ".")
    assert (repo.root / "m.py").read_bytes() == before
    run.apply(planner, rows, run.Wanted())
    assert (
        (repo.root / "m.py").read_bytes()
        == shown
        == before.replace(OLD.encode(), b"Retry it once.").replace(b"Repeat the call now.", b"Repeat it.")
    )
