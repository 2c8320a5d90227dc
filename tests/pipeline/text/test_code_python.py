"""Agent-facing text in Python: what a string is as the agent sees it, and what the code around it makes of it."""

from __future__ import annotations

import ast
import inspect
import json
import re
import string
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textfacts import assert_segments, only, row, texts, told, written

from scaup.pipeline.text.found import Found, Handler

ROOT = Path(__file__).parents[3]


def _python(source: str, path: str | None = None) -> Found:
    """Return what a source yields; its segments lie where the text is."""
    found = texts(source, "python", path)
    assert_segments(source, found)
    return found


def _agents(source: str) -> Found:
    """Return what a source yields in a file that speaks of agents."""
    return _python("import mcp\n" + textwrap.dedent(source))


# Strings ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ('"one two"', "one two"),
        ("'one \"two\"'", 'one "two"'),
        ("'''one\ntwo three'''", "one\ntwo three"),
        (r'r"one \n two"', r"one \n two"),
        (r'R"one \" two"', r"one \" two"),
        (r'u"one two"', "one two"),
        (r'b"one two \xe9"', "one two é"),
        (r'Rb"one \x two"', r"one \x two"),
        (r'"one two\t\x41 \101 \u00e9 \U0001F600 \N{BULLET} \\ end"', "one two\tA A é \U0001f600 • \\ end"),
        ('"one \\q two"', "one \\q two"),
        ('"one \\N{NO SUCH CHARACTER NAME} two"', "one \\N{NO SUCH CHARACTER NAME} two"),
        ('"one \\\n    two three"', "one     two three"),
        ('"one two " "three\\n" \'four\'', "one two three\nfour"),
        ('("one two "  # why\n   "three")', "one two three"),
        ('"one two " + "three"', "one two three"),
        ('("one two " +\n "three " + ("four " + "five"))', "one two three four five"),
        ('"\\n".join(["one two", "three"])', "one two\nthree"),
        ('" - ".join(("one two", "three four"))', "one two - three four"),
        ('"one\\n".join(["a b", "c d"]) + " end"', "a bone\nc d end"),
        ('"  one two ".strip()', "one two"),
        ('"  one two \\n".rstrip()', "  one two"),
        ('"one two".strip("o")', "one two"),
        ('("one two"\n " three ").strip()', "one two three"),
        ('textwrap.dedent("""\n    one two\n      three\n\n    four\n    """)', "\none two\n  three\n\nfour\n"),
        ('dedent("""\\\n    one two\n    three""").strip()', "one two\nthree"),
        ('inspect.cleandoc("""  one two\n      three\n        four\n    """)', "one two\nthree\n  four"),
        ('_("one two")', "one two"),
        ('Template("one $two three")', "one $two three"),
    ],
)
def test_a_string_is_what_python_makes_of_it(expression: str, text: str) -> None:
    found = only(_python(f"x = {expression}\n"))
    assert found.text == text
    assert written(f"x = {expression}\n", found) == expression
    assert found.span[:2] == (1, 5)


@pytest.mark.parametrize(
    ("expression", "text", "placeholders"),
    [
        ('f"one two {name}"', "one two {name}", ["name"]),
        ('f"one {a.b.c} two"', "one {a.b.c} two", ["a.b.c"]),
        ('f"one {a()} two {b[0]} {c + 1}"', "one {} two {} {}", ["", "", ""]),
        ('f"one two {a!r} {b:.2f} {c!s:>{width}}"', "one two {a} {b} {c}", ["a", "b", "c"]),
        ('f"one two {{literal}} {a}"', "one two {literal} {a}", ["a"]),
        ('f"one two {a=} and {b = !r}"', "one two a={a} and b = {b}", ["a", "b"]),
        (r'rf"one \d two {a}"', r"one \d two {a}", ["a"]),
        ("f'''one\ntwo {\n  a\n} three'''", "one\ntwo {a} three", ["a"]),
        ('f"one two {a} " "{three}" f"{b}"', "one two {a} {three}{b}", ["a", "b"]),
        ('"one two " + name + " three " + str(x)', "one two {name} three {}", ["name", ""]),
        ('"one two %s %d%% %(key)s %-10s" % (a, b.c, d, e)', "one two {a} {b.c}% {key} {d}", ["a", "b.c", "key", "d"]),
        ('"one two %s" % name', "one two {name}", ["name"]),
        ('"one {} two {b} {!r:>{w}}".format(a, c, b=1)', "one {a} two {b} {c}", ["a", "b", "c"]),
        ('"one {1} two {0.name} {{x}} {2}".format(a, b)', "one {b} two {a.name} {x} {}", ["b", "a.name", ""]),
        ('("one two {} "\n "three {}").format(a, b)', "one two {a} three {b}", ["a", "b"]),
        (
            '"\\n".join(["one two", f"three {x}", y, *more, z()])',
            "one two\nthree {x}\n{y}\n{more}\n{}",
            ["x", "y", "more", ""],
        ),
        ('sep.join(["one two", "three"])', "one two{}three", None),
    ],
)
def test_what_is_filled_in_is_a_placeholder(expression: str, text: str, placeholders: list[str] | None) -> None:
    found = only(_python(f"x = {expression}\n"))
    assert found.text == text
    if placeholders is not None:
        assert list(found.placeholders) == placeholders


