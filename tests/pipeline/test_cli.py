"""The command line: what people see for each command, and for everything that can go wrong."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
import shop
from commands import Scaup
from syrupy.assertion import SnapshotAssertion

from scaup.pipeline import cli, ingest, store

SCAUP = [sys.executable, "-m", "scaup.pipeline.cli"]

# Commands on the shop, and what they answer with.
ANSWERS = [
    ("ingest",),
    ("status",),
    ("outline", "cart.py"),
    ("outline", "README.md"),
    ("show", "Cart.size"),
    ("show", "evil"),
    ("calls", "Cart.price"),
    ("calls", "wait"),
    ("metrics",),
    ("metrics", "src", "--sort", "lines", "--limit", "2"),
    ("metrics", "Cart.price"),
    ("search", "price of a cart", "--limit", "3"),
    ("search", "price of a cart", "--files", "--path", "src"),
    ("search", "zyxwvut"),
    ("pack", "how is the price of a cart added up?", "--budget", "40"),
    ("pack", "--symbol", "price", "--path", "cart.py"),
    ("sql", "SELECT path, language, NULL AS nothing, size > 100 AS large FROM files ORDER BY path"),
    ("sql", "SELECT 1 AS one", "--max-rows", "1"),
    ("sql", "FROM range(3)", "--max-rows", "2"),
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repo = shop.build(tmp_path_factory.mktemp("shop"))
    ingest.ingest(ingest.project(repo.root))
    return repo.root


@pytest.fixture
def scaup(root: Path, capsys: pytest.CaptureFixture[str]) -> Scaup:
    return Scaup(root, capsys)


@pytest.fixture
def empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Scaup:
    return Scaup(tmp_path, capsys)


# ------------------------------------------------------------------------------------------------- what people see


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_people_see(scaup: Scaup, root: Path, snapshot: SnapshotAssertion, arguments: tuple[str, ...]) -> None:
    ran = scaup(*arguments)
    assert ran.status == 0
    assert f"{shop.mask(ran.out, root)}--- errors\n{ran.err}" == snapshot


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_json_is_the_response_object(scaup: Scaup, root: Path, arguments: tuple[str, ...]) -> None:
    command, *rest = arguments
    answer = cli._invoke([command, "-C", str(root), *rest])
    assert isinstance(answer, cli.Answer)
    ran = scaup(*arguments, "--format", "json")
    assert ran.err == ""
    assert ran.json == json.loads(json.dumps(answer.response))
    assert list(ran.json) == list(answer.response)
    assert scaup(*arguments, "--format", "json").out == ran.out


def test_csv_is_for_spreadsheets(scaup: Scaup) -> None:
    ran = scaup("sql", "SELECT 'a,b' AS \"x y\", NULL AS n, 1.5 AS f, [1, 2] AS l", "--format", "csv")
    assert ran.out == 'x y,n,f,l\n"a,b",,1.5,"[1, 2]"\n'


def test_the_schema_names_every_table_and_column(scaup: Scaup, snapshot: SnapshotAssertion) -> None:
    tables = scaup("sql", "--schema", "--format", "json").json["tables"]
    assert {"files", "symbols", "edges", "symbol_risk"} <= {table["name"] for table in tables}
    assert all(table["comment"] and all(column["comment"] for column in table["columns"]) for table in tables)
    text = scaup("sql", "--schema").out
    start = text.index("-- A resolved call")
    assert text[start : text.index(";", start) + 2] == snapshot


def test_a_query_can_come_from_a_file_or_from_standard_input(
    scaup: Scaup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "q.sql").write_text("SELECT 7 AS x")
    assert scaup("sql", "--file", str(tmp_path / "q.sql"), "--format", "json").json["rows"] == [[7]]
    with (tmp_path / "q.sql").open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert scaup("sql", "-", "--format", "json").json["rows"] == [[7]]


def test_languages_and_completion_need_no_repository(empty: Scaup) -> None:
    assert "python" in empty("languages", inside=False).out
    for shell in ("zsh", "fish"):
        assert "_SCAUP_COMPLETE" in empty("completion", shell, inside=False).out


def test_quiet_leaves_the_answer_alone(scaup: Scaup) -> None:
    assert scaup("outline", "README.md", "--quiet").err == ""
    assert scaup("ingest", "--quiet").out == ""


# --------------------------------------------------------------------------------------------------------- manners


def _commands() -> list[tuple[str, click.Command]]:
    return sorted(cli.cli.commands.items())


@pytest.mark.parametrize(("name", "command"), _commands(), ids=[name for name, _ in _commands()])
def test_every_command_and_option_is_documented(name: str, command: click.Command) -> None:
    context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    assert command.help
    assert not command.get_short_help_str().endswith("...")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.help.endswith("."), parameter.help
    assert "--format" in command.get_help(context)


def test_help_is_short(scaup: Scaup, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert scaup("--help", inside=False).out == snapshot
    assert scaup("sql", "--help", inside=False).out == snapshot


def test_the_version_needs_no_heavy_module() -> None:
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "scaup.pipeline.cli", "--version"], capture_output=True, text=True
    )
    assert ended.stdout.startswith("scaup ")
    imported = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    assert "click" in imported
    assert imported.isdisjoint({"duckdb", "numpy", "libcst", "git", "rich", "tree_sitter"})


def test_a_warm_answer_needs_no_module_of_ingest(root: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "scaup.pipeline.cli", "outline", "cart.py", "-C", str(root)]
    subprocess.run(command, capture_output=True, check=True)
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    # A thread imports it meanwhile, so that its line can run into another one.
    assert any("duckdb" in name for name in imported)
    assert imported.isdisjoint({"numpy", "libcst", "git", "rich", "tree_sitter", "filelock", "pathspec"})


def test_colours_are_for_terminals(scaup: Scaup, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in scaup("show", "evil").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[36m" in scaup("show", "evil").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in scaup("show", "evil").out


@pytest.mark.parametrize("format", ["text", "json"])
def test_nothing_of_the_repository_steers_a_terminal(scaup: Scaup, format: str) -> None:
    out = scaup("show", "evil", "--format", format).out
    assert not set("\x1b\x07\x9b\u202e\u2028") & set(out)


def test_a_mistyped_word_is_answered_with_what_is_near(scaup: Scaup) -> None:
    assert "'search'" in scaup("serach", "x", inside=False).err
    assert "--sort" in scaup("metrics", "--srot", "x").err
    assert "Nearest: src/shop/cart.py" in scaup("outline", "src/shop/catr.py").err


@pytest.mark.parametrize(
    "arguments", [("frobnicate",), ("metrics", "--frobnicate"), ("outline",), ("sql",), ("sql", "x", "--schema")]
)
def test_a_usage_error_has_a_response_too(empty: Scaup, arguments: tuple[str, ...]) -> None:
    ran = empty(*arguments, inside=False)
    assert (ran.status, ran.out) == (2, "")
    assert "Error: " in ran.err
    for spelling in (("--format", "json"), ("--format=json",)):
        ran = empty(*arguments, *spelling, inside=False)
        assert (ran.status, ran.err) == (2, "")
        assert (ran.json["success"], ran.json["code"]) == (False, "invalid_request")


def test_nothing_found_in_incomplete_facts_has_its_own_status(scaup: Scaup) -> None:
    assert scaup("outline", "README.md").status == 0
    assert scaup("outline", "README.md", "--require-complete").status == 3
    assert scaup("outline", "cart.py", "--require-complete").status == 0


def test_an_unexpected_error_is_one_sentence_unless_asked_for_more(
    scaup: Scaup, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr("scaup.pipeline.symbols.outline", broken)
    ran = scaup("outline", "cart.py")
    assert (ran.status, ran.out) == (2, "")
    assert (
        ran.err == "error[internal_error]: Unexpected ZeroDivisionError: oh. --debug shows where; please report it.\n"
    )
    assert scaup("outline", "cart.py", "--format", "json").json["code"] == "internal_error"
    assert cli.run(["outline", "cart.py", "-C", str(scaup.root), "--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_quiet(scaup: Scaup, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scaup.pipeline.symbols.outline", interrupted)
    ran = scaup("outline", "cart.py")
    assert (ran.status, ran.out, ran.err.strip()) == (130, "", "")


def test_a_reader_that_has_enough_is_no_error(root: Path) -> None:
    query = "SELECT repeat('x', 1000) FROM range(3000)"
    with subprocess.Popen(
        [*SCAUP, "sql", "-C", str(root), query], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


# ------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("outline", "nope.py"), "path_not_found", "no file or folder nope.py"),
        (("outline", "/etc/passwd"), "path_not_found", "is outside of"),
        (("outline", "../../../etc/passwd"), "path_not_found", ""),
        (("outline", "\udcff.py"), "path_not_found", "\\xff.py"),
        (("outline", "a\x1b[31m.py"), "path_not_found", "a\\x1b[31m.py"),
        (("outline", ""), "path_not_found", ""),
        (("outline", "\0"), "path_not_found", ""),
        (("show", "nope"), "symbol_not_found", "no symbol nope"),
        (("show", "cart.py"), "invalid_request", "is a file"),
        (("calls", "size"), "ambiguous_match", "  src/shop/cart.py:17  method Cart.size\n"),
        (("metrics", "nope/"), "path_not_found", "no file or folder nope/"),
        (("metrics", "--sort", "nope"), "invalid_request", "no column of metrics"),
        (("search", "cart", "--path", "nope"), "path_not_found", "no file or folder nope"),
        (("search", ""), "invalid_request", "empty"),
        (("pack",), "invalid_request", "a question or about one symbol"),
        (("pack", "cart", "--symbol", "price"), "invalid_request", "a question or about one symbol"),
        (("pack", "--symbol", "nope"), "symbol_not_found", "no symbol nope"),
        (("pack", "cart", "--budget", "0"), "invalid_request", "at least 1"),
        (("sql", "SELECT"), "sql_error", "SELECT"),
        (("sql", "DROP TABLE files"), "sql_error", "not allowed"),
        (("sql", "SELECT * FROM read_csv('/etc/passwd')"), "sql_error", ""),
        (("sql", "\udcff"), "sql_error", "not valid Unicode"),
        (("sql", "--file", "/nope.sql"), "path_not_found", "/nope.sql cannot be read"),
        (
            (
                "sql",
                "SELECT max(hash(a.range, b.range, c.range)) FROM range(99999) a, range(99999) b, range(99999) c",
                "--timeout",
                "0.7",
            ),
            "timeout",
            "0.7 s",
        ),
    ],
    ids=lambda value: None if isinstance(value, tuple) else value[:20],
)
def test_what_cannot_be_done_has_a_code_and_a_sentence(
    scaup: Scaup, arguments: tuple[str, ...], code: str, words: str
) -> None:
    ran = scaup(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"error[{code}]: ")
    assert words in ran.err
    assert "\x1b" not in ran.err
    ran = scaup(*arguments, "--format", "json")
    assert (ran.status, ran.err) == (2, "")
    assert (ran.json["success"], ran.json["code"]) == (False, code)
    assert ran.json["message"]


def test_a_directory_that_does_not_exist(empty: Scaup) -> None:
    ran = empty("status", "-C", str(empty.root / "nope"), inside=False)
    assert ran.status == 2
    assert ran.err.startswith("error[path_not_found]: ")


def test_a_query_that_is_not_utf8(scaup: Scaup, tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_bytes(b"SELECT '\xff'")
    assert "error[invalid_request]: The query in" in scaup("sql", "--file", str(tmp_path / "q.sql")).err


def test_an_empty_folder_and_a_repository_without_commits_have_facts(empty: Scaup) -> None:
    ran = empty("ingest")
    assert ran.status == 0
    assert "parsed  0 files" in ran.out
    subprocess.run(["git", "init", "-q", str(empty.root)], check=True)
    (empty.root / "a.py").write_text("def f(): pass\n")
    ran = empty("ingest")
    assert ran.status == 0
    assert "of no commit" in ran.out
    assert empty("show", "f", "--format", "json").json["symbols"][0]["text"] == "def f(): pass\n"


def test_before_the_first_ingest_commands_that_only_read_name_the_way_out(empty: Scaup) -> None:
    for arguments in (("status",), ("sql", "SELECT 1"), ("outline", "a.py", "--no-refresh")):
        assert empty(*arguments).err == "error[facts_unavailable]: There are no facts yet. Run `scaup ingest`.\n"


def test_stale_facts_say_so(empty: Scaup) -> None:
    (empty.root / "a.py").write_text("def f(): pass\n")
    empty("ingest")
    (empty.root / "b.py").write_text("def g(): pass\n")
    for arguments in (("status",), ("sql", "SELECT 1"), ("outline", "a.py", "--no-refresh")):
        ran = empty(*arguments)
        assert ran.status == 0
        assert ran.err == "incomplete: ingest: since the facts were made, 1 file changed\n"
    assert empty("show", "g").err == ""


def test_a_store_that_is_no_database(empty: Scaup) -> None:
    (empty.root / "a.py").write_text("def f(): pass\n")
    empty("ingest")
    database = empty.root / ".scaup/facts.duckdb"
    database.chmod(0o644)
    database.write_bytes(b"no database")
    assert empty("status").err.startswith("error[facts_unavailable]: ")
    assert empty("sql", "SELECT 1").err.startswith("error[facts_unavailable]: ")
    assert empty("show", "f").status == 0
    assert empty("status").status == 0


def test_a_store_that_the_repository_planted(empty: Scaup, tmp_path_factory: pytest.TempPathFactory) -> None:
    (empty.root / ".scaup").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    for arguments in (("ingest",), ("status",), ("outline", "a.py"), ("sql", "SELECT 1")):
        ran = empty(*arguments)
        assert ran.status == 2
        assert "is a symbolic link" in ran.err


def test_a_root_that_cannot_be_written_to(
    empty: Scaup, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    (empty.root / "a.py").write_text("def f(): pass\n")
    (empty.root / ".scaup").write_text("")  # a file: also for root, no folder can be made here
    assert str(cache) in empty("ingest").out
    assert empty("sql", "SELECT 1").status == 0
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/cache")
    assert "in memory" in empty("ingest").out
    assert empty("show", "f").status == 0
    assert empty("sql", "SELECT 1").err.startswith("error[facts_unavailable]: Facts are in memory")


def test_while_another_process_writes(empty: Scaup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "ingest", functools.partial(ingest.ingest, wait=0.1))
    (empty.root / "a.py").write_text("def f(): pass\n")
    location = ingest.project(empty.root).location
    with store.write(location, timeout=1):
        assert empty("ingest").err.startswith("error[store_locked]: ")
        assert empty("outline", "a.py").err.startswith("error[store_locked]: ")
    empty("ingest")
    (empty.root / "a.py").write_text("def g(): pass\n")
    with store.write(location, timeout=1):
        ran = empty("outline", "a.py", "--format", "json")
    assert (ran.status, ran.json["complete"]) == (0, False)
    assert ran.json["symbols"][0]["qualname"] == "f"


def test_two_ingests_at_once_both_succeed(empty: Scaup) -> None:
    for number in range(30):
        (empty.root / f"m{number}.py").write_text(f"def f{number}(): pass\n")
    both = [
        subprocess.Popen([*SCAUP, "ingest", "-C", str(empty.root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in both:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, b"")
        assert b"30 files" in out


def test_files_of_every_bad_kind_are_named_or_parsed(empty: Scaup) -> None:
    files: dict[str, bytes] = {
        "latin.py": b"def caf\xe9():\n    return 1\n",
        "empty.py": b"",
        "binary.py": b"\x00\x01\x02def f(): pass\n",
        "broken.py": b"def f(:\n  )\ndef g(): pass\n",
        "long.py": b"x = '" + b"y" * 900_000 + b"'\ndef after(): pass\n",
        "nul.py": b"def nul():\n    return '\x00'\n",
        "deep.py": b"x = " + b"(" * 5000 + b")" * 5000 + b"\n",
        "e\x1b[31m\n.py": b"def red(): pass\n",
        os.fsdecode(b"\xff.py"): b"def byte(): pass\n",
    }
    for name, content in files.items():
        (empty.root / name).write_bytes(content)
    (empty.root / "link.py").symlink_to("/etc/passwd")
    (empty.root / "broken_link.py").symlink_to("nowhere")
    ran = empty("ingest")
    assert ran.status == 0
    for target in ("g", "after", "red", "byte"):
        shown = empty("show", target)
        assert shown.status == 0, target
        assert "\x1b" not in shown.out
    assert "\\x1b[31m\\n.py" in empty("show", "red").out
    assert empty("show", "\udcff.py::byte").status == 0
    assert empty("outline", "\\xff.py").status == 0
    assert empty("outline", "link.py").err == "incomplete: link.py was not read (symlink)\n"
