"""Each rule finds and passes the examples that it carries, and is documented."""

from __future__ import annotations

import pytest

from scaup.rules import judge, rules
from scaup.rules.code_facts import NoFacts
from scaup.rules.model import Adjudication, Example, Rule, Verdict

ON_WORDING = [rule for rule in rules() if not rule.needs_code]
FOUND = [(rule, example) for rule in ON_WORDING for example in rule.found]
PASSED = [(rule, example) for rule in ON_WORDING for example in rule.passed]


def _name(value: object) -> str:
    return value.code if isinstance(value, Rule) else value.text[:50] if isinstance(value, Example) else str(value)


def _judged(rule: Rule, example: Example) -> list[Adjudication]:
    return list(rule.adjudicate(example.agent_text(), NoFacts()))


@pytest.mark.parametrize(("rule", "example"), FOUND, ids=_name)
def test_a_rule_finds_what_it_says_that_it_finds(rule: Rule, example: Example) -> None:
    findings = [one for one in _judged(rule, example) if one.verdict is Verdict.FINDING]
    assert findings
    for one in findings:
        assert one.rule == rule.code and one.message and one.reason
        assert 0 <= one.start < one.end <= len(example.text)
        for placeholder in example.agent_text().placeholders:
            assert one.replacement is None or f"{{{placeholder}}}" in one.replacement


@pytest.mark.parametrize(("rule", "example"), PASSED, ids=_name)
def test_a_rule_passes_what_it_says_that_it_passes(rule: Rule, example: Example) -> None:
    judged = _judged(rule, example)
    assert [one for one in judged if one.verdict is Verdict.FINDING] == []
    reasons = {one.reason for one in judged}
    assert reasons
    if example.because:
        assert example.because in reasons


@pytest.mark.parametrize("rule", rules(), ids=_name)
def test_a_rule_is_documented(rule: Rule) -> None:
    help_text = rule.documentation
    assert rule.summary.endswith(".") and len(rule.summary) <= 120
    assert "\nHabit: " in help_text and "\nInstead: " in help_text
    assert len(rule.found) >= (4 if rule.needs_code else 6) <= max(6, len(rule.passed))
    assert rule.code[0] == rule.habit.letter
    assert rule.name == rule.name.lower() and " " not in rule.name


def test_codes_and_names_are_unique() -> None:
    for values in ([rule.code for rule in rules()], [rule.name for rule in rules()]):
        assert sorted(values) == sorted(set(values))


def test_all_classes_have_rules() -> None:
    assert {rule.habit.letter for rule in rules()} == set("ABCDEF")


@pytest.mark.parametrize("example", [example for _, example in FOUND + PASSED], ids=_name)
def test_judging_twice_says_the_same(example: Example) -> None:
    assert judge(example.agent_text()) == judge(example.agent_text())