def test_a_string_within_a_substitution_is_a_string_of_its_own() -> None:
    source = "x = f\"outer text {f'inner text {a}'} and {'yes it is' if b else 'no it is not'}\"\n"
    assert [(r.text, r.span[1]) for r in _python(source).strings] == [
        ("outer text {} and {}", 5),
        ("inner text {a}", 19),
        ("yes it is", 43),
        ("no it is not", 65),
    ]


def test_both_sides_of_a_condition_are_strings() -> None:
    found = _python('x = "one two" if a else "three four"\ny = a or "five six"\n')
    assert [(r.text, r.context, r.name) for r in found.strings] == [
        ("one two", "assign", "x"),
        ("three four", "assign", "x"),
        ("five six", "assign", "y"),
    ]


def test_segments_tell_where_each_piece_stands() -> None:
    found = only(_python('x = ("é two\\n"\n     f"{a} three")\n'))
    assert [tuple(segment) for segment in found.segments] == [
        (0, 1, 7, 1, 12),  # é two
        (5, 1, 12, 1, 14),  # the escape
        (6, 2, 8, 2, 11),  # the placeholder
        (9, 2, 11, 2, 17),
    ]


def test_dedented_lines_are_segments_without_their_margin() -> None:
    found = only(_python('x = dedent("""\n    one two\n      three\n""")\n'))
    assert [tuple(segment) for segment in found.segments] == [
        (0, 1, 15, 2, 1),
        (1, 2, 5, 3, 1),
        (9, 3, 5, 4, 1),
    ]


def test_breaks_are_line_feeds_however_the_file_has_them() -> None:
    assert only(_python("x = '''one two\r\nthree'''\r\n")).text == "one two\nthree"


def test_words_alone_and_bare_strings_are_no_texts() -> None:
    found = _python(
        '"""What the module is for."""\nx = "word"\ny: int = 3\n"""What y is for."""\ndef f():\n    """Doc string."""\n'
    )
    assert found.strings == []


@pytest.mark.parametrize(
    "source",
    [
        'x = "one two',
        'x = f"one two {a',
        "def f(:\n    return 'one two'\n",
        "x = '''one two",
        'x = ("one two" + ',
        '@mcp.tool(description="one two"\ndef f(',
        "x = " + "(" * 2000 + '"one two"' + ")" * 2000,
        "x = " + "[" * 1500 + '"one two"' + "]" * 1500,
        "x = " + " + ".join(['"one two"'] * 5000),
        "x = f" + "".join(f'"{{f{quote}' for quote in "'\"") * 3,
    ],
)
def test_broken_and_deep_sources_are_read_as_far_as_they_go(source: str) -> None:
    texts("import mcp\n" + source, "python")


def test_invalid_utf8_is_read() -> None:
    found = texts(b'x = "one two \xff."\ny = b"three four \xfe."\n', "python")
    assert [r.text for r in found.strings] == ["one two \ufffd.", "three four \ufffd."]


# An oracle: Python itself -------------------------------------------------------------------------------------------


# Stands for what is filled in; no source has it.
FILLED = "\uf8ff"


