"""The configuration that applies, as text: a setting a line, and the file that says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scaup.reports import inert
from scaup.reports.paint import Paint


def config(response: dict[str, Any], paint: Paint) -> Iterator[str]:
    """Yield a line for each setting; the schema as it is, where that was asked for."""
    if "schema" in response:
        yield from json.dumps(response["schema"], indent=2).split("\n")
        return
    rows = response["settings"]
    lines = [(row["key"], inert.line(row["origin"]), _value(row["value"])) for row in rows]
    widths = [max(len(line[number]) for line in lines) for number in (0, 1)]
    for key, origin, value in lines:
        yield f"{paint.name(f'{key:<{widths[0]}}')}  {paint.minor(f'{origin:<{widths[1]}}')}  {value}"
    counting = paint.name("rules".ljust(widths[0]))
    yield f"{counting}  {'':<{widths[1]}}  {', '.join(response['rules']) or 'none'}"


def _value(value: Any) -> str:
    return "-" if value is None else inert.line(json.dumps(value, ensure_ascii=False))
