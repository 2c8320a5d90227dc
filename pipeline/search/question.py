"""What a question says: the terms of its words, and the names and paths that it writes out."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass

from scaup.pipeline.languages.tokens import hash64, terms_of, words

# A question is read as a whole up to here; a pasted log beyond says the same again.
LONGEST = 20_000

# A run of what paths are made of, and the line that stands behind it: `a.py:3`, `a.ts(3,4)`, `File "a.py", line 3`.
_RUN = re.compile(r"([\w.@+/\\-]+)(?:\", line |:|\()?(\d{1,9})?")
_FILE = re.compile(r"[\w@+-]\.[A-Za-z]\w{0,4}$")
_MODULE = re.compile(r"[a-z_]\w*(?:\.[a-z_]\w*)+$")
# A path or name beyond is none.
_LONGEST_NAME = 300
# Parts of a dotted name that are tried as its endings: deeper nesting is not written out.
_MOST_PARTS = 6
# What every stack frame of Python says.
_FRAME = re.compile(r'\bFile "|", line \d+(?:, in\b)?')
_NAME = re.compile(r"`?([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)(\(|`)?")
_CODE_LIKE = re.compile(r"\w_\w|[a-z][A-Z]|^_|[a-z]\d*[A-Z]")
# Stems by which a question asks for what is otherwise put last.
_ASKS = {
    "test": frozenset({"test", "fixtur", "mock", "unittest", "pytest"}),
    "docs": frozenset({"doc", "document", "exampl", "readm", "tutori"}),
    "generated": frozenset({"generat"}),
    "vendored": frozenset({"vendor"}),
}


@dataclass(frozen=True)
class Question:
    """A question taken apart. `emphasis` is how much each term counts; `mention` groups the endings of one name."""

    terms: list[int]
    emphasis: list[float]
    names: list[str]
    mention: list[int]
    paths: list[str]
    lines: list[int]
    asks: frozenset[str]  # roles of files


def read(text: str) -> Question:
    """Take a question apart."""
    text = text[:LONGEST]
    counted: Counter[str] = Counter()
    for word in words(_FRAME.sub(" ", text)):
        counted.update(terms_of(word))
    names, mention = _names(text)
    places = _places(text)
    return Question(
        terms=[hash64(term) for term in counted],
        # A word that the question repeats is more its subject, but four times is not four times as much.
        emphasis=[math.sqrt(times) for times in counted.values()],
        names=names,
        mention=mention,
        paths=[path for path, _ in places],
        lines=[line for _, line in places],
        asks=frozenset(role for role, stems in _ASKS.items() if stems & counted.keys()),
    )


def _names(text: str) -> tuple[list[str], list[int]]:
    """Return the names that are written as code is, each with its endings: `a.b.c`, `b.c`, `c`."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name, after = match.groups()
        if len(name) > _LONGEST_NAME:
            continue
        parts = re.split(r"\.|::|#", name)[-_MOST_PARTS:]
        if len(parts) > 1 or after or match.group().startswith("`") or _CODE_LIKE.search(name):
            found[".".join(parts)] = None
    names: list[str] = []
    mention: list[int] = []
    for number, name in enumerate(found):
        parts = name.split(".")
        for start in range(len(parts)):
            names.append(".".join(parts[start:]))
            mention.append(number)
    return names, mention


def _places(text: str) -> list[tuple[str, int]]:
    """Return the paths that are written, with a line or 0; a dotted module name is read as a path too."""
    found: dict[tuple[str, int], None] = {}
    for match in _RUN.finditer(text):
        run = match[1].rstrip(".")
        if len(run) > _LONGEST_NAME:
            continue
        if _FILE.search(run):
            found[run.replace("\\", "/").removeprefix("./").lstrip("/"), int(match[2] or 0)] = None
        if _MODULE.match(run):
            found[run.replace(".", "/"), 0] = None
    return list(found)