def _value(expression: ast.expr) -> str | None:
    """Return the value of a constant, a joined string or a sum of such with a mark for what is filled in."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str | bytes):
        value = expression.value
        return value if isinstance(value, str) else value.decode("latin1")
    if isinstance(expression, ast.JoinedStr):
        parts = [v.value if isinstance(v, ast.Constant) else FILLED for v in expression.values]
        return "".join(str(part) for part in parts)
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
        left, right = _value(expression.left), _value(expression.right)
        return None if left is None or right is None else left + right
    return None


def _agrees(text: str, value: str) -> bool:
    pattern = re.sub("[\ud800-\udfff]", "\ufffd", re.escape(value)).replace(FILLED, r"\{[^{}]*\}")
    return re.fullmatch(pattern, text, re.DOTALL) is not None


def _compared(source: str) -> int:
    """Compare all strings of a source that are constant expressions with their values; return how many there were."""
    found = texts(source, "python")
    assert_segments(source, found)
    count = 0
    for string_row in found.strings:
        try:
            value = _value(ast.parse(f"({written(source, string_row)}\n)", mode="eval").body)
        except SyntaxError:
            continue
        if value is not None:
            assert _agrees(string_row.text, value), (string_row.span, string_row.text, value)
            count += 1
    return count


@pytest.mark.parametrize(
    "module", [textwrap.__file__, inspect.__file__, json.decoder.__file__, string.__file__, ast.__file__]
)
def test_strings_of_the_standard_library_have_the_values_that_python_gives_them(module: str) -> None:
    _compared(Path(module).read_text(encoding="utf-8"))


def test_strings_of_this_project_have_the_values_that_python_gives_them() -> None:
    folders = [ROOT / name for name in ("pipeline/text", "pipeline/stages", "rules", "reports", "tests/pipeline")]
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    assert sum(_compared(path.read_text(encoding="utf-8")) for path in files) > 200


CHARACTER = st.sampled_from("ab \n\t\\'\"{}%é\u2028\U0001f600\x00\x7f") | st.characters(exclude_categories=["Cs"])


@given(
    text=st.text(CHARACTER, max_size=40),
    quote=st.sampled_from(["'", '"', "'''", '"""']),
    prefix=st.sampled_from(["", "u", "f", "F"]),
)
@settings(max_examples=150, deadline=None)
def test_what_is_written_with_escapes_is_read_as_it_was(text: str, quote: str, prefix: str) -> None:
    text = "some text: " + text + "."
    body = text.encode("unicode_escape").decode().replace('"', '\\"').replace("'", "\\'")
    if prefix in ("f", "F"):
        body = body.replace("{", "{{").replace("}", "}}")
    source = f"x = {prefix}{quote}{body}{quote}\n"
    assert only(_python(source)).text == text


@given(text=st.text(CHARACTER, max_size=40))
@settings(max_examples=100, deadline=None)
def test_what_repr_writes_is_read_as_it_was(text: str) -> None:
    text = "some text " + text
    assert only(_python(f"x = {text!r}\n")).text == text
    data = text.encode("utf-8", "surrogateescape")
    assert only(_python(f"x = {data!r}\n")).text == data.decode("latin1")


LINE = st.tuples(st.integers(0, 6), st.sampled_from(["", "a", "b c", "é", "- d"])).map(lambda t: " " * t[0] + t[1])


@given(lines=st.lists(LINE, min_size=1, max_size=6), prefix=st.sampled_from(["", "f"]))
@settings(max_examples=150, deadline=None)
def test_dedent_cleandoc_and_strip_leave_what_they_leave_in_python(lines: list[str], prefix: str) -> None:
    body = "\n".join([*lines, "      some text", ""])
    literal = f'{prefix}"""{body}"""'
    for written_as, value in [
        (f"textwrap.dedent({literal})", textwrap.dedent(body)),
        (f"inspect.cleandoc({literal})", inspect.cleandoc(body)),
        (f"{literal}.strip()", body.strip()),
        (f"{literal}.lstrip()", body.lstrip()),
        (f"dedent({literal}).rstrip()", textwrap.dedent(body).rstrip()),
    ]:
        assert only(_python(f"x = {written_as}\n")).text == value


# What becomes of a string -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "context", "name"),
    [
        ('return "one two"', "return", None),
        ('return ("a", "one two")', "return", None),
        ('return {"key": "one two"}', "return", None),
        ('return Result(message="one two")', "return", None),
        ('yield "one two"', "return", None),
        ('return make("one two")', "argument", None),
        ('raise ValueError("one two")', "raise", None),
        ('raise Refused("one two") from e', "raise", None),
        ('raise errors.Refused(f"one two {x}")', "raise", None),
        ('parts.append("one two")', "append", None),
        ('parts.extend(["one two"])', "append", None),
        ('parts += ["one two"]', "append", "parts"),
        ('seen += "one two"', "append", "seen"),
        ('seen = "one two"', "assign", "seen"),
        ('seen: str = "one two"', "assign", "seen"),
        ('a, seen = 1, "one two"', "assign", "seen"),
        ('self.seen = "one two"', "assign", "self.seen"),
        ('answer = "one two"', "return", "answer"),
        ('answer += "one two"', "return", "answer"),
        ('answer = ["one two"]', "return", "answer"),
        ('answer["text"] = "one two"', "return", 'answer["text"]'),
        ('answer.text = "one two"', "return", "answer.text"),
        ('self.answer.text = "one two"', "assign", "self.answer.text"),
        ('logger.info("one two")', "log", None),
        ('print("one two", file=f)', "log", None),
        ('self.logger.warning("one two %s", x)', "log", None),
        ('logging.log(level=1, msg="one two")', "log", None),
        ('click.echo(f"one two {x}")', "log", None),
        ('await show("one two")', "argument", None),
        ('if x == "one two": pass', "other", None),
        ('y["one two"] = 1', "other", None),
        ('assert x, "one two"', "other", None),
    ],
)
def test_the_context_of_a_string(line: str, context: str, name: str | None) -> None:
    source = f"def f(x):\n    parts = []\n    {line}\n    return answer\n"
    found = next(r for r in _python(source).strings if r.text.startswith("one two"))
    assert (found.context, found.name) == (context, name)


