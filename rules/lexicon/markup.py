"""Structure in a text: tags, pairs of tags, lines, and stretches that are quoted rather than said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,60})((?:\s[^<>{}\n]{0,200}|\s[^<>]{0,200})?)(/?)>")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_TICKS = re.compile(r"`[^`\n]{1,200}`")
_CURLY = re.compile(r"“[^”\n]{1,200}”|‘[^’\n]{1,200}’|\"[^\"\n]{1,200}\"|(?<![\w])'[^'\n]{1,200}'(?!\w)")


@dataclass(frozen=True, slots=True)
class Element:
    """A tag of a text, with what it encloses where its closing tag is in the text too.

    `alone` says that the opening tag has its line to itself on the left, as a wrapper has and a placeholder has not;
    `closing` that only the closing tag is in the text.
    """

    name: str
    start: int
    end: int
    inner: str | None
    alone: bool
    closing: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The name's parts, in lower case."""
        return name_words(self.name)


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[str, ...]:
    """Return the parts of an identifier: `system-reminder`, `system_reminder`, `SystemReminder` have the same."""
    return tuple(part.lower() for part in _PART.findall(name))


def elements(text: str) -> Iterator[Element]:
    """Yield the elements of a text, outer before inner, in the order of their opening tags."""
    tags = list(_TAG.finditer(text))
    opened: dict[str, list[int]] = {}
    closes: dict[int, int] = {}
    lone: set[int] = set()
    for number, tag in enumerate(tags):
        if not tag[1]:
            if not tag[4]:
                opened.setdefault(tag[2], []).append(number)
        elif opened.get(tag[2]):
            closes[opened[tag[2]].pop()] = number
        else:
            lone.add(number)
    for number, tag in enumerate(tags):
        alone = _alone(text, tag.start())
        if number in closes:
            other = tags[closes[number]]
            yield Element(tag[2], tag.start(), other.end(), text[tag.end() : other.start()], alone)
        elif number in lone or not tag[1]:
            yield Element(tag[2], tag.start(), tag.end(), None, alone, closing=number in lone)


def _alone(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def quotations(text: str) -> list[tuple[int, int]]:
    """Return the stretches that stand in quotation marks, backticks or fences."""
    spans: list[tuple[int, int]] = []
    if "`" in text:
        spans += [match.span() for pattern in (_FENCE, _TICKS) for match in pattern.finditer(text)]
    if any(mark in text for mark in "\"'“‘"):
        spans += [match.span() for match in _CURLY.finditer(text)]
    return spans


def within(spans: list[tuple[int, int]], at: int) -> bool:
    """Whether an offset lies in one of the stretches."""
    return any(start <= at < end for start, end in spans)


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line with its offset, without its line break."""
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, line.rstrip("\r\n")
        at += len(line)


def line_around(text: str, at: int) -> tuple[int, int]:
    """Return where the line that holds an offset starts and ends."""
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end
