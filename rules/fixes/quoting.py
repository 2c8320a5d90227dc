"""A text as a literal holds it: quoted and escaped by the rules of the language that it stands in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from scaup.rules.fixes.literals import Literal

_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
# They show text in an order that is not its own.
_BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class UnwritableError(Exception):
    """A literal cannot hold a text."""


def written(text: str, literal: Literal) -> str:
    """Return a text as it is written within a literal; raises `UnwritableError` where that is not possible."""
    if any(0xD800 <= ord(character) < 0xE000 for character in text):
        raise UnwritableError
    found = _HOSTS[literal.host](text, literal)
    if "tagged" in literal.inner and found != text:
        raise UnwritableError  # its function may read what is written
    if "nested" in literal.inner and ("\\" in found or '"' in found or "'" in found):
        raise UnwritableError  # before Python 3.12 no expression in an f-string may hold them
    return found


def _escaped(text: str, special: str, code: Callable[[int], str], named: str = "\n\t\r\\") -> str:
    return "".join(
        _NAMED[character]
        if character in named
        else f"\\{character}"
        if character in special
        else character
        if _is_plain(character)
        else code(ord(character))
        for character in text
    )


def _is_plain(character: str) -> bool:
    """Whether a character may stand in a source as it is."""
    if " " <= character <= "~":
        return True
    kind = unicodedata.category(character)
    return kind not in ("Cc", "Cn", "Zl", "Zp") and character not in _BIDIRECTIONAL and character != "\ufeff"


def _verbatim(text: str, *forbidden: str) -> str:
    """Return a text for where nothing can be escaped."""
    if any(one in text for one in forbidden) or not all(
        _is_plain(character) or character in "\t\n" for character in text
    ):
        raise UnwritableError
    return text


def _python(text: str, literal: Literal) -> str:
    quotes = literal.opening.lstrip("bBrRfFuUtT")
    prefix = literal.opening[: len(literal.opening) - len(quotes)].lower()
    if "f" in prefix or "t" in prefix:
        text = text.replace("{", "{{").replace("}", "}}")
    if "b" in prefix and not text.isascii():
        raise UnwritableError
    if "r" in prefix:
        return _verbatim(text, quotes[0], "\\", *(() if len(quotes) == 3 else ("\n",)))
    return _escaped(text, quotes[0], _of_python)


def _of_python(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _javascript(text: str, literal: Literal) -> str:
    found = _escaped(
        text, literal.opening, lambda code: f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
    )  # fmt: skip
    # What follows may be a brace.
    return re.sub(r"\$(?=\{|\Z)", r"\\$", found) if literal.opening == "`" else found


def _rust(text: str, literal: Literal) -> str:
    if literal.opening.startswith("b") and not text.isascii():
        raise UnwritableError
    if "r" in literal.opening:
        return _verbatim(text, '"')
    return _escaped(text, '"', lambda code: f"\\x{code:02x}" if code < 0x80 else f"\\u{{{code:x}}}")


def _go(text: str, literal: Literal) -> str:
    if literal.opening == "`":
        if "tag" in literal.inner:
            raise UnwritableError  # a string within a string, and a comma that separates
        return _verbatim(text, "`")
    return _escaped(text, '"', lambda code: f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _json(text: str, _: Literal) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f")


def _yaml(text: str, literal: Literal) -> str:
    if literal.opening == "double":
        return _escaped(text, '"', _of_python)
    if literal.opening == "single":
        return _verbatim(text, "\n", "\t").replace("'", "''")
    return _verbatim(text, "\n", "\t")


def _toml(text: str, literal: Literal) -> str:
    if literal.opening.startswith("'"):
        return _verbatim(text, "'", *(() if len(literal.opening) == 3 else ("\n",)))
    return _escaped(text, '"', lambda code: f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _line(text: str, _: Literal) -> str:
    return _verbatim(text, "\n", "\t", "<!--", "-->")


def _comment(text: str, _: Literal) -> str:
    return _verbatim(text, "\n", "*/")


_HOSTS: dict[str, Callable[[str, Literal], str]] = {
    "python": _python,
    "javascript": _javascript,
    "rust": _rust,
    "go": _go,
    "json": _json,
    "yaml": _yaml,
    "toml": _toml,
    "markdown": _line,
    "comment": _comment,
}

# Where a plain scalar would end or be something else than a text (YAML 1.2, chapter 7.3.3).
_PLAIN_ENDS = re.compile(r":(?=\s|\Z)|\s#|\A[-?:,\[\]{}#&*!|>'\"%@`\s]|\s\Z|\A(?:---|\.\.\.)")
_FLOW_ENDS = re.compile(r"[,\[\]{}]")


def is_plain_yaml(written: str, *, flow: bool) -> bool:
    """Whether what is written may stand as a plain scalar."""
    return not (_PLAIN_ENDS.search(written) or (flow and _FLOW_ENDS.search(written)))


def quoted_yaml(written: str) -> str:
    """Return what is written as a plain scalar in double quotes; its line breaks fold there in the same way."""
    return '"' + written.replace("\\", "\\\\").replace('"', '\\"') + '"'
