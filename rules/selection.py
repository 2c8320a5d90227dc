"""Which rules count for a file: selectors of the command line and of the nearest configuration."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from scaup.pipeline.response import ScaupError
from scaup.pipeline.text.configuration import AuditSettings, Globs
from scaup.rules import known_rules
from scaup.rules.model import Habit, Rule


def resolve(selectors: Iterable[str], origin: str) -> frozenset[str]:
    """Return the codes that selectors mean: a class letter, a code or its beginning, or a rule's name.

    Raises `invalid_config` for a selector that fits no rule, with the nearest that does.
    """
    found: set[str] = set()
    for selector in selectors:
        wanted = selector.strip()
        code, name = wanted.upper(), wanted.lower()
        fitting = {rule.code for rule in known_rules() if rule.code.startswith(code) or rule.name == name}
        if wanted.upper() == "ALL":
            fitting = {rule.code for rule in known_rules()}
        if not wanted or (not fitting and wanted.upper() not in {habit.letter for habit in Habit}):
            raise ScaupError("invalid_config", f"{origin}: unknown rule {selector!r}{_nearest(wanted)}")
        found |= fitting
    return frozenset(found)


def find(name: str) -> Rule:
    """Return the rule of a code or name; raises `invalid_request` with the nearest one."""
    for rule in known_rules():
        if name.strip().upper() == rule.code or name.strip().lower() == rule.name:
            return rule
    raise ScaupError("invalid_request", f"unknown rule {name!r}{_nearest(name)}")


def _nearest(name: str) -> str:
    known = [known for rule in known_rules() for known in (rule.code, rule.name)]
    near = difflib.get_close_matches(name.upper(), known, 1, 0.5) or difflib.get_close_matches(
        name.lower(), known, 1, 0.5
    )
    return f"; did you mean {near[0]}?" if near else "; `scaup rules` lists them"


class Selection:
    """What the command line and the configurations select; each configuration is resolved once."""

    def __init__(self, select: Sequence[str] | None, ignore: Sequence[str]) -> None:
        self.selected = resolve(select, "--select") if select else None
        self.ignored = resolve(ignore, "--ignore")
        self._resolved: dict[str, tuple[frozenset[str], list[tuple[Globs, frozenset[str]]]]] = {}

    def of(self, path: str, settings: AuditSettings) -> frozenset[str]:
        """Return the codes that count for a path. --select takes the place of the configured `select`."""
        known = self._resolved.get(settings.origin)
        if known is None:
            known = self._resolved[settings.origin] = self._resolve(settings)
        codes, per_file = known
        for globs, ignored in per_file:
            if globs.fit(path):
                codes = codes - ignored
        return codes

    def _resolve(self, settings: AuditSettings) -> tuple[frozenset[str], list[tuple[Globs, frozenset[str]]]]:
        codes = self.selected
        origin = settings.origin
        if codes is None:
            codes = (
                resolve(settings.select, f"{origin}: audit.select")
                if settings.select is not None
                else frozenset(rule.code for rule in known_rules())
            )
        # Who selects some classes still wants to know that a suppression is void.
        codes = codes | resolve([Habit.UPKEEP.letter], "") if self.selected is None else codes
        codes = codes - self.ignored - resolve(settings.ignore, f"{origin}: audit.ignore")
        per_file = [
            (one.globs, resolve(one.rules, f"{one.origin}: audit.per-file-ignores"))
            for one in settings.per_file_ignores
        ]
        return codes, per_file