def test_the_branch_of_a_string() -> None:
    found = _python(
        textwrap.dedent("""
        def f(x, dry_run):
            try:
                if dry_run:
                    return "would do"
                else:
                    pass
                if not dry_run:
                    return "did do"
                if result.error:
                    return "it went wrong"
                elif x.ok:
                    return "went well"
                if not ok:
                    return "not at all"
                return "done it" if code == 0 else "code is bad"
            except OSError as error:
                return f"no such {error}"
            except* ValueError:
                return "in a group"
        """)
    )
    assert {r.text: r.branch for r in found.strings} == {
        "would do": "dry_run",
        "did do": None,
        "it went wrong": "error",
        "went well": None,
        "not at all": "error",
        "done it": None,
        "code is bad": None,
        "no such {error}": "error",
        "in a group": "error",
    }


def test_a_string_belongs_to_the_function_around_it() -> None:
    source = (
        'A = "at the top"\ndef f():\n    return "in f, say"\nclass C:\n    def m(self):\n        return "in m, say"\n'
    )
    symbols = {r.text: r.symbol_id for r in _python(source).strings}
    assert len(set(symbols.values())) == 3


# Tools: decorators --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decorator", "tool"),
    [
        ("@mcp.tool", "look"),
        ("@mcp.tool()", "look"),
        ("@server.tool", "look"),
        ("@tool", "look"),
        ('@tool("look_up")', "look_up"),
        ('@tool("Look up things")', "Look up things"),
        ('@mcp.tool(name="look_up")', "look_up"),
        ('@mcp.tool("look_up", tags={"a b"})', "look_up"),
        ("@agent.tool", "look"),
        ("@agent.tool_plain(retries=2)", "look"),
        ("@function_tool", "look"),
        ('@function_tool(name_override="look_up")', "look_up"),
        ("@kernel_function", "look"),
        ("@registry.action", "look"),
        ('@mcp.resource("config://look")', "look"),
        ("@beta_tool", "look"),
    ],
)
def test_the_docstring_of_a_decorated_function_describes_a_tool(decorator: str, tool: str) -> None:
    text = "Look it up.\n\n    Args:\n        q: what\n    "
    found = _agents(f'{decorator}\nasync def look(q: str) -> str:\n    """{text}"""\n    return q\n')
    assert told(found) == [("tool_description", tool, None, text)]
    assert [(h.name, h.tool) for h in found.handlers] == [("look", tool)]


@pytest.mark.parametrize(
    "decorator",
    [
        '@mcp.tool(description="Looks it up.")',
        '@mcp.tool(name="look", description="Looks it " "up.")',
        '@registry.action("Looks it up.", param_model=P)',
        '@self.registry.action(\n    "Looks it up."\n)',
        '@function_tool(description_override="Looks it up.")',
        '@user.register_for_execution()\n@bot.register_for_llm(description="Looks it up.")',
        '@mcp.resource("config://look", description="Looks it up.")',
        '@kernel_function(description="Looks it up.")',
    ],
)
def test_a_description_in_the_decorator_stands_for_the_docstring(decorator: str) -> None:
    found = _agents(f'{decorator}\ndef look(q):\n    """What the code does."""\n    return q\n')
    assert told(found) == [("tool_description", "look", None, "Looks it up.")]
    assert [(h.name, h.tool) for h in found.handlers] == [("look", "look")]


def test_a_decorator_counts_only_in_a_file_that_speaks_of_agents() -> None:
    source = '@app.tool\ndef look(q):\n    """Look it up."""\n    return q\n'
    assert told(_python(source)) == []
    assert told(_python(source, "src/agent/tools.py")) != []


