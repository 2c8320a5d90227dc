"""Word lists that splitting and compiling need: `text.toml`, read at import because it is small."""

from __future__ import annotations

import tomllib
from importlib.resources import files

_DATA = tomllib.loads(files(__package__).joinpath("text.toml").read_text(encoding="utf-8"))
ABBREVIATIONS = frozenset[str](_DATA["abbreviations"])
ENDING = frozenset[str](_DATA["ending"])
COMMON = frozenset[str](_DATA["common"])
NOT_CAMEL = frozenset[str](_DATA["not_camel"])
NUMBER_WORDS = frozenset[str](_DATA["numbers"])
