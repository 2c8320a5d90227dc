"""Which proposals are safe, and that a text is better with them: its finding goes, and no other comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixing import agent_texts, fixed

from scaup.pipeline.text.rows import AgentText
from scaup.rules import judge, rules
from scaup.rules.fixes.proposals import proposed
from scaup.rules.model import Adjudication, Example, Rule, Verdict

BOUND = "at most 3 times, 30 s apart"
CASES = [(rule, example) for rule in rules() if not rule.needs_code for example in rule.found]


def findings(text: AgentText, rule: Rule) -> list[Adjudication]:
    return [one for one in judge(text) if one.rule == rule.code and one.verdict is Verdict.FINDING]


def test_only_wrappers_and_headers_are_safe_by_their_reason() -> None:
    assert {rule.code for rule in rules() if rule.safe} == {"E101", "E102"}


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_a_safe_proposal_settles_its_finding(rule: Rule, example: Example) -> None:
    text = example.agent_text()
    for decided in findings(text, rule):
        wording, safe = proposed(rule, decided, text, BOUND)
        if safe and wording is not None:
            after = text.text[: decided.start] + wording + text.text[decided.end :]
            left = [one.reason for one in judge(AgentText(after, text.surface)) if one.verdict is Verdict.FINDING]
            assert left == [], after


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_a_proposal_can_be_written_in_python(tmp_path: Path, rule: Rule, example: Example) -> None:
    """Each example as an f-string in which its placeholders are values."""
    text = example.agent_text()
    source = f"x = f{text.text!r}\n".replace("{}", "{a[0]}")
    if not any(one.text == text.text for one in agent_texts("m.py", source.encode())):
        pytest.skip("no text in code: too short, or not prose")
    for decided in findings(text, rule):
        wording, _ = proposed(rule, decided, text, BOUND)
        if wording is not None:
            after = fixed(tmp_path, "m.py", source, text.text[decided.start : decided.end], wording)
            assert not after.startswith("not fixed"), after


@pytest.mark.parametrize(
    ("code", "sentence", "wording"),
    [
        ("C103", "scan: pending", f"scan: pending; look again {BOUND}"),
        ("C103", "{name}: still running.", f"{{name}}: still running; look again {BOUND}"),
        ("C103", "The ledger is still being closed.", None),
        ("C101", "Please try again.", f"Please try again, {BOUND}."),
        ("C101", "If this happens, retry the request.", None),
        ("E101", "<a>", None),
    ],
)
def test_a_bare_status_gets_the_configured_bound(code: str, sentence: str, wording: str | None) -> None:
    (rule,) = (rule for rule in rules() if rule.code == code)
    assert rule.bounded(sentence, BOUND) == wording
