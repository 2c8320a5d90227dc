"""Settings of the audit: `[audit]` of the configuration nearest to each file, above those that it extends.

A folder's own file hides those above it, unless it extends them. Lists of entries add up along the chain, and the globs
of each count from the folder of its own file; of other settings the nearest counts.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from scaup.pipeline import settings
from scaup.pipeline.settings import FILES, Layer


@dataclass(frozen=True)
class Globs:
    """Globs, as in .gitignore, that count from a folder."""

    patterns: tuple[str, ...]
    folder: str = ""

    def fit(self, path: str) -> bool:
        """Whether a path from the root, with slashes, fits one of them."""
        if self.folder:
            if not path.startswith(f"{self.folder}/"):
                return False
            path = path[len(self.folder) + 1 :]
        return bool(_compiled(self.patterns).match_file(path))

    def __str__(self) -> str:
        return ", ".join(self.patterns)


@dataclass(frozen=True)
class Surface:
    """Files, and what an agent reads them as."""

    globs: Globs
    surface: str
    origin: str = ""


@dataclass(frozen=True)
class Delivery:
    """A delivery contract: a phrase, and the symbols that keep what it promises, as `path::qualname`."""

    phrase: str
    persisted_by: str
    replayed_by: str
    acknowledged_by: str | None = None
    nudged_by: str | None = None
    origin: str = ""


@dataclass(frozen=True)
class Suppression:
    """An entry that silences rules in some files, for files that have no comments; `line` is its own."""

    globs: Globs
    rules: tuple[str, ...]
    reason: str
    text: str | None = None
    until: datetime.date | None = None
    origin: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Ignored:
    """Rules that do not count in some files."""

    globs: Globs
    rules: tuple[str, ...]
    origin: str = ""


@dataclass(frozen=True)
class AuditSettings:
    """What counts of the audit for the files of a folder; `origin` is the nearest file, `origins` who set what.

    `baseline` is a path from the root.
    """

    origin: str = ""
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    confidence: str | None = None
    baseline: str | None = None
    per_file_ignores: tuple[Ignored, ...] = ()
    surfaces: tuple[Surface, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)
    # What a fix adds to a bare status: "at most 3 times, 30 s apart".
    bound: str | None = None


@dataclass
class Configuration:
    """The audit settings of a repository, by folder."""

    by_folder: dict[str, AuditSettings] = field(default_factory=dict)

    def of(self, path: str) -> AuditSettings:
        """Return the settings nearest to a path."""
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            if (found := self.by_folder.get(folder)) is not None:
                return found
        return self.by_folder.get("", AuditSettings())

    def surfaces(self, paths: Iterable[str]) -> list[tuple[str, str, str]]:
        """Return (path, surface, file that says so) of the paths that globs give a surface; the first glob wins."""
        if not any(found.surfaces for found in self.by_folder.values()):
            return []
        rows = []
        for path in paths:
            for entry in self.of(path).surfaces:
                if entry.globs.fit(path):
                    rows.append((path, entry.surface, entry.origin))
                    break
        return rows

    def unmatched(self, paths: Iterable[str]) -> list[str]:
        """Return a sentence for each list of globs that no path matches."""
        listed = list(paths)
        entries = dict.fromkeys(entry for _, found in sorted(self.by_folder.items()) for entry in found.surfaces)
        return [
            f"{entry.origin}: no file matches {entry.globs} (surface {entry.surface})"
            for entry in entries
            if not any(entry.globs.fit(path) for path in listed)
        ]

    @property
    def deliveries(self) -> list[Delivery]:
        """All delivery contracts."""
        found = [entry for _, found in sorted(self.by_folder.items()) for entry in found.deliveries]
        return list(dict.fromkeys(found))


def paths(listed: Iterable[str]) -> list[str]:
    """Return the paths among these that may configure the audit."""
    return [path for path in listed if path.rpartition("/")[2] in FILES]


def load(root: Path, config_paths: Iterable[str]) -> Configuration:
    """Read the configurations at these paths and what they extend; raises `invalid_config` for the first wrong one."""
    configuration = Configuration()
    for folder in sorted({path.rpartition("/")[0] for path in config_paths} | {""}):
        chain = settings.layers(root, folder)
        if any("audit" in layer.table or layer.origin.endswith("scaup.toml") for layer in chain):
            configuration.by_folder[folder] = _merged(chain)
    return configuration


def _merged(chain: list[Layer]) -> AuditSettings:
    """Return the settings of a chain of files, the nearest last."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for layer in chain:
        for key, value in layer.audit().items():
            origins[key] = layer.origin
            values[key] = f"{layer.folder}/{value}".lstrip("/") if key == "baseline" else value
    return AuditSettings(
        origin=chain[-1].origin,
        select=tuple(values["select"]) if "select" in values else None,
        ignore=tuple(values.get("ignore", ())),
        confidence=values.get("confidence"),
        baseline=values.get("baseline"),
        per_file_ignores=tuple(
            Ignored(Globs((glob,), layer.folder), tuple(rules), layer.origin)
            for layer in chain
            for glob, rules in layer.audit().get("per-file-ignores", {}).items()
        ),
        surfaces=tuple(
            Surface(Globs(_globs(row["paths"], layer), layer.folder), row["surface"], layer.origin)
            for layer in reversed(chain)  # the first that fits a file counts: one's own stand before inherited ones
            for row in layer.audit().get("surfaces", ())
        ),
        deliveries=tuple(
            Delivery(**row, origin=layer.origin) for layer in chain for row in layer.audit().get("deliveries", ())
        ),
        suppressions=tuple(entry for layer in chain for entry in _suppressions(layer)),
        origins=origins,
        bound=values.get("bound"),
    )


def _suppressions(layer: Layer) -> list[Suppression]:
    rows = layer.audit().get("suppressions", ())
    header = re.compile(r"^[ \t]*\[\[[\w. \t\"]*audit[ \t]*\.[ \t]*suppressions[ \t]*\]\]", re.MULTILINE)
    lines = [layer.text.count("\n", 0, match.start()) + 1 for match in header.finditer(layer.text)] if rows else []
    return [
        Suppression(
            Globs(_globs(row["paths"], layer), layer.folder), tuple(row["rules"]), row["reason"], row.get("text"),
            settings.as_date(row["until"]) if "until" in row else None, layer.origin,
            # Written as inline tables, entries cannot be told apart by their lines.
            lines[number] if len(lines) == len(rows) else None,
        )
        for number, row in enumerate(rows)
    ]  # fmt: skip


def _globs(patterns: list[str], layer: Layer) -> tuple[str, ...]:
    if any(pattern.startswith("!") for pattern in patterns):
        raise settings.wrong(
            layer.origin, f"{', '.join(patterns)}: a glob here takes files in, and cannot start with !"
        )
    try:
        _compiled(tuple(patterns))
    except ValueError as error:
        raise settings.wrong(layer.origin, f"{', '.join(patterns)}: {error}") from error
    return tuple(patterns)


@cache
def _compiled(patterns: tuple[str, ...]) -> Any:
    import pathspec

    return pathspec.PathSpec.from_lines("gitignore", patterns)
