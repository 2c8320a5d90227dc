"""What an answer lacks, by name."""

from __future__ import annotations

from scaup.pipeline import store
from scaup.pipeline.facts import Facts


def degradations(facts: Facts) -> list[str]:
    """Return the names of what the facts lack, such as `history-skipped`, in a fixed order."""
    con = facts.con
    runs = con.execute("SELECT stage, state, reason FROM stage_runs").fetchall()
    states = {stage: state for stage, state, _ in runs}
    found = ["facts-stale"] if facts.stale else []
    if facts.gaps.walk_truncated:
        found.append("walk-truncated")
    parse = states.get("parse", "failed")
    unlisted = any(stage == "discover" and "cannot be listed" in (reason or "") for stage, _, reason in runs)
    if facts.gaps.skipped_files or unlisted or parse == "partial":
        found.append("files-skipped")
    if parse in ("failed", "skipped"):
        found.append("parse-unavailable")
    history = states.get("history", "skipped")
    if history == "partial":
        found.append("history-shallow" if store.meta(con).get("shallow") == "true" else "history-partial")
    elif history != "complete":
        found.append(f"history-{history}")
    for stage in ("graph", "metrics", "index"):
        state = states.get(stage, "failed")
        if state in ("failed", "skipped"):
            found.append(f"{stage}-unavailable")
        elif state == "partial" and stage != "metrics":  # metrics are partial where history is: said already
            found.append(f"{stage}-partial")
    return found
