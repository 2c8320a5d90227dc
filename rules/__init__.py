"""The habit auditor: cues, adjudication, and one module a rule in `catalog`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache

from scaup.pipeline.text.rows import AgentText
from scaup.rules import catalog
from scaup.rules.code_facts import CodeFacts, NoFacts
from scaup.rules.model import Adjudication, Rule

_NO_FACTS = NoFacts()


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule of the catalog by code. A module in `catalog` that defines a rule needs no registration."""
    found: dict[str, Rule] = {}
    for entry in pkgutil.iter_modules(catalog.__path__):
        module = importlib.import_module(f"{catalog.__name__}.{entry.name}")
        for member in vars(module).values():
            if isinstance(member, type) and issubclass(member, Rule) and member.__module__ == module.__name__:
                if getattr(member, "code", None) is None:
                    continue
                if member.code in found:
                    raise ValueError(f"rule {member.code} is defined twice: {entry.name}")
                found[member.code] = member()
    return tuple(found[code] for code in sorted(found))


@cache
def known_rules() -> tuple[Rule, ...]:
    """Return all rules that an answer can name: the catalog, and those on suppressions."""
    from scaup.rules.upkeep import UPKEEP

    return (*rules(), *UPKEEP)


def judge(
    text: AgentText,
    facts: CodeFacts = _NO_FACTS,
    rules: Sequence[Rule] | None = None,
) -> list[Adjudication]:
    """Return what rules decide about a text, by place and code; by default every rule is asked."""
    asked = _all_rules() if rules is None else rules
    made = [adjudication for rule in asked for adjudication in rule.adjudicate(text, facts)]
    return sorted(made, key=lambda adjudication: (adjudication.start, adjudication.end, adjudication.rule))


_all_rules = rules


def load_lexicon() -> None:
    """Load the rules and what they know of English, which takes a while the first time."""
    # scaup: ignore[C101,C102,F101] reason="a text full of cues, which nobody reads"
    judge(AgentText("Try again later: we will notify you, always. Poll until it is done.", "tool_result"))
