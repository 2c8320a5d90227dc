"""Markdown made ready for its grammar, in the same bytes: lines of tags stand apart, what breaks the grammar goes.

Prompts wrap text in tags of their own, which CommonMark takes for an HTML block together with the text below. With the
tags blank, that text is paragraphs and lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# A line of tags only. Those of code stay: what they hold is no text.
_TAGS = re.compile(
    rb"(?m)^[ \t]*(?P<tags>(?!</?(?i:pre|script|style|textarea|code)\b)</?[A-Za-z][\w:.-]*(?:\s[^<>\n]*)?>"
    rb"(?:[ \t]*</?[A-Za-z][\w:.-]*(?:\s[^<>\n]*)?>)*)[ \t]*\r?$"
)
# A comment of a template, or a statement over several lines, that starts and ends with a line.
_TEMPLATE = re.compile(
    rb"(?ms)^[ \t]*(?:\{\#(?:(?!\{\#|\#\}).)*\#\}|\{%(?:(?!\{%|%\}).)*%\}"
    rb"|\{\{-?\s*/\*(?:(?!\{\{|\*/).)*\*/\s*-?\}\})[ \t]*\r?$"
)
# The scanner of the grammar holds 250 open blocks and breaks beyond; a mark opens two at most, blanks less.
_DEEP = re.compile(rb"(?m)^(?:[ \t]|>|[-+*](?=[ \t\r\n])|\d{1,9}[.)](?=[ \t\r\n])){100}[^\n]*")
# It reads a run of emphasis marks again for each of them.
_RUN = re.compile(rb"(?:[*_][ \t]*){200,}")
_LINE = re.compile(rb"[^\n]*\n?")
_STARTS_ITEM = re.compile(rb"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")


def masked(source: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """Return a file with what its grammar is not to see as blanks, and where its lines of tags stand."""
    tags: list[tuple[int, int]] = []

    def tag(match: re.Match[bytes]) -> bytes:
        tags.append(match.span("tags"))
        return _blank(match)

    source = _RUN.sub(_blank, _DEEP.sub(_blank, source))
    if b"{#" in source or b"{%" in source or b"/*" in source:
        source = _TEMPLATE.sub(lambda match: _blank(match) if b"\n" in match[0] else match[0], source)
    return _TAGS.sub(tag, source), tags


def _blank(match: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\r\n]", b" ", match[0])


def paragraphs(source: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs of a stretch: lines up to a blank one or the start of a list item."""
    first, last = -1, -1
    for match in _LINE.finditer(source, start, end):
        text = match[0].strip()
        if first >= 0 and (not text or _STARTS_ITEM.match(match[0])):
            yield first, last
            first = -1
        if text:
            if first < 0:
                first = match.start() + match[0].index(text[:1])
            last = match.start() + len(match[0].rstrip())
    if first >= 0:
        yield first, last
