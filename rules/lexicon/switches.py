"""Whether the description of another argument takes back what a sentence says: by turning it off, or by a cap.

Descriptions are compared by concepts: stems of the words that carry meaning, with synonyms folded together.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

from scaup.rules.lexicon.families import family
from scaup.rules.lexicon.reading import Sentence, read

_DATA = tomllib.loads(files(__package__).joinpath("switches.toml").read_text(encoding="utf-8"))["concepts"]
_COMMON, _REHEARSALS, _REPEATING = (frozenset[str](_DATA[key]) for key in ("common", "rehearsals", "repeating"))
_DENYING, _SPARING = (frozenset[str](_DATA[key]) for key in ("denying_prefixes", "sparing_prefixes"))
# What a sentence says, and what an argument says that takes it back.
_OPPOSITES = (
    ("spilled", "kept_inline", False),
    ("sent_away", "kept_local", True),
    ("at_once", "delayed", True),
    ("destroys", "leaves_alone", True),
)
_CAPS = (("container_whole", "unit_cap"), ("mass_whole", "only_this"))  # the whole, and what an argument leaves of it
_BORDERS = frozenset((",", ";", ":", ".", "—", "!", "?", "(", ")", "but", "so", "because", "..."))
_CONDITIONS = frozenset(("if", "when", "whether", "set"))
_UNIVERSALS = frozenset(("every", "all", "whole", "entire"))
_MASS = frozenset(("whole", "entire"))  # the whole history of commits: of commits, too
_NOUN_ENDS = _BORDERS | frozenset(
    (
        "of",
        "in",
        "on",
        "and",
        "or",
        "with",
        "is",
        "are",
        "to",
        "for",
        "from",
        "by",
        "that",
        "which",
        "at",
        "matching",
        "as",
    )
)


def switched_off_by(sentence: Sentence, siblings: Mapping[str, str]) -> str | None:
    """Return the first sibling argument that turns off what a sentence says; None where none does.

    The clause that denies something has to be about what the sentence says, and about nothing else: "no sound is
    played" turns off no message.
    """
    if sentence.words & {"not", "no", "never", "whether"} or sentence.tokens[0].text in _CONDITIONS:
        return None
    said = frozenset(concepts(sentence.words))
    opposites = [(other, shared) for claim, other, shared in _OPPOSITES if family(claim).holds(sentence)]
    for name, description in siblings.items():
        named = name.lower().replace("-", "_").split("_")
        if name.lower() in _REHEARSALS:
            continue
        for other in read(description).sentences:
            about = said.intersection((*concepts(other.words), *concepts(named)))
            if any((about or not shared) and family(opposite).holds(other) for opposite, shared in opposites):
                return name
            if any(_about_the_same(denied, said) for denied in _denied(other)):
                return name
            off = family("undone").holds(other) and family("switch_off").touches(other)
            if off and said.intersection(concepts(named)):
                return name
        prefixes = _DENYING | _SPARING if family("strips").holds(sentence) else _DENYING
        if named[0] in prefixes and _switch_of(named[1:], description, said):
            return name
    return None


def _switch_of(named: list[str], description: str, said: frozenset[str]) -> bool:
    """Whether an argument is a switch, and what its name goes on with (`no_backup`) is what a sentence is about."""
    what = frozenset(concepts(named))
    if not what - _weak() or not what <= said:
        return False
    return any(family("on_off").touches(other) for other in read(description).sentences)


def _about_the_same(denied: frozenset[str], said: frozenset[str]) -> bool:
    return bool(denied - _weak()) and denied <= said


def _denied(sentence: Sentence) -> Iterator[frozenset[str]]:
    """Yield what each denying clause of a sentence is about; of `Whether to …`, what follows."""
    clause: list[str] = []
    whether = sentence.tokens[0].text == "whether"
    for word in (*(token.text for token in sentence.tokens), "."):
        if word not in _BORDERS:
            clause.append(word)
            continue
        stream = " " + " ".join(clause) + " "
        if whether or any(family("takes_back").touches(other) for other in read(stream).sentences):
            yield frozenset(concepts(clause))
        clause, whether = [], False


def capped_by(sentence: Sentence, siblings: Mapping[str, str]) -> str | None:
    """Return the first sibling argument that leaves out some of what a sentence says to be all."""
    caps = [cap for whole, cap in _CAPS if any(not match.negated for match in family(whole).find(sentence))]
    for name, description in siblings.items() if caps else ():
        if any(family(cap).touches(other) for cap in caps for other in read(description).sentences):
            return name
    nouns = frozenset(concepts(_universal_nouns(sentence)))
    if not nouns:
        return None
    many = family("lists").holds(sentence)
    for name, description in siblings.items():
        about = frozenset(concepts(name.lower().replace("-", "_").split("_")))
        for other in read(description).sentences:
            if other.words & {"page", "unlimited"}:
                continue
            if many and family("count_cap").touches(other):
                return name
            if not nouns & (about | frozenset(concepts(other.words))):
                continue
            if family("left_out").touches(other):
                return name
    return None


def _universal_nouns(sentence: Sentence) -> Iterator[str]:
    """Yield the nouns of which a sentence says that it takes all: `every file`, `the entire history of commits`."""
    words = [token.text for token in sentence.tokens]
    for at, word in enumerate(words):
        if word not in _UNIVERSALS or words[max(0, at - 1) : at] == ["not"]:
            continue
        for other in words[at + 1 : at + 5]:
            if other in _NOUN_ENDS and (other != "of" or word not in _MASS):
                break
            yield other


def unsafe_by(siblings: Mapping[str, str]) -> str | None:
    """Return the first sibling argument that makes a repetition matter: it adds, overwrites or forces."""
    for name, description in siblings.items():
        if _REPEATING.intersection(name.lower().replace("-", "_").split("_")):
            return name
        if any(family("not_idempotent").holds(other) for other in read(description).sentences[:1]):
            return name
    return None


def concepts(words: Iterable[str]) -> Iterator[str]:
    """Yield the concepts of words that carry meaning: their stems, one for all synonyms."""
    for word in words:
        if len(word) > 2 and word.isalpha() and word not in _COMMON:
            yield _concept(word)


@lru_cache(maxsize=8192)
def _concept(word: str) -> str:
    stem = _stem(word)
    return _synonyms().get(stem, stem)


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, str]:
    return {_stem(word): _stem(words[0]) for words in _DATA["same"] for word in words}


@lru_cache(maxsize=1)
def _weak() -> frozenset[str]:
    return frozenset(_concept(word) for word in _DATA["weak"])


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    import Stemmer  # only texts with siblings need it

    stem: str = Stemmer.Stemmer("english").stemWord(word)
    return stem
