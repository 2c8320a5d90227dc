"""Escape sequences of string literals, by the rules of each language; what is no valid escape stays as written."""

from __future__ import annotations

import re
import unicodedata

_C = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "0": "\0"}
_FULL = {**_C, "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
# Language -> characters after the backslash that stand for one character.
_SIMPLE: dict[str, dict[str, str]] = {
    "python": {k: v for k, v in _FULL.items() if k != "0"},
    "javascript": {**_FULL, "`": "`", "$": "$"},
    "rust": _C,
    "go": {k: v for k, v in _FULL.items() if k != "0"},
}
_HEX = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|u\{([0-9a-fA-F_]{1,8})\})")
_OCTAL = re.compile(r"\\([0-7]{1,3})")
_BREAK = re.compile(r"\\\r?\n|\\\r|\\[\u2028\u2029]")


def decode(escape: str, language: str) -> str:
    """Return the characters that an escape stands for; itself where the language knows no such escape."""
    if escape in ("{{", "}}"):
        return escape[0]
    if _BREAK.match(escape):
        return ""
    if (match := _HEX.fullmatch(escape)) is not None:
        return _character(int(next(group for group in match.groups() if group).replace("_", ""), 16), escape)
    rest = escape[1:]
    if language in ("python", "go", "javascript") and (match := _OCTAL.fullmatch(escape)) is not None:
        return _character(int(match[1], 8), escape)
    if language == "python" and rest.startswith("N{"):
        try:
            return unicodedata.lookup(rest[2:-1])
        except KeyError:
            return escape
    if (known := _SIMPLE[language].get(rest)) is not None:
        return known
    # JavaScript drops the backslash in front of a character that needs none.
    return rest if language == "javascript" else escape


def _character(code: int, escape: str) -> str:
    """Return a character; a lone surrogate, which no store takes, as the replacement character."""
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return chr(code) if code < 0x110000 else escape
