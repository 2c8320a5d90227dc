"""The audit: agent-facing strings in, adjudications, and the response of `scaup audit` out.

`repository` audits all that the facts know, and keeps what it decided in the store; `files` reads files itself and
writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scaup.pipeline.response import Response, success
from scaup.pipeline.text import configuration
from scaup.rules import acceptance, judge, kept, load_lexicon, suppression, texts
from scaup.rules.acceptance import Scope
from scaup.rules.answer import Asked, Judged, payload
from scaup.rules.store_facts import StoreFacts

if TYPE_CHECKING:
    from scaup.pipeline.facts import Facts
    from scaup.pipeline.ingest import Project
    from scaup.pipeline.stages.pool import Worker

__all__ = ["Asked", "files", "repository"]


def repository(facts: Facts, asked: Asked, prefixes: Sequence[str] = ()) -> Response:
    """Audit all texts of a repository, or those below some folders and files of it; return the response."""
    limited = bool(prefixes or asked.select or asked.ignore or asked.diff)
    acceptance.check(asked.accepting, limited=limited)
    con = facts.con
    listed = [path for (path,) in con.execute("SELECT path FROM files ORDER BY path").fetchall()]
    settings = configuration.load(facts.project.root, configuration.paths(listed))
    found = texts.load(con, candidates=asked.candidates)
    decided = None if asked.candidates else kept.stored(con, settings)
    if decided is None:
        known = StoreFacts(con, settings.deliveries)
        decided = {text.text_id: judge(text, known) for text in found}
        if not asked.candidates and not prefixes and facts.stale is None:
            kept.keep(facts, settings, decided)
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
    return facts.answer(_answered(judged, asked))


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
        return success({**state, **_answered(judged, asked)}, known.gaps)


def _answered(judged: Judged, asked: Asked) -> dict[str, Any]:
    """Return the members of the answer, with the fixes made that are asked for."""
    if not asked.edits and asked.fix is None:
        return payload(judged, asked)
    from scaup.rules.fixes import run
    from scaup.rules.fixes.plan import Planner

    judged.planner = Planner(judged.scope.root)
    members = payload(judged, asked)
    return members if asked.fix is None else members | run.apply(judged.planner, members["diagnostics"], asked.fix)


def _below(path: str, prefixes: Sequence[str]) -> bool:
    return any(not prefix or path == prefix or path.startswith(f"{prefix.rstrip('/')}/") for prefix in prefixes)
