"""Scaup's own texts are audited: nothing that it says trains a habit that it warns of."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from commands import Scaup

ROOT = Path(__file__).resolve().parents[1]


def test_the_projects_own_texts_have_no_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not in a git repository")
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(copy)], check=True, capture_output=True)
    response = Scaup(copy, capsys)("audit", "--format", "json").json
    assert response["complete"], response["gaps"]
    assert [row for row in response["diagnostics"] if row["suppressed"] is None] == []
    assert response["inspected"]["strings"] > 500
