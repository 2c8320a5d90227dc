"""The one answer that every command and tool gives, and the one error that the library raises.

A response is a plain dict with a fixed order of keys, so that `--format json` prints it as it is. `Gaps` collects
what could not be read; a response is `complete` only where it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Response = dict[str, Any]

CODES = frozenset(
    {
        "invalid_request",
        "invalid_config",
        "path_not_found",
        "symbol_not_found",
        "ambiguous_match",
        "project_too_large",
        "store_locked",
        "facts_unavailable",
        "sql_error",
        "timeout",
        "no_lsp_server",
    }
)


class ScaupError(Exception):
    """The work could not be done. `code` is one of `CODES`; `details` are further members of the response."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        if code not in CODES:
            raise ValueError(f"unknown code {code!r}")
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def response(self) -> Response:
        """Return the failure as a response object."""
        return {"success": False, "code": self.code, "message": self.message, **self.details}


@dataclass
class Gaps:
    """What is missing from an answer, by name. Empty means complete."""

    pending_files: list[str] = field(default_factory=list)
    unchecked_files: list[str] = field(default_factory=list)
    walk_truncated: bool = False
    skipped_files: list[dict[str, str]] = field(default_factory=list)
    scope_warnings: list[str] = field(default_factory=list)
    no_files_matched_scope: bool = False
    stages: list[dict[str, str]] = field(default_factory=list)

    def skip(self, path: str, reason: str) -> None:
        """Name a file that should have been read and was not."""
        self.skipped_files.append({"file": path, "reason": reason})

    def stage(self, stage: str, reason: str) -> None:
        """Name a stage that did not complete."""
        self.stages.append({"stage": stage, "reason": reason})

    def members(self) -> dict[str, Any]:
        """Return the gaps that there are, as members of a response."""
        return {name: value for name, value in vars(self).items() if value}


def success(payload: dict[str, Any], gaps: Gaps | None = None) -> Response:
    """Return a success: complete without gaps, partial with them."""
    missing = gaps.members() if gaps else {}
    return {"success": True, "complete": not missing, **missing, **payload}


def names(values: Iterable[str], limit: int = 8) -> str:
    """Join names for a message; what is beyond the limit is counted."""
    rows = list(values)
    shown = ", ".join(rows[:limit])
    return f"{shown} and {len(rows) - limit} more" if len(rows) > limit else shown
