"""What a full audit decided, kept in the store for the next one and for SQL."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scaup.pipeline import store
from scaup.pipeline.response import ScaupError
from scaup.pipeline.text import configuration
from scaup.rules import rules
from scaup.rules.model import Adjudication, Confidence, Severity, Verdict

if TYPE_CHECKING:
    import duckdb

    from scaup.pipeline.facts import Facts

_KEPT = (
    "text_id", "class", "rule", "verdict", "confidence", "severity", "reason", "start", "end", "message", "replacement",
)  # fmt: skip


def digest(settings: configuration.Configuration, state: str | None) -> str:
    """Return a digest of what decides adjudications: facts, rules, and delivery contracts."""
    found = hashlib.sha256(f"{state}\n{settings.deliveries}\n".encode())
    folder = Path(__file__).parent
    for file in sorted(folder.rglob("*")):
        if file.suffix in (".py", ".toml", ".sql"):
            found.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:32]


def stored(
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


def keep(facts: Facts, settings: configuration.Configuration, decided: Mapping[int, Sequence[Adjudication]]) -> None:
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
