"""Strings of Rust as an agent sees them: how they are written, what they are to an agent, and what stands around them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from textfacts import assert_segments, only, row, texts, told, written

from scaup.pipeline.text.found import Found

AGENT = "agent/tools/m.rs"


def rust(source: str, path: str = AGENT) -> Found:
    """Return what a file of Rust yields, with its segments checked."""
    found = texts(source, "rust", path)
    assert_segments(source, found)
    return found


def value(expression: str) -> tuple[str, list[str]]:
    """Return text and placeholders of the one string in an expression."""
    string = only(rust(f"fn f() {{ let x = {expression}; }}\n"))
    return string.text, list(string.placeholders)


# ------------------------------------------------------------------------------------------------- how they are written

# Expressions that a program can print, with the text that it prints.
CONSTANTS = [
    ('"two words"', "two words"),
    (r'"a tab\t, a \"quote\" and a \\ \x41 \u{e9} \u{1F600}"', 'a tab\t, a "quote" and a \\ A é 😀'),
    ('"one line \\\n     and more of it"', "one line and more of it"),
    ('"one line\\\n\n\n   goes on"', "one linegoes on"),
    ('"one line\n  and another"', "one line\n  and another"),
    (r'r"a raw \n text"', r"a raw \n text"),
    ('r#"a "quoted" text"#', 'a "quoted" text'),
    ('r#"\n   in lines\n "#', "\n   in lines\n "),
    ('r##"a "#quoted text"##', 'a "#quoted text'),
    ('"some text".to_string()', "some text"),
    ('String::from("some text")', "some text"),
    ('concat!("one ", "and ", 2, " and ", true)', "one and 2 and true"),
    ('format!("no places in it")', "no places in it"),
    ('format!("{{braces}} in it")', "{braces} in it"),
    ('vec!["line one", "line two"].join("\\n")', "line one\nline two"),
    ('["line one", "line two"].concat()', "line oneline two"),
]


@pytest.mark.parametrize(("expression", "text"), CONSTANTS)
def test_a_string_is_what_its_expression_makes(expression: str, text: str) -> None:
    assert value(expression) == (text, [])


@pytest.mark.skipif(shutil.which("rustc") is None, reason="no compiler of Rust")
def test_the_compiler_agrees(tmp_path: Path) -> None:
    lines = "\n".join(f'print!("{{}}\\0", {expression});' for expression, _ in CONSTANTS)
    (tmp_path / "main.rs").write_text(f"fn main() {{ {lines} }}", encoding="utf-8")
    subprocess.run(["rustc", "-A", "warnings", "main.rs"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "main"], capture_output=True, check=True).stdout.decode()
    assert printed.split("\0")[:-1] == [text for _, text in CONSTANTS]


@pytest.mark.parametrize("escape", ["\\n", "\\t", "\\\\", '\\"', "\\r"])
def test_escapes_mean_what_json_means_by_them(escape: str) -> None:
    assert value(f'"a word{escape} more"')[0] == json.loads(f'"a word{escape} more"')


@pytest.mark.parametrize(
    ("expression", "text", "placeholders"),
    [
        ('b"some bytes \\x41"', "some bytes A", []),
        ('c"some more \\x41"', "some more A", []),
        ('format!("read {} of {total:>4} in {name:?}", n.len, total = x)', "read {n.len} of {total} in {name}",
         ["n.len", "total", "name"]),
        ('format!("{0} and {0} of {1:.2}", self.a, &b)', "{self.a} and {self.a} of {b}", ["self.a", "self.a", "b"]),
        ('format!("padded {:>1$} and {:.*}", a, w, p, b)', "padded {a} and {p}", ["a", "p"]),
        ('format!("made of {}", f(x))', "made of {}", [""]),
        ('format!(concat!("one half ", "of {}"), n)', "one half of {n}", ["n"]),
        ('Some("some text".into())', "some text", []),
        ('Cow::Borrowed("some text")', "some text", []),
        ('"some text".to_string() + &name + " more"', "some text{name} more", ["name"]),
        ('["line one", &name].join(" ")', "line one {name}", ["name"]),
        ('indoc! {"\n    Dear reader,\n      be well, {name}\n"}', "Dear reader,\n  be well, {name}\n", []),
        ('formatdoc! {r#"\n    Dear {name},\n      be well\n    "#}', "Dear {name},\n  be well\n", ["name"]),
        ('"a bad \\q escape"', "a bad \\q escape", []),
    ],
)  # fmt: skip
def test_a_string_with_places(expression: str, text: str, placeholders: list[str]) -> None:
    assert value(expression) == (text, placeholders)


def test_braces_of_a_plain_string_are_text() -> None:
    assert value('"a {name} here"') == ("a {name} here", [])


def test_strings_in_macros_in_macros_are_strings_of_their_own() -> None:
    found = rust('fn f() { let x = vec![json!({"a": format!("in {} there", y)}), Some("and text".to_string())]; }\n')
    assert [(s.text, list(s.placeholders)) for s in found.strings] == [("in {y} there", ["y"]), ("and text", [])]


def test_breaks_of_other_systems_are_line_feeds() -> None:
    found = texts(b'const X: &str = "one line\r\n and two \\\r\n   and three";\r\n', "rust")
    assert only(found).text == "one line\n and two and three"


def test_spans_count_code_points_and_end_behind_the_string() -> None:
    source = 'fn f() {\n    let é = 1; g(format!("ein Wort ß {}", é));\n}\n'
    string = only(rust(source))
    assert string.span == (2, 18, 2, 45)
    assert written(source, string) == 'format!("ein Wort ß {}", é)'
    assert [tuple(segment) for segment in string.segments] == [(0, 2, 27, 2, 38), (11, 2, 38, 2, 40)]


def test_the_span_of_a_macro_in_tokens_has_its_name() -> None:
    source = 'fn f() { let x = vec![format!("in {} there", y)]; }\n'
    assert written(source, only(rust(source))) == 'format!("in {} there", y)'


# -------------------------------------------------------------------------------------------------------- registrations


def test_attributes_and_doc_comments_of_tools_and_of_what_they_take() -> None:
    found = rust("""