def test_the_function_that_answers_all_calls_describes_no_tool() -> None:
    found = _agents('''
        @server.call_tool()
        async def handle(name, arguments):
            """Dispatch the calls."""
            return [types.TextContent(type="text", text=f"Did {name} for you.")]
    ''')
    assert told(found) == [("tool_result", None, None, "Did {name} for you.")]
    assert [(h.name, h.tool) for h in found.handlers] == [("handle", None)]


def test_what_a_tool_gives_back_is_left_to_the_call_graph() -> None:
    found = _agents("""
        @mcp.tool
        def look(mode: str = "fast and loose", prompt: str = "say so please"):
            if mode == "fast and loose":
                raise ValueError("not so fast")
            return f"Looked at {mode} well."
    """)
    assert told(found) == []
    assert [(r.text, r.context) for r in found.strings] == [
        ("fast and loose", "assign"),
        ("say so please", "assign"),
        ("fast and loose", "other"),
        ("not so fast", "raise"),
        ("Looked at {mode} well.", "return"),
    ]


# Tools: parameters --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameter",
    [
        'q: Annotated[str, "The q of it."]',
        'q: Annotated[str, "The q of it."] = "a b"',
        'q: typing.Annotated[list[str], "The q of it."]',
        'q: Annotated[Literal["a b", "c d"], "The q of it."]',
        'q: Optional[Annotated[str, "The q of it."]] = None',
        'q: Annotated[str, Field(description="The q of it.", examples=["a b"])]',
        'q: Annotated[str | None, Field(gt=0, description="The q " "of it.")] = None',
        'q: t.Annotated[str, Field(description="The q of it.")] = "a b"',
        'q: str = Field(description="The q of it.")',
        'q: str = Field("a b", description="The q of it.")',
    ],
)
def test_a_parameter_is_described_where_it_is_annotated(parameter: str) -> None:
    found = _agents(f'@mcp.tool\ndef look({parameter}) -> Annotated[str, "what it gives"]:\n    pass\n')
    assert told(found) == [("parameter_description", "look", "q", "The q of it.")]


def test_an_annotation_of_an_ordinary_function_is_no_description() -> None:
    assert told(_agents('def look(q: Annotated[str, "The q of it."]):\n    pass\n')) == []


def test_a_name_for_an_annotated_type_is_the_parameter_that_has_it() -> None:
    found = _agents("""
        Query = Annotated[str, Field(description="The q of it.")]
        @mcp.tool
        def look(q: Query): ...
    """)
    assert told(found) == [("parameter_description", "look", "q", "The q of it.")]


def test_fields_of_a_model_are_told_by_what_takes_the_model() -> None:
    found = _agents('''
        class Query(BaseModel):
            """What to ask for."""
            q: str = Field(..., description="The q of it.")
            r: Annotated[int, Field(description="The r of it.")] = 3
            s: Annotated[int, "The s of it."] = 3

        @mcp.tool
        def look(query: list[Query], other: "Other"): ...

        StructuredTool.from_function(look, args_schema=Schema)
        llm.bind_tools([Bound])
        llm.with_structured_output(Answer)
    ''')
    assert told(found) == []
    assert [(r.context, r.name, r.parameter, r.text) for r in found.strings] == [
        ("field", "Query", "q", "The q of it."),
        ("field", "Query", "r", "The r of it."),
        ("field", "Query", "s", "The s of it."),
    ]
    references = {(r.name, r.tool) for r in found.references if r.surface == "parameter_description"}
    assert references >= {("Query", "look"), ("Other", "look"), ("Schema", None), ("Bound", "Bound"), ("Answer", None)}


def test_a_model_of_a_web_application_is_no_agent_text() -> None:
    source = '''
from fastapi import FastAPI, Query
app = FastAPI(title="The shop", description="Sells things to people.")
class Item(BaseModel):
    name: str = Field(description="Name of the item.")
@app.get("/items", description="Lists the items.", summary="All of them")
def items(q: Annotated[str, Query(description="What to look for.")] = "a b"):
    """List all items."""
    raise HTTPException(404, detail="No such item.")
'''
    assert told(_python(source)) == []


# Tools: objects, calls and classes ----------------------------------------------------------------------------------


