"""Patterns over words, compiled to matchers over the tokens of a sentence.

A pattern is a sequence of elements, separated by spaces:

    retry              the word, in exactly this form (lower case, contractions spelled out)
    {check}            any form of any word or phrase of the group `check`
    {check:ing}        one form: `base`, `s`, `ing`, `past`; several with a plus: `{check:base+s}`
    retry|{check}      one of these elements
    (try again|poll)   one of these sequences; outside of brackets a bar stands between single elements, so that
                       `as|when it` is `as it` or `when it`, and a phrase among alternatives needs brackets
    element?           the element, or nothing
    ..3                up to three words of the same clause, none of them a negation
    ^                  the start of a clause: of the sentence, after a comma, a border, `and`, `then`, `or`, `please`
    ^^                 the start of the sentence
    $                  the end of a clause: a mark, or the end of the sentence
    #                  a number: digits, a number word, or a placeholder
    @                  a name of code: an identifier with an underscore, a call, a word in backticks, a placeholder
    *                  any one word

Quotation marks, backticks and brackets between elements are skipped; commas are not (`,?` allows one).

Elements are tried in order, the longer phrase and the present element first, and a failing rest takes the next choice:
the order of a backtracking regular expression. Regular expressions over the text of a sentence say the same; compiling
some hundred long ones took longer than the audit of a few files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from scaup.rules.lexicon.text import COMMON, NUMBER_WORDS

Tokens = tuple[str, ...]  # of a sentence, and an empty one behind them (`closed`)
Matcher = Callable[[Tokens, int], int]  # where a match that starts here ends; NONE without one
Words = Callable[[str], Iterable[str]]  # the forms of a group, by what stands between the braces
NONE = -1

_MARKS = frozenset("\"'`()[]")
_NOT_IN_GAP = frozenset(("not", "never", "nor", "without", ";", ":", ".", "!", "?", "—", "...", ""))
_STARTERS = frozenset(("and", "then", "or", "please", "so", "but", "just"))
_START_MARKS = frozenset(";:,.!?—(")
_END_MARKS = frozenset((*";:,.!?—)", "...", ""))
_SIGNS = frozenset("~<>≤≥=")
_NUMBER = re.compile(r"[~<>≤≥=]?\d[\d.,_]*(?:k|m|s|ms|sec|min|h|x|%)?|\$?\{.*\}")
_CODE = re.compile(r"[a-z][\w.]*_[\w.]*(?:\(\))?|[a-z][\w.]*\(\)|\$?\{.*\}|<.+>")
_CODE_LENGTH = 6  # words between backticks
_LEXEME = re.compile(r"\{[\w:+]+\}|\.\.\d+|\^\^|[\w'/%&=+<>-]+(?:\.[\w]+)*|[()|?^$#@*,;:\"!]|\S")


def closed(tokens: Iterable[str]) -> Tokens:
    """Return tokens as matchers take them."""
    return (*tokens, "")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A pattern's matcher, and what a match is known to hold.

    A sentence needs one of the words of `needs` (empty: no pre-filter), and a match starts with one of those of
    `first` (None: with any).
    """

    source: str
    match: Matcher
    needs: frozenset[str]
    first: frozenset[str] | None

    def starts(self, tokens: Tokens) -> Iterable[int]:
        """Return the places where a match may start."""
        first = self.first
        if first is None:
            return range(len(tokens) - 1)
        return [place for place, token in enumerate(tokens) if token in first]


class _Part(NamedTuple):
    """An element: how it is matched before a rest, and its words."""

    before: Callable[[Matcher], Matcher]
    needs: frozenset[str] | None  # None: nothing is known of its words
    first: frozenset[str] | None  # None: any word
    optional: bool = False  # it can match nothing


