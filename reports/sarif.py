"""Findings as SARIF 2.1.0 (OASIS): one run, all rules declared, suppressed results with their justification.

The run of an audit that found nothing is there, with no results: "nothing found" is not "not run".
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from scaup.reports import findings, inert

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"high": "error", "medium": "warning", "low": "note"}
_ROOT = "SRCROOT"
_NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def render(response: dict[str, Any], version: str) -> str:
    """Return the log of one run; `version` is that of Scaup."""
    rules = response.get("rules", [])
    index = {rule["code"]: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "Scaup", "version": version, "rules": [_rule(rule) for rule in rules]}},
        "invocations": [_invocation(response)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(row, index) for row in response.get("diagnostics", ())],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=True, indent=2) + "\n"


def _rule(rule: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": rule["code"],
        "name": "".join(part.capitalize() for part in rule["name"].split("-")),
        "shortDescription": {"text": _message(rule["summary"])},
        "fullDescription": {"text": _message(" ".join(rule["help"].split()))},
        "help": {"text": _message(rule["help"]), "markdown": rule["help"]},
        "defaultConfiguration": {"level": _LEVELS[rule["severity"]]},
        "properties": {"tags": ["agents", f"class-{rule['class'].lower()}"]},
    }


def _invocation(response: dict[str, Any]) -> dict[str, Any]:
    level = "warning" if response["success"] else "error"
    notes = [{"level": level, "message": {"text": _message(gap)}} for gap in findings.missing(response)]
    return {"executionSuccessful": response["success"], "toolExecutionNotifications": notes}


def _result(row: dict[str, Any], index: dict[str, int]) -> dict[str, Any]:
    place = _location(row["path"])
    result: dict[str, Any] = {
        "ruleId": row["rule"],
        "ruleIndex": index.get(row["rule"], -1),
        "level": _LEVELS[row["severity"]],
        "message": {"text": _message(findings.message(row))},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": place,
                    "region": {**_region(row["span"]), "snippet": {"text": inert.block(row["text"])}},
                }
            }
        ],
        "partialFingerprints": {"scaup/v1": row["fingerprint"]},
        "properties": {
            name: row[name] for name in ("class", "surface", "evidence", "confidence", "reason", "habit")
        },
    }  # fmt: skip
    if (silenced := row["suppressed"]) is not None:
        kind = "inSource" if silenced["by"] == "comment" else "external"
        reason = silenced["reason"] or f"accepted by the {silenced['by']}"
        until = f" (until {silenced['until']})" if silenced["until"] else ""
        result["suppressions"] = [{"kind": kind, "justification": inert.line(reason + until)}]
    else:
        result["suppressions"] = []
    if row["edits"]:
        replacements: dict[str, list[dict[str, Any]]] = {}
        for edit in row["edits"]:
            one = {"deletedRegion": _region(edit["span"]), "insertedContent": {"text": edit["text"]}}
            replacements.setdefault(edit["path"], []).append(one)
        changes = [{"artifactLocation": _location(path), "replacements": of} for path, of in replacements.items()]
        result["fixes"] = [{"description": {"text": "The proposed wording"}, "artifactChanges": changes}]
    return result


def _location(path: str) -> dict[str, str]:
    # Surrogates that stand for bytes become those bytes; others are no text of any file system.
    known = _NO_BYTES.sub("\ufffd", path)
    return {"uri": quote(known, safe="/", errors="surrogateescape"), "uriBaseId": _ROOT}


def _region(span: dict[str, int]) -> dict[str, int]:
    return {
        "startLine": span["start_line"], "startColumn": span["start_column"],
        "endLine": span["end_line"], "endColumn": span["end_column"],
    }  # fmt: skip


def _message(text: str) -> str:
    """Return a text as a message: brackets would be links, braces places to fill (SARIF 3.11)."""
    escaped = inert.block(text).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return escaped.replace("{", "{{").replace("}", "}}")
