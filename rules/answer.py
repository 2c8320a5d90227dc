"""What an audit answers: diagnostics, passes, counts, and the rules that spoke."""

from __future__ import annotations

import functools
import hashlib
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scaup.pipeline import git
from scaup.pipeline.text import configuration
from scaup.pipeline.text.rows import AgentText
from scaup.rules import acceptance, judge, known_rules, texts
from scaup.rules.acceptance import Accepting, Scope
from scaup.rules.fixes.proposals import bound_of, proposed
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Verdict
from scaup.rules.selection import Selection
from scaup.rules.suppression import Problem

if TYPE_CHECKING:
    from scaup.rules.fixes.plan import Planner
    from scaup.rules.fixes.run import Wanted

_ORDER = {confidence: rank for rank, confidence in enumerate(Confidence)}


@dataclass(frozen=True)
class Asked:
    """What an audit is asked to report. `confidence` is the least that is reported; None leaves it to configuration."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    confidence: str | None = None
    candidates: bool = False
    show_passes: bool = False
    # A revision: only texts count that differ from it.
    diff: str | None = None
    # Whether the answer has all rules, or those that spoke.
    all_rules: bool = False
    # Whether proposals become edits: that takes the parser, so who shows none does without.
    edits: bool = True
    fix: Wanted | None = None
    accepting: Accepting = field(default_factory=Accepting)


@dataclass
class Judged:
    """Texts with what was decided about each."""

    texts: list[AgentText]
    adjudications: Mapping[int, Sequence[Adjudication]]
    configuration: configuration.Configuration
    scope: Scope
    sources: dict[str, list[str]] = field(default_factory=dict)
    planner: Planner | None = None


def payload(judged: Judged, asked: Asked) -> dict[str, Any]:
    """Return the members of the answer: diagnostics by place, what was inspected, and the rules that spoke."""
    selection = Selection(asked.select or None, asked.ignore)
    by_code = {rule.code: rule for rule in known_rules()}
    findings: list[tuple[dict[str, Any], AgentText]] = []
    passes: list[dict[str, Any]] = []
    classes = {habit.letter: Counter[str]() for habit in Habit}
    ordinals: Counter[tuple[str, str, str]] = Counter()
    for text in judged.texts:
        settings = judged.configuration.of(text.path)
        codes = selection.of(text.path, settings)
        least = Confidence(asked.confidence or settings.confidence or Confidence.LIKELY)
        for decided in judged.adjudications.get(text.text_id, ()):
            if decided.rule not in codes:
                continue
            rule = by_code[decided.rule]
            counted = classes[rule.habit.letter]
            if decided.verdict is Verdict.PASS:
                counted["passes"] += 1
                if asked.show_passes:
                    passes.append(_passed(text, decided, rule))
                continue
            sentence = " ".join(text.text[decided.start : decided.end].split())
            ordinal = ordinals[decided.rule, text.path, sentence]
            ordinals[decided.rule, text.path, sentence] += 1
            is_hidden = _ORDER[decided.confidence] > _ORDER[least]
            findings.append((_diagnostic(judged, text, decided, rule, sentence, ordinal, is_hidden), text))

    @functools.cache
    def selected(path: str) -> frozenset[str]:
        return selection.of(path, judged.configuration.of(path))

    kept, problems, accepted = acceptance.settle(
        findings, judged.scope, judged.configuration, asked.accepting, selected
    )
    diagnostics = [row for row, _ in kept] + [_void(judged, problem) for problem in problems]
    diagnostics.sort(key=_place)
    for row in diagnostics:
        state = "needs_evidence" if row["hidden"] else "suppressed" if row["suppressed"] else "findings"
        classes[row["class"]][state] += 1
    hidden = sum(counts["needs_evidence"] for counts in classes.values())
    diagnostics = [row for row in diagnostics if not row.pop("hidden")]
    spoke = sorted(by_code if asked.all_rules else {row["rule"] for row in (*diagnostics, *passes)})
    return {
        "diagnostics": diagnostics,
        **({"passes": sorted(passes, key=_place)} if asked.show_passes else {}),
        "rules": [described(by_code[code]) for code in spoke],
        "inspected": {
            "files": len(judged.scope.paths),
            "files_with_text": len({text.path for text in judged.texts}),
            "strings": len(judged.texts),
            "passes": sum(counts["passes"] for counts in classes.values()),
            "surfaces": dict(sorted(Counter(text.surface for text in judged.texts).items())),
        },
        "classes": {
            letter: {name: counts[name] for name in ("findings", "needs_evidence", "suppressed", "passes")}
            for letter, counts in classes.items()
        },
        "hidden": {"needs_evidence": hidden},
        **accepted,
    }


def described(rule: Rule) -> dict[str, Any]:
    """Return a rule as answers have it."""
    return {
        "code": rule.code,
        "name": rule.name,
        "class": rule.habit.letter,
        "summary": rule.summary,
        "help": rule.documentation,
        "severity": rule.severity.value,
    }


def explained(rule: Rule) -> dict[str, Any]:
    """Return a rule with its habit and examples."""
    return {
        **described(rule),
        "habit": rule.habit.trains,
        **{
            name: [
                {
                    "text": example.text,
                    "surface": example.surface,
                    "because": example.because,
                    "siblings": dict(example.siblings),
                    "suggestion": _suggested(rule, example),
                }
                for example in examples
            ]
            for name, examples in (("found", rule.found), ("passed", rule.passed))
        },
    }


def _suggested(rule: Rule, example: Example) -> str | None:
    """Return what a rule proposes to write instead of an example; None where it proposes nothing."""
    made = judge(example.agent_text(), rules=[rule])
    return next((one.replacement for one in made if one.verdict is Verdict.FINDING), None)


def _diagnostic(
    judged: Judged, text: AgentText, decided: Adjudication, rule: Rule, sentence: str, ordinal: int,
    hidden: bool,
) -> dict[str, Any]:  # fmt: skip
    severity = decided.severity or rule.severity
    start, end = texts.place(text, decided.start), texts.place(text, decided.end)
    fingerprint = hashlib.sha256("\0".join((rule.code, text.path, sentence, str(ordinal))).encode()).hexdigest()[:32]
    proposal = proposed(rule, decided, text, bound_of(judged.configuration, text.path))
    planned = judged.planner.plan(fingerprint, text, decided, proposal, start[0]) if judged.planner else []
    return {
        "rule": rule.code,
        "name": rule.name,
        "class": rule.habit.letter,
        "path": text.path,
        "span": {"start_line": start[0], "start_column": start[1], "end_line": end[0], "end_column": end[1]},
        "surface": text.surface,
        "evidence": text.evidence,
        "evidence_detail": text.evidence_detail,
        "tool": text.tool,
        "parameter": text.parameter,
        "text": text.text[decided.start : decided.end],
        "excerpt": _excerpt(judged, text.path, start[0]),
        "message": decided.message,
        "reason": decided.reason,
        "habit": rule.habit.trains,
        "severity": severity.value,
        "confidence": decided.confidence.value,
        "suggestion": proposal.wording,
        "edits": planned,
        "fingerprint": fingerprint,
        "suppressed": None,
        "hidden": hidden,  # below the confidence that is reported; no member of the answer
    }


def _void(judged: Judged, problem: Problem) -> dict[str, Any]:
    """Return what is wrong with a suppression as a diagnostic."""
    rule = problem.rule()
    line = problem.line or 1
    excerpt = _excerpt(judged, problem.path, line)
    whole = excerpt or ""
    text = whole.strip()
    start = len(whole) - len(whole.lstrip()) + 1
    fingerprint = hashlib.sha256("\0".join((rule.code, problem.path, text, problem.message)).encode()).hexdigest()[:32]
    return {
        "rule": rule.code,
        "name": rule.name,
        "class": rule.habit.letter,
        "path": problem.path,
        "span": {"start_line": line, "start_column": start, "end_line": line, "end_column": start + len(text)},
        "surface": "suppression",
        "evidence": "declared",
        "evidence_detail": "",
        "tool": None,
        "parameter": None,
        "text": text,
        "excerpt": excerpt,
        "message": problem.message,
        "reason": problem.reason,
        "habit": rule.habit.trains,
        "severity": rule.severity.value,
        "confidence": Confidence.CERTAIN.value,
        "suggestion": None,
        "edits": [],
        "fingerprint": fingerprint,
        "suppressed": None,
        "hidden": False,
    }


def _passed(text: AgentText, decided: Adjudication, rule: Rule) -> dict[str, Any]:
    line, column = texts.place(text, decided.start)
    end_line, end_column = texts.place(text, decided.end)
    return {
        "rule": rule.code,
        "name": rule.name,
        "class": rule.habit.letter,
        "path": text.path,
        "span": {"start_line": line, "start_column": column, "end_line": end_line, "end_column": end_column},
        "surface": text.surface,
        "evidence": text.evidence,
        "text": text.text[decided.start : decided.end],
        "reason": decided.reason,
    }


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    span = row["span"]
    return (
        row["path"],
        span["start_line"],
        span["start_column"],
        row["rule"],
        span["end_line"],
        span["end_column"],
        row["text"],
    )


def _excerpt(judged: Judged, path: str, line: int) -> str | None:
    """Return a line of a file as it is now; None where it is not there."""
    if path not in judged.sources:
        try:
            content = (judged.scope.root / os.fsdecode(git.decode_path(path))).read_bytes()
        except OSError:
            content = b""
        judged.sources[path] = content.decode("utf-8", "replace").split("\n")
    lines = judged.sources[path]
    return lines[line - 1].rstrip("\r") if line <= len(lines) else None
