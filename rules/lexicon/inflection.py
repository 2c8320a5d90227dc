"""Inflected forms of English verbs and nouns: regular by rule, irregular ones from `irregular.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

VOWELS = "aeiou"
FORMS = ("base", "s", "ing", "past")


@dataclass(frozen=True, slots=True)
class Irregular:
    """What no rule gives: past forms, plurals, and longer verbs that double their last consonant."""

    past: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plural: Mapping[str, str] = field(default_factory=dict)
    doubled: frozenset[str] = frozenset()


def verb_forms(lemma: str, irregular: Irregular) -> dict[str, tuple[str, ...]]:
    """Return the forms of a verb by `base`, `s`, `ing` and `past` (past tense and participle together).

    Of a phrase (`try again`) the first word is inflected.
    """
    verb, space, rest = lemma.partition(" ")
    stem = _stem(verb, irregular)
    if verb.endswith("ie"):
        ing = verb[:-2] + "ying"
    elif verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        ing = verb[:-1] + "ing"
    else:
        ing = stem + "ing"
    past: tuple[str, ...]
    if verb in irregular.past:
        past = irregular.past[verb]
    elif verb.endswith("e"):
        past = (verb + "d",)
    elif _consonant_y(verb):
        past = (verb[:-1] + "ied",)
    else:
        past = (stem + "ed",)
    forms = {"base": (verb,), "s": (_with_s(verb),), "ing": (ing,), "past": past}
    return {name: tuple(form + space + rest for form in values) for name, values in forms.items()}


def noun_forms(lemma: str, irregular: Irregular) -> tuple[str, ...]:
    """Return a noun and its plural; of a phrase the last word is inflected."""
    before, space, noun = lemma.rpartition(" ")
    plural = irregular.plural.get(noun) or _with_s(noun)
    return (lemma, before + space + plural)


def all_forms(lemmas: Iterable[str], irregular: Irregular) -> list[str]:
    """Return every form of every verb."""
    return [form for lemma in lemmas for forms in verb_forms(lemma, irregular).values() for form in forms]


def _consonant_y(word: str) -> bool:
    return len(word) > 1 and word[-1] == "y" and word[-2] not in VOWELS


def _with_s(word: str) -> str:
    if _consonant_y(word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def _stem(verb: str, irregular: Irregular) -> str:
    """Return what `ing` and `ed` are added to: one syllable that ends in consonant, vowel, consonant is doubled."""
    one_syllable = sum(character in VOWELS for character in verb) == 1
    closed = len(verb) > 2 and verb[-1] not in VOWELS + "wxy" and verb[-2] in VOWELS and verb[-3] not in VOWELS
    return verb + verb[-1] if verb in irregular.doubled or (one_syllable and closed) else verb