class Compiler:
    """Compiles patterns whose groups come from one lexicon. Elements of the same words are made once."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._literals: dict[str, _Part] = {}

    def compile(self, source: str, *, to_end: bool = False) -> Compiled:
        """Return a compiled pattern; `to_end` wants a match to end where the tokens do.

        Raises:
            ValueError: the pattern is not well formed; it names the pattern.
        """
        lexemes = _LEXEME.findall(source)
        part, rest = self._sequence(lexemes, 0, source)
        if rest != len(lexemes):
            raise ValueError(f"unbalanced pattern: {source!r}")
        first = None if part.optional else part.first
        return Compiled(source, part.before(_at_end if to_end else _anywhere), part.needs or frozenset(), first)

    def _sequence(self, lexemes: Sequence[str], at: int, source: str, in_group: bool = False) -> tuple[_Part, int]:
        """Read a sequence. In a group a bar separates sequences; outside of one it separates single elements."""
        parts: list[_Part] = []
        needs: frozenset[str] | None = None
        while at < len(lexemes) and lexemes[at] not in ")|":
            words = () if in_group else _plain_words(lexemes, at)
            if words:
                part, at = self._literal("|".join(words), words), at + 2 * len(words) - 1
            else:
                part, at = self._atom(lexemes, at, source)
            if not in_group and at < len(lexemes) - 1 and lexemes[at] == "|":
                alternatives = [part]
                while at < len(lexemes) - 1 and lexemes[at] == "|":
                    part, at = self._atom(lexemes, at + 1, source)
                    alternatives.append(part)
                part = _either(alternatives)
            if at < len(lexemes) and lexemes[at] == "?":
                at += 1
                parts.append(_Part(_optional(part.before), None, part.first, optional=True))
                continue
            parts.append(part)
            if part.needs and (needs is None or _rank(part.needs) < _rank(needs)):
                needs = part.needs
        return _chain(parts, needs), at

    def _atom(self, lexemes: Sequence[str], at: int, source: str) -> tuple[_Part, int]:
        lexeme = lexemes[at]
        if lexeme == "(":
            branches = []
            while lexemes[at] != ")":
                part, at = self._sequence(lexemes, at + 1, source, in_group=True)
                branches.append(part)
                if at >= len(lexemes):
                    raise ValueError(f"unbalanced pattern: {source!r}")
            return _either(branches), at + 1
        if (special := _SPECIAL.get(lexeme)) is not None:
            return special, at + 1
        if lexeme.startswith(".."):
            return _Part(_gap(int(lexeme[2:])), None, None, optional=True), at + 1
        return self._literal(lexeme, self._words(lexeme[1:-1]) if lexeme.startswith("{") else (lexeme,)), at + 1

    def _literal(self, written: str, forms: Iterable[str]) -> _Part:
        if (known := self._literals.get(written)) is None:
            known = self._literals[written] = _literal(forms)
        return known


def _plain_words(lexemes: Sequence[str], at: int) -> tuple[str, ...]:
    """Return the words of `a|b|c`, where each is a plain one: an element of many words is one look-up."""
    words: list[str] = []
    while lexemes[at][0].isalnum():
        words.append(lexemes[at])
        if at + 2 >= len(lexemes) or lexemes[at + 1] != "|":
            return tuple(words)
        at += 2
    return ()


@cache
def _rank(needs: frozenset[str]) -> tuple[int, int]:
    """Fewer common words first, then fewer words."""
    return len(needs & COMMON), len(needs)


def _chain(parts: Sequence[_Part], needs: frozenset[str] | None) -> _Part:
    """Return parts one behind the other."""
    if len(parts) == 1:
        return _Part(parts[0].before, needs, parts[0].first, parts[0].optional)

    def before(rest: Matcher) -> Matcher:
        for part in reversed(parts):
            rest = part.before(rest)
        return rest

    first: frozenset[str] | None = frozenset()
    optional = True
    for part in parts:
        first = None if first is None or part.first is None else first | part.first
        if not part.optional:
            optional = False
            break
    return _Part(before, needs, first, optional)


def _either(parts: Sequence[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]

    def before(rest: Matcher) -> Matcher:
        choices = [part.before(rest) for part in parts]

        def match(tokens: Tokens, at: int) -> int:
            for choice in choices:
                end = choice(tokens, at)
                if end >= 0:
                    return end
            return NONE

        return match

    needs = None if any(part.needs is None for part in parts) else _union(part.needs for part in parts)
    first = None if any(part.first is None for part in parts) else _union(part.first for part in parts)
    return _Part(before, needs, first, any(part.optional for part in parts))


def _union(sets: Iterable[frozenset[str] | None]) -> frozenset[str]:
    return frozenset[str]().union(*(one or frozenset() for one in sets))


def _optional(element: Callable[[Matcher], Matcher]) -> Callable[[Matcher], Matcher]:
    def before(rest: Matcher) -> Matcher:
        present = element(rest)

        def match(tokens: Tokens, at: int) -> int:
            end = present(tokens, at)
            return end if end >= 0 else rest(tokens, at)

        return match

    return before


def _gap(most: int) -> Callable[[Matcher], Matcher]:
    def before(rest: Matcher) -> Matcher:
        def match(tokens: Tokens, at: int) -> int:
            for here in range(at, at + most + 1):
                end = rest(tokens, here)
                if end >= 0:
                    return end
                if tokens[here] in _NOT_IN_GAP:
                    break
            return NONE

        return match

    return before


def _behind_marks(rest: Matcher, tokens: Tokens, at: int) -> int:
    """Match the rest behind marks; an element that is itself a mark may take them back."""
    here = at
    while tokens[here] in _MARKS:
        here += 1
    while here >= at:
        end = rest(tokens, here)
        if end >= 0:
            return end
        here -= 1
    return NONE


def _literal(forms: Iterable[str]) -> _Part:
    """Return an element that is any of these words or phrases."""
    phrases: dict[str, list[Tokens]] = {}
    needs = set()
    for form in sorted(forms, key=len, reverse=True):
        if " " not in form:
            needs.add(form)
            if form not in phrases:
                phrases[form] = [()]
            elif () not in phrases[form]:
                phrases[form].append(())
            continue
        word, *rest = form.split(" ")
        phrases.setdefault(word, []).append(tuple(rest))
        needs.add(_telling(word, rest))

    def before(rest: Matcher) -> Matcher:
        def match(tokens: Tokens, at: int) -> int:
            for phrase in phrases.get(tokens[at], ()):
                behind = at + 1 + len(phrase)
                if phrase and tokens[at + 1 : behind] != phrase:
                    continue
                end = _behind_marks(rest, tokens, behind) if tokens[behind] in _MARKS else rest(tokens, behind)
                if end >= 0:
                    return end
            return NONE

        return match

    return _Part(before, frozenset(needs), frozenset(phrases))


def _telling(word: str, rest: Sequence[str]) -> str:
    """Return the word of a phrase that is the rarest: the first that is not common."""
    return next((other for other in rest if other not in COMMON), word) if word in COMMON else word


# --------------------------------------------------------------------------------------------------- special elements


def _anywhere(tokens: Tokens, at: int) -> int:
    return at


def _at_end(tokens: Tokens, at: int) -> int:
    return at if at == len(tokens) - 1 else NONE


def _where(holds: Callable[[Tokens, int], bool]) -> _Part:
    """Return an element of no width."""

    def before(rest: Matcher) -> Matcher:
        return lambda tokens, at: rest(tokens, at) if holds(tokens, at) else NONE

    return _Part(before, None, frozenset(), optional=True)


def _clause_starts(tokens: Tokens, at: int) -> bool:
    return at == 0 or tokens[at - 1] in _STARTERS or tokens[at - 1][-1:] in _START_MARKS


def _number(rest: Matcher) -> Matcher:
    def match(tokens: Tokens, at: int) -> int:
        token = tokens[at]
        if token in _SIGNS:
            at, token = at + 1, tokens[at + 1]
            if not token[:1].isdigit():
                return NONE
        if token in NUMBER_WORDS or _NUMBER.fullmatch(token):
            return _behind_marks(rest, tokens, at + 1)
        return NONE

    return match


def _code(rest: Matcher) -> Matcher:
    def match(tokens: Tokens, at: int) -> int:
        if tokens[at] == "`":
            for here in range(at + 1, min(at + _CODE_LENGTH + 2, len(tokens))):
                if tokens[here] == "`":
                    return rest(tokens, here + 1) if here > at + 1 else NONE
            return NONE
        return rest(tokens, at + 1) if _CODE.fullmatch(tokens[at]) else NONE

    return match


def _any_word(rest: Matcher) -> Matcher:
    return lambda tokens, at: rest(tokens, at + 1) if tokens[at] else NONE


_SPECIAL = {
    "^": _where(_clause_starts),
    "^^": _where(lambda tokens, at: at == 0),
    "$": _where(lambda tokens, at: tokens[at] in _END_MARKS),
    "#": _Part(_number, None, None),
    "@": _Part(_code, None, None),
    "*": _Part(_any_word, None, None),
}
