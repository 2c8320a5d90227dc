"""The commands that a pack prints: what it cuts or leaves out is a copy and paste away."""

from __future__ import annotations

import shlex

from scaup.pipeline.pack.candidates import Candidate


def target(candidate: Candidate) -> str:
    """Return how a candidate is named to a command: `path::qualname`, or `path:line` where no symbol is."""
    if candidate.qualname is None:
        return f"{candidate.path}:{candidate.line}"
    return f"{candidate.path}::{candidate.qualname}"


def show_command(candidate: Candidate) -> str:
    """Return the command that shows all of a symbol."""
    return f"scaup show {shlex.quote(target(candidate))}"


def calls_command(candidate: Candidate) -> str:
    """Return the command that lists all callers and callees of a symbol."""
    return f"scaup calls {shlex.quote(target(candidate))}"
