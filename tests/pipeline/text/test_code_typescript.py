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
    ("dedent`\n    one two\n      three ${x} four\n  `", "one two\n  three {x} four", ["x"]),
    ("String.raw`C:\\new ${p.q}\\tab here`", "C:\\new {p.q}\\tab here", ["p.q"]),
    ('["one two", more, "three four"].filter(Boolean).join("\\n")', "one two\n{more}\nthree four", ["more"]),
    ('"hello NAME there".replace("NAME", name)', "hello NAME there", []),
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
        ("tool_result", "find", None, "found {count} orders"),
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
                ("tool_description", "find", None, "looks it up"),
                ("parameter_description", "find", "q", "what to find"),
                ("tool_result", "find", None, "it was looked up"),
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


# One way to write a tool a line: source, name, description, parameter with its description, result.
TOOLS = [
    (
        """server.tool("t", "what t does", { p: z.string().min(1).optional().describe("the p of t") },
        { readOnlyHint: true }, async ({ p }) => ({ content: [{ type: "text", text: "what t gives" }] }));"""
    ),
    (
        """server.addTool({ name: "t", description: "what t does", parameters: z.object({ p: z.string().describe("the p of t") }),
        execute: async () => "what t gives" });"""
    ),
    (
        """const tools = { t: tool({ description: "what t does", inputSchema: z.object({ p: z.string().describe("the p of t") }),
        execute: async () => ({ message: "what t gives" }) }) };"""
    ),
    (
        """export default defineTool({ schema: { name: "t", description: "what t does",
        inputSchema: z.object({ p: z.string().describe("the p of t") }) },
        handle: async (context, params, response) => { response.addTextResult("what t gives"); } });"""
    ),
    (
        """new DynamicStructuredTool({ name: "t", description: "what t does",
        schema: z.object({ p: z.string().describe("the p of t") }), func: async () => "what t gives" });"""
    ),
    (
        """tool(async () => "what t gives", { name: "t", description: "what t does",
        schema: z.object({ p: z.string().describe("the p of t") }) });"""
    ),
    (
        """createTool({ id: "t", description: "what t does", inputSchema: z.object({ p: z.string().meta({ description: "the p of t" }) }),
        execute: async () => "what t gives" });"""
    ),
    (
        """host.registerTool({ name: "t", description: "what t does",
        parameters: Type.Object({ p: Type.Optional(Type.String({ description: "the p of t" })) }),
        async execute() { return { content: [{ type: "text", text: "what t gives" }] }; } });"""
    ),
    (
        """const name = "t";
        const config = { title: "Tee", description: "what t does", inputSchema: { p: z.string().describe("the p of t") } };
        server.registerTool(name, config, async () => { const text = `what t gives`; return { content: [{ type: "text", text }] }; });"""
    ),
]


@pytest.mark.parametrize("source", TOOLS)
def test_however_a_tool_is_registered_its_texts_are_told(source: str) -> None:
    found = {(surface, parameter, text) for surface, _, parameter, text in told(ts(source + "\n"))}
    assert found == {
        ("tool_description", None, "what t does"),
        ("parameter_description", "p", "the p of t"),
        ("tool_result", None, "what t gives"),
    }
    assert {tool for surface, tool, _, _ in told(ts(source + "\n")) if surface != "parameter_description"} == {"t"}


def test_a_handler_of_all_calls_answers_by_the_name_in_its_case() -> None:
    source = """
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "low":
      return textResult("what low gives");
    default:
      throw new Error(`Unknown tool: ${request.params.name}`);
  }
});
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "low", description: "what low does",
  inputSchema: { type: "object", properties: { p: { type: "array", items: { description: "one of p" } } } } }] }));
"""
    assert told(ts(source)) == [
        ("tool_result", "low", None, "what low gives"),
        ("error_message", None, None, "Unknown tool: {request.params.name}"),
        ("tool_description", "low", None, "what low does"),
        ("parameter_description", "low", "p", "one of p"),
    ]


def test_a_function_behind_a_request_or_a_decorator_is_a_handler() -> None:
    source = """
server.setRequestHandler(CallToolRequestSchema, answer);
class Orders { @Tool({ name: "count", description: "counts the orders" }) async count() { return "three of them"; } }
"""
    found = ts(source)
    assert {(handler.name, handler.tool) for handler in found.handlers} == {("answer", None), ("count", "count")}