def test_low_level_tools_have_their_schema() -> None:
    found = _agents("""
        @server.list_tools()
        async def list_tools():
            return [
                types.Tool(
                    name="fetch",
                    description="Fetches a page.",
                    inputSchema={
                        "type": "object",
                        "properties": {
                            "url": {"type": "string", "description": "Where it is."},
                            "opts": {"type": "object", "properties": {"deep": {"description": "How deep it is."}}},
                        },
                    },
                ),
                types.Tool("pos", "Placed by position.", {}),
            ]
    """)
    assert told(found) == [
        ("tool_description", "fetch", None, "Fetches a page."),
        ("parameter_description", "fetch", "url", "Where it is."),
        ("parameter_description", "fetch", "deep", "How deep it is."),
        ("tool_description", "pos", None, "Placed by position."),
    ]


@pytest.mark.parametrize(
    "opening",
    [
        '{"type": "function", "function": {"name": "w", "description": "Gets the weather.", "parameters": ',
        '{"name": "w", "description": "Gets the weather.", "input_schema": ',
        '{"toolSpec": {"name": "w", "description": "Gets the weather.", "inputSchema": ',
        'FunctionDeclaration(name="w", description="Gets the weather.", parameters=',
        'dict(name="w", description="Gets the weather.", parameters=',
    ],
)
def test_tools_as_dictionaries(opening: str) -> None:
    closing = ")" if "(" in opening else "}" * opening.count("{")
    schema = '{"type": "object", "properties": {"loc": {"type": "string", "description": "Where it is."}}}'
    found = _agents(f"TOOLS = [{opening}{schema}{closing}]\n")
    assert told(found) == [
        ("tool_description", "w", None, "Gets the weather."),
        ("parameter_description", "w", "loc", "Where it is."),
    ]


@pytest.mark.parametrize(
    ("call", "tool"),
    [
        ("mcp.add_tool(look)", "look"),
        ('mcp.add_tool(look, name="look_up")', "look_up"),
        ("mcp.tool(look)", "look"),
        ("mcp.tool()(look)", "look"),
        ('mcp.tool(name="look_up")(look)', "look_up"),
        ("FunctionTool(look)", "look"),
        ("FunctionTool.from_defaults(fn=look)", "look"),
        ("StructuredTool.from_function(func=look)", "look"),
        ("agent = Agent(tools=[look])", "look"),
        ("llm.bind_tools([look])", "look"),
        ("node = ToolNode([look])", "look"),
        ("tools = [look]", "look"),
    ],
)
def test_a_registered_function_is_a_tool_by_its_name(call: str, tool: str) -> None:
    found = _agents(
        f'def look(q: Annotated[str, "The q of it."]):\n    """Look it up."""\n    return "not found"\n{call}\n'
    )
    assert told(found) == [
        ("parameter_description", tool, "q", "The q of it."),
        ("tool_description", tool, None, "Look it up."),
    ]
    assert ("look", tool) in [(h.name, h.tool) for h in found.handlers]


@pytest.mark.parametrize(
    "call",
    [
        'mcp.add_tool(look, description="Looks it up.")',
        'mcp.tool(description="Looks it up.")(look)',
        'Tool.from_function(look, description="Looks it up.")',
        'FunctionTool(look, description="Looks it up.")',
        'Tool(name="look", func=look, description="Looks it up.")',
        'StructuredTool.from_function(func=look, name="look", description="Looks it up.")',
        'autogen.register_function(look, caller=a, executor=b, description="Looks it up.")',
    ],
)
def test_a_description_in_the_registration_stands_for_the_docstring(call: str) -> None:
    found = _agents(f'def look(q):\n    """What the code does."""\n    return "not found"\n{call}\n')
    assert [(r.surface, r.text) for r in found.strings if r.surface] == [("tool_description", "Looks it up.")]
    assert "look" in [h.name for h in found.handlers]


def test_a_function_of_another_file_is_a_handler_by_name() -> None:
    found = _agents("from others import look\nmcp.add_tool(look)\nAgent(tools=[peek])\n")
    assert found.handlers == [Handler(None, "look", "look"), Handler(None, "peek", "peek")]


def test_tool_classes_describe_themselves() -> None:
    found = _agents('''
        class Search(BaseTool):
            """What the class is for."""
            name: str = "search_it"
            description: str = "Searches for it."
            label: str = "Search it"
            def _run(self, q): return "nothing found"

        class Small(Tool):
            name = "small"
            description = """Does it
            small."""
            inputs = {"text": {"type": "string", "description": "What to make small."}}
            def forward(self, text): return "all done"

        class Own(Tool):
            def __init__(self):
                super().__init__(name="own", description="Has its own way.")
                self.description = "Has another way."
            def run(self, q): ...

        class Said(Tool):
            @property
            def description(self):
                return "Says what it is."
    ''')
    assert told(found) == [
        ("tool_description", "search_it", None, "Searches for it."),
        ("tool_description", "small", None, "Does it\n    small."),
        ("parameter_description", "small", "text", "What to make small."),
        ("tool_description", "own", None, "Has its own way."),
        ("tool_description", "own", None, "Has another way."),
        ("tool_description", "Said", None, "Says what it is."),
    ]
    assert [(h.name, h.tool) for h in found.handlers] == [("_run", "search_it"), ("forward", "small"), ("run", "own")]


