"""Files that agents read by their name: instruction files, prompts, templates. The globs are in `surfaces.toml`."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path

# Suffixes of templates, behind which the format may stand: prompt.md.tpl.
_TEMPLATES = (".tpl", ".tmpl", ".j2", ".jinja", ".jinja2", ".hbs", ".mustache", ".txt", ".prompt", ".prompty", ".mdc")


@functools.cache
def _rules() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = tomllib.loads((Path(__file__).parent / "surfaces.toml").read_text(encoding="utf-8"))
    return tuple(
        (re.compile("|".join(f"(?:{_expression(glob)})" for glob in rule["paths"])), rule["surface"])
        for rule in table["files"]["rules"]
    )


def _expression(glob: str) -> str:
    """Return a glob as an expression: `**/` is any folders, `*` and `?` stay within a name, `{a,b}` are alternatives."""
    found = ""
    for part in re.findall(r"\*\*/|/\*\*$|\*|\?|\{[^{}]*\}|[^*?{}/]+|/", glob):
        if part == "**/":
            found += "(?:.*/)?"
        elif part == "/**":
            found += "/.*"
        elif part == "*":
            found += "[^/]*"
        elif part == "?":
            found += "[^/]"
        elif part.startswith("{"):
            found += f"(?:{'|'.join(map(re.escape, part[1:-1].split(',')))})"
        else:
            found += re.escape(part)
    return found


def surface_of(path: str) -> str | None:
    """Return what an agent reads a file as, by its name; None where the name does not tell."""
    lowered = path.lower()
    return next((surface for pattern, surface in _rules() if pattern.fullmatch(lowered)), None)


def language(path: str) -> str | None:
    """Return `markdown` for a file without a language of its own whose name says that an agent reads it as prose.

    A template of a Markdown file (x.md.tpl) is read as that file, wherever it is.
    """
    lowered = path.lower()
    stem, dot, suffix = lowered.rpartition(".")
    if dot and f".{suffix}" in _TEMPLATES and stem.endswith((".md", ".markdown")):
        return "markdown"
    name = lowered.rpartition("/")[2]
    known = (dot and f".{suffix}" in _TEMPLATES) or "." not in name[1:]
    return "markdown" if known and surface_of(path) is not None else None
