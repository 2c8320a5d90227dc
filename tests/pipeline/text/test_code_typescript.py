"""Strings of JavaScript, TypeScript and TSX as an agent sees them: how they are written, and what they are to an agent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textfacts import assert_segments, only, row, slice_of, texts, told, written

from scaup.pipeline.text.found import Found

AGENT = "agent/tools/m.ts"
LANGUAGES = ("javascript", "typescript", "tsx")


def ts(source: str, path: str = AGENT, language: str = "typescript") -> Found:
    """Return what a file yields, with its segments checked."""
    found = texts(source, language, path)
    assert_segments(source, found)
    return found


FORMS = [
    ('"two words"', "two words", []),
    ("'it\\'s two words'", "it's two words", []),
    ("`a ${b.c} template`", "a {b.c} template", ["b.c"]),
    ("`a ${f(x)} template`", "a {} template", [""]),
    ('"one " + "more " + `word`', "one more word", []),
    ('"total: " + count + " files"', "total: {count} files", ["count"]),
    ('("in " + "brackets")', "in brackets", []),
    ('["line one", "line two"].join("\\n")', "line one\nline two", []),
    ("`  some words  `.trim()", "some words", []),
    ('"tab\\t and \\u00e9 and \\u{1F600} and \\x41"', "tab\t and é and 😀 and A", []),
    ('"a \\q needless escape"', "a q needless escape", []),
    ('"a \\\nline that goes on"', "a line that goes on", []),
    ("`a \\${name} that is none`", "a ${name} that is none", []),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("expression", "text", "placeholders"), FORMS)
def test_a_string_is_what_the_language_makes_of_it(
    language: str, expression: str, text: str, placeholders: list[str]
) -> None:
    source = f"const x = {expression};\n"
    string = only(ts(source, language=language))
    assert (string.text, list(string.placeholders)) == (text, placeholders)
    assert written(source, string) == expression


def test_a_template_in_a_template_is_a_string_of_its_own() -> None:
    source = "const x = `found ${n ? `${n} whole rows` : 'nothing at all'} here`;\n"
    found = ts(source)
    assert [(string.text, written(source, string)) for string in found.strings] == [
        ("found {} here", "`found ${n ? `${n} whole rows` : 'nothing at all'} here`"),
        ("{n} whole rows", "`${n} whole rows`"),
        ("nothing at all", "'nothing at all'"),
    ]


def test_columns_count_code_points() -> None:
    source = 'const é = "😀", x = "two words";\n'
    string = only(ts(source))
    assert string.span == (1, 20, 1, 31)
    assert slice_of(source, string.span) == '"two words"'


@given(st.text(min_size=1).filter(lambda text: max(text) < "\ud800" or min(text) > "\udfff"))
@settings(max_examples=60, deadline=None)
def test_what_json_writes_is_read_as_it_was(text: str) -> None:
    kept = text.encode("utf-8", "replace").decode("utf-8") + " two words"
    assert only(texts(f"const x = {json.dumps(kept)};\n", "typescript")).text == kept


SERVER = """
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "orders" });
server.registerTool("find", {
  title: "Find",
  description: "Finds orders by a word",
  inputSchema: { word: z.string().optional().describe("the word to look for") },
}, async ({ word }) => {
  if (!word) {
    return { isError: true, content: [{ type: "text", text: "no word was given" }] };
  }
  try {
    await go();
  } catch (error) {
    return { content: [{ type: "text", text: `it failed: ${error.message}` }] };
  }
  logger.info("for people alone");
  const message = `found ${count} orders`;
  return { content: [{ type: "text", text: message }] };
});
server.tool("drop", DROP_HELP, {}, handleDrop);
function handleDrop(name: string) {
  throw new Error("nothing was dropped");
}
"""


def test_a_registration_tells_description_parameters_results_and_errors() -> None:
    found = ts(SERVER)
    assert told(found) == [
        ("tool_description", "find", None, "Finds orders by a word"),
        ("parameter_description", "find", "word", "the word to look for"),
        ("error_message", "find", None, "no word was given"),
        ("tool_result", "find", None, "it failed: {error.message}"),
    ]
    assert row(found, "it failed").branch == "error"
    assert row(found, "for people").context == "log"
    assert (row(found, "found").context, row(found, "found").name) == ("return", "message")
    assert row(found, "nothing was").context == "raise"


def test_names_in_a_registration_are_references_and_handlers() -> None:
    found = ts(SERVER)
    assert ("DROP_HELP", "tool_description", "drop") in [(r.name, r.surface, r.tool) for r in found.references]
    assert ("handleDrop", "drop") in [(handler.name, handler.tool) for handler in found.handlers]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            'const find = tool({ description: "looks it up", parameters: z.object({ q: z.string().describe("what to find") }),'
            ' execute: async () => "it was looked up" });',
            [
                ("tool_description", None, None, "looks it up"),
                ("parameter_description", None, "q", "what to find"),
                ("tool_result", None, None, "it was looked up"),
            ],
        ),
        (
            'const tools = [{ name: "low", description: "A low level tool", inputSchema: { type: "object",'
            ' properties: { p: { type: "string", description: "the p of low" } } } }];',
            [
                ("tool_description", "low", None, "A low level tool"),
                ("parameter_description", "low", "p", "the p of low"),
            ],
        ),
        ("export const SYSTEM_PROMPT = `You are a clerk`;", [("prompt", None, None, "You are a clerk")]),
        (
            'new Agent({ name: "clerk", instructions: "You sell " + "books" });',
            [("instructions", None, None, "You sell books")],
        ),
        (
            'const messages = [{ role: "system", content: "You are a clerk" }];',
            [("prompt", None, None, "You are a clerk")],
        ),
    ],
)
def test_other_ways_to_write_texts_for_agents(source: str, expected: list[tuple[str, ...]]) -> None:
    assert told(ts(source + "\n")) == expected


@pytest.mark.parametrize(
    "source",
    [
        'program.command("build").description("builds the whole project");',
        'const User = z.object({ name: z.string().describe("name of the user") });',
        'app.get("/orders", (request, response) => response.send("no such order"));',
        'export default { title: "Some page", description: "shown by the search engines" };',
        'if (mode === "some other mode") run();',
        'test("it does what it says", () => {});',
    ],
)
def test_texts_for_people_have_no_surface(source: str) -> None:
    assert told(ts(source + "\n", path="src/site.ts")) == []


def test_text_between_tags_is_for_people() -> None:
    source = 'export const Page = () => <p title="a fine title">Some words of prose</p>;\n'
    assert told(ts(source, path="agent/page.tsx", language="tsx")) == []


@pytest.mark.parametrize(
    "source",
    ["const x = `not closed ${", 'const x = "not closed', "server.tool(", "const x = {description: 'a b'", "`${`${`${"],
)
def test_broken_sources_are_read_as_far_as_they_go(source: str) -> None:
    ts(source)


def test_deep_nesting_is_no_error() -> None:
    ts("const x = " + "[" * 3000 + '"two words"' + "]" * 3000 + ";\n")
    ts("const x = " + '"a b" + ' * 3000 + '"c d";\n')
