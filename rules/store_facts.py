"""What rules ask of the code, answered from a fact store: each question by one query for all texts, on first use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from scaup.pipeline.text.configuration import Delivery
from scaup.pipeline.text.rows import AgentText
from scaup.rules import contracts
from scaup.rules.code_facts import DroppedGap, HiddenFailure
from scaup.rules.result_gaps import ResultGaps, find_producers, sql, table

if TYPE_CHECKING:
    import duckdb

# Lines between a call and the text that says what came of it.
_NEAR = 12
# Texts that code gives out; the others, such as descriptions, only speak of a delivery.
EMITTED = frozenset({"tool_result", "error_message", "notification", "hint", "permission"})


class StoreFacts:
    """Answers from an open store. Nothing is asked of it before a rule wants to know."""

    def __init__(self, con: duckdb.DuckDBPyConnection, deliveries: Sequence[Delivery] = ()) -> None:
        self.con = con
        self._phrases = [(" ".join(one.phrase.lower().split()), one) for one in deliveries]
        self._decided: dict[tuple[Delivery, int | None], str] = {}

    def delivery_contract(self, text: AgentText) -> str | None:
        """Return what the contract of a phrase in a text is worth: `holds`, why it is broken, None without a phrase."""
        if not self._phrases:
            return None
        folded = " ".join(text.text.lower().split())
        for phrase, delivery in self._phrases:
            if phrase in folded:
                emitter = text.symbol_id if text.surface in EMITTED else None
                key = (delivery, emitter)
                if key not in self._decided:
                    self._decided[key] = contracts.broken(self.con, delivery, emitter) or "holds"
                return self._decided[key]
        return None

    def dropped_gap(self, text: AgentText) -> DroppedGap | None:
        """Return the gap that a producer of what a text reports can give back, preferably one that nobody looks at."""
        return self._gaps.of(text) if self._has_gaps else None

    def unmentioned_fields(self, text: AgentText) -> tuple[str, ...]:
        """Return the completeness fields of what a tool gives back."""
        by_path = self._completeness.get(text.tool, {}) if text.tool else {}
        if len(by_path) == 1 and text.path not in by_path:
            return next(iter(by_path.values()))
        return by_path.get(text.path, ())

    def is_effect_free(self, text: AgentText) -> bool | None:
        """Return whether the code that emits a text, and all that calls it, is known to have no side effect."""
        return True if text.symbol_id in self._effect_free else None

    def hidden_failure(self, text: AgentText) -> HiddenFailure | None:
        """Return the function called shortly before a text that gives back nothing where it fails."""
        line = text.span.start_line
        for found, lines in self._hidden_failures.get(text.symbol_id, ()):
            if any(0 <= line - at <= _NEAR for at in lines):
                return found
        return None

    # --------------------------------------------------------------------------------------------------- queries

    @cached_property
    def _hidden_failures(self) -> dict[int | None, list[tuple[HiddenFailure, tuple[int, ...]]]]:
        found: dict[int | None, list[tuple[HiddenFailure, tuple[int, ...]]]] = {}
        for symbol, producer, path, line, exact, lines in self.con.execute(sql("hidden_failures")).fetchall():
            found.setdefault(symbol, []).append((HiddenFailure(producer, path, line, exact), tuple(lines)))
        return found

    @cached_property
    def _has_gaps(self) -> bool:
        return find_producers(self.con)

    @cached_property
    def _gaps(self) -> ResultGaps:
        return ResultGaps(self.con)

    @cached_property
    def _completeness(self) -> dict[str, dict[str, tuple[str, ...]]]:
        if not self._has_gaps:
            return {}
        kinds = [kind for kind, about in table()["kinds"].items() if about["completeness"]]
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for tool, path, fields in self.con.execute(sql("completeness_fields"), [kinds]).fetchall():
            found.setdefault(tool, {})[path] = tuple(fields)
        return found

    @cached_property
    def _effect_free(self) -> frozenset[int]:
        return frozenset(row[0] for row in self.con.execute(sql("effect_free")).fetchall())
