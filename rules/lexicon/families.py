"""Word groups and cue families, read from the TOML files of this folder, and the matches that they give.

Every file with a table `groups` or `families` belongs to the lexicon; names are unique over all of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any

from scaup.rules.lexicon.inflection import FORMS, Irregular, noun_forms, verb_forms
from scaup.rules.lexicon.patterns import NONE, Compiled, Compiler, Tokens, closed
from scaup.rules.lexicon.reading import Reading, Sentence

_MARKS = frozenset("\"'`()[],")


@dataclass(frozen=True, slots=True)
class Match:
    """Where a pattern matched: token indexes in the sentence, offsets in the text."""

    family: str
    sentence: Sentence
    first: int  # token
    last: int  # token, inclusive
    plain: bool = False  # of a family whose words are not denied by a negator before them

    @property
    def start(self) -> int:
        """Offset in the text of the first character."""
        return self.sentence.tokens[self.first].start

    @property
    def end(self) -> int:
        """Offset in the text behind the last character."""
        return self.sentence.tokens[self.last].end

    @property
    def text(self) -> str:
        """The matched words, as they stand in the stream."""
        return " ".join(token.text for token in self.sentence.tokens[self.first : self.last + 1])

    @property
    def said(self) -> str:
        """The matched words, as they are written."""
        raw, start, end = self.sentence.raw, self.start - self.sentence.start, self.end - self.sentence.start
        if raw.count("(", start, end) > raw.count(")", start, end) and raw.startswith(")", end):
            end += 1
        return " ".join(raw[start:end].split())

    @property
    def negated(self) -> bool:
        """Whether the clause denies or forbids it: `do not poll`, `without polling`, `polling is useless`."""
        return not self.plain and _negated(self)

    @property
    def mentioned(self) -> bool:
        """Whether the words are spoken of and not used: quoted, in code, `the word …`, `retry policy`."""
        return not self.plain and _mentioned(self)

    @property
    def asserted(self) -> bool:
        """Neither negated nor mentioned."""
        return not self.mentioned and not self.negated


class Family:
    """Patterns that say the same thing in different words."""

    def __init__(self, name: str, table: dict[str, Any], lexicon: Lexicon) -> None:
        self.name = name
        self.about: str = table.get("about", "")
        self.patterns: tuple[str, ...] = tuple(table["patterns"])
        self._plain: bool = table.get("plain", False)
        self._not_after: str | None = table.get("not_after")
        self._lexicon = lexicon

    @cached_property
    def compiled(self) -> tuple[Compiled, ...]:
        """The patterns, compiled."""
        return tuple(self._lexicon.compiler.compile(source) for source in self.patterns)

    @cached_property
    def _by_word(self) -> dict[str, tuple[int, ...]]:
        """Patterns by each of the words of which they need one; those that need none by the empty word."""
        index: dict[str, list[int]] = {}
        for number, pattern in enumerate(self.compiled):
            for word in pattern.needs or ("",):
                index.setdefault(word, []).append(number)
        return {word: tuple(numbers) for word, numbers in index.items()}

    @cached_property
    def _needs(self) -> frozenset[str]:
        """Words of which a sentence holds at least one if any pattern matches; empty if that is not known."""
        return frozenset() if "" in self._by_word else frozenset(self._by_word)

    @cached_property
    def _barred(self) -> frozenset[str]:
        """Words that a match must not follow."""
        return frozenset(self._lexicon.forms(self._not_after)) if self._not_after else frozenset()

    def possible(self, words: frozenset[str]) -> bool:
        """Say whether a sentence or text with these words can hold a match."""
        return not self._needs or not self._needs.isdisjoint(words)

    def _possible_patterns(self, words: frozenset[str]) -> list[int]:
        """Return the patterns that may match a sentence with these words, in order."""
        if self._needs and self._needs.isdisjoint(words):
            return []
        numbers = set(self._by_word.get("", ()))
        for word in words & self._by_word.keys():
            numbers.update(self._by_word[word])
        return sorted(numbers)

    def find(self, sentence: Sentence) -> Iterator[Match]:
        """Yield the matches in a sentence, negated and mentioned ones too."""
        seen: set[tuple[int, int]] = set()
        words = sentence.closed
        for number in self._possible_patterns(sentence.words):
            pattern = self.compiled[number]
            # Wherever one starts: a denied one must not hide one that starts inside of it.
            for first in pattern.starts(words):
                last = pattern.match(words, first) - 1
                if last < first:
                    continue
                while last > first and words[last] in _MARKS:
                    last -= 1
                if first and words[first - 1] in self._barred:
                    continue
                if (first, last) not in seen:
                    seen.add((first, last))
                    yield Match(self.name, sentence, first, last, self._plain)

    def asserted(self, sentence: Sentence) -> Iterator[Match]:
        """Yield the matches that are neither negated nor mentioned."""
        return (match for match in self.find(sentence) if match.asserted)

    def used(self, sentence: Sentence) -> Iterator[Match]:
        """Yield the matches that are not merely mentioned; negated ones are among them."""
        return (match for match in self.find(sentence) if not match.mentioned)

    def touches(self, sentence: Sentence) -> bool:
        """Say whether anything in the sentence matches, negated or not."""
        return next(self.find(sentence), None) is not None

    def holds(self, sentence: Sentence) -> bool:
        """Say whether the sentence asserts it."""
        return next(self.asserted(sentence), None) is not None

    def anywhere(self, reading: Reading) -> bool:
        """Say whether any sentence of a text asserts it."""
        return self.possible(reading.words) and any(self.holds(sentence) for sentence in reading.sentences)


class Lexicon:
    """The groups and families of a set of tables."""

    def __init__(self, tables: Iterable[dict[str, Any]]) -> None:
        self.families: dict[str, Family] = {}
        self._groups: dict[str, dict[str, Any]] = {}
        self._forms: dict[str, tuple[str, ...]] = {}
        self.compiler = Compiler(self.forms)
        irregular: dict[str, Any] = {}
        for table in tables:
            irregular |= table.get("irregular", {})
            for name, group in table.get("groups", {}).items():
                if name in self._groups:
                    raise ValueError(f"group {name!r} is defined twice")
                self._groups[name] = group
            for name, table_of_family in table.get("families", {}).items():
                if name in self.families:
                    raise ValueError(f"family {name!r} is defined twice")
                self.families[name] = Family(name, table_of_family, self)
        self._irregular = Irregular(
            {verb: tuple(forms) for verb, forms in irregular.get("past", {}).items()},
            irregular.get("plural", {}),
            frozenset(irregular.get("doubled", ())),
        )

    def forms(self, name: str) -> tuple[str, ...]:
        """Return the words and phrases of a group, or of some forms of its verbs (`check:ing`, `check:base+s`).

        Raises:
            ValueError: there is no such group or form; it names it.
        """
        if name not in self._forms:
            self._forms[name] = tuple(dict.fromkeys(self._expand(name)))
        return self._forms[name]

    def _expand(self, name: str) -> Iterator[str]:
        group_name, _, wanted = name.partition(":")
        group = self._groups.get(group_name)
        chosen = tuple(wanted.split("+")) if wanted else FORMS
        if group is None or not set(chosen) <= set(FORMS):
            raise ValueError(f"no group {name!r} in the lexicon")
        for verb in group.get("verbs", ()):
            forms = verb_forms(verb, self._irregular)
            for form in chosen:
                yield from forms[form]
        if not wanted:
            for noun in group.get("nouns", ()):
                yield from noun_forms(noun, self._irregular)
            yield from group.get("words", ())
        for other in group.get("uses", ()):
            yield from self.forms(f"{other}:{wanted}" if wanted else other)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the lexicon of this folder. It is read at the first use."""
    entries = sorted(files(__package__).iterdir(), key=lambda entry: entry.name)
    return Lexicon(
        tomllib.loads(entry.read_text(encoding="utf-8")) for entry in entries if entry.name.endswith(".toml")
    )


