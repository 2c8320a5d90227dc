"""Runs commands as a user does, in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scaup.pipeline import cli


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The response that it printed."""
        assert self.out.endswith("\n") and self.out.count("\n") == 1
        response: dict[str, Any] = json.loads(self.out)
        return response


class Scaup:
    """Runs commands in a folder."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self.capsys = root, capsys

    def __call__(self, *arguments: str, inside: bool = True) -> Ran:
        """Run a command; `inside` says that it works on the folder."""
        self.capsys.readouterr()
        command, *rest = arguments
        status = cli.run([command, "-C", str(self.root), *rest] if inside else arguments)
        captured = self.capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return Ran(status, captured.out, captured.err)
