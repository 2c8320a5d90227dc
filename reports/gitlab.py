"""Findings as GitLab reads them: a code quality report, which is a list in JSON."""

from __future__ import annotations

import json
from typing import Any

from scaup.reports import findings, inert

_LEVELS = {"high": "critical", "medium": "major", "low": "minor"}


def render(response: dict[str, Any]) -> str:
    """Return the report: the findings that count, none for a failure."""
    rows = [
        {
            "description": findings.message(row),
            "check_name": row["rule"],
            "fingerprint": row["fingerprint"],
            "severity": _LEVELS[row["severity"]],
            "location": {
                "path": inert.line(row["path"]),
                "lines": {"begin": row["span"]["start_line"], "end": row["span"]["end_line"]},
            },
        }
        for row in findings.counting(response)
    ]
    return json.dumps(rows, ensure_ascii=True, indent=2) + "\n"
