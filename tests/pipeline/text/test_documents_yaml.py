"""Strings of YAML: every form of scalar, by values worked out from the specification."""

from __future__ import annotations

import pytest
from documents import rows, texts

from scaup.pipeline.text.rows import Span


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("one two  # a comment", "one two"),
        ("one\n  two\n\n\n  three", "one two\n\nthree"),
        ("it's # one".replace(" #", "#") + " two", "it's# one two"),
        ("'it''s one'", "it's one"),
        ("'one  \n\n   two \\n'", "one\ntwo \\n"),
        ('"one\\ttwo \\x41\\u00e9\\U0001F600 \\"x\\""', 'one\ttwo Aé\U0001f600 "x"'),
        ('"one \\\n   two\\\n   three\n   four"', "one twothree four"),
        ('"one two\\  \n\n  x \\ud83d\\ude00 \\ud83d"', "one two \nx \U0001f600 \ufffd"),
        ("|\n  one two\n   three\n\n  four\n\n", "one two\n three\n\nfour\n"),
        ("|-\n  one two\n\n", "one two"),
        ("|+\n  one two\n\n\n", "one two\n\n\n"),
        ("|2\n    one two\n", "  one two\n"),
        ("|-3 # a comment\n    one two\n", " one two"),
        ("|\n\n\n  one two\n", "\n\none two\n"),
        (">\n  one\n  two\n\n  three\n", "one two\nthree\n"),
        (">-\n  one\n  two\n    - more\n    - and more\n  three\n\n\n", "one two\n  - more\n  - and more\nthree"),
        (">+\n\n  one\n\n\n  two\n\n", "\none\n\ntwo\n\n"),
        ("!!str &anchor one two", "one two"),
        ("!custom >-\n  one\n  two\n", "one two"),
    ],
)
def test_every_form_of_scalar_is_decoded(written: str, text: str) -> None:
    for end in ("\n", "\r\n"):
        source = f"x: {written.removesuffix(chr(10))}\nend: one two\n".replace("\n", end)
        assert texts("yaml", source, "hint") == [text, "one two"]


def test_a_block_scalar_in_a_list_is_indented_against_the_list() -> None:
    assert texts("yaml", "a:\n- |1\n   one two\n-  - b: |2\n         three four\n", "hint") == [
        "  one two\n",
        "  three four\n",
    ]


def test_spans_reach_over_the_whole_scalar() -> None:
    first, second = rows("yaml", "é: 'one two'\nx:\n  y: >-\n    óne\n    two\n", "hint")
    assert first.span == Span(1, 4, 1, 13)
    assert second.span == Span(3, 6, 5, 8)
    assert [tuple(segment) for segment in second.segments] == [
        (0, 4, 5, 4, 8), (3, 4, 8, 5, 5), (4, 5, 5, 5, 8)
    ]  # fmt: skip


def test_documents_flow_collections_and_aliases() -> None:
    source = (
        "--- \na: &x one two\nb: *x\n? three four\n: {c: [five six, 'seven eight'], <<: *x}\n---\n- nine ten\n...\n"
    )
    assert texts("yaml", source, "hint") == ["one two", "five six", "seven eight", "nine ten"]


def test_a_tool_in_yaml_is_one() -> None:
    source = """
tools:
  - name: find
    description: >
      Finds {what}
      and more.
    input_schema:
      type: object
      properties:
        a: {type: string, description: The first one.}
        b: {type: object, properties: {c: {description: "Of \\"b\\"."}}}
"""
    assert [(row.surface, row.tool, row.parameter, row.text, row.placeholders) for row in rows("yaml", source)] == [
        ("tool_description", "find", None, "Finds {what} and more.\n", ["what"]),
        ("parameter_description", "find", "a", "The first one.", []),
        ("parameter_description", "find", "b.c", 'Of "b".', []),
    ]


def test_prompts_count_by_key_and_weak_keys_beside_a_model() -> None:
    assert texts("yaml", "system_prompt: You are kind.\nother: not this\n") == ["You are kind."]
    assert texts("yaml", "name: ask\nprompt: Your name, please\n") == []
    source = "model: m-1\ntemperature: 0.2\nmessages:\n- {role: system, content: Be kind.}\nprompt: |\n  Do it now.\n"
    assert texts("yaml", source) == ["Be kind.", "Do it now.\n"]
    assert texts("yaml", "researcher:\n  role: Researcher\n  backstory: You read a lot.\n") == ["You read a lot."]


def test_workflows_and_specifications_have_none() -> None:
    source = """
name: CI
description: Builds and tests
inputs: {token: {description: A token to use, type: string}}
jobs: {test: {steps: [{name: Run it, run: make test}]}}
components: {schemas: {A: {type: object, description: An object., properties: {n: {description: A number.}}}}}
paths: {/a: {get: {operationId: a, description: Gets it., parameters: [{name: id, in: query, description: The id.}]}}}
"""
    assert texts("yaml", source) == []


def test_numbers_words_and_duplicates() -> None:
    assert texts("yaml", "1: one two\ntrue: three four\ntrue: five six\nx: 12\ny: null\nz: 2001-01-01\n", "hint") == [
        "one two",
        "three four",
        "five six",
    ]


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"---",
        b"a: |",
        b"a: |+\n\n",
        b"a: 'x y",
        b"a: [b, {c: ",
        b"\xff\xfe: \xffa b",
        b"\ta: b c",
        b"a: {{ b c }}\n%x",
        b"- " * 10_000 + b"a b",
        b"[" * 10_000,
        b"".join(b" " * n + b"a:\n" for n in range(1_000)),
        b"? " * 5_000,
    ],
)
def test_broken_and_deep_input_breaks_nothing(source: bytes) -> None:
    rows("yaml", source, "prompt")


def test_what_parses_beside_an_error_is_kept() -> None:
    assert "one two" in texts("yaml", "a: one two\nb: {{ x }}\n  : ]\n", "hint")
