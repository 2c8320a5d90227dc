"""A text as words: sentences, clauses and tokens, each with its offsets in the text as it was given.

A sentence carries a `stream`: its tokens in lower case, one space between and around them, contractions spelled out
(`don't` is `do not`), camelCase as snake_case, emphasis and bullets left out. Patterns are matched on the stream.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scaup.rules.lexicon.borders import quoted_spans, sentence_spans
from scaup.rules.lexicon.text import NOT_CAMEL

_TOKEN = re.compile(
    r"""
    \$?\{[^{}\s"']{0,60}\}                                   # a placeholder
    | [a-z][a-z+.-]*://[^\s<>"'`]+                           # a URL
    | \b(?:e\.g|i\.e|etc|vs|cf|approx|viz|incl|excl|resp)\.     # an abbreviation with its full stop
    | </?[A-Za-z][\w:.-]*(?:\s[^<>]{0,200})?/?>              # a tag
    | (?:[~.]{0,2}/)?[\w.{}@*-]*[\w}*](?:/[\w.{}@*-]*[\w}*])+/?  # a path, or words with slashes between
    | [\w$@]+(?:(?:[.'’+-]|::)[\w{}]+)*(?:\(\))?             # a word, a dotted name, a call
    | [—–]|--+ | \.{2,} | \S
    """,
    re.VERBOSE,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_IS = frozenset(("it", "that", "there", "what", "here", "he", "she", "who", "everything", "nothing", "this", "where"))
_ENDINGS = {"'ll": "will", "'re": "are", "'ve": "have", "'d": "would", "'m": "am"}
_WHOLE = {"cannot": ("can", "not"), "can't": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not")}
_DROPPED = frozenset("*#_•·|>")
BORDERS = frozenset((";", ":", "—", ".", "!", "?", "..."))


class Token(NamedTuple):
    """One word or mark: its form in the stream, its offsets in the text, and whether it stands in quotes or code."""

    text: str
    start: int
    end: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: offsets in the text, the words as they were written, tokens and stream."""

    index: int
    start: int
    end: int
    raw: str
    tokens: tuple[Token, ...]
    stream: str
    places: tuple[int, ...]  # where each token starts in the stream
    words: frozenset[str]
    closed: tuple[str, ...]  # the tokens' forms, and an empty one behind them

    def token_at(self, place: int) -> int:
        """Return the index of the token at a place of the stream."""
        return bisect_right(self.places, place) - 1

    def clause_start(self, token: int) -> int:
        """Return the first token of the clause that a token stands in."""
        while token > 0 and self.tokens[token - 1].text not in BORDERS:
            token -= 1
        return token

    def clause_end(self, token: int) -> int:
        """Return the index behind the last token of the clause that a token stands in."""
        while token < len(self.tokens) and self.tokens[token].text not in BORDERS:
            token += 1
        return token


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, read: its sentences in order, and all their words."""

    text: str
    sentences: tuple[Sentence, ...]
    words: frozenset[str]

    def near(self, sentence: Sentence, before: int = 1, after: int = 1) -> Iterator[Sentence]:
        """Yield the neighbours of a sentence, those behind it first, without the sentence itself."""
        at = sentence.index
        yield from self.sentences[at + 1 : at + 1 + after]
        yield from reversed(self.sentences[max(0, at - before) : at])


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """Return the reading of a text. Readings are cached: rules share them."""
    quoted = quoted_spans(text)
    sentences = tuple(
        _sentence(index, text, start, end, quoted) for index, (start, end) in enumerate(sentence_spans(text, quoted))
    )
    return Reading(text, sentences, frozenset().union(*(sentence.words for sentence in sentences)))


def _sentence(index: int, text: str, start: int, end: int, quoted: list[tuple[int, int]]) -> Sentence:
    inside = [span for span in quoted if span[0] < end and span[1] > start] if quoted else []
    tokens = tuple(_tokens(text, start, end, inside))
    places, place = [], 1
    for token in tokens:
        places.append(place)
        place += len(token.text) + 1
    stream = " " + "".join(token.text + " " for token in tokens)
    forms = tuple(token.text for token in tokens)
    return Sentence(index, start, end, text[start:end], tokens, stream, tuple(places), frozenset(forms), (*forms, ""))


def _tokens(text: str, start: int, end: int, quoted: list[tuple[int, int]]) -> Iterator[Token]:
    for match in _TOKEN.finditer(text, start, end):
        piece, at, upto = match[0], match.start(), match.end()
        inside = bool(quoted) and any(left <= at and upto <= right for left, right in quoted)
        if piece.isalpha() and piece[1:].islower() and (word := piece.lower()) not in _WHOLE:  # most words
            yield Token(word, at, upto, inside)
            continue
        if "/" in piece and not piece.startswith("<") and "://" not in piece and not _is_path(piece):
            here = at
            for number, part in enumerate(piece.split("/")):
                if number:
                    yield Token("/", here, here + 1, inside)
                    here += 1
                if part:
                    yield Token(part.lower(), here, here + len(part), inside)
                here += len(part)
            continue
        if piece in _DROPPED or (piece.strip("*_") == "" and piece[0] in "*_"):
            continue
        for form in _normal_forms(piece, text, at, upto):
            yield Token(form, at, upto, inside)


def _is_path(piece: str) -> bool:
    return piece[0] in "/~." or any(mark in piece for mark in "._{@*") or piece.count("/") > 2


def _normal_forms(piece: str, text: str, at: int, upto: int) -> tuple[str, ...]:
    if len(piece) == 1 and not piece.isalnum():
        if piece == "-":
            spaced = (at == 0 or text[at - 1].isspace()) and (upto >= len(text) or text[upto].isspace())
            return ("—",) if spaced else ("-",)
        return ({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "—", "…": "..."}.get(piece, piece),)
    if piece.startswith("--") and not piece.strip("-"):
        return ("—",)
    if piece.startswith(".."):
        return ("...",)
    if piece[0] in "{<$" or "://" in piece:
        return (re.sub(r"\s+", "_", piece.lower()),)
    if _CAMEL.search(piece) and piece.rstrip("s") not in NOT_CAMEL:
        return (_CAMEL.sub("_", piece).lower(),)
    word = piece.lower().replace("’", "'").strip("*")
    if word in _WHOLE:
        return _WHOLE[word]
    if "'" in word:
        return _spelled_out(word)
    return (word,)


def _spelled_out(word: str) -> tuple[str, ...]:
    if word.endswith("n't"):
        return (word[:-3], "not")
    for ending, full in _ENDINGS.items():
        if word.endswith(ending):
            return (word[: -len(ending)], full)
    if word.endswith("'s"):
        stem = word[:-2]
        return (stem, "us") if stem == "let" else (stem, "is" if stem in _IS else "'s")
    return (word,)
