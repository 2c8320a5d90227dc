"""Rules on code find and pass the small repositories that they carry as examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from facts import Facts

from scaup.pipeline.text import configuration
from scaup.rules import rules, texts
from scaup.rules.model import Adjudication, Example, Rule, Verdict
from scaup.rules.store_facts import StoreFacts

ON_CODE = [rule for rule in rules() if rule.needs_code]
FOUND = [(rule, example) for rule in ON_CODE for example in rule.found]
PASSED = [(rule, example) for rule in ON_CODE for example in rule.passed]


def _name(value: object) -> str:
    return value.code if isinstance(value, Rule) else value.text[:50] if isinstance(value, Example) else str(value)


def _judged(rule: Rule, example: Example, root: Path) -> list[Adjudication]:
    facts = Facts(root, example.files)
    settings = configuration.load(root, configuration.paths(list(example.files)))
    con = facts.connect()
    try:
        known = StoreFacts(con, settings.deliveries)
        fitting = [text for text in texts.load(con, candidates=True) if text.text == example.text]
        assert fitting, [text.text for text in texts.load(con, candidates=True)]
        return [one for text in fitting for one in rule.adjudicate(text, known)]
    finally:
        con.close()


@pytest.mark.parametrize(("rule", "example"), FOUND, ids=_name)
def test_a_rule_finds_the_repository_that_it_says_that_it_finds(rule: Rule, example: Example, tmp_path: Path) -> None:
    findings = [one for one in _judged(rule, example, tmp_path) if one.verdict is Verdict.FINDING]
    assert findings
    assert all(one.rule == rule.code and one.message and one.reason for one in findings)


@pytest.mark.parametrize(("rule", "example"), PASSED, ids=_name)
def test_a_rule_passes_the_repository_that_it_says_that_it_passes(rule: Rule, example: Example, tmp_path: Path) -> None:
    judged = _judged(rule, example, tmp_path)
    assert [one.message for one in judged if one.verdict is Verdict.FINDING] == []
    if example.because:
        assert {one.reason for one in judged} == {example.because}


@pytest.mark.parametrize("rule", ON_CODE, ids=_name)
def test_a_rule_on_code_carries_four_examples_of_each_verdict(rule: Rule) -> None:
    assert len(rule.found) >= 4 and len(rule.passed) >= 4
    assert all(example.files for example in (*rule.found, *rule.passed))
