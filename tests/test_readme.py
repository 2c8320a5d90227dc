"""The README and the pages of docs are true: what they show is run, and printed as they show it.

`UPDATE_README=1 pytest tests/test_readme.py` writes the outputs anew.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Scaup
from gitrepo import GitRepo

from scaup.pipeline import cli
from scaup.pipeline.text import configuration
from scaup.rules.selection import Selection

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
# Four backticks: a pack has fences of its own.
CONSOLE = re.compile(r"````console\n(\$ scaup (.*)\n)((?:.*\n)*?)````\n")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example as a repository with a little history."""
    root = tmp_path / "jobs"
    shutil.copytree(ROOT / "tests" / "example", root, ignore=shutil.ignore_patterns("__pycache__"))
    repo = GitRepo(root)
    repo.commit(message="Retry failed jobs")
    queue = root / "src" / "jobs" / "queue.py"
    repo.commit({"src/jobs/queue.py": queue.read_text().replace("A queue in memory.", "A queue in memory, by time.")})
    return root


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_command_of_a_page_prints_what_the_page_shows(
    page: Path, example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scaup = Scaup(example, capsys)
    text = page.read_text()

    def run(match: re.Match[str]) -> str:
        ran = scaup(*shlex.split(match[2]))
        assert ran.status == (1 if match[2] == "audit" else 0)  # 1 for findings
        return f"````console\n{match[1]}{ran.out}````\n"

    assert text.count("````console") == len(CONSOLE.findall(text))
    updated = CONSOLE.sub(run, text)
    if os.environ.get("UPDATE_README"):
        page.write_text(updated)
    assert updated == text


def test_the_pages_show_commands() -> None:
    assert sum(page.read_text().count("````console") for page in PAGES) >= 6


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_that_a_page_names_can_be_given(page: Path) -> None:
    """In a line of a shell's block: the options are known, and what they take is of the right kind."""
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("scaup "):
                command, *arguments = shlex.split(line, comments=True)[1:]
                cli.cli.commands[command].make_context(command, arguments)


def test_the_table_of_commands_lists_all_with_their_help() -> None:
    rows = [f"| `{name}` | {it.get_short_help_str(200).rstrip('.')} |" for name, it in cli.cli.commands.items()]
    text = README.read_text()
    table = "| command | what it answers |\n| --- | --- |\n" + "".join(row + "\n" for row in rows)
    if os.environ.get("UPDATE_README"):
        text = re.sub(r"\| command \| what it answers \|\n\| --- \| --- \|\n(\|.*\n)*", lambda _: table, text)
        README.write_text(text)
    assert table in text


def test_the_settings_of_the_audit_that_the_readme_shows_are_read(tmp_path: Path) -> None:
    shown = re.findall(r"```toml\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(shown) == 1
    (tmp_path / "scaup.toml").write_text(shown[0])
    found = configuration.load(tmp_path, ["scaup.toml"]).of("src/format/a.rs")
    assert [(entry.globs.patterns, entry.surface) for entry in found.surfaces] == [
        (("src/format/*.rs",), "tool_result")
    ]
    assert Selection(None, []).of("legacy/x.py", found) < Selection(None, []).of("x.py", found)


@pytest.mark.skipif(shutil.which("make") is None, reason="the demo is run by make")
def test_the_demo_runs_on_this_repository(tmp_path: Path) -> None:
    clone = tmp_path / "scaup"
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".venv", ".git", ".scaup", "__pycache__", "build"))
    GitRepo(clone).commit(message="All of it")
    # The environment that the tests run in stands for the one that make would make.
    ran = subprocess.run(
        ["make", "demo", f"BIN={Path(sys.executable).parent}", "READY=pyproject.toml"],
        cwd=clone, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "# pack | mode=question" in ran.stdout
    assert "cyclomatic" in ran.stdout
