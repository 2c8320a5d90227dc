"""Strings of Go as an agent sees them: how they are written, what they are to an agent, and what stands around them."""

from __future__ import annotations

import ast
import json

import pytest
from textfacts import assert_segments, only, row, slice_of, texts, told, written

from scaup.pipeline.text.found import Found

AGENT = "agent/tools/m.go"
HEAD = "package p\n"


def go(body: str, path: str = AGENT) -> Found:
    """Return what a file of Go yields, with its segments checked."""
    found = texts(HEAD + body, "go", path)
    assert_segments(HEAD + body, found)
    return found


def value(expression: str) -> tuple[str, list[str]]:
    """Return text and placeholders of the one string in an expression."""
    string = only(go(f"var x = {expression}\n"))
    return string.text, list(string.placeholders)


# ------------------------------------------------------------------------------------------------- how they are written


@pytest.mark.parametrize(
    ("expression", "text", "placeholders"),
    [
        ('"two words"', "two words", []),
        ('`raw \\n "text"\nin lines`', 'raw \\n "text"\nin lines', []),
        ('"one " + "more " + `word`', "one more word", []),
        ('"total: " + count + " files"', "total: {count} files", ["count"]),
        ('"total: " + f(x) + " files"', "total: {} files", [""]),
        ('("in " + ("brackets " + name))', "in brackets {name}", ["name"]),
        ('fmt.Sprintf("read %s of %d lines", file.Path, n)', "read {file.Path} of {n} lines", ["file.Path", "n"]),
        ('fmt.Sprintf("%d%% of %[2]s and %[1]d", n, name)', "{n}% of {name} and {n}", ["n", "name", "n"]),
        ('fmt.Sprintf("wide %*d and %q", width, n, s)', "wide {n} and {s}", ["n", "s"]),
        ('fmt.Sprintf("first "+"half of %v", len(x))', "first half of {}", [""]),
        ('strings.Join([]string{"line one", "line two", name}, "\\n")', "line one\nline two\n{name}", ["name"]),
        ('strings.Join([]string{"line one", "line two"}, sep)', "line one{}line two", []),
        ('[]byte("some bytes")', "some bytes", []),
        ('string("some text")', "some text", []),
        ('anthropic.String("some text")', "some text", []),
        ("heredoc.Doc(`\n\t\tDear reader,\n\t\t  be well\n\t`)", "Dear reader,\n  be well\n", []),
    ],
)
def test_a_string_is_what_its_expression_makes(expression: str, text: str, placeholders: list[str]) -> None:
    assert value(expression) == (text, placeholders)


@pytest.mark.parametrize("escape", ["\\n", "\\t", "\\\\", '\\"', "\\u00e9", "\\r", "\\b", "\\f"])
def test_escapes_mean_what_json_means_by_them(escape: str) -> None:
    assert value(f'"a word{escape} more"')[0] == json.loads(f'"a word{escape} more"')


@pytest.mark.parametrize("escape", ["\\a", "\\v", "\\x41", "\\101", "\\U0001F600", "\\u4e16"])
def test_other_escapes_mean_what_python_means_by_them(escape: str) -> None:
    assert value(f'"a word{escape} more"')[0] == ast.literal_eval(f'"a word{escape} more"')


def test_escaped_bytes_side_by_side_are_one_character() -> None:
    assert value('"all done \\xe2\\x9c\\x93 now"')[0] == "all done ✓ now"


def test_an_escape_that_is_none_stays_as_written() -> None:
    assert value('"a bad \\q escape"')[0] == "a bad \\q escape"


def test_breaks_of_other_systems_are_line_feeds() -> None:
    found = texts(b"package p\r\nvar x = `one line\r\nand two`\r\n", "go")
    assert only(found).text == "one line\nand two"


def test_spans_count_code_points_and_end_behind_the_string() -> None:
    body = 'var x = f("é", "ein Wort" +\n\t"und mehr")\n'
    string = row(go(body), "ein Wort")
    assert string.span == (2, 16, 3, 12)
    assert written(HEAD + body, string) == '"ein Wort" +\n\t"und mehr"'
    assert [tuple(segment) for segment in string.segments] == [(0, 2, 17, 2, 25), (8, 3, 3, 3, 11)]


