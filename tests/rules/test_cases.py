"""Labelled texts: those that came with the definition of the classes, and further ones in other wordings.

A label speaks of a class; a class that a case does not name is not asserted.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scaup.pipeline.text.rows import AgentText
from scaup.rules import judge, rules
from scaup.rules.model import Verdict

CLASS_OF = {rule.code: rule.habit.letter for rule in rules()}


def _cases(name: str) -> list[Any]:
    file = Path(__file__).with_name(name)
    return [
        pytest.param(case, habit, label, id=f"{case['id']}-{habit}-{label}")
        for case in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        for habit, label in case["labels"].items()
    ]


def _assert_label(case: dict[str, Any], habit: str, label: str) -> None:
    context = case.get("context", {})
    text = AgentText(
        text=case["text"],
        surface=case["surface"],
        siblings=context.get("siblings", {}),
        tool_description=context.get("tool_description"),
        branch=context.get("branch"),
    )
    found = [
        f"{one.rule}: {one.message}"
        for one in judge(text)
        if CLASS_OF[one.rule] == habit and one.verdict is Verdict.FINDING
    ]
    assert bool(found) == (label == "finding"), (case["why"], found)


@pytest.mark.parametrize(("case", "habit", "label"), _cases("labelled_cases.jsonl"))
def test_a_labelled_case(case: dict[str, Any], habit: str, label: str) -> None:
    _assert_label(case, habit, label)


@pytest.mark.parametrize(("case", "habit", "label"), _cases("further_cases.jsonl"))
def test_a_further_case(case: dict[str, Any], habit: str, label: str) -> None:
    _assert_label(case, habit, label)


def test_each_class_has_further_findings_and_passes() -> None:
    counted = Counter((habit, label) for _, habit, label in (case.values for case in _cases("further_cases.jsonl")))
    assert all(counted[habit, label] >= 10 for habit in "ABCDEF" for label in ("finding", "pass"))


# Findings of the third set, written by someone who had not seen the rules, that no rule finds yet.
MISSED = frozenset({
     "A56-F",    "B58-B",

})  # fmt: skip


def _marked(row: Any) -> Any:
    case, habit, label = row.values
    known = f"{case['id']}-{habit}" in MISSED or habit in case.get("missed", ())
    marks = [pytest.mark.xfail(strict=True, reason="a wording that no rule finds yet")] if known else []
    return pytest.param(case, habit, label, id=row.id, marks=marks)


@pytest.mark.parametrize(("case", "habit", "label"), [_marked(row) for row in _cases("unseen_cases.jsonl")])
def test_a_case_that_was_written_without_the_rules(case: dict[str, Any], habit: str, label: str) -> None:
    _assert_label(case, habit, label)


@pytest.mark.parametrize(("case", "habit", "label"), [_marked(row) for row in _cases("wordings.jsonl")])
def test_a_case_that_widened_the_vocabulary(case: dict[str, Any], habit: str, label: str) -> None:
    """Written by several hands, each before the rules were run on it; the rules have been widened for them since."""
    _assert_label(case, habit, label)
