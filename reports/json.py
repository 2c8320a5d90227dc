"""The response object as JSON: one line, keys in the order of the response."""

from __future__ import annotations

import json
import re
from typing import Any

# JSON escapes C0 itself. The rest is as dangerous on a terminal, and only ever stands in strings, where an escape
# means the same character. A lone surrogate is no character: it is written as the byte that it stands for.
_UNSAFE = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def render(response: dict[str, Any]) -> str:
    """Return the response as one JSON object with a newline at its end."""
    return _UNSAFE.sub(_escape, json.dumps(response, ensure_ascii=False)) + "\n"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code < 0xDD00:
        return f"\\\\x{code - 0xDC00:02x}"
    return "\\ufffd" if 0xD800 <= code < 0xE000 else f"\\u{code:04x}"