@cache
def family(name: str) -> Family:
    """Return a cue family by name.

    Raises:
        ValueError: there is none of that name.
    """
    try:
        return lexicon().families[name]
    except KeyError:
        raise ValueError(f"no family {name!r} in the lexicon") from None


def group(name: str) -> frozenset[str]:
    """Return the words and phrases of a group, all forms; `name:form` for some."""
    return frozenset(lexicon().forms(name))


class _Around:
    """A family of `scope.toml`: what stands before a match, up to it, or behind one, from its end on."""

    def __init__(self, name: str, *, before: bool) -> None:
        found = lexicon()
        self._patterns = [found.compiler.compile(source, to_end=before) for source in found.families[name].patterns]

    def stands_before(self, words: Tokens) -> bool:
        """Say whether a pattern matches that ends with these words."""
        held = frozenset(words)
        return any(
            pattern.match(words, place) != NONE
            for pattern in self._patterns
            if not pattern.needs or not pattern.needs.isdisjoint(held)
            for place in pattern.starts(words)
        )

    def stands_behind(self, words: Tokens) -> bool:
        """Say whether a pattern matches the first of these words and those behind it."""
        return any(pattern.match(words, 0) != NONE for pattern in self._patterns)


@cache
def _around(name: str) -> _Around:
    return _Around(name, before=not name.endswith("_behind"))


def _negated(match: Match) -> bool:
    sentence = match.sentence
    before = closed(sentence.closed[sentence.clause_start(match.first) : match.first])
    if _around("negation_before").stands_before(before):
        return not _around("negation_undone").stands_before(before)
    behind = sentence.closed[match.last + 1 :]
    if _around("negation_behind").stands_behind(behind):
        return True
    # `never sleep, poll or retry`: what follows says whether the comma before is that of a list.
    return _around("list_before").stands_before(before) and _around("list_behind").stands_behind(behind)


def _mentioned(match: Match) -> bool:
    sentence = match.sentence
    spoken = [t for t in sentence.tokens[match.first : match.last + 1] if t.text not in _MARKS]
    if spoken and all(token.quoted for token in spoken):
        return True
    if _around("mention_before").stands_before(closed(sentence.closed[: match.first])):
        return True
    return _around("mention_behind").stands_behind(sentence.closed[match.last + 1 :])
