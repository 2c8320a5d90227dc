"""Configuration files: found, read, checked against scaup.schema.json, and put above those that they extend.

`[tool.scaup]` in pyproject.toml, or scaup.toml with the same tables and no prefix. The schema is the one description of
what can be set; only the part of JSON Schema that it uses is understood here.
"""

from __future__ import annotations

import datetime
import difflib
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any

from scaup.pipeline.response import ScaupError
from scaup.pipeline.stages.discover import Settings

# Key of [ingest] -> field of Settings.
KEYS = {"max-file-bytes": "max_file_bytes", "max-files": "max_files"}
# In this order: scaup.toml wins over pyproject.toml.
FILES = ("scaup.toml", "pyproject.toml")
# What files may be extended by that follow each other: more is a mistake.
_MOST = 10


@dataclass(frozen=True)
class Layer:
    """One configuration file: its path and folder from the root, and its tables. `text` is the file as it stands."""

    origin: str
    folder: str
    table: dict[str, Any]
    text: str

    def audit(self) -> dict[str, Any]:
        """Return the table of the audit."""
        table: dict[str, Any] = self.table.get("audit", {})
        return table


def load(root: Path) -> Settings:
    """Return the settings of ingest; raises `invalid_config` for what cannot be read or is wrong."""
    values = {key: value for layer in layers(root, "") for key, value in layer.table.get("ingest", {}).items()}
    return Settings(**{KEYS[key]: value for key, value in values.items()})


def layers(root: Path, folder: str) -> list[Layer]:
    """Return the configuration of a folder and those that it extends, its own last; none where it has no file.

    Raises `invalid_config` for what cannot be read, is wrong, or extends itself.
    """
    found = next((layer for name in FILES if (layer := _read(root, _joined(folder, name))) is not None), None)
    chain: list[Layer] = []
    while found is not None:
        chain.append(found)
        if (written := found.table.get("extend")) is None:
            break
        path = _inside(found, written)
        if path in {layer.origin for layer in chain} or len(chain) > _MOST:
            raise wrong(found.origin, f"extend leads back to {path}")
        extended = _read(root, path, required=found.origin)
        if extended is None:
            raise wrong(found.origin, f"extend: {path} has no settings of Scaup")
        found = extended
    return chain[::-1]


def wrong(origin: str, message: str) -> ScaupError:
    """Return the error for a configuration that cannot be used."""
    return ScaupError("invalid_config", f"{origin}: {message}")


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _inside(layer: Layer, written: str) -> str:
    """Return the path from the root of what a configuration extends."""
    parts: list[str] = []
    for part in PurePosixPath(layer.folder, written.replace("\\", "/")).parts:
        if part == "..":
            if not parts:
                raise wrong(layer.origin, f"extend: {written} leads out of the repository")
            parts.pop()
        elif part == "/":
            raise wrong(layer.origin, f"extend: {written} has to be a path from this file")
        else:
            parts.append(part)
    return "/".join(parts)


def _read(root: Path, path: str, required: str = "") -> Layer | None:
    """Read a file; None where it does not exist or says nothing of Scaup. `required` is the file that extends it."""
    file = root / path
    origin = path
    inside = () if file.name == "scaup.toml" or (required and file.name != "pyproject.toml") else ("tool", "scaup")
    try:
        if file.is_symlink() and not file.resolve().is_relative_to(root.resolve()):
            raise wrong(origin, "the link leads out of the repository")
        text = file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        if required:
            raise wrong(required, f"extend: {path} does not exist") from None
        return None
    except (OSError, UnicodeDecodeError, RuntimeError) as error:
        raise wrong(origin, f"cannot be read: {error}") from error
    if inside and "scaup" not in text:
        return None
    try:
        table: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise wrong(origin, f"not valid TOML: {error}") from error
    for key in inside:
        table = table.get(key, {}) if isinstance(table, dict) else {}
    if inside and not table:
        return None
    check(table, schema(), "", origin)
    return Layer(origin, path.rpartition("/")[0], table, text)


# ------------------------------------------------------------------------------------------------------- the schema


@cache
def schema() -> dict[str, Any]:
    """Return the schema of the configuration."""
    document: dict[str, Any] = json.loads(schema_text())
    return document


def schema_text() -> str:
    """Return the schema as it stands in its file."""
    return resources.files("scaup.pipeline").joinpath("scaup.schema.json").read_text("utf-8")


def check(value: Any, rule: dict[str, Any], key: str, origin: str) -> None:
    """Check a value of a configuration against a part of the schema; raises `invalid_config` for the first mistake."""
    kind = rule["type"]
    if not _TYPES[kind](value):
        raise wrong(origin, f"{key or 'the configuration'} has to be {_named(rule)}, not {value!r}")
    if kind == "object":
        _check_table(value, rule, key, origin)
    elif kind == "array":
        if len(value) < rule.get("minItems", 0):
            raise wrong(origin, f"{key} has to list at least one")
        for number, item in enumerate(value, 1):
            if not _TYPES[rule["items"]["type"]](item):
                raise wrong(origin, f"{key} has to be {_named(rule)}, not {value!r}")
            check(item, rule["items"], f"{key}[{number}]", origin)
    elif kind == "integer" and value < rule.get("minimum", value):
        raise wrong(origin, f"{key} has to be at least {rule['minimum']}, not {value}")
    elif "enum" in rule and value not in rule["enum"]:
        known = ", ".join(rule["enum"])
        raise wrong(origin, f"{key} has to be one of {known}, not {value!r}{_nearest(value, rule['enum'])}")
    elif kind == "string" and not _is_text(value, rule):
        raise wrong(origin, f"{key} has to be {_named(rule)}, not {str(value)!r}")


def _check_table(table: dict[str, Any], rule: dict[str, Any], key: str, origin: str) -> None:
    known, others = rule.get("properties", {}), rule["additionalProperties"]
    for name, value in table.items():
        whole = f"{key}.{name}" if key else name
        if name in known:
            check(value, known[name], whole, origin)
        elif others:
            check(value, others, whole, origin)
        else:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {f'{key}.' if key else ''}{near[0]}?" if near else f"; known are {', '.join(known)}"
            raise wrong(origin, f"unknown setting {whole}{hint}")
    for name in rule.get("required", ()):
        if name not in table:
            raise wrong(origin, f"{key}.{name} has to be given")


def _is_text(value: Any, rule: dict[str, Any]) -> bool:
    if rule.get("format") == "date":
        return type(value) is datetime.date or (isinstance(value, str) and as_date(value) is not None)
    if not isinstance(value, str) or len(value) < rule.get("minLength", 0):
        return False
    return "pattern" not in rule or re.search(rule["pattern"], value) is not None


def as_date(value: str | datetime.date) -> datetime.date | None:
    """Return a date as TOML or a text has it; None for a text that is none."""
    if isinstance(value, datetime.date):
        return value
    try:
        date = datetime.date.fromisoformat(value)
    except ValueError:
        return None
    return date if date.isoformat() == value else None


_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str) or type(value) is datetime.date,
    "integer": lambda value: type(value) is int,
}


def _named(rule: dict[str, Any]) -> str:
    """Return what a value has to be, in words."""
    kind = rule["type"]
    if kind == "array":
        return {"object": "a list of tables", "string": "a list of texts"}[rule["items"]["type"]]
    if kind == "string":
        return "a date such as 2027-01-31" if rule.get("format") == "date" else "a text"
    return {"object": "a table", "integer": "a whole number"}[kind]


def _nearest(value: Any, known: list[str]) -> str:
    near = difflib.get_close_matches(str(value), known, 1)
    return f"; did you mean {near[0]}?" if near else ""