use rmcp::tool;

#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct ReadRequest {
    /// The path to read.
    /// Must be absolute.
    #[serde(rename = "file_path")]
    pub path: String,
    #[schemars(description = "How many lines")]
    pub limit: u32,
    /** Where to start */
    offset: Option<Place>,
}

#[derive(JsonSchema)]
struct Place {
    /// Counted from one
    line: u32,
}

#[derive(JsonSchema)]
struct Settings {
    /// The colour of it
    colour: String,
    #[schemars(description = "How wide it is")]
    width: u32,
}

#[tool_router]
impl Server {
    /// Counts up by one.
    ///
    /// Returns the count.
    #[tool]
    async fn increment(&self) -> Result<CallToolResult, McpError> { todo!() }

    #[tool(name = "read_file", description = "Reads a file")]
    async fn read(&self, Parameters(ReadRequest { path, .. }): Parameters<ReadRequest>) -> String { todo!() }

    #[tool(description = concat!("Adds two ", "numbers"))]
    fn sum(&self, #[tool(param)] #[schemars(description = "the left one")] a: i32) -> String { todo!() }
}
""")
    assert told(found) == [
        ("parameter_description", "read_file", "file_path", "The path to read.\nMust be absolute."),
        ("parameter_description", "read_file", "limit", "How many lines"),
        ("parameter_description", "read_file", "offset", "Where to start "),
        ("parameter_description", "read_file", "line", "Counted from one"),
        ("tool_description", "increment", None, "Counts up by one.\n\nReturns the count."),
        ("tool_description", "read_file", None, "Reads a file"),
        ("tool_description", "sum", None, "Adds two numbers"),
        ("parameter_description", "sum", "a", "the left one"),
    ]
    assert [(h.name, h.tool) for h in found.handlers if h.symbol_id] == [
        ("increment", "increment"), ("read", "read_file"), ("sum", "sum"),
    ]  # fmt: skip


def test_attributes_that_describe_parameters_themselves() -> None:
    found = rust("""
#[rig_tool(description = "Divides two numbers", params(x = "The one on top", y = "The one below"))]
fn divide(x: i32, y: i32) -> Result<i32, Error> { todo!() }

#[swiftide::tool(description = "Greets a person", param(name = "who", description = "Whom to greet"))]
async fn greet(who: &str) -> String { todo!() }

#[mcp_tool(name = "say_hello", description = "Says hello to you")]
#[derive(JsonSchema)]
pub struct SayHelloTool {
    /// The name of you
    name: String,
}
""")
    assert told(found) == [
        ("tool_description", "divide", None, "Divides two numbers"),
        ("parameter_description", "divide", "x", "The one on top"),
        ("parameter_description", "divide", "y", "The one below"),
        ("tool_description", "greet", None, "Greets a person"),
        ("parameter_description", "greet", "who", "Whom to greet"),
        ("tool_description", "say_hello", None, "Says hello to you"),
        ("parameter_description", "say_hello", "name", "The name of you"),
    ]


def test_schemas_as_structs_and_maps() -> None:
    found = rust("""
fn shell() -> ToolSpec {
    let mut properties = BTreeMap::new();
    properties.insert("command".to_string(), JsonSchema::String { description: Some("What to run".to_string()) });
    let more = BTreeMap::from([("workdir".to_string(), JsonSchema::string(Some("Where to run".to_string())))]);
    ToolSpec::Function(ResponsesApiTool {
        name: "shell".to_string(),
        description: format!("Runs a command in {}", cwd.display()),
        parameters: JsonSchema::Object { properties, required: None },
    })
}
""")
    assert told(found) == [
        ("parameter_description", None, "command", "What to run"),
        ("parameter_description", None, "workdir", "Where to run"),
        ("tool_description", "shell", None, "Runs a command in {}"),
    ]


def test_schemas_as_json() -> None:
    found = rust("""
const ABOUT: &str = r#"Applies a "patch""#;
fn all() -> Vec<Tool> {
    vec![
        Tool::new("patch", ABOUT, json!({"properties": {"diff": {"type": "string", "description": "The diff of it"}}})),
        Tool::new("look", "Looks at it", object(json!({"properties": {"at": {"description": "What to see"}}}))),
    ]
}
fn one() -> Value {
    json!({"name": "grep", "description": "Finds a text", "input_schema": {"properties": {"q": {"description": "The text itself"}}}})
}
""")
    assert told(found) == [
        ("parameter_description", "patch", "diff", "The diff of it"),
        ("tool_description", "look", None, "Looks at it"),
        ("parameter_description", "look", "at", "What to see"),
        ("tool_description", "grep", None, "Finds a text"),
        ("parameter_description", "grep", "q", "The text itself"),
    ]


def test_a_constant_is_referred_to_where_it_is_registered() -> None:
    found = rust("""
fn a() -> Tool { Tool::new("patch", ABOUT, schema()) }
fn b() -> Tool { Tool { name: "b".into(), description: Some(texts::ABOUT_B.to_string()), input_schema: x } }
""")
    assert {(r.name, r.surface, r.tool) for r in found.references} == {
        ("ABOUT", "tool_description", "patch"), ("texts::ABOUT_B", "tool_description", "b"),
    }  # fmt: skip


def test_a_chain_that_builds_a_tool() -> None:
    found = rust("""
fn f() {
    let f = FunctionObjectArgs::default().name("weather").description("Tells the weather").build();
    let t = Tool::new("look").with_description("Looks at it");
    let r = GetPromptResult::new(messages).with_description("A review of it");
    let a = client.agent("m").preamble("You are kind.").build();
}
""")
    assert told(found) == [
        ("tool_description", "weather", None, "Tells the weather"),
        ("tool_description", "look", None, "Looks at it"),
        ("prompt", None, None, "You are kind."),
    ]


def test_traits_make_a_type_a_tool() -> None:
    found = rust("""
impl Tool for Adder {
    const NAME: &'static str = "add";
    async fn definition(&self, _prompt: String) -> ToolDefinition {
        ToolDefinition { name: "add".to_string(), description: "Adds x and y".to_string(),
            parameters: json!({"type": "object", "properties": {"x": {"description": "The first one"}}}) }
    }
    async fn call(&self, args: Args) -> Result<String, Error> { Ok(format!("the sum is {}", args.x)) }
}

impl Tool for Clock {
    fn name(&self) -> String { "clock".into() }
    fn description(&self) -> String { "Tells the time".into() }
    async fn run(&self, input: Value) -> Result<String, Error> { Err("no time for it".into()) }
}

impl ToolHandler for ShellHandler {
    async fn handle(&self, invocation: ToolInvocation) -> Result<ToolOutput, FunctionCallError> {
        Err(FunctionCallError::RespondToModel(format!("cannot run {}", name)))
    }
}
""")
    assert told(found) == [
        ("tool_description", "add", None, "Adds x and y"),
        ("parameter_description", "add", "x", "The first one"),
        ("tool_description", "clock", None, "Tells the time"),
        ("error_message", "ShellHandler", None, "cannot run {name}"),
    ]
    assert [(h.name, h.tool) for h in found.handlers] == [("call", "add"), ("run", "clock"), ("handle", "ShellHandler")]
    assert [(s.context, s.text) for s in found.strings if s.surface is None] == [
        ("return", "the sum is {args.x}"), ("raise", "no time for it"),
    ]  # fmt: skip


def test_results_and_errors_by_their_constructors() -> None:
    found = rust("""
async fn f(&self) -> Result<CallToolResult, McpError> {
    let n = self.bump().map_err(|e| McpError::internal_error(format!("cannot bump: {e}"), None))?;
    if n == 0 { return Ok(CallToolResult::error(vec![Content::text("nothing there")])); }
    Ok(CallToolResult::success(vec![Content::text(format!("count is {}", self.n))]))
}
""")
    assert told(found) == [
        ("error_message", None, None, "cannot bump: {e}"),
        ("error_message", None, None, "nothing there"),
        ("tool_result", None, None, "count is {self.n}"),
    ]
    assert next((s.context, s.branch) for s in found.strings) == ("raise", "error")
    assert row(found, "count").context == "return"


def test_prompts_and_instructions_by_name_and_by_key() -> None:
    found = rust("""
const SYSTEM_PROMPT: &str = "You are brief.";
fn system_prompt() -> String { format!("You are in {}.", dir) }
fn info() -> ServerInfo { ServerInfo { instructions: Some("Ask first.".into()), ..Default::default() } }
fn more() -> ServerInfo { ServerInfo::new(c).with_instructions("Ask twice.") }
""")
    assert [(surface, text) for surface, _, _, text in told(found)] == [
        ("prompt", "You are brief."), ("prompt", "You are in {dir}."), ("instructions", "Ask first."),
        ("instructions", "Ask twice."),
    ]  # fmt: skip


def test_included_files_have_the_surface_of_their_name_or_of_their_place() -> None:
    found = rust("""
const BASE_INSTRUCTIONS: &str = include_str!("../prompt.md");
static PATCH: &str = include_str!("patch.md");
const PAGE: &str = include_str!("page.html");
fn f() -> Tool { Tool::new("patch", PATCH, schema()) }
fn g() -> Tool { Tool { name: "g".into(), description: include_str!("g.md").into(), input_schema: x } }
fn h() { let e = include_str!("data.csv"); }
""")
    assert {(embed.target, embed.surface) for embed in found.embeds} == {
        ("../prompt.md", "instructions"), ("patch.md", "tool_description"), ("page.html", None),
        ("g.md", "tool_description"), ("data.csv", None),
    }  # fmt: skip


# ----------------------------------------------------------------------------------------------------- context and branch


def test_what_becomes_of_a_string() -> None:
    found = rust("""
const BANNER: &str = "at the top";

fn f(x: X) -> Result<String, Error> {
    let mut out = String::new();
    out.push_str("pushed to it");
    write!(out, "written to {}", x)?;
    tracing::info!(target: "x", "traced for {}", x);
    println!("printed for {x}");
    let text = "given back later";
    let other = "kept for itself";
    call("an argument only");
    if other == "compared with it" { return Err("made an error".into()); }
    ensure!(x.ok, "insisted on {}", x);
    let y = x.load().context("wrapped an error")?;
    let z = x.get().ok_or_else(|| format!("nothing for {}", x))?;
    if x.bad { bail!("gave up on {}", x) }
    x.all().map(|y| "mapped to it");
    Ok(text.to_string())
}
""")
    assert [(s.context, s.text.split()[0]) for s in found.strings] == [
        ("assign", "at"), ("append", "pushed"), ("append", "written"), ("log", "traced"), ("log", "printed"),
        ("return", "given"), ("assign", "kept"), ("argument", "an"), ("other", "compared"), ("raise", "made"),
        ("raise", "insisted"), ("raise", "wrapped"), ("raise", "nothing"), ("raise", "gave"), ("return", "mapped"),
    ]  # fmt: skip
    assert row(found, "traced").placeholders == ["x"]
    assert row(found, "at the top").name == "BANNER"


@pytest.mark.parametrize(
    ("body", "context"),
    [
        ('"some text".to_string()', "return"),
        ('if x { "some text" } else { y }', "return"),
        ('match x { A => { "some text" } _ => y }', "return"),
        ('let z = if x { "some text" } else { y }; w.len()', "assign"),
        ('{ "some text" }; y', "other"),
        ('Some(match x { _ => "some text" })', "return"),
        ("Box::pin(async move { Ok(\"some text\") })", "return"),
        ('unsafe { "some text" }', "return"),
        ('match x { "some text" => y, _ => z }', "other"),
        ('call("some text"); y', "argument"),
    ],
)  # fmt: skip
def test_the_last_expression_of_a_block_is_its_value(body: str, context: str) -> None:
    assert only(rust(f"fn f() -> T {{ {body} }}\n")).context == context


@pytest.mark.parametrize(
    ("body", "branch"),
    [
        ('match r { Err(e) => "some text", Ok(v) => v }', "error"),
        ('match r { Ok(v) => "some text", Err(e) => e }', None),
        ('if let Err(e) = r { "some text" } else { y }', "error"),
        ('if let Ok(v) = r { y } else { "some text" }', "error"),
        ('let Ok(v) = r else { return "some text"; }; v', "error"),
        ('if r.is_err() { return "some text"; } y', "error"),
        ('if args.dry_run { return "some text"; } y', "dry_run"),
        ('if !args.dry_run { return "some text"; } y', None),
        ('r.unwrap_or("some text")', None),
        ('r.map_err(|e| "some text")', "error"),
    ],
)
def test_branches(body: str, branch: str | None) -> None:
    assert only(rust(f"fn f() -> T {{ {body} }}\n")).branch == branch


# ------------------------------------------------------------------------------------------------------------- negative


@pytest.mark.parametrize(
    "source",
    [
        '/// A command line\n#[derive(Parser)]\nstruct Cli {\n    /// Be more verbose\n    #[arg(help = "Be so quiet")]\n    v: bool,\n}\n',
        "#[derive(JsonSchema)]\nstruct UserRequest {\n    /// The name of the user\n    name: String,\n}\n",
        '#[derive(ToSchema)]\nstruct User {\n    #[schema(description = "The name of it")]\n    name: String,\n}\n',
        '#[error("could not open {0}")]\nstruct E(String);\n',
        '#[doc = "What it does is this"]\nfn f() {}\n',
        'impl Command for Serve { fn description(&self) -> String { "Serves the site".into() } fn run(&self) {} }\n',
        'const PROMPT: &str = "Are you sure about it?";\n',
        'fn f() { json!({"name": "x", "description": "A thing of mine", "price": 3}); }\n',
        'fn f() { App::new("x").about("Does a thing").arg(Arg::new("a").help("The thing to do")); }\n',
    ],
)
def test_other_programs_have_no_text_for_agents(source: str) -> None:
    assert told(rust(source, "src/main.rs")) == []


# ------------------------------------------------------------------------------------------------------------ robustness


@pytest.mark.parametrize(
    "source",
    [
        b'const X: &str = "never closed',
        b'fn f() { format!("a {} b", ',
        b'fn f() { json!({"a": , "b c": "d e" }) }',
        b'const X: &str = "some \xff\xfe text"; const Y: &str = "other text";',
        b'#[tool(description)] fn f() {}\n#[tool(= "a b")] fn g() {}\n#[tool(description = "a b"',
        b'fn f() { format!(); concat!(); write!(x); vec![].join("a b"); indoc!(); }',
        b'fn f() { format!("{", x); format!("a {b", x); format!("a {0} {9} {:", x); }',
        b'fn f() { Tool::new(); Tool::new("a b"); tool::<"a b">("c d"); }',
    ],
)
def test_broken_sources_are_read_as_far_as_they_go(source: bytes) -> None:
    texts(source, "rust", AGENT)


def test_long_sums_and_deep_nesting_are_no_trouble() -> None:
    total = '"some text".to_string()' + ' + "some text"' * 1500
    assert only(texts(f"fn f() {{ let x = {total}; }}", "rust")).text == "some text" * 1501
    texts("fn f() { let x = " + "format!(" * 300 + '"some {} text"' + ")" * 300 + "; }", "rust", AGENT)
    texts("fn f() { let x = json!(" + '{"properties": ' * 300 + '"some text"' + "}" * 300 + "); }", "rust", AGENT)
    texts("fn f() { x" + '.call("some text")' * 300 + "; }", "rust", AGENT)