def test_a_call_that_formats_is_a_part_of_the_string() -> None:
    body = 'var x = fmt.Sprintf("hello to %s", name)\n'
    assert written(HEAD + body, only(go(body))) == 'fmt.Sprintf("hello to %s", name)'


def test_each_of_several_names_gets_the_value_of_its_place() -> None:
    found = go('var a, b = "first one", "second one"\nfunc f() { c, d := "third one", "fourth one"; use(c, d) }\n')
    assert [(s.text.split()[0], s.name) for s in found.strings] == [
        ("first", "a"), ("second", "b"), ("third", "c"), ("fourth", "d"),
    ]  # fmt: skip


# -------------------------------------------------------------------------------------------------------- registrations


def test_tools_and_parameters_of_calls_with_options() -> None:
    found = go("""
func tools(s *server.MCPServer) {
	t := mcp.NewTool("find_file",
		mcp.WithDescription("Finds a "+"file"),
		mcp.WithString("name", mcp.Required(), mcp.Description("Name of the file")),
		mcp.WithObject("opts", mcp.Properties(map[string]any{"deep": map[string]any{"description": "Look deeper"}})),
	)
	s.AddTool(t, findFile)
}
""")
    assert told(found) == [
        ("tool_description", "find_file", None, "Finds a file"),
        ("parameter_description", "find_file", "name", "Name of the file"),
        ("parameter_description", "find_file", "deep", "Look deeper"),
    ]
    assert [(h.name, h.tool) for h in found.handlers] == [("findFile", "find_file")]


def test_tools_as_structs_and_the_functions_beside_them() -> None:
    found = go("""
func tools(s *mcp.Server) {
	mcp.AddTool(s, &mcp.Tool{Name: "greet", Description: `Says hi to all`}, greet)
	all := []api.ServerTool{{Tool: api.Tool{Name: "pods", Description: "Lists the pods", InputSchema: &jsonschema.Schema{
		Properties: map[string]*jsonschema.Schema{"ns": {Type: "string", Description: "The name space"}}}}, Handler: pods}}
}
""")
    assert told(found) == [
        ("tool_description", "greet", None, "Says hi to all"),
        ("tool_description", "pods", None, "Lists the pods"),
        ("parameter_description", "pods", "ns", "The name space"),
    ]
    assert {(h.name, h.tool) for h in found.handlers} == {("greet", "greet"), ("pods", "pods")}


@pytest.mark.parametrize(
    ("declaration", "tool", "parameter"),
    [
        (
            """anthropic.ToolParam{Name: "weather", Description: anthropic.String("Tells the weather"),
            InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{
                "place": map[string]any{"type": "string", "description": "Where to look"}}}}""",
            ("weather", "Tells the weather"), ("place", "Where to look"),
        ),
        (
            """openai.FunctionDefinitionParam{Name: "weather", Description: openai.String("Tells the weather"),
            Parameters: openai.FunctionParameters{"type": "object", "properties": map[string]any{
                "place": map[string]string{"type": "string", "description": "Where to look"}}}}""",
            ("weather", "Tells the weather"), ("place", "Where to look"),
        ),
        (
            """&genai.FunctionDeclaration{Name: "roll", Description: "Rolls some dice", Parameters: &genai.Schema{
            Properties: map[string]*genai.Schema{"sides": {Type: genai.TypeInteger, Description: "How many sides"}}}}""",
            ("roll", "Rolls some dice"), ("sides", "How many sides"),
        ),
        (
            """&schema.ToolInfo{Name: "ask", Desc: "Asks a person", ParamsOneOf: schema.NewParamsOneOfByParams(
            map[string]*schema.ParameterInfo{"q": {Type: schema.String, Desc: "What to ask"}})}""",
            ("ask", "Asks a person"), ("q", "What to ask"),
        ),
        (
            """llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: "add", Description: "Adds two numbers",
            Parameters: map[string]any{"properties": map[string]any{"a": map[string]any{"description": "One number"}}}}}""",
            ("add", "Adds two numbers"), ("a", "One number"),
        ),
    ],
)  # fmt: skip
def test_schemas_as_literals(declaration: str, tool: tuple[str, str], parameter: tuple[str, str]) -> None:
    assert told(go(f"var t = {declaration}\n")) == [
        ("tool_description", tool[0], None, tool[1]),
        ("parameter_description", tool[0], parameter[0], parameter[1]),
    ]


