"""Which files an agent reads, by their paths alone: instructions, prompts, descriptions of tools."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scaup.pipeline import languages


class _Rule(NamedTuple):
    surface: str
    paths: re.Pattern[str]
    exceptions: re.Pattern[str] | None


class _Files(NamedTuple):
    """The section made ready. `names` and `never` are of the last part of a path."""

    rules: Sequence[_Rule]
    names: re.Pattern[str]
    never: re.Pattern[str]
    templates: tuple[str, ...]


def surface_of(path: str) -> str | None:
    """Return the surface that a file's path tells, or None."""
    files = _files()
    lower = path.lower()
    if files.never.fullmatch(lower.rpartition("/")[2]):
        return None
    for rule in files.rules:
        if rule.paths.search(lower) and not (rule.exceptions is not None and rule.exceptions.search(lower)):
            return rule.surface
    return None


def is_document(path: str) -> bool:
    """Whether a file is a document by its path alone, to be read as Markdown: its suffix names no language."""
    files = _files()
    name = path.lower().rpartition("/")[2]
    known = name.endswith(files.templates) or files.names.fullmatch(name) is not None
    return known and languages.identify(path) is None and surface_of(path) is not None


@functools.cache
def _files() -> _Files:
    text = (Path(__file__).parent / "surfaces.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)["files"]
    rules = [
        _Rule(rule["surface"], compiled(rule["paths"]), compiled(rule["except"]) if "except" in rule else None)
        for rule in table["rules"]
    ]
    names, never = (re.compile("|".join(map(_pattern, table[key]))) for key in ("names", "never"))
    return _Files(rules, names, never, tuple(table["templates"]))


def compiled(globs: Sequence[str]) -> re.Pattern[str]:
    """Return one pattern, to be searched for, of globs over paths: `**` is any folders, `{a,b}` one of several.

    What all globs that may start anywhere have in common stands in front, so that a path is tried at its slashes only.
    """
    anywhere = [_pattern(glob[3:]) for glob in globs if glob.startswith("**/")]
    fixed = [_pattern(glob) for glob in globs if not glob.startswith("**/")]
    parts = [rf"(?:^|/)(?:{'|'.join(anywhere)})$"] if anywhere else []
    if fixed:
        parts.append(rf"^(?:{'|'.join(fixed)})$")
    return re.compile("|".join(parts) or r"(?!)")


_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|\{|\}|,|[^*?{},]+")
_GLOB = {"**/": r"(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}


def _pattern(glob: str) -> str:
    """Return the pattern of a glob."""
    parts: list[str] = []
    depth = 0
    for part in _TOKEN.findall(glob.lower()):
        depth += (part == "{") - (part == "}")
        parts.append("|" if part == "," and depth else _GLOB.get(part) or re.escape(part))
    return "".join(parts)
