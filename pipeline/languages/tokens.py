"""Terms of the lexical index: identifiers and words, split into subtokens and stemmed.

`getHTTPResponse` yields get, http, respons (stemmed parts) and the whole, gethttpresponse. A term's id is a hash of
the term, so that an index built in parts equals one built at once.
"""

from __future__ import annotations

import re
from collections import Counter
from hashlib import blake2b

import Stemmer

WORD = re.compile(r"[^\W\d]\w*")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d{2,}")
# A word above this length is data (a hash, base64), not a name.
LONGEST = 64

# All but letters, digits and underscores of ASCII is blank.
_BLANKED = bytes(byte if byte < 128 and (chr(byte).isalnum() or byte == ord("_")) else 32 for byte in range(256))
_DIGITS = "0123456789"

_stem = Stemmer.Stemmer("english")
_stem.maxCacheSize = 0  # each distinct word is split once


def hash64(text: str) -> int:
    """Return a signed 64-bit hash of a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True)


def terms_of(word: str) -> tuple[str, ...]:
    """Return the terms of one identifier or word: its stemmed parts, and the whole where it has several parts."""
    if len(word) > LONGEST:
        return ()
    parts = PART.findall(word)
    terms = [_stem.stemWord(part.lower()) for part in parts if len(part) > 1]
    if len(parts) > 1:
        whole = word.strip("_").lower()
        if whole not in terms:
            terms.append(whole)
    return tuple(terms)


def words(text: str) -> list[str]:
    """Return the identifiers and words of a text, in order, with repetitions."""
    return WORD.findall(text)


def count_words(text: bytes) -> Counter[str]:
    """Return how often each identifier and word stands in a text: what `words` finds, faster in ASCII."""
    if not text.isascii():
        return Counter(words(text.decode("utf-8", "replace")))
    counted = Counter(text.translate(_BLANKED).decode().split())
    # No word begins with a digit; digits come before all letters and the underscore.
    for number in [word for word in counted if word < ":"]:
        occurrences = counted.pop(number)
        if word := number.lstrip(_DIGITS):
            counted[word] += occurrences
    return counted