def test_a_tool_by_positions_with_the_types_that_it_takes() -> None:
    found = go("""
const About = "Searches the code"

type SearchParams struct {
	Query string `json:"query,omitempty" description:"What to look \\"for\\""`
	Limit int    `json:"limit" jsonschema:"minimum=1,description=How many hits\\\\, at most"`
	Deep  bool   `jsonschema:"whether to look into archives"`
	Items []Item `json:"items"`
	Mode  string `json:"mode" jsonschema:"enum=a,enum=b"`
}

type Item struct {
	Name string `json:"name" jsonschema_description:"Name of the item"`
}

type Config struct {
	Model string `json:"model" jsonschema:"required,description=The model to use"`
}

func New() fantasy.AgentTool {
	return fantasy.NewAgentTool("search", About, func(ctx context.Context, p SearchParams, c fantasy.ToolCall) (R, error) {
		return fantasy.NewTextErrorResponse("nothing to " + "look for"), nil
	})
}
""")
    assert told(found) == [
        ("parameter_description", "search", "query", 'What to look "for"'),
        ("parameter_description", "search", "limit", "How many hits, at most"),
        ("parameter_description", "search", "Deep", "whether to look into archives"),
        ("parameter_description", "search", "name", "Name of the item"),
        ("error_message", "search", None, "nothing to look for"),
    ]
    assert [(r.name, r.surface, r.tool) for r in found.references] == [("About", "tool_description", "search")]


def test_a_tag_has_the_place_of_its_text() -> None:
    body = 'type RunParams struct {\n\tA string `json:"a" description:"Just run"`\n}\n'
    assert written(HEAD + body, only(go(body))) == "Just run"


def test_a_registry_may_stand_in_front_of_the_name() -> None:
    found = go("""
func f(g *genkit.Genkit) {
	genkit.DefineTool(g, "menu", "Finds the menu", func(ctx *ai.ToolContext, in MenuInput) (string, error) {
		return "the menu is empty", nil
	})
}
""")
    assert told(found) == [
        ("tool_description", "menu", None, "Finds the menu"), ("tool_result", "menu", None, "the menu is empty"),
    ]  # fmt: skip


def test_methods_make_a_type_a_tool() -> None:
    found = go("""
type calculator struct{}

func (calculator) Name() string { return "calc" }
func (c *calculator) Description() string {
	return `Does sums.
Takes an expression.`
}
func (c *calculator) Call(ctx context.Context, in string) (string, error) { return "the sum is " + in, nil }

type viewTool struct{}

func (t *viewTool) Info() ToolInfo {
	return ToolInfo{Name: "view", Description: "Shows a file", Parameters: map[string]any{
		"path": map[string]any{"type": "string", "description": "Which file"},
	}}
}
func (t *viewTool) Run(ctx context.Context, call ToolCall) (ToolResponse, error) { return t.show("the file"), nil }
""")
    assert told(found) == [
        ("tool_description", "calc", None, "Does sums.\nTakes an expression."),
        ("tool_description", "view", None, "Shows a file"),
        ("parameter_description", "view", "path", "Which file"),
    ]
    assert [(h.name, h.tool, h.symbol_id is not None) for h in found.handlers] == [
        ("Call", "calc", True), ("Run", "view", True),
    ]  # fmt: skip
    assert row(found, "the sum").context == "return"


