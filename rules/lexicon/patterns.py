"""Patterns over words, compiled to regular expressions over the stream of a sentence.

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
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from scaup.rules.lexicon.text import COMMON

_GLUE = r"""(?:["'`()\[\]] )*"""
_GAP_WORD = r"(?!(?:not|never|nor|without|[;:.!?—]|\.\.\.) )\S+ "
_NUMBER = (
    r"(?:[~<>≤≥=]? ?\d[\d.,_]*(?:k|m|s|ms|sec|min|h|x|%)?|\$?\{[^ ]*\}|an?|one|two|three"
    r"|four|five|six|seven|eight|nine|ten"
    r"|twelve|fifteen|twenty|thirty|forty|sixty|ninety|hundred|once|twice|half|dozen) "
)
_CODE = r"(?:` (?:[^` ]+ ){1,6}` |[a-z][\w.]*_[\w.]*(?:\(\))? |[a-z][\w.]*\(\) |\$?\{[^ ]*\} |<[^ ]+> )"
_START = (
    r"(?:(?<!\S )|(?<=[;:,.!?—(] )|(?<=\.\.\. )|(?<= and )|(?<= then )|(?<= or )|(?<= please )"
    r"|(?<= so )|(?<= but )|(?<= just ))"
)
_END = r"(?=[;:,.!?—)] |\.\.\. |$)"
_SPECIAL = {"^": _START, "^^": r"(?<!\S )", "$": _END, "#": _NUMBER + _GLUE, "@": _CODE, "*": r"\S+ "}
_LEXEME = re.compile(r"\{[\w:+]+\}|\.\.\d+|\^\^|[\w'/%&=+<>-]+(?:\.[\w]+)*|[()|?^$#@*,;:\"!]|\S")
Words = Callable[[str], Iterable[str]]  # the forms of a group, by what stands between the braces


@dataclass(frozen=True, slots=True)
class Compiled:
    """A pattern's expression, and words of which a sentence must hold at least one (empty: no pre-filter)."""

    source: str
    expression: str
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Part:
    expression: str
    needs: frozenset[str] | None  # None: nothing is known of its words


def compile_pattern(source: str, words: Words) -> Compiled:
    """Return a compiled pattern.

    Raises:
        ValueError: the pattern is not well formed; it names the pattern.
    """
    lexemes = list(_lexemes(source))
    part, rest = _sequence(lexemes, 0, words, source)
    if rest != len(lexemes):
        raise ValueError(f"unbalanced pattern: {source!r}")
    return Compiled(source, "(?<= )" + part.expression, part.needs or frozenset())


def _lexemes(source: str) -> Iterator[str]:
    for match in _LEXEME.finditer(source):
        yield match[0]


def _sequence(lexemes: list[str], at: int, words: Words, source: str, in_group: bool = False) -> tuple[_Part, int]:
    """Read a sequence. In a group a bar separates sequences; outside of one it separates single elements."""
    parts: list[str] = []
    needs: frozenset[str] | None = None
    while at < len(lexemes) and lexemes[at] not in ")|":
        part, at = _atom(lexemes, at, words, source)
        alternatives = [part]
        while not in_group and at < len(lexemes) - 1 and lexemes[at] == "|":
            part, at = _atom(lexemes, at + 1, words, source)
            alternatives.append(part)
        part = _either(alternatives)
        if at < len(lexemes) and lexemes[at] == "?":
            at += 1
            parts.append(f"(?:{part.expression})?")
            continue
        parts.append(part.expression)
        if part.needs and (needs is None or _rank(part.needs) < _rank(needs)):
            needs = part.needs
    return _Part("".join(parts), needs), at


def _rank(needs: frozenset[str]) -> tuple[int, int]:
    """Fewer common words first, then fewer words."""
    return len(needs & COMMON), len(needs)


def _either(parts: list[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]
    known = all(part.needs is not None for part in parts)
    needs = frozenset[str]().union(*(part.needs or frozenset() for part in parts)) if known else None
    return _Part("(?:" + "|".join(part.expression for part in parts) + ")", needs)


def _atom(lexemes: list[str], at: int, words: Words, source: str) -> tuple[_Part, int]:
    lexeme = lexemes[at]
    if lexeme == "(":
        branches = []
        while lexemes[at] != ")":
            part, at = _sequence(lexemes, at + 1, words, source, in_group=True)
            branches.append(part)
            if at >= len(lexemes):
                raise ValueError(f"unbalanced pattern: {source!r}")
        return _either(branches), at + 1
    if lexeme.startswith("{"):
        return _literals(words(lexeme[1:-1])), at + 1
    if lexeme.startswith(".."):
        return _Part(f"(?:{_GAP_WORD}){{0,{lexeme[2:]}}}?", None), at + 1
    if lexeme in _SPECIAL:
        return _Part(_SPECIAL[lexeme], None), at + 1
    return _literals([lexeme]), at + 1


def _literals(forms: Iterable[str]) -> _Part:
    """Return an element that is any of these words or phrases."""
    phrases = sorted(set(forms), key=lambda form: (-len(form), form))
    expression = "|".join(re.escape(phrase) for phrase in phrases).replace(r"\ ", " ")
    needs = frozenset(_telling(phrase) for phrase in phrases)
    return _Part(f"(?:{expression}) {_GLUE}", needs)


def _telling(phrase: str) -> str:
    """Return the word of a phrase that is the rarest: the first that is not common."""
    parts = phrase.split()
    return next((part for part in parts if part not in COMMON), parts[0])
