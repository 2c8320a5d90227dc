"""The baseline: findings that were there when the audit was adopted. Only new ones fail.

A file of JSON, one entry a rule, path and text (white space folded), with the number of findings that it accepts: lines
may move, and a text that comes again is new.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scaup.pipeline.response import ScaupError
from scaup.rules.suppression import Silenced, folded

NAME = "scaup-baseline.json"  # in the root, where nothing else is configured
VERSION = 1
Key = tuple[str, str, str]  # rule, path, text


@dataclass
class Baseline:
    """Accepted findings; `left` are those that nothing has matched yet."""

    path: str
    accepted: Counter[Key] = field(default_factory=Counter)
    left: Counter[Key] = field(default_factory=Counter)

    def silence(self, row: Mapping[str, Any]) -> Silenced | None:
        """Return that a finding is accepted, and take it off those that are left."""
        key = key_of(row)
        if not self.left[key]:
            return None
        self.left[key] -= 1
        return Silenced("baseline", None, None, self.path, None)

    def member(self, is_in_scope: Callable[[str, str], bool]) -> dict[str, Any]:
        """Return what answers say of it; `is_in_scope` tells of a rule and path whether they were looked at."""
        stale = [
            {"rule": rule, "path": path, "text": text}
            for (rule, path, text), number in sorted(self.left.items())
            for _ in range(number)
            if is_in_scope(rule, path)
        ]
        accepted = self.accepted.total()
        return {
            "path": self.path,
            "entries": accepted,
            "matched": accepted - self.left.total(),
            "stale": stale,
        }


def key_of(row: Mapping[str, Any]) -> Key:
    """Return what a baseline knows a finding by."""
    return row["rule"], row["path"], folded(row["text"])


def read(root: Path, path: str) -> Baseline:
    """Read a baseline, given relative to the root.

    Raises `path_not_found`, or `invalid_config` for a file that is no baseline of this version.
    """
    try:
        document = json.loads((root / path).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise ScaupError(
            "path_not_found", f"The baseline {path} does not exist; `scaup audit --write-baseline` makes it."
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ScaupError("invalid_config", f"{path} is no baseline: {error}") from error
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise ScaupError("invalid_config", f"{path} is no baseline of version {VERSION}")
    accepted: Counter[Key] = Counter()
    rows = document.get("findings")
    for number, row in enumerate(rows if isinstance(rows, list) else [None], 1):
        known = row if isinstance(row, dict) else {}
        rule, place, text, count = known.get("rule"), known.get("path"), known.get("text"), known.get("count", 1)
        is_named = isinstance(rule, str) and isinstance(place, str) and isinstance(text, str)
        if not is_named or type(count) is not int or count < 1:
            raise ScaupError("invalid_config", f"{path}: finding {number} has no rule, path, text and count")
        accepted[str(rule), str(place), str(text)] += count
    return Baseline(path, accepted, accepted.copy())


def write(root: Path, path: str, diagnostics: Iterable[Mapping[str, Any]]) -> int:
    """Write the findings that nothing else silences as a baseline, in one step; return their number.

    Raises `invalid_request` where it cannot be written.
    """
    accepted = Counter(
        key_of(row)
        for row in diagnostics
        if row["class"] != "S" and (row["suppressed"] is None or row["suppressed"]["by"] == "baseline")
    )
    rows = [
        {"rule": rule, "path": place, "text": text, "count": number}
        for (rule, place, text), number in sorted(accepted.items(), key=lambda one: (one[0][1], one[0][0], one[0][2]))
    ]
    content = json.dumps({"version": VERSION, "findings": rows}, ensure_ascii=True, indent=2) + "\n"
    target = root / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.partial")
        partial.write_text(content, encoding="utf-8", newline="\n")
        partial.replace(target)
    except OSError as error:
        raise ScaupError("invalid_request", f"{path} cannot be written: {error.strerror}.") from error
    return accepted.total()