def test_a_function_is_a_handler_by_its_types() -> None:
    found = go("""
func handle(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, errors.New("no name") }
func (c *Client) CallTool(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) { return c.next(r) }
""")
    assert [h.name for h in found.handlers] == ["handle"]
    assert (row(found, "no name").context, row(found, "no name").surface) == ("raise", None)


def test_what_a_literal_handler_gives_back() -> None:
    found = go("""
func tool(t T) (mcp.Tool, server.ToolHandlerFunc) {
	return mcp.NewTool("me", mcp.WithDescription(t("ME", "Who am I"))),
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			out, err := load(r)
			if err != nil {
				return nil, fmt.Errorf("cannot load: %w", err)
			}
			if r.DryRun {
				return mcp.NewToolResultText("would load it"), nil
			}
			if out == nil {
				return NewAPIErrorResponse(ctx, "the API failed", err), nil
			}
			return show(ctx, Options{Title: "A new session"}), nil
		}
}
""")
    assert told(found) == [
        ("tool_description", "me", None, "Who am I"),
        ("error_message", None, None, "cannot load: {err}"),
        ("tool_result", None, None, "would load it"),
        ("error_message", None, None, "the API failed"),
    ]
    assert [(s.branch, s.context) for s in found.strings if s.text.startswith(("cannot", "would"))] == [
        ("error", "raise"), ("dry_run", "return"),
    ]  # fmt: skip
    assert {"load", "show"} <= {h.name for h in found.handlers}


def test_content_of_a_result_that_is_an_error() -> None:
    found = go("""
func f() *mcp.CallToolResult {
	if bad {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no file " + name}}}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "one file"}}}
}
""")
    assert told(found) == [("error_message", None, None, "no file {name}"), ("tool_result", None, None, "one file")]


def test_prompts_and_instructions_by_name_and_by_call() -> None:
    found = go("""
const systemPrompt = "You are brief."
func BuildSystemPrompt() string { return "You are kind." }
var s = server.NewMCPServer("x", "1", server.WithInstructions("Ask first."))
var o = mcp.ServerOptions{Instructions: "Ask twice."}
""")
    assert [(surface, text) for surface, _, _, text in told(found)] == [
        ("prompt", "You are brief."), ("prompt", "You are kind."), ("instructions", "Ask first."),
        ("instructions", "Ask twice."),
    ]  # fmt: skip


def test_embedded_files_have_the_surface_of_their_variable_or_of_its_place() -> None:
    found = go("""
//go:embed bash.md
var bashDescription string

var (
	//go:embed templates/coder.md.tpl
	coderPromptTmpl []byte
	//go:embed about.txt
	about string
)

//go:embed page.html
var page string

var t = mcp.NewTool("about", mcp.WithDescription(about))
""")
    assert [tuple(embed) for embed in found.embeds] == [
        ("bash.md", "bashDescription", "tool_description"),
        ("templates/coder.md.tpl", "coderPromptTmpl", "prompt"),
        ("about.txt", "about", "tool_description"),
        ("page.html", "page", None),
    ]


# ----------------------------------------------------------------------------------------------------- context and branch


def test_what_becomes_of_a_string() -> None:
    found = go("""
const banner = "at the top"

func f(w io.Writer) (string, error) {
	var sb strings.Builder
	sb.WriteString("written to it")
	fmt.Fprintf(&sb, "formatted for %s", w)
	slog.Info("logged for people")
	log.Printf("printed for %s", w)
	text := "given back later"
	other := "kept for itself"
	lines = append(lines, "put at the end")
	call("an argument only")
	if other == "compared with it" {
		return "", errors.New("made an error")
	}
	return text, fmt.Errorf("wrapped it: %w", err)
}
""")
    assert [(s.context, s.text.split()[0]) for s in found.strings] == [
        ("assign", "at"), ("append", "written"), ("append", "formatted"), ("log", "logged"), ("log", "printed"),
        ("return", "given"), ("assign", "kept"), ("append", "put"), ("argument", "an"), ("other", "compared"),
        ("raise", "made"), ("raise", "wrapped"),
    ]  # fmt: skip
    assert row(found, "formatted").placeholders == ["w"]
    assert row(found, "at the top").name == "banner"


