"""Strings of JSON: tool schemas and prompts, and nothing of the JSON that is neither."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from documents import rows, texts
from hypothesis import given
from hypothesis import strategies as st

from scaup.pipeline.text.documents import extract
from scaup.pipeline.text.rows import Segment, Span

SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "Where to look."},
        "mode": {
            "type": "string",
            "enum": ["fast and loose", "slow"],
            "enumDescriptions": ["Guesses a lot.", "Looks at each file."],
        },
        "filter": {
            "type": "object",
            "description": "What to keep.",
            "properties": {"kinds": {"type": "array", "items": {"type": "string", "description": "A kind of symbol."}}},
        },
        "description": {"type": "string", "description": "Why it is called."},
        "unit": {"oneOf": [{"const": "s", "description": "In seconds."}]},
    },
}


def described(source: Any) -> list[tuple[str | None, str | None, str | None, str]]:
    return [(row.surface, row.tool, row.parameter, row.text) for row in rows("json", json.dumps(source))]


@pytest.mark.parametrize("key", ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"])
def test_an_object_with_name_description_and_schema_is_a_tool(key: str) -> None:
    assert described({"tools": [{"name": "find", "description": "Finds symbols.", key: SCHEMA}]}) == [
        ("tool_description", "find", None, "Finds symbols."),
        ("parameter_description", "find", "path", "Where to look."),
        ("parameter_description", "find", "mode", "Guesses a lot."),
        ("parameter_description", "find", "mode", "Looks at each file."),
        ("parameter_description", "find", "filter", "What to keep."),
        ("parameter_description", "find", "filter.kinds", "A kind of symbol."),
        ("parameter_description", "find", "description", "Why it is called."),
        ("parameter_description", "find", "unit", "In seconds."),
    ]


def test_a_function_of_a_function_calling_schema_is_a_tool() -> None:
    function = {"name": "f", "description": "Does it.", "parameters": {"type": "OBJECT"}}
    assert described([{"type": "function", "function": function}]) == [("tool_description", "f", None, "Does it.")]


def test_a_tool_in_a_map_of_tools_has_its_key_for_a_name() -> None:
    assert described({"tools": {"go": {"description": "Goes.", "parameters": {"type": "object"}}}}) == [
        ("tool_description", "go", None, "Goes.")
    ]


def test_the_fields_of_a_result_are_no_parameters() -> None:
    tool = {
        "name": "f",
        "description": "Does it.",
        "outputSchema": {"type": "object", "properties": {"n": {"description": "How many."}}},
    }
    assert described(tool)[1:] == [("parameter_description", "f", None, "How many.")]


@pytest.mark.parametrize(
    "source",
    [
        {"name": "scaup", "description": "A package.", "version": "1", "scripts": {"run": "go go"}},
        {
            "openapi": "3.1.0",
            "paths": {
                "/a": {
                    "get": {
                        "description": "Gets.",
                        "parameters": [
                            {"name": "id", "in": "path", "description": "The id.", "schema": {"type": "object"}}
                        ],
                    }
                }
            },
        },
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "T", "description": "A schema.", **SCHEMA},
        {"name": "action", "description": "An action.", "inputs": {"token": {"description": "A token."}}},
        {"prompt": "Enter your name", "model": "Model", "tools": {"title": "All tools"}},
        {"system_prompt": "prompts/main.md"},
        {"a": 1},
        [],
    ],
)
def test_a_document_that_registers_nothing_has_no_strings(source: Any) -> None:
    assert described(source) == []


def test_keys_of_prompts_make_prompts_and_weak_ones_only_beside_a_model() -> None:
    assert [(row.surface, row.detail, row.text) for row in rows("json", '{"system_prompt": "You are kind."}')] == [
        ("prompt", "key system_prompt", "You are kind.")
    ]
    assert texts("json", '{"instructions": "Be kind, please."}') == []
    both = '{"agents": [{"model": "m-1", "instructions": "Be kind, please.", "prompt": ["First one.", "Then two."]}]}'
    assert [(row.surface, row.text) for row in rows("json", both)] == [
        ("instructions", "Be kind, please."),
        ("prompt", "First one."),
        ("prompt", "Then two."),
    ]


def test_translations_speak_of_prompts_to_people() -> None:
    source = '{"model": "gpt-4", "prompt": "Enter a prompt here"}'
    assert texts("json", source, path="a/x.json") == ["Enter a prompt here"]
    assert texts("json", source, path="src/locales/en.json") == []


def test_the_content_of_a_system_message_is_a_prompt() -> None:
    source = '[{"role": "system", "content": "Be kind, please."}, {"role": "user", "content": "Do it, please."}]'
    assert [(row.detail, row.text) for row in rows("json", source)] == [("system message", "Be kind, please.")]


def test_with_a_surface_all_prose_counts_but_what_names_the_file() -> None:
    source = '{"name": "My agent", "a": {"b": ["One two.", "three", 4, null]}, "c": "\u4f60\u597d\u4e16\u754c"}'
    found = [(row.surface, row.detail, row.text) for row in rows("json", source, "hint")]
    assert found == [("hint", "file name", "One two."), ("hint", "file name", "\u4f60\u597d\u4e16\u754c")]


def test_spans_and_segments_count_code_points_and_lines() -> None:
    source = '{"é": "x",\n "systemPrompt": "Sé \\"a\\" {{ name }} b\\u00e9 {n}."}'
    (row,) = rows("json", source)
    assert row.text == 'Sé "a" {name} bé {n}.'
    assert row.placeholders == ["name", "n"]
    assert row.span == Span(2, 18, 2, 52)
    assert row.segments == [
        Segment(0, 2, 19, 2, 22), Segment(3, 2, 22, 2, 24), Segment(4, 2, 24, 2, 25), Segment(5, 2, 25, 2, 27),
        Segment(6, 2, 27, 2, 28), Segment(7, 2, 28, 2, 38), Segment(13, 2, 38, 2, 40), Segment(15, 2, 40, 2, 46),
        Segment(16, 2, 46, 2, 47), Segment(17, 2, 47, 2, 50), Segment(20, 2, 50, 2, 51),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "text", "names"),
    [
        ("Hi {{name}}.", "Hi {name}.", ["name"]),
        ("Hi {{.User.Name}} and {{ $x }}.", "Hi {User.Name} and {x}.", ["User.Name", "x"]),
        ("Hi ${name}, {name}, {{{name}}}.", "Hi {name}, {name}, {name}.", ["name"] * 3),
        ("Hi {{ name | upper }} <%= name %>.", "Hi {name} {name}.", ["name", "name"]),
        ("Hi {{ toJson .X }} there.", "Hi {} there.", [""]),
        ("A {% if x %}b{% else %}c{% endif %} d.", "A bc d.", []),
        ("A {{if .X}}b{{else}}c{{end}} d {{#each y}}e{{/each}}.", "A bc d e.", []),
        ("A b\\n{% if x %}\\nc\\n{%- endif -%}\\nd", "A b\nc\nd", []),
        ('Give {{\\"a\\": 1}} or {\\"b\\": {}} back.', 'Give {{"a": 1}} or {"b": {}} back.', []),
        ("A {# a comment #}b {{!-- too --}}c <% if (x) { %>d.", "A b c d.", []),
    ],
)
def test_template_code_becomes_placeholders_or_nothing(written: str, text: str, names: list[str]) -> None:
    (row,) = rows("json", f'{{"x": "{written}"}}', "prompt")
    assert (row.text, row.placeholders) == (text, names)


def test_surrogates_are_joined_and_lone_ones_replaced() -> None:
    assert texts("json", r'{"x": "a b \ud83d\ude00 \ud83d c \udE00 \q"}', "hint") == [
        "a b \U0001f600 \ufffd c \ufffd \\q"
    ]


characters = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{<"), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | characters.map(lambda text: f"two words {text}"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcxyz"), inner, max_size=4),
    max_leaves=12,
)


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_nested_texts_are_those_that_a_json_parser_reads(value: Any, ascii_only: bool, indent: int | None) -> None:
    source = json.dumps({"v": value}, ensure_ascii=ascii_only, indent=indent)
    expected: list[str] = []
    todo = [json.loads(source)]
    while todo:
        read = todo.pop()
        if isinstance(read, dict | list):
            todo += reversed(list(read.values()) if isinstance(read, dict) else read)
        elif isinstance(read, str):
            expected.append(read)
    assert texts("json", source, "prompt") == expected


def test_comments_trailing_commas_duplicates_and_several_roots_are_read() -> None:
    source = '// c\n{"x": "one two", /* c */ "x": "three four",}\n{"y": "five six"}'
    assert texts("json", source, "hint") == ["one two", "three four", "five six"]


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xef\xbb\xbf",
        b"{",
        b'{"a',
        b'{"prompt": ',
        b'{"a": "\xff\xfe b c", \xff}',
        b"\x00" * 9,
        b'{"a" "b c" : }',
    ],
)
def test_broken_input_breaks_nothing(source: bytes) -> None:
    rows("json", source, "prompt")
    rows("json", source)


def test_what_parses_of_a_broken_schema_is_kept() -> None:
    source = '{"tools": [{"name": "f", "description": "Does it.", "parameters": {"type": "object"}}, {"name": ]}'
    assert texts("json", source) == ["Does it."]


@pytest.mark.parametrize("source", ["[" * 10_000, '{"properties":' * 10_000, "[" * 10_000 + '"a b"' + "]" * 10_000])
def test_deep_nesting_is_no_recursion(source: str) -> None:
    rows("json", source, "prompt")


def test_a_tool_nested_deep_is_found() -> None:
    tool = '{"name": "f", "description": "Does it.", "parameters": {"type": "object"}}'
    assert texts("json", '{"a": [' * 5_000 + tool + "]}" * 5_000) == ["Does it."]


def test_one_long_line_is_read_in_time_that_grows_with_it() -> None:
    tool = {"name": "f", "description": "Dóes it. " * 20, "parameters": SCHEMA}

    def seconds(count: int) -> float:
        source = json.dumps([tool] * count, ensure_ascii=False).encode()
        start = time.process_time()
        assert len(extract("json", "x", source, None).strings) == 8 * count
        return time.process_time() - start

    seconds(10)
    # Ten times the input: a hundred times the time is what squares would take.
    assert seconds(2_000) < 40 * max(seconds(200), 0.02)


def test_large_files_without_the_words_are_not_parsed() -> None:
    source = json.dumps([{"id": n, "description": "Two words"} for n in range(200_000)]).encode()
    start = time.process_time()
    assert extract("json", "x", source, None).strings == []
    assert time.process_time() - start < 1
