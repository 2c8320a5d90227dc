"""What a function mentions of the members of results: by subscript, in placeholders, in the words of its body."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

from scaup.pipeline.languages.tokens import terms_of, words

# A word of fewer letters stands in half of all identifiers.
SHORTEST = 3
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
# A word behind a decoded line break is one word with the escape in the source.
_WORD_OF_TEXT = re.compile(r"(?<![\n\t\r\w])[^\W\d]\w*")


def plain(name: str) -> str:
    """Return a member's name in the form that is compared: lower case without underscores."""
    return name.lower().replace("_", "")


class Said(NamedTuple):
    """A string of a function."""

    line: int
    text: str
    placeholders: tuple[str, ...]
    is_error: bool
    is_result: bool


@dataclass
class Body:
    """What a function mentions."""

    name: str = ""
    qualname: str = ""
    path: str = ""
    line: int = 0
    language: str = ""
    reads: Counter[str] = field(default_factory=Counter)
    writes: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    terms: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    strings: list[Said] = field(default_factory=list)

    @cached_property
    def members(self) -> Counter[str]:
        """Members that placeholders name: `{result.copied}` reads copied."""
        return Counter(
            plain(parts[-1]) for one in self.strings for name in one.placeholders if len(parts := words(name)) > 1
        )

    @cached_property
    def said(self) -> Counter[str]:
        """Terms of its strings, its own name and its doc: of its body, what is no code that reads something."""
        found: Counter[str] = Counter()
        for one in self.strings:
            for word in _WORD_OF_TEXT.findall(_PLACEHOLDER.sub(" ", one.text)):
                found.update(terms_of(word))
        found.update(terms_of(self.name))
        return found

    def mentions(self, member: str, *, exactly: bool = False) -> bool:
        """Whether code reads a member, or may do so: `exactly` by that very name, else any word that has it in it."""
        name = plain(member)
        if self.reads[name] or self.members[name]:
            return True
        stem = stem_of(member)
        if len(stem) < SHORTEST:
            return False
        for term, (body, doc, callees) in self.terms.items():
            bare = term.replace("_", "")
            if bare not in (name, stem) if exactly else stem not in bare:
                continue
            # A docstring is part of the body in Python; other comments stand above.
            rest = body - callees - self.said[term] - (doc if self.language == "python" else 0)
            if rest - self._others(name, term) > 0:
                return True
        return False

    def _others(self, name: str, term: str) -> int:
        """Return how often another member with this term in its name is read."""
        return sum(count for other, count in self.reads.items() if other != name and term in terms_of(other))


@cache
def stem_of(member: str) -> str:
    """Return what all words that mention a member have in common: the stem of one word, all of several."""
    terms = terms_of(member)
    return terms[0] if len(terms) == 1 else plain(member).removesuffix("s")