@pytest.mark.parametrize(
    ("code", "branch"),
    [
        ('if err != nil { return "some text" }', "error"),
        ('if err == nil { return "some text" }', None),
        ('if err == nil { return x } else { return "some text" }', "error"),
        ('if v, ok := m[k]; !ok { return "some text" }', "error"),
        ('if v, ok := m[k]; ok { return "some text" }', None),
        ('switch { case err != nil: return "some text" }', "error"),
        ('if opts.DryRun { return "some text" }', "dry_run"),
        ('if !opts.DryRun { return "some text" }', None),
        ('if n > 3 { return "some text" }', None),
    ],
)
def test_branches(code: str, branch: str | None) -> None:
    assert only(go(f"func f() string {{ {code} }}\n")).branch == branch


# ------------------------------------------------------------------------------------------------------------- negative


@pytest.mark.parametrize(
    "body",
    [
        'type User struct {\n\tName string `json:"name" description:"The name of the user"`\n}\n',
        'var cmd = &cobra.Command{Use: "x", Short: "Does a thing", Long: "Does a thing at length"}\n',
        'var f = flag.String("name", "default", "The name of it")\n',
        'type Args struct {\n\tName string `arg:"--name" help:"The name of it"`\n}\n',
        'func f() { http.Error(w, "not found here", 404); c.JSON(200, gin.H{"message": "all is well"}) }\n',
        'var s = openapi3.Schema{Description: "A user of it", Properties: map[string]S{"a": {Description: "The a"}}}\n',
        'func (c *cmd) Description() string { return "Serves the site" }\nfunc (c *cmd) Run() error { return nil }\n',
        'const prompt = "Are you sure about it?"\n',
        'func f() { r.Header.Set("User-Agent", "my agent of it") }\n',
    ],
)
def test_other_programs_have_no_text_for_agents(body: str) -> None:
    assert told(go(body, "cmd/server.go")) == []


def test_types_that_no_tool_takes_have_no_parameters_even_near_agents() -> None:
    body = 'type Config struct {\n\tModel string `json:"model" jsonschema:"description=The model to use"`\n}\n'
    assert told(go(body)) == []


# ------------------------------------------------------------------------------------------------------------ robustness


@pytest.mark.parametrize(
    "source",
    [
        b'package p\nvar x = "never closed',
        b"package p\nvar x = `never closed",
        b'package p\nfunc f() { g("a b", \n',
        b'package p\nvar x = "some \xff\xfe text"\nvar y = "other text"\n',
        b'package p\ntype P struct { A string `json:"a description:"x y`\n}\n',
        b'package p\nvar x = mcp.NewTool(mcp.WithDescription("a b"), mcp.WithString(mcp.Description("c d")))\n',
        b'package p\nvar x = fmt.Sprintf("a %", "b c")\nvar y = strings.Join([]string{}, "a b")\n',
    ],
)
def test_broken_sources_are_read_as_far_as_they_go(source: bytes) -> None:
    texts(source, "go", AGENT)


def test_long_sums_and_deep_nesting_are_no_trouble() -> None:
    total = " + ".join(['"some text"'] * 2000)
    assert only(texts(f"package p\nvar x = {total}\n", "go")).text == "some text" * 2000
    texts("package p\nvar x = " + "f(" * 1000 + '"some text"' + ")" * 1000, "go", AGENT)
    texts("package p\nvar x = " + 'map[string]any{"properties": ' * 600 + '"some text"' + "}" * 600, "go", AGENT)


def test_segments_of_a_tag_are_its_own() -> None:
    body = 'type RunParams struct {\n\tA string `json:"a" description:"Say \\"run\\" now"`\n}\n'
    string = only(go(body))
    assert string.text == 'Say "run" now'
    assert [slice_of(HEAD + body, tuple(s[1:5])) for s in string.segments] == ["Say ", '\\"', "run", '\\"', " now"]
