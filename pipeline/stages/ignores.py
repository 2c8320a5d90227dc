"""Ignore files in the syntax of .gitignore, matched as git matches them.

pathspec knows the syntax. Which pattern decides is settled here, since names are asked for from the root down: a
pattern that took a folder has had its say when the folder was asked for, and says nothing of what is in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern


class IgnoreFile(NamedTuple):
    """The patterns of an ignore file, for what is in its folder."""

    folder: bytes  # empty, or with a slash at its end
    patterns: Sequence[GitIgnoreSpecPattern]


def parse(folder: bytes, lines: Iterable[str]) -> IgnoreFile:
    """Return the patterns of an ignore file; lines that are no pattern are passed over."""
    from pathspec.patterns.gitignore import GitIgnorePatternError
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    patterns = []
    for line in lines:
        try:
            pattern = GitIgnoreSpecPattern(line)
        except GitIgnorePatternError:
            continue
        if pattern.include is not None:
            patterns.append(pattern)
    return IgnoreFile(folder, patterns)


def is_ignored(raw: bytes, files: Sequence[IgnoreFile]) -> bool:
    """Return what the nearest ignore file with an opinion says of a name; that of a folder ends in a slash."""
    for folder, patterns in reversed(files):
        name = os.fsdecode(raw[len(folder) :])
        for pattern in reversed(patterns):
            if _takes(pattern, name):
                return bool(pattern.include)
    return False


def _takes(pattern: GitIgnoreSpecPattern, name: str) -> bool:
    """Return whether a pattern matches a name itself, and not only a folder above it.

    Where an expression of pathspec matches a folder by its slash, a group ends with it.
    """
    if pattern.regex is None:
        return False
    plain = name.removesuffix("/")
    if any(all(end == -1 for _, end in match.regs[1:]) for match in pattern.regex.finditer(plain)):
        return True
    return plain != name and any(
        any(end == len(name) for _, end in match.regs[1:]) for match in pattern.regex.finditer(name)
    )


def is_below_ignored(raw: bytes, files: Sequence[IgnoreFile], known: dict[bytes, bool]) -> bool:
    """Return whether a file or one of its folders is ignored; `known` keeps the answers for folders."""
    end = raw.find(b"/") + 1
    while end:
        folder = raw[:end]
        if folder not in known:
            known[folder] = is_ignored(folder, files)
        if known[folder]:
            return True
        end = raw.find(b"/", end) + 1
    return is_ignored(raw, files)
