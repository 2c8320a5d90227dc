"""Fusion of the lanes: what each lane says, as a share of the best it found, weighted and added in integers.

A symbol's score is its own evidence and that of its file; a file's is its own, that of its best symbol, and what
history and mentions say. Both come from the same lanes, so that the first symbol stands in one of the first files.
"""

from __future__ import annotations

from typing import TypeVar

Key = TypeVar("Key")

ONE = 1_000_000  # the best of a lane; all arithmetic is in millionths

# Shares of a full score, in percent. Words in the best symbol and in the file as a whole err in different places, so
# they weigh alike; past commits know files that the words do not name, but no symbols; a name that the question writes
# out is beyond doubt. Among symbols the words of the symbol itself decide.
FILE_SHARES = {"symbols": 30, "files": 30, "history": 20, "mentions": 20}
SYMBOL_SHARES = {"symbols": 40, "files": 12, "history": 8, "mentions": 40}

# What is left of a score in a file of a role, in percent. Tests repeat the words of what they test, docs those of
# everything, and who asks how something works wants neither first. Configuration is sometimes the answer.
ROLES = {"source": 100, "config": 60, "test": 25, "docs": 25, "generated": 25, "vendored": 25}
# Where the question's words ask for the role. Not all of it: a change's description names its tests too.
ASKED = 60


def fuse(parts: dict[str, int], shares: dict[str, int]) -> int:
    """Return the weighted sum of what the lanes say, in millionths."""
    return sum(shares[lane] * part for lane, part in parts.items()) // 100


def share_of_best(scores: dict[Key, int], percents: dict[Key, int]) -> dict[Key, int]:
    """Scale a lane so that its best is one, after what its roles leave of each: a test is nobody's measure."""
    left = {key: score * percents[key] for key, score in scores.items()}
    best = max(left.values(), default=0)
    return {key: score * ONE // best for key, score in left.items()} if best > 0 else {}


def percent_of(role: str, is_test: bool, asks: frozenset[str]) -> int:
    """Return what is left of a score for the role of a file; a test in a source file counts as test."""
    if is_test:
        role = "test"
    kept = ROLES.get(role, 100)
    return max(kept, ASKED) if role in asks else kept


def shown(score: int) -> float:
    """Return a score as it is shown: three decimals."""
    return (score + 500) // 1000 / 1000