def test_a_tool_that_runs_on_its_fields_has_them_as_parameters() -> None:
    found = _agents('''
        class SendMail(BaseTool):
            """Sends a mail to people."""
            to: str = Field(..., description="Who gets it.")
            def run(self):
                return "it was sent"
    ''')
    assert told(found) == [
        ("tool_description", "SendMail", None, "Sends a mail to people."),
        ("parameter_description", "SendMail", "to", "Who gets it."),
    ]


def test_descriptions_behind_names_are_references() -> None:
    found = _agents("""
        LOOK = "Looks it up."
        @mcp.tool(description=LOOK)
        def look(q: Annotated[str, Field(description=texts.Q)]): ...
        def build():
            text = "Builds it up."
            return types.Tool(name="build", description=text, inputSchema={"properties": {"a": {"description": A}}})
        Agent(instructions=GUIDE, system_prompt=prompts.SYSTEM)
        return_it = ToolResult(content=message)
        SystemMessage(content=rules)
        Agent(role="a b", goal=GOAL)
        PromptTemplate(template=LAYOUT)
        raise ToolError(REFUSED)
    """)
    assert {(r.name, r.surface, r.tool, r.parameter) for r in found.references} == {
        ("LOOK", "tool_description", "look", None),
        ("texts.Q", "parameter_description", "look", "q"),
        ("text", "tool_description", "build", None),
        ("A", "parameter_description", "build", "a"),
        ("GUIDE", "instructions", None, None),
        ("prompts.SYSTEM", "prompt", None, None),
        ("message", "tool_result", None, None),
        ("rules", "prompt", None, None),
        ("GOAL", "prompt", None, None),
        ("LAYOUT", "prompt", None, None),
        ("REFUSED", "error_message", None, None),
    }


# Results, errors, prompts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "surface"),
    [
        ('TextContent(type="text", text="one two")', "tool_result"),
        ('ToolResult(content="one two")', "tool_result"),
        ('ToolResult(content=[TextContent(type="text", text="one two")])', "tool_result"),
        ('CallToolResult(content=[TextContent(type="text", text="one two")], isError=True)', "error_message"),
        ('ActionResult(extracted_content="one two")', "tool_result"),
        ('ActionResult(error="one two")', "error_message"),
        ('ToolMessage("one two", tool_call_id=x)', "tool_result"),
        ('{"content": [{"type": "text", "text": "one two"}]}', "tool_result"),
        ('{"content": [{"type": "text", "text": "one two"}], "isError": True}', "error_message"),
        ('ToolError("one two")', "error_message"),
        ('ModelRetry(f"one two {x}")', "error_message"),
        ('McpError(ErrorData(code=INVALID_PARAMS, message="one two"))', "error_message"),
        ('PromptMessage(role="user", content=TextContent(type="text", text="one two"))', "prompt"),
        ('SystemMessage("one two")', "prompt"),
        ('SystemMessage(content="one two")', "prompt"),
        ('UserMessage(content="one two")', "prompt"),
        ('{"role": "system", "content": "one two"}', "prompt"),
        ('ChatPromptTemplate.from_messages([("system", "one two")])', "prompt"),
        ('PromptTemplate(template="one two {x}", input_variables=["x"])', "prompt"),
        ('SystemMessagePromptTemplate.from_template("one two")', "prompt"),
        ('Agent("model", system_prompt="one two")', "prompt"),
        ('Agent(name="a", instructions="one two")', "instructions"),
        ('LlmAgent(name="a", instruction="one two")', "instructions"),
        ('LlmAgent(name="a", model=m, description="one two")', "tool_description"),
        ('Agent(role="a b", goal="one two", backstory=x)', "prompt"),
        ('Task(description="one two", expected_output=x, agent=a)', "prompt"),
        ('AssistantAgent("a", system_message="one two")', "prompt"),
        ('FastMCP("name", instructions="one two")', "instructions"),
        ('client.messages.create(system="one two", messages=m)', "prompt"),
        ('agent.as_tool(tool_name="a", tool_description="one two")', "tool_description"),
        ('QueryEngineTool(query_engine=e, metadata=ToolMetadata(name="a", description="one two"))', "tool_description"),
        ('HumanReadable(message="one two")', None),
        ('argparse.ArgumentParser(prog="x", description="one two")', None),
        ('parser.add_argument("--agent", help="one two")', None),
        ('click.option("--prompt", help="one two")', None),
        ('typer.Option(None, help="one two", prompt="one two")', None),
        ('FastAPI(title="x", description="one two")', None),
        ('Column(String, comment="one two")', None),
        ('ctx.info("one two")', None),
        ('st.markdown("one two")', None),
        ('Popen(["one two"])', None),
        ('text.replace("one two", "three four")', None),
    ],
)
def test_the_surface_of_a_call(expression: str, surface: str | None) -> None:
    found = _agents(f"def f(x):\n    y = {expression}\n")
    assert row(found, "one two").surface == surface if "typer" not in expression else not told(found)


