"""The commands that a pack prints: what it cuts or leaves out is a copy and paste away."""

from __future__ import annotations

import re
import shlex

from scaup.pipeline.pack.candidates import Candidate

# A name outside of it (of a test block, say) can hold anything: a line end, or what a command reads as something else.
_PLAIN = re.compile(r"[\w.$#<>:~&*-]+")


def target(candidate: Candidate) -> str:
    """Return how a candidate is named to a command: `path::qualname`, or `path:line` where its name is no plain one."""
    if candidate.qualname is None or not _PLAIN.fullmatch(candidate.qualname):
        return f"{candidate.path}:{candidate.line}"
    return f"{candidate.path}::{candidate.qualname}"


def show_command(candidate: Candidate) -> str:
    """Return the command that shows all of a symbol, with the other definitions of its name in its file."""
    return f"scaup show {shlex.quote(target(candidate))}"


def calls_command(candidate: Candidate, *, is_alone: bool = True) -> str:
    """Return the command that lists all callers and callees of a symbol; `is_alone` says that no other has its name."""
    return f"scaup calls {shlex.quote(target(candidate) if is_alone else f'{candidate.path}:{candidate.line}')}"


def diff_command(rev: str, path: str) -> str:
    """Return the command that packs what differs from a revision in one file."""
    return f"scaup pack --diff {shlex.quote(rev)} --path {shlex.quote(path)}"
