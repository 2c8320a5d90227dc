"""Strings of TOML, against the parser of the standard library."""

from __future__ import annotations

import time
import tomllib
from typing import Any

import pytest
from documents import rows, texts
from hypothesis import given
from hypothesis import strategies as st

from scaup.pipeline.text.documents import extract, toml_tree
from scaup.pipeline.text.documents.tree import Document, Scalar, Value
from scaup.pipeline.text.rows import Span

EVERY_FORM = '''
a = "one \\"two\\" \\u00e9 \\U0001F600 \\t three"
b = 'one \\n "two"'
c = """
one
  two \\   
     three ""four"""""
d = \'\'\'
one \\
two\'\'\'
[table."dotted key".x]
e.f = ["one two", { g = "three four", h = 1 }]
[[list]]
i = "one two"
[[list]]
[list.inner]
i = "three four"
'''  # noqa: W291


def value(document: Document, read: Value) -> Any:
    """Return what has been read as plain values, None for what is no string. Recursive, for small documents."""
    if isinstance(read, Scalar):
        return None if read.form == "bare" else document.text(read)
    if read.keyed:
        return {key: value(document, member) for key, member in read.members}
    return [value(document, member) for _, member in read.members]


def strings(parsed: Any) -> Any:
    if isinstance(parsed, dict):
        return {key: strings(member) for key, member in parsed.items()}
    if isinstance(parsed, list):
        # Lists are read without their numbers.
        return [strings(member) for member in parsed if isinstance(member, str | list | dict)]
    return parsed if isinstance(parsed, str) else None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tables_and_strings_are_those_of_a_toml_parser(end: str) -> None:
    source = EVERY_FORM.replace("\n", end)
    document = toml_tree.document(source.encode())
    assert value(document, document.roots[0]) == strings(tomllib.loads(source))
    rows("toml", source, "hint")


pieces = st.sampled_from(
    ["one", " ", "é", '"', "'", '\\"', "\\\\", "\\n", "\\u00e9", "\n", "\r\n", "\\\n ", "\\ \n  ", "\\", '""', "#", "="]
)


@given(st.lists(pieces, max_size=10).map("".join), st.sampled_from(['"', "'", '"""', "'''"]))
def test_any_string_is_decoded_as_by_a_toml_parser(inner: str, quotes: str) -> None:
    source = f"x = {quotes}{inner}{quotes}\ny = [{quotes}{inner}{quotes}]\n"
    try:
        expected = tomllib.loads(source)
    except tomllib.TOMLDecodeError:
        return
    document = toml_tree.document(source.encode())
    assert value(document, document.roots[0]) == expected


def test_a_command_is_a_prompt_by_the_name_of_its_file() -> None:
    source = 'description = "Reviews a change"\nprompt = """\nLook at {{args}}.\nThen stop."""\n'
    assert [(row.surface, row.detail, row.text, row.span) for row in rows("toml", source, "prompt")] == [
        ("prompt", "file name", "Reviews a change", Span(1, 15, 1, 33)),
        ("prompt", "file name", "Look at {args}.\nThen stop.", Span(2, 10, 4, 14)),
    ]


def test_prompts_count_by_key_beside_a_model() -> None:
    source = '[agents.a]\nmodel = "m-1"\ninstructions = "Be kind, please."\n[tool.x]\ndescription = "Not this one."\n'
    assert [(row.surface, row.detail, row.text) for row in rows("toml", source)] == [
        ("instructions", "key instructions", "Be kind, please.")
    ]
    assert texts("toml", '[project]\nname = "x"\ndescription = "A package."\n') == []


def test_many_tables_are_read_in_seconds() -> None:
    source = "".join(f'[a{n}]\nx = "one two"\n' for n in range(20_000))
    start = time.process_time()
    assert len(extract("toml", "x", source.encode(), "hint").strings) == 20_000
    assert time.process_time() - start < 30


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"a",
        b"a =",
        b'a = "x y',
        b'a = """x y',
        b"[",
        b"[[a]",
        b"[a]\n[[a]]\nb = 'c d'",
        b"\xff = '\xff a'",
        b"a = 'b c' 'd'",
        b"a = " + b"[" * 10_000,
        b".".join([b"a"] * 10_000) + b" = 'b c'",
        b"a = " + b"{b=" * 10_000 + b"1" + b"}" * 10_000,
    ],
)
def test_broken_and_deep_input_breaks_nothing(source: bytes) -> None:
    rows("toml", source, "prompt")
