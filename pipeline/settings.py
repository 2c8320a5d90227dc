"""Settings of ingest: `[tool.scaup]` in the root's pyproject.toml, or scaup.toml with the same tables and no prefix."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import Any

from scaup.pipeline.response import ScaupError
from scaup.pipeline.stages.discover import Settings

# Key of [ingest] in the file -> field of Settings. All are whole numbers above zero.
KEYS = {"max-file-bytes": "max_file_bytes", "max-files": "max_files"}
# Tables of [tool.scaup] that other commands read.
TABLES = ("ingest", "audit")


def load(root: Path) -> Settings:
    """Return the settings of ingest; raises `invalid_config` for a file that cannot be read or an unknown key."""
    file, table = find(root)
    if file is None:
        return Settings()
    unknown(file, "", table, TABLES)
    ingest = table.get("ingest", {})
    if not isinstance(ingest, dict):
        raise ScaupError("invalid_config", f"{file.name}: [ingest] has to be a table")
    unknown(file, "ingest.", ingest, tuple(KEYS))
    for key, value in ingest.items():
        if type(value) is not int or value < 1:
            raise ScaupError(
                "invalid_config", f"{file.name}: ingest.{key} has to be a whole number above 0, not {value!r}"
            )
    return Settings(**{KEYS[key]: value for key, value in ingest.items()})


def find(root: Path) -> tuple[Path | None, dict[str, Any]]:
    """Return the file that configures a folder and its tables; scaup.toml wins over pyproject.toml."""
    for name, inside in (("scaup.toml", ()), ("pyproject.toml", ("tool", "scaup"))):
        file = root / name
        try:
            text = file.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, UnicodeDecodeError) as error:
            raise ScaupError("invalid_config", f"{name} cannot be read: {error}") from error
        if inside and "scaup" not in text:
            continue
        try:
            table: Any = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ScaupError("invalid_config", f"{name} is not valid TOML: {error}") from error
        for key in inside:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        if isinstance(table, dict) and (table or not inside):
            return file, table
    return None, {}


def unknown(file: Path, prefix: str, table: dict[str, Any], known: tuple[str, ...]) -> None:
    """Raise `invalid_config` for a key that is not known, with the nearest one that is."""
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"; did you mean {prefix}{near[0]}?" if near else f"; known are {', '.join(known)}"
            raise ScaupError("invalid_config", f"{file.name}: unknown setting {prefix}{key}{hint}")
