"""Where quotations and sentences begin and end. Offsets are those of the text; nothing is rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaup.rules.lexicon.text import ABBREVIATIONS, ENDING

# Code first: a quotation mark inside code opens nothing.
_QUOTED = re.compile(
    r"""
    (?P<fence>```.*?(?:```|\Z))
    | (?P<code>``[^\n]+?``|`[^`\n]+`)
    | (?P<double>"(?=\S)[^"\n]{1,240}")
    | (?P<curly>“[^”\n]{1,240}”|‘[^’\n]{1,240}’|«[^»\n]{1,240}»)
    | (?P<single>(?<!\w)'(?=\S)(?:[^'\n]|'(?=\w)){1,160}?(?<=\S)'(?!\w))
    """,
    re.VERBOSE | re.DOTALL,
)
_LINE = re.compile(r"[^\n]*\n?")
# What opens a line that begins something new: bullets, numbers, headings, table rows, tags, labels, rules.
_OPENS = re.compile(
    r"\s*(?:[-*+•·‣▪]\s|\d{1,3}[.)]\s|\(?[a-z]\)\s|\#{1,6}\s|\||<|>\s|\[|={3,}|-{3,}|[A-Z][\w ]{0,30}:\s)"
)
_STOP = re.compile(r"""(?:[!?]+|\.(?!\.)|(?<=[^.\s])\.{3,}|…)["'”’)\]`*_]*(?=\s|\Z)""")
_LAST_WORD = re.compile(r"[\w.]+\Z")
# A line that is at least this long and goes on without a mark was wrapped, not ended.
_WRAPPED = 48


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Return the stretches in quotation marks or backticks. A text that is one quotation as a whole is not quoted."""
    if not any(mark in text for mark in "`\"'“‘«"):
        return []
    whole = text.strip()
    spans = [match.span() for match in _QUOTED.finditer(text)]
    return [(start, end) for start, end in spans if end - start < len(whole)]


def sentence_spans(text: str, quoted: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a text as offsets, without the white space around them."""
    for start, end in _blocks(text):
        at = start
        for stop in _STOP.finditer(text, start, end):
            if _ends_sentence(text, at, stop, quoted):
                yield from _trimmed(text, at, stop.end())
                at = stop.end()
        yield from _trimmed(text, at, end)


def _ends_sentence(text: str, at: int, stop: re.Match[str], quoted: list[tuple[int, int]]) -> bool:
    for left, right in quoted:
        # A mark before the closing quotation mark ends the sentence around it only if nothing of it follows.
        inside = left < stop.start() < right
        if inside and (stop.end() < right or text[stop.end() :].lstrip()[:1].islower()):
            return False
    if stop[0][0] != ".":
        return True
    before = text[at : stop.start()].strip()
    if not before:
        return False
    last = _LAST_WORD.search(before)
    word = last[0].lower() if last else ""
    if len(stop[0]) > 1 and stop[0].startswith(".."):
        following = text[stop.end() :].lstrip()[:1]
        return not following or following.isupper() or "\n" in text[stop.end() : stop.end() + 1]
    if word in ABBREVIATIONS:
        following = text[stop.end() :].lstrip()[:1]
        return word in ENDING and (not following or following.isupper())
    # "1. Open the file": the number of a list item; "J. Doe": an initial.
    return not (word == before and word.isdigit() and len(word) < 4)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield stretches that no sentence crosses: list items, headings, table rows, paragraphs, lines of output."""
    if "\n" not in text:
        yield 0, len(text)
        return
    start, previous = 0, ""
    for match in _LINE.finditer(text):
        line = match[0].strip()
        at = match.start()
        if at > start and previous != "" and (not line or _breaks(previous, match[0])):
            yield start, at
            start = at
        if not line and at > start:
            start = match.end()
        previous = line or previous
        if not line:
            start, previous = match.end(), ""
    yield start, len(text)


def _breaks(previous: str, line: str) -> bool:
    if _OPENS.match(line) or previous.startswith("#") or previous[-1] in ".!?:;|>…":
        return True
    first = line.lstrip()[:1]
    return not (first.islower() or first in "`{(\"'" or first.isdigit()) and len(previous) < _WRAPPED


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield start, end