def test_a_class_of_a_tool_describes_itself_to_its_base_and_its_calls_to_people() -> None:
    source = """
class ReadTool extends BaseDeclarativeTool<Params, ToolResult> {
  constructor() {
    super("read", "Read File", "reads one file", Kind.Read, { properties: { path: { description: "the file to read" } } });
  }
}
class ReadInvocation extends BaseToolInvocation<Params, ToolResult> {
  getDescription() { return "reading for people"; }
  async execute() { return { llmContent: "what was read", returnDisplay: "shown to people" }; }
}
class FindTool extends StructuredTool {
  name = "find";
  description = "finds all files";
  schema = z.object({ glob: z.string().describe("the files to find") });
}
"""
    found = ts(source)
    assert told(found) == [
        ("tool_description", "read", None, "reads one file"),
        ("parameter_description", "read", "path", "the file to read"),
        ("tool_description", "find", None, "finds all files"),
        ("parameter_description", "find", "glob", "the files to find"),
    ]
    assert (row(found, "what was").context, row(found, "shown to").context) == ("return", "log")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('generateText({ model, system: "the system", prompt: "the prompt" });', ["the system", "the prompt"]),
        ('Template.fromMessages([["system", "the system"], ["human", "the question"]]);', ["the system", "the question"]),
        ('query({ options: { agents: { critic: { description: "x y", prompt: "the prompt", tools } } } });', ["the prompt"]),
        ('server.registerPrompt("p", {}, () => ({ messages: [{ role: "user", content: { type: "text", text: "to ask" } }] }));',
         ["to ask"]),
        ("const renderSystemPrompt = (x) => `prompt with ${x}`;", ["prompt with {x}"]),
    ],
)  # fmt: skip
def test_prompts_are_told_by_what_takes_them(source: str, expected: list[str]) -> None:
    assert [text for surface, _, _, text in told(ts(source + "\n")) if surface == "prompt"] == expected


def test_what_a_module_exports_beside_its_schema_is_a_description() -> None:
    source = (
        'export const name = "find";\nexport const description = "finds an order";\nexport const inputSchema = {};\n'
    )
    assert told(ts(source)) == [("tool_description", "find", None, "finds an order")]
    assert told(ts('export const description = "a page of ours";\n')) == []


def test_parts_of_a_named_handler_have_their_context_and_branch() -> None:
    source = """
async function run(input) {
  if (input.dryRun) return textResult("would have run");
  try { await go(); } catch (e) { return errorResult(`went wrong: ${e}`); }
  const lines = ["a first line"];
  lines.push("a second line");
  return lines.join("\\n");
}
"""
    found = ts(source)
    assert [(r.context, r.branch) for r in sorted(found.strings, key=lambda r: r.span)] == [
        ("return", "dry_run"),
        ("raise", "error"),
        ("return", None),
        ("append", None),
    ]


# In a file that speaks of agents as well.
@pytest.mark.parametrize(
    "source",
    [
        'program.command("build <x>").description("builds it all").argument("[y]", "the y of it");',
        'yargs.option("p", { describe: "the port here", description: "the port again" });',
        'export const metadata = { title: "Some page", description: "shown by search engines" };',
        'const meta = { parameters: { docs: { description: { component: "a component here" } } } };',
        'const ConfigSchema = z.object({ key: z.string().describe("the key of it") });',
        'const command = { name: "/help", description: "shows the help", action: run };',
        'describe("a suite of tests", () => { it("does a thing", run); });',
        'const columns = [{ name: "price", description: "price of the item", type: "number" }];',
        'const route = { parameters: [{ name: "q", in: "query", description: "the query here" }], description: "a b" };',
        'const job = { name: "clean", description: "cleans at night", run: async () => "it was cleaned" };',
        'const setting = { name: "theme", description: "colour of it all", schema };',
        'useState({ prompt: "an example of it", model: "m" });',
        'new Function("a", "return a + 1");',
        'toast.error("it did not work");',
    ],
)  # fmt: skip
def test_texts_for_people_have_no_surface_in_a_program_with_agents_either(source: str) -> None:
    assert told(ts(source + "\n", path="agent/m.ts")) == []


def test_many_parameters_cost_no_more_each() -> None:
    members = ",".join(f"p{i}: {{ description: 'the p {i}' }}" for i in range(3000))
    source = f"const t = tool({{ name: 't', description: 'a b', parameters: {{ properties: {{ {members} }} }} }});\n"
    assert len(told(texts(source, "typescript", AGENT))) == 3001


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