@pytest.mark.parametrize(
    ("name", "surface"),
    [
        ("SYSTEM_PROMPT", "prompt"),
        ("PLAN_PROMPT_TEMPLATE", "prompt"),
        ("_prompt", "prompt"),
        ("GUIDE_INSTRUCTIONS", "instructions"),
        ("IDLE_REMINDER", "notification"),
        ("RETRY_HINT", "hint"),
        ("PROMPTLY", None),
        ("MESSAGE", None),
    ],
)
def test_names_of_constants_tell_prompts_in_files_that_speak_of_agents(name: str, surface: str | None) -> None:
    assert only(_agents(f'{name} = "Some text of it."\n')).surface == surface
    assert only(_python(f'{name} = "Some text of it."\n')).surface is None
    assert only(_agents(f'{name} = Template("""\n  Some text.""").substitute(x=1)\n')).surface == surface


def test_functions_whose_names_tell_a_prompt_give_one_back() -> None:
    found = _agents("""
        def get_system_prompt(x):
            if x:
                return "You are short."
            parts = ["You are long."]
            parts.append(f"You know {x} well.")
            parts += ["You add things."]
            log.info("built the prompt")
            other = lookup("some other text")
            raise ValueError("no such prompt")
            return "\\n".join(parts)
    """)
    assert [text for *_, text in told(found)] == [
        "You are short.",
        "You are long.",
        "You know {x} well.",
        "You add things.",
    ]


def test_decorators_of_prompts() -> None:
    found = _agents('''
        @mcp.prompt
        def ask(topic):
            """Asks about a topic."""
            return f"Please explain {topic} well."
        @agent.system_prompt(dynamic=True)
        def today(ctx):
            """What the code does."""
            return "The date is today."
        @agent.instructions
        def more(ctx):
            return "Answer in one line."
    ''')
    assert [(surface, text) for surface, _, _, text in told(found)] == [
        ("prompt", "Asks about a topic."),
        ("prompt", "Please explain {topic} well."),
        ("prompt", "The date is today."),
        ("instructions", "Answer in one line."),
    ]


# What is no agent text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        'class Author(Base):\n    name = Column(String, doc="Name of it.")\n    description = "An author of books."\n',
        '@app.task(description="Sends the mail.")\ndef send():\n    """Send the mail."""\n    return "was sent"\n',
        '@click.command(help="Builds it.")\n@click.option("--all", help="All of it.")\ndef b():\n    """Build it."""\n',
        'parser = argparse.ArgumentParser(description="Builds it.")\nparser.add_argument("-a", help="All of it.")\n',
        'SETTINGS = [{"name": "color", "description": "Color of the thing."}]\n',
        'PARAMS = [{"name": "limit", "in": "query", "description": "How many there are.", "schema": {}}]\n',
        'COMMANDS = [{"name": "run", "description": "Runs the thing.", "handler": run}]\n',
        'class Form(forms.Form):\n    a = forms.CharField(label="A label", help_text="What to put here.")\n',
        'PROMPT = "Continue? [y/n] "\nname = input("Your name: ")\nclick.prompt("Your name please")\n',
        'class ToolBar(Widget):\n    description = "Shows the tools."\n',
        'def test_it():\n    """It works well."""\n    assert f() == "some text", "not at all"\n',
    ],
)
def test_ordinary_code_has_no_agent_text(source: str) -> None:
    assert told(_python(source)) == []


def test_commands_that_people_type_are_no_tools() -> None:
    assert told(_agents('C = [{"name": "/clear", "description": "Clears it all.", "handler": clear}]\n')) == []
