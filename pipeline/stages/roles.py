"""The role of a file, from its path: `roles.toml` holds the patterns, this matches them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import NamedTuple


class Pattern(NamedTuple):
    """What a path must have for a role: any one of these is enough."""

    role: str
    folders: frozenset[str]
    top_folders: frozenset[str]
    names: frozenset[str]
    prefixes: tuple[str, ...]
    suffixes: tuple[str, ...]


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return the patterns in the order in which they are tried."""
    tables = tomllib.loads(resources.files(__package__).joinpath("roles.toml").read_text("utf-8"))
    return tuple(
        Pattern(
            role,
            frozenset(table.get("folders", ())),
            frozenset(table.get("top_folders", ())),
            frozenset(table.get("names", ())),
            tuple(table.get("prefixes", ())),
            tuple(table.get("suffixes", ())),
        )
        for role, table in tables.items()
    )


def role(path: str) -> str:
    """Return the role of a file: source, test, docs, config, generated or vendored."""
    folder, _, name = path.rpartition("/")
    roles = _folder_roles(folder)
    lower = name.lower()
    for pattern in patterns():
        if (
            pattern.role in roles
            or lower in pattern.names
            or lower.startswith(pattern.prefixes)
            or name.endswith(pattern.suffixes)
        ):
            return pattern.role
    return "source"


@cache
def _folder_roles(folder: str) -> frozenset[str]:
    parts = folder.lower().split("/")
    return frozenset(
        pattern.role
        for pattern in patterns()
        if parts[0] in pattern.top_folders or not pattern.folders.isdisjoint(parts)
    )
