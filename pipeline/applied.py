"""What of the configuration applies to a path, and which file says so: the answer of `scaup config`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scaup.pipeline import settings
from scaup.pipeline.response import Response, success
from scaup.pipeline.text import configuration
from scaup.pipeline.text.configuration import AuditSettings

DEFAULT = "default"


def applied(root: Path, path: str) -> tuple[Response, AuditSettings]:
    """Return each setting that counts for a path from the root, with the file that sets it or `default`.

    Entries of lists stand each for itself; those whose globs do not fit the path are left out. With the answer come the
    settings of the audit. Raises `invalid_config`.
    """
    folders = _folders(root, path)
    configured = configuration.load(root, [f"{folder}/scaup.toml" for folder in folders if folder])
    found = configured.of(f"{path.rstrip('/')}/" if path and (root / path).is_dir() else path)
    rows = [*_ingest(root), *_audit(root, path, found)]
    files = [layer.origin for folder in folders for layer in settings.layers(root, folder)]
    return success({"path": path, "files": list(dict.fromkeys(files)), "settings": rows}), found


def _folders(root: Path, path: str) -> list[str]:
    """Return the folders around a path, the root first."""
    whole = path if (root / path).is_dir() else path.rpartition("/")[0]
    parts = whole.split("/") if whole else []
    return ["/".join(parts[:number]) for number in range(len(parts) + 1)]


def _ingest(root: Path) -> list[dict[str, Any]]:
    values: dict[str, tuple[Any, str]] = {}
    for layer in settings.layers(root, ""):
        for key, value in layer.table.get("ingest", {}).items():
            values[key] = (value, layer.origin)
    known = settings.schema()["properties"]["ingest"]["properties"]
    return [_row(f"ingest.{key}", *values.get(key, (about.get("default"), DEFAULT))) for key, about in known.items()]


def _audit(root: Path, path: str, found: AuditSettings) -> list[dict[str, Any]]:
    known = settings.schema()["properties"]["audit"]["properties"]
    rows = []
    for key in ("select", "ignore", "confidence", "baseline", "bound"):
        value = getattr(found, key)
        given = key in found.origins
        if not given:
            value = known[key].get("default")
        rows.append(
            _row(f"audit.{key}", list(value) if isinstance(value, tuple) else value, found.origins.get(key, DEFAULT))
        )
    is_file = bool(path) and not (root / path).is_dir()
    rows += [
        _row("audit.per-file-ignores", {str(entry.globs): list(entry.rules)}, entry.origin)
        for entry in found.per_file_ignores
        if not is_file or entry.globs.fit(path)
    ]
    surfaces = [entry for entry in found.surfaces if not is_file or entry.globs.fit(path)]
    rows += [
        _row("audit.surfaces", {"paths": list(entry.globs.patterns), "surface": entry.surface}, entry.origin)
        for entry in (surfaces[:1] if is_file else surfaces)  # of a file, the first counts
    ]
    rows += [
        _row(
            "audit.deliveries",
            {name: value for name, value in vars(entry).items() if name != "origin" and value is not None},
            entry.origin,
        )
        for entry in found.deliveries
    ]
    rows += [
        _row(
            "audit.suppressions",
            {
                "paths": list(entry.globs.patterns),
                "rules": list(entry.rules),
                **({"text": entry.text} if entry.text else {}),
                "reason": entry.reason,
                **({"until": entry.until.isoformat()} if entry.until else {}),
            },
            entry.origin,
        )
        for entry in found.suppressions
        if not is_file or entry.globs.fit(path)
    ]
    return rows


def _row(key: str, value: Any, origin: str) -> dict[str, Any]:
    return {"key": key, "value": value, "origin": origin}
