"""Settings of the audit: `[audit]` of the configuration nearest to each file, checked key by key.

`[tool.scaup.audit]` in pyproject.toml, or `[audit]` in scaup.toml. A folder's own file hides those above it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scaup.pipeline import settings
from scaup.pipeline.response import ScaupError
from scaup.pipeline.text.rows import SURFACES

KEYS = ("select", "ignore", "confidence", "per-file-ignores", "surfaces", "deliveries")
SURFACE_KEYS = ("paths", "surface")
DELIVERY_KEYS = ("phrase", "persisted_by", "replayed_by", "acknowledged_by", "nudged_by")
CONFIDENCES = ("certain", "likely", "needs_evidence")
FILES = ("scaup.toml", "pyproject.toml")


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
    """An entry that silences rules in some files, for files that have no comments."""

    paths: tuple[str, ...]
    rules: tuple[str, ...]
    reason: str
    text: str | None = None
    until: datetime.date | None = None
    origin: str = ""
    line: int | None = None


@dataclass(frozen=True)
class AuditSettings:
    """What one configuration file says of the audit; its globs count from its own folder."""

    origin: str = ""
    folder: str = ""
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    confidence: str | None = None
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    surfaces: tuple[tuple[tuple[str, ...], str], ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    baseline: str | None = None

    def inside(self, path: str) -> str | None:
        """Return a path as seen from the folder of the configuration; None for one outside."""
        if not self.folder:
            return path
        return path[len(self.folder) + 1 :] if path.startswith(f"{self.folder}/") else None


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
        compiled = {
            folder: [(_globs(globs), surface) for globs, surface in found.surfaces]
            for folder, found in self.by_folder.items()
            if found.surfaces
        }
        if not compiled:
            return []
        rows = []
        for path in paths:
            found = self.of(path)
            inside = found.inside(path)
            for matcher, surface in compiled.get(found.folder, ()):
                if inside is not None and matcher.match_file(inside):
                    rows.append((path, surface, found.origin))
                    break
        return rows

    def unmatched(self, paths: Iterable[str]) -> list[str]:
        """Return a sentence for each list of globs that no path matches."""
        listed = list(paths)
        sentences = []
        for _, found in sorted(self.by_folder.items()):
            mine = [inside for path in listed if self.of(path) is found and (inside := found.inside(path)) is not None]
            for globs, surface in found.surfaces:
                matcher = _globs(globs)
                if not any(matcher.match_file(path) for path in mine):
                    sentences.append(f"{found.origin}: no file matches {', '.join(globs)} (surface {surface})")
        return sentences

    @property
    def deliveries(self) -> list[Delivery]:
        """All delivery contracts."""
        return [delivery for _, found in sorted(self.by_folder.items()) for delivery in found.deliveries]


def paths(listed: Iterable[str]) -> list[str]:
    """Return the paths among these that may configure the audit."""
    return [path for path in listed if path.rpartition("/")[2] in FILES]


def load(root: Path, config_paths: Iterable[str]) -> Configuration:
    """Read the configurations at these paths; raises `invalid_config` for the first that is wrong."""
    configuration = Configuration()
    for folder in sorted({path.rpartition("/")[0] for path in config_paths} | {""}):
        file, table = settings.find(root / folder)
        if file is None:
            continue
        origin = f"{folder}/{file.name}" if folder else file.name
        settings.unknown(Path(origin), "", table, settings.TABLES)
        if "audit" in table or file.name == "scaup.toml":
            configuration.by_folder[folder] = parse(table.get("audit", {}), origin, folder)
    return configuration


def parse(table: Any, origin: str, folder: str) -> AuditSettings:
    """Return the settings of one `[audit]` table."""
    if not isinstance(table, dict):
        raise _wrong(origin, "[audit] has to be a table")
    settings.unknown(Path(origin), "audit.", table, KEYS)
    confidence = table.get("confidence")
    if confidence is not None and confidence not in CONFIDENCES:
        raise _wrong(origin, f"audit.confidence has to be one of {', '.join(CONFIDENCES)}, not {confidence!r}")
    ignores = table.get("per-file-ignores", {})
    if not isinstance(ignores, dict):
        raise _wrong(origin, "audit.per-file-ignores has to be a table of globs and lists of rules")
    return AuditSettings(
        origin=origin,
        folder=folder,
        select=_names(origin, "select", table["select"]) if "select" in table else None,
        ignore=_names(origin, "ignore", table.get("ignore", [])),
        confidence=confidence,
        per_file_ignores=tuple(
            (glob, _names(origin, f"per-file-ignores.{glob}", rules)) for glob, rules in ignores.items()
        ),
        surfaces=tuple(_surface(origin, row) for row in _rows(origin, "surfaces", table)),
        deliveries=tuple(_delivery(origin, row) for row in _rows(origin, "deliveries", table)),
    )


def _surface(origin: str, row: dict[str, Any]) -> tuple[tuple[str, ...], str]:
    settings.unknown(Path(origin), "audit.surfaces.", row, SURFACE_KEYS)
    surface = row.get("surface")
    if surface not in SURFACES:
        import difflib

        near = difflib.get_close_matches(str(surface), SURFACES, 1)
        hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(SURFACES)}"
        raise _wrong(origin, f"audit.surfaces: unknown surface {surface!r}{hint}")
    globs = _names(origin, "surfaces.paths", row.get("paths", []))
    if not globs:
        raise _wrong(origin, "audit.surfaces: paths has to list at least one glob")
    try:
        _globs(globs)
    except ValueError as error:
        raise _wrong(origin, f"audit.surfaces: {error}") from error
    return globs, surface


def _delivery(origin: str, row: dict[str, Any]) -> Delivery:
    settings.unknown(Path(origin), "audit.deliveries.", row, DELIVERY_KEYS)
    for key in DELIVERY_KEYS[:3]:
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise _wrong(origin, f"audit.deliveries: {key} has to be given, as a text")
    for key in DELIVERY_KEYS[3:]:
        if key in row and not isinstance(row[key], str):
            raise _wrong(origin, f"audit.deliveries: {key} has to be a text")
    return Delivery(**{key: row[key] for key in DELIVERY_KEYS if key in row}, origin=origin)


def _rows(origin: str, key: str, table: dict[str, Any]) -> list[dict[str, Any]]:
    rows = table.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _wrong(origin, f"audit.{key} has to be a list of tables: [[audit.{key}]]")
    return rows


def _names(origin: str, key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise _wrong(origin, f"audit.{key} has to be a list of texts, not {value!r}")
    return tuple(value)


def _globs(globs: Iterable[str]) -> Any:
    import pathspec

    return pathspec.PathSpec.from_lines("gitignore", [glob.lstrip("!") for glob in globs])


def matches(glob: str, path: str) -> bool:
    """Whether a glob, as in .gitignore, fits a path."""
    return bool(_globs([glob]).match_file(path))


def _wrong(origin: str, message: str) -> ScaupError:
    return ScaupError("invalid_config", f"{origin}: {message}")
