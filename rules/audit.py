"""The audit: agent-facing strings in, adjudications, and the payload of `scaup audit` out.

`repository` audits all that the facts know, and keeps what it decided in the store; `files` reads files itself and
writes nothing.
"""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scaup.pipeline import git, store
from scaup.pipeline.response import Response, ScaupError, success
from scaup.pipeline.text import configuration
from scaup.pipeline.text.rows import AgentText
from scaup.rules import acceptance, judge, known_rules, load_lexicon, rules, suppression, texts
from scaup.rules.acceptance import Accepting, Scope
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Severity, Verdict
from scaup.rules.selection import Selection
from scaup.rules.store_facts import StoreFacts
from scaup.rules.suppression import Problem

if TYPE_CHECKING:
    import duckdb

    from scaup.pipeline.facts import Facts
    from scaup.pipeline.ingest import Project
    from scaup.pipeline.stages.pool import Worker

_ORDER = {confidence: rank for rank, confidence in enumerate(Confidence)}
_KEPT = (
    "text_id", "class", "rule", "verdict", "confidence", "severity", "reason", "start", "end", "message", "replacement",
)  # fmt: skip


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
    accepting: Accepting = field(default_factory=Accepting)


@dataclass
class Judged:
    """Texts with what was decided about each."""

    texts: list[AgentText]
    adjudications: Mapping[int, Sequence[Adjudication]]
    configuration: configuration.Configuration
    scope: Scope
    sources: dict[str, list[str]] = field(default_factory=dict)


def repository(facts: Facts, asked: Asked, prefixes: Sequence[str] = ()) -> Response:
    """Audit all texts of a repository, or those below some folders and files of it; return the response."""
    limited = bool(prefixes or asked.select or asked.ignore or asked.diff)
    acceptance.check(asked.accepting, limited=limited)
    con = facts.con
    listed = [path for (path,) in con.execute("SELECT path FROM files ORDER BY path").fetchall()]
    settings = configuration.load(facts.project.root, configuration.paths(listed))
    found = texts.load(con, candidates=asked.candidates)
    decided = None if asked.candidates else _stored(con, settings)
    if decided is None:
        known = StoreFacts(con, settings.deliveries)
        decided = {text.text_id: judge(text, known) for text in found}
        if not asked.candidates and not prefixes and facts.stale is None:
            _keep(facts, settings, decided)
    if prefixes:
        found = [text for text in found if _below(text.path, prefixes)]
    in_scope = [
        path
        for (path,) in con.execute(
            "SELECT path FROM files WHERE excluded_reason IS NULL AND language IS NOT NULL ORDER BY path"
        ).fetchall()
        if not prefixes or _below(path, prefixes)
    ]
    scope = Scope(facts.project.root, in_scope, suppression.comments(con, in_scope), whole=not prefixes)
    if asked.diff is not None:
        scope.changed = acceptance.changed_lines(facts, asked.diff)
    facts.gaps.scope_warnings += settings.unmatched(listed)
    judged = Judged(found, decided, settings, scope)
    return facts.answer(payload(judged, asked))


def files(project: Project, paths: Sequence[str], asked: Asked, worker: Worker) -> Response:
    """Audit files, given relative to the root, as they are now, parsed by `worker`; return the response."""
    acceptance.check(asked.accepting, limited=True)
    from scaup.pipeline.text.files import read

    with read(project, paths, worker, meanwhile=load_lexicon) as known:
        found = texts.load(known.con, "agent_text_rows", asked.candidates)
        facts = StoreFacts(known.con, known.configuration.deliveries)
        decided = {text.text_id: judge(text, facts) for text in found}
        scope = Scope(
            project.root, known.read, suppression.comments(known.con, known.read),
            whole=False, knows_code=known.facts is not None and not known.gaps.unchecked_files,
        )  # fmt: skip
        judged = Judged(found, decided, known.configuration, scope)
        state = {"facts": known.facts} if known.facts else {}
        return success({**state, **payload(judged, asked)}, known.gaps)


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
        "suggestion": decided.replacement,
        "edits": [],
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
            content = (judged.scope.root / Path(_native(path))).read_bytes()
        except OSError:
            content = b""
        judged.sources[path] = content.decode("utf-8", "replace").split("\n")
    lines = judged.sources[path]
    return lines[line - 1].rstrip("\r") if line <= len(lines) else None


def _native(path: str) -> str:
    import os

    return os.fsdecode(git.decode_path(path))


def _below(path: str, prefixes: Sequence[str]) -> bool:
    return any(not prefix or path == prefix or path.startswith(f"{prefix.rstrip('/')}/") for prefix in prefixes)


# ------------------------------------------------------------------------------------------- what a full audit keeps


def digest(settings: configuration.Configuration, state: str | None) -> str:
    """Return a digest of what decides adjudications: facts, rules, and delivery contracts."""
    found = hashlib.sha256(f"{state}\n{settings.deliveries}\n".encode())
    folder = Path(__file__).parent
    for file in sorted(folder.rglob("*")):
        if file.suffix in (".py", ".toml", ".sql"):
            found.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:32]


def _stored(
    con: duckdb.DuckDBPyConnection, settings: configuration.Configuration
) -> dict[int, list[Adjudication]] | None:
    """Return what the last full audit decided, if it is of this state, these rules and contracts."""
    meta = store.meta(con)
    if meta.get("audit_digest") != digest(settings, meta.get("state_id")):
        return None
    found: dict[int, list[Adjudication]] = {}
    for row in con.execute(
        'SELECT text_id, rule, verdict, reason, start, "end", message, confidence, severity, replacement '
        "FROM adjudications ORDER BY rowid"
    ).fetchall():
        found.setdefault(row[0], []).append(
            Adjudication(
                row[1],
                Verdict(row[2]),
                row[3],
                row[4],
                row[5],
                row[6] or "",
                Confidence(row[7]) if row[7] else Confidence.LIKELY,
                Severity(row[8]) if row[8] else None,
                row[9],
            )
        )
    return found


def _keep(facts: Facts, settings: configuration.Configuration, decided: Mapping[int, Sequence[Adjudication]]) -> None:
    """Write adjudications into the store, unless someone else writes it just now or it has moved on."""
    by_code = {rule.code: rule for rule in rules()}
    state = store.meta(facts.con).get("state_id")
    rows = []
    for text_id, listed in decided.items():
        for one in listed:
            rule, is_finding = by_code[one.rule], one.verdict is Verdict.FINDING
            rows.append((
                text_id, rule.habit.letter, one.rule, one.verdict.value, one.confidence.value if is_finding else None,
                (one.severity or rule.severity).value if is_finding else None, one.reason, one.start, one.end,
                one.message or None, one.replacement,
            ))  # fmt: skip
    try:
        with store.write(facts.project.location, timeout=0) as writer:
            if store.meta(writer.con).get("state_id") != state:
                return
            writer.con.execute("DELETE FROM adjudications")
            writer.append_rows("adjudications", _KEPT, rows)
            store.set_meta(writer.con, audit_digest=digest(settings, state))
            writer.publish()
    except ScaupError:
        return  # the answer stands without it
