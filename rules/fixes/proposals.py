"""Which wording a finding proposes, and whether it may be taken without a look."""

from __future__ import annotations

from typing import NamedTuple

from scaup.pipeline.text.configuration import Configuration
from scaup.pipeline.text.rows import AgentText
from scaup.rules.model import Adjudication, Rule


class Proposal(NamedTuple):
    """A wording for the judged stretch of a text, placeholders kept; None where only the code can be changed."""

    wording: str | None
    safe: bool


def proposed(rule: Rule, decided: Adjudication, text: AgentText, bound: str | None) -> Proposal:
    """Return what is proposed: a bare status gets the configured bound, if there is one.

    Nothing is safe in a text that nothing shows to be agent-facing; nor is a prefix with nothing behind it, which may
    have lost what the header said.
    """
    known = text.evidence != "candidate"
    if bound is not None:
        bounded = rule.bounded(text.text[decided.start : decided.end], bound)
        if bounded is not None:
            return Proposal(bounded, known)
    wording = decided.replacement
    is_whole = wording is not None and not wording.rstrip().endswith(":")
    return Proposal(wording, known and is_whole and decided.reason in rule.safe)


def bound_of(settings: Configuration, path: str) -> str | None:
    """Return the bound that is configured for bare statuses of a file."""
    return settings.of(path).bound
