"""What rules ask of the code, answered from a fact store: each question by one query for all texts, on first use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from scaup.pipeline.text.configuration import Delivery
from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import DroppedGap

if TYPE_CHECKING:
    import duckdb


class StoreFacts:
    """Answers from an open store. Nothing is asked of it before a rule wants to know."""

    def __init__(self, con: duckdb.DuckDBPyConnection, deliveries: Sequence[Delivery] = ()) -> None:
        self.con = con
        self.deliveries = [(" ".join(one.phrase.lower().split()), one) for one in deliveries]

    def delivery_contract(self, text: AgentText) -> str | None:
        """Return what the contract of a phrase in a text is worth: `holds`, why it is broken, None without a phrase."""
        if not self.deliveries:
            return None
        folded = " ".join(text.text.lower().split())
        for phrase, delivery in self.deliveries:
            if phrase in folded:
                return self._broken(delivery, text.symbol_id) or "holds"
        return None

    def dropped_gap(self, text: AgentText) -> DroppedGap | None:
        """Return the gap that a producer of what a text reports can give back, and that its formatter never reads."""
        return self._dropped.get(text.symbol_id) if text.symbol_id is not None else None

    def unmentioned_fields(self, text: AgentText) -> tuple[str, ...]:
        """Return the completeness fields of what a tool gives back."""
        return self._completeness.get((text.path, text.tool), ()) if text.tool else ()

    def is_effect_free(self, text: AgentText) -> bool | None:
        """Return whether the code that emits a text is known to have no side effect; None where it is not known."""
        return self._purity.get(text.symbol_id) if text.symbol_id is not None else None

    # ------------------------------------------------------------------------------------------------- contracts

    def _broken(self, delivery: Delivery, emitter: int | None) -> str | None:
        """Return why a contract is broken; None where it holds."""
        found: dict[str, int] = {}
        for key in ("persisted_by", "replayed_by", "acknowledged_by", "nudged_by"):
            written = getattr(delivery, key)
            if written is None:
                continue
            symbols = self._symbols(written)
            if len(symbols) != 1:
                return f"{key} names {'no symbol' if not symbols else f'{len(symbols)} symbols'}: {written}"
            found[key] = symbols[0]
        if emitter is None:
            return "the code that emits the phrase is not known"
        if found["persisted_by"] not in self._reached(emitter):
            return f"the code that emits the phrase does not reach {delivery.persisted_by}"
        for key in ("replayed_by", "acknowledged_by", "nudged_by"):
            if key in found and not self._called(found[key]):
                return f"nothing but tests calls {getattr(delivery, key)} ({key})"
        return None

    def _symbols(self, written: str) -> list[int]:
        path, separator, qualname = written.partition("::")
        if separator:
            rows = self.con.execute(
                "SELECT symbol_id FROM symbols WHERE path = ? AND qualname = ?", [path, qualname]
            ).fetchall()
            if rows:
                return [row[0] for row in rows]
        return [
            row[0] for row in self.con.execute("SELECT symbol_id FROM symbols WHERE qualname = ?", [written]).fetchall()
        ]

    def _reached(self, symbol: int) -> frozenset[int]:
        rows = self.con.execute(
            "WITH RECURSIVE reached(id) AS (SELECT ?::BIGINT UNION SELECT e.dst FROM reached JOIN edges e ON e.src = reached.id) "
            "SELECT id FROM reached",
            [symbol],
        ).fetchall()
        return frozenset(row[0] for row in rows)

    def _called(self, symbol: int) -> bool:
        row = self.con.execute(
            "SELECT count(*) FROM edges e JOIN symbols s ON s.symbol_id = e.src JOIN files f ON f.path = s.path "
            "WHERE e.dst = ? AND e.src <> e.dst AND NOT s.is_test AND f.role <> 'test'",
            [symbol],
        ).fetchone()
        return bool(row and row[0])

    # --------------------------------------------------------------------------------------------------- queries

    def _asked(self, name: str) -> list[tuple[Any, ...]]:
        self.con.execute(_sql("gap_fields"))
        return self.con.execute(_sql(name)).fetchall()

    @cached_property
    def _dropped(self) -> dict[int, DroppedGap]:
        rows = self._asked("dropped_gaps")
        return {row[0]: DroppedGap(*row[1:]) for row in rows}

    @cached_property
    def _completeness(self) -> dict[tuple[str, str], tuple[str, ...]]:
        rows = self._asked("completeness_fields")
        return {(path, tool): tuple(fields) for path, tool, fields in rows}

    @cached_property
    def _purity(self) -> dict[int, bool]:
        rows = self.con.execute(
            "SELECT symbol_id, purity = 'pure' FROM symbol_metrics WHERE purity <> 'unknown'"
        ).fetchall()
        return dict(rows)


def _sql(name: str) -> str:
    return files("scaup.rules").joinpath(f"{name}.sql").read_text("utf-8")
