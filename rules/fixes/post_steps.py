"""What follows a fix: the formatter and the checker that a project configures. Nothing of the repository is run.

Ruff for Python: it reads configuration as data, and has no plugins.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from scaup.rules.fixes.rewrite import BOM

# A file takes a second at most, a cold start of the program included.
SECONDS = 30.0
# More findings of a checker than this tell nobody more.
_MOST = 50
_UNFORMATTED = b"x  =  1\n"
_FILES = (".ruff.toml", "ruff.toml", "pyproject.toml")


class Configured(NamedTuple):
    """What the nearest configuration says of ruff. `formats` is False where another formatter has that place."""

    file: Path
    formats: bool


class Ended(NamedTuple):
    """A step's result: content or findings, or the reason why it was skipped."""

    content: bytes
    findings: list[dict[str, Any]]
    skipped_reason: str | None


def format_file(root: Path, path: Path, language: str, content: bytes) -> Ended:
    """Return a file's content as the project's formatter writes it."""
    program = _program(root, path, language, "formatter")
    if isinstance(program, str):
        return Ended(content, [], program)
    shift = len(BOM) if content.startswith(BOM) else 0
    ran = _run(program, root, path, content, "format")
    if isinstance(ran, str) or ran.returncode:
        return Ended(content, [], ran if isinstance(ran, str) else "error")
    if ran.stdout == content[shift:]:
        # What it excludes it prints as it is: so would it something that no formatter leaves.
        asked = _run(program, root, path, _UNFORMATTED, "format")
        if not isinstance(asked, str) and asked.stdout == _UNFORMATTED:
            return Ended(content, [], "formatter_excluded_path")
    return Ended(content[:shift] + ran.stdout.removeprefix(BOM), [], None)


def check_file(root: Path, path: Path, language: str, content: bytes, before: bytes) -> Ended:
    """Return what the project's checker finds in a content and not in the one before: code, message, line, column.

    At most 50 of them; they are told apart by code and message, as lines move.
    """
    found = _checked(root, path, language, content)
    if not found.findings:
        return found
    known = Counter(_says(row) for row in _checked(root, path, language, before).findings)
    new = []
    for row in found.findings:
        known[_says(row)] -= 1
        if known[_says(row)] < 0:
            new.append(row)
    return Ended(content, new[:_MOST], None)


def _says(row: dict[str, Any]) -> tuple[str, str]:
    return str(row["code"]), row["message"]


def _checked(root: Path, path: Path, language: str, content: bytes) -> Ended:
    program = _program(root, path, language, "checker")
    if isinstance(program, str):
        return Ended(content, [], program)
    ran = _run(program, root, path, content, "check", "--no-fix", "--output-format", "json")
    if isinstance(ran, str) or ran.returncode not in (0, 1):
        return Ended(content, [], ran if isinstance(ran, str) else "error")
    try:
        rows = json.loads(ran.stdout or b"[]")
        findings = [
            {
                "code": row.get("code"),
                "message": row["message"],
                "line": row["location"]["row"],
                "column": row["location"]["column"],
            }
            for row in rows
        ]
    except (ValueError, KeyError, TypeError):
        return Ended(content, [], "error")
    return Ended(content, findings, None)


def _program(root: Path, path: Path, language: str, what: str) -> str | Path:
    """Return the program for a file, or the reason why there is none."""
    if language != "python":
        return "unsupported_language"
    configured = configuration(root, path)
    if configured is None or (what == "formatter" and not configured.formats):
        return f"no_{what}_configured"
    return _ruff() or f"{what}_not_installed"


def configuration(root: Path, path: Path) -> Configured | None:
    """Return the configuration of ruff that is nearest to a file, in its folder or above it up to the root."""
    folder = path.parent
    while True:
        for name in _FILES:
            file = folder / name
            if not file.is_file():
                continue
            if name != "pyproject.toml":
                return Configured(file, True)
            try:
                tools = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
            except (OSError, ValueError):
                continue
            if isinstance(tools, dict) and isinstance(tools.get("ruff"), dict):
                return Configured(file, "black" not in tools or "format" in tools["ruff"])
        if folder == root or root not in folder.parents:
            return None
        folder = folder.parent


def _ruff() -> Path | None:
    """Return the program: on PATH, else beside Python. Relative folders do not count: they are the repository's."""
    folders = [part for part in os.environ.get("PATH", "").split(os.pathsep) if Path(part).is_absolute()]
    found = shutil.which("ruff", path=os.pathsep.join([*folders, str(Path(sys.executable).parent)]))
    return Path(found) if found else None


def _run(
    program: Path, root: Path, path: Path, content: bytes, *arguments: str
) -> subprocess.CompletedProcess[bytes] | str:
    """Run it on a content under a file's name, without a cache and with the time limit."""
    try:
        return subprocess.run(
            [program, *arguments, "--no-cache", "--force-exclude", "--stdin-filename", str(path), "-"],
            input=content,
            capture_output=True,
            cwd=root,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    except OSError:
        return "error"
