"""Makes text of a repository inert: whatever could steer a terminal, or show text in another order, becomes visible."""

from __future__ import annotations

# C0, DEL and C1: the escape sequences of terminals start with them.
_CONTROLS = (*range(0x20), 0x7F, *range(0x80, 0xA0))
# Embeddings, overrides and isolates show text in an order that is not its own; the separators break lines.
_INVISIBLE = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x2028, 0x2029)
# Lone surrogates stand for bytes that are not UTF-8 (PEP 383), and cannot be written.
_BYTES = range(0xDC80, 0xDD00)
_SURROGATES = (*range(0xD800, 0xDC80), *range(0xDD00, 0xE000))

_NAMED = {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r"}

ESCAPES: dict[int, str] = {
    **{code: f"\\x{code:02x}" for code in _CONTROLS},
    **{code: f"\\u{code:04x}" for code in (*_INVISIBLE, *_SURROGATES)},
    **{code: f"\\x{code - 0xDC00:02x}" for code in _BYTES},
    **_NAMED,
}
_BLOCK = {code: escape for code, escape in ESCAPES.items() if code not in (0x09, 0x0A)}


def line(text: str) -> str:
    """Return text for a place within a line: line ends and tabs are escaped too."""
    return text.translate(ESCAPES)


def block(text: str) -> str:
    """Return text for lines of its own: line ends and tabs stay, a carriage return before a line end is left out."""
    return text.replace("\r\n", "\n").translate(_BLOCK)
