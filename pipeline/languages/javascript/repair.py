"""Makes sources of TypeScript readable for a grammar that wants separators where the language does without.

Members of an interface end at the end of their line. The grammar takes a call signature on the next line, which starts
with `<` or `(`, for a continuation; then the rest of the file is lost. A `;` in place of the blank before such a line
separates the two, and moves nothing.
"""

from __future__ import annotations

# What the line above ends with, where it can be the end of a member.
ENDS = frozenset(b")]}>'\"")


def repair(source: bytes) -> bytes | None:
    """Return the source with a `;` before each line that could be a call signature; None where there is none."""
    repaired = bytearray(source)
    offset = 0
    last = 0
    in_comment = False
    changed = False
    for line in source.splitlines(keepends=True):
        text = line.strip()
        start = offset + len(line) - len(line.lstrip())
        offset += len(line)
        if in_comment or text.startswith(b"/*"):
            in_comment = b"*/" not in text
            continue
        if not text or text.startswith(b"//"):
            continue
        if text[:1] in (b"<", b"(") and (last in ENDS or _is_word(last)) and source[start - 1 : start] in (b" ", b"\t"):
            repaired[start - 1] = ord(";")
            changed = True
        last = text[-1]
    return bytes(repaired) if changed else None


def _is_word(byte: int) -> bool:
    return byte == ord("_") or chr(byte).isalnum()
