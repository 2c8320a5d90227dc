"""The command line: arguments in, a response object out to `reports`. Nothing here knows how an answer is made.

Modules of a command are imported when it runs, so that `--help`, `--version` and completion are quick.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scaup.pipeline.response import Response, ScaupError, success

if TYPE_CHECKING:
    from scaup.pipeline.facts import Facts
    from scaup.pipeline.ingest import Project
    from scaup.rules import audit as auditor
    from scaup.rules.fixes.run import Wanted

FINDINGS, FAILURE, INCOMPLETE, INTERRUPTED = 1, 2, 3, 130
_COMPLETE_VAR = "_SCAUP_COMPLETE"  # by which a shell asks for completions


@dataclass(frozen=True)
class Options:
    """The options that commands have in common."""

    format: str
    quiet: bool
    debug: bool
    directory: Path = Path()
    require_complete: bool = False
    refresh: bool = False
    # A file that gets the answer in its format, while people see text.
    output: str | None = None

    @contextmanager
    def project(self) -> Iterator[tuple[Project, Any]]:
        """Yield the project of the directory, and a progress bar that is shown meanwhile."""
        from scaup.pipeline import ingest
        from scaup.reports.progress import Bar

        with Bar(enabled=not self.quiet) as bar:
            yield ingest.project(self.directory), bar

    @contextmanager
    def facts(self) -> Iterator[Facts]:
        """Yield the facts of the project, brought up to date where the command does that."""
        from scaup.pipeline.facts import open_facts

        with self.project() as (project, bar):
            facts = open_facts(project, refresh=self.refresh, progress=bar, directory=self.directory)
        with facts:
            yield facts


@dataclass(frozen=True)
class Answer:
    """A response, and how it is to be printed."""

    command: str
    response: Response
    options: Options


# --------------------------------------------------------------------------------------------------- the one way out


def main() -> None:
    """Run the command line and end the process with its status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command, print its answer, and return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal or pipe; tests put other streams there
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")
    try:
        answer = _invoke(arguments)
        return answer if isinstance(answer, int) else _print(answer)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        import os

        # Whoever read has enough. Python would complain when it flushes the stream at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _invoke(arguments: Sequence[str]) -> Answer | int:
    try:
        result = cli.main(list(arguments), prog_name="scaup", standalone_mode=False, complete_var=_COMPLETE_VAR)
    except click.ClickException as error:
        if not _asks_for_json(arguments):
            error.show()
            return FAILURE
        failure = ScaupError("invalid_request", error.format_message())
        return Answer("", failure.response(), Options("json", quiet=False, debug=False))
    return result if isinstance(result, Answer | int) else 0


def _asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether arguments that click could not parse ask for JSON."""
    pairs = zip(arguments, [*arguments[1:], ""], strict=True)
    return any(pair == ("--format", "json") or pair[0] == "--format=json" for pair in pairs)


def _print(answer: Answer) -> int:
    """Print an answer, and what is missing from it; return the exit status."""
    from scaup.reports import paint, problems

    response, options = answer.response, answer.options
    if options.output is not None:
        if (problem := _write(options.output, _render(answer))) is not None:
            sys.stderr.write(problems.render(problem.response(), paint.paint_for(sys.stderr)))
            return FAILURE
        options = replace(options, format="text")
        answer = replace(answer, options=options)
    # A file of findings is read by a program, which wants one for a failure too.
    is_for_programs = options.format == "json" or (answer.command == "audit" and options.format != "text")
    if response["success"] or is_for_programs:
        sys.stdout.write(_render(answer))
        sys.stdout.flush()
    if options.format != "json" and not (response["success"] and options.quiet):
        sys.stderr.write(problems.render(response, paint.paint_for(sys.stderr)))
    if not response["success"]:
        return FAILURE
    if any(not row["suppressed"] for row in response.get("diagnostics", ())):
        return FINDINGS
    return INCOMPLETE if options.require_complete and not response["complete"] and not _found(response) else 0


def _write(file: str, text: str) -> ScaupError | None:
    """Write an answer to a file, in one step; return why it could not be."""
    target = Path(file)
    partial = target.with_name(f".{target.name}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(target)
    except OSError as error:
        return ScaupError("invalid_request", f"{file} cannot be written: {error.strerror or error}.")
    return None


def _render(answer: Answer) -> str:
    response, options = answer.response, answer.options
    if options.format == "json":
        from scaup.reports import json

        return json.render(response)
    if answer.command == "audit" and options.format != "text":
        return _render_audit(response, options.format)
    if options.format == "csv" and "rows" in response:
        from scaup.reports import table

        return table.render_csv([column["name"] for column in response["columns"]], response["rows"])
    if answer.command == "pack":
        from scaup.reports import pack

        return pack.render_markdown(response) if options.format == "markdown" else pack.render_text(response)
    if answer.command == "ingest" and options.quiet:
        return ""
    from scaup.reports import paint, text

    return text.render(answer.command, response, paint.paint_for(sys.stdout))


def _render_audit(response: Response, format: str) -> str:
    from scaup.reports import document, github, gitlab, junit, sarif

    if format == "sarif":
        from scaup.pipeline.versions import version

        return sarif.render(response, version("scaup"))
    renderers = {"github": github.render, "gitlab": gitlab.render, "junit": junit.render, "markdown": document.render}
    return renderers[format](response)


def _found(response: Response) -> bool:
    """Whether an answer has anything in it."""
    return any(
        response.get(name) for name in ("results", "symbols", "callers", "callees", "sections", "beyond_budget", "rows")
    )


# ----------------------------------------------------------------------------------------------------------- options

_DIRECTORY = click.option(
    "-C",
    "--directory",
    default=".",
    metavar="DIR",
    help="Work on the repository around DIR instead of the current one.",
)
_REQUIRE = click.option(
    "--require-complete", is_flag=True, help="Exit with 3 where nothing is found and facts are missing."
)
_REFRESH = click.option(
    "--no-refresh", is_flag=True, help="Answer from the facts that there are, and say how stale they are."
)
_OUTPUT = click.option(
    "--output", metavar="FILE", help="Write the answer to a file in its format, and text to standard output."
)
_QUIET = click.option("-q", "--quiet", is_flag=True, help="Show no progress and no notes on what is missing.")
_DEBUG = click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")


def _format(*formats: str) -> Callable[[Any], Any]:
    return click.option(
        "--format", type=click.Choice(formats), default=formats[0], show_default=True, help="How the answer is written."
    )


def command(
    *,
    formats: tuple[str, ...] = ("text", "json"),
    project: bool = True,
    refresh: bool = False,
    output: bool = False,
) -> Callable[[Callable[..., Response]], click.Command]:
    """Make a command of a function that takes `Options` and its own arguments and returns a response."""

    def decorate(function: Callable[..., Response]) -> click.Command:
        name = function.__name__.rstrip("_")

        @functools.wraps(function)
        def call(format: str, quiet: bool, debug: bool, **values: Any) -> Answer:
            own = Options(
                format,
                quiet,
                debug,
                directory=Path(values.pop("directory", ".")),
                require_complete=values.pop("require_complete", False),
                refresh=refresh and not values.pop("no_refresh", False),
                output=values.pop("output", None),
            )
            return Answer(name, _guard(own, lambda: function(own, **values)), own)

        options = [
            _format(*formats),
            *([_OUTPUT] if output else []),
            *([_DIRECTORY] if project else []),
            *([_REFRESH] if refresh else []),
        ]
        options += [*([_REQUIRE] if project else []), _QUIET, _DEBUG]
        decorated: Any = call
        # The function's own options stand first in its help.
        params = getattr(decorated, "__click_params__", [])
        decorated.__click_params__ = []
        for option in reversed(options):
            decorated = option(decorated)
        decorated.__click_params__ += params
        return cli.command(name)(decorated)

    return decorate


def _guard(options: Options, work: Callable[[], Response]) -> Response:
    """Return the response of some work, also where it fails: no traceback reaches a user who did not ask for one."""
    try:
        return work()
    except ScaupError as error:
        if options.debug:
            _traceback()
        return error.response()
    except (BrokenPipeError, click.ClickException):
        raise
    except Exception as error:
        if options.debug:
            _traceback()
        said = (str(error).splitlines() or [""])[0]
        message = (
            f"Unexpected {type(error).__name__}{f': {said}' if said else ''}. --debug shows where; please report it."
        )
        return {"success": False, "code": "internal_error", "message": message}


def _traceback() -> None:
    import traceback

    traceback.print_exc()


class _Commands(click.Group):
    """Lists commands in the order in which they are defined, which is that of their use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from scaup.pipeline.versions import version

        click.echo(f"scaup {version('scaup')}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Facts of a git repository, and answers out of them: packs for coding agents, audits of the text that agents
    read, symbols, calls, risk, SQL.

    Commands that answer bring the facts up to date first. Each takes --format json, and then prints one response
    object. Exit status: 0 done, 1 findings of an audit, 2 failure, 3 nothing found but incomplete (with
    --require-complete).
    """


# ---------------------------------------------------------------------------------------------------------- commands


@command()
@click.option("--fresh", is_flag=True, help="Start anew instead of from the facts that there are.")
def ingest(options: Options, fresh: bool) -> Response:
    """Bring the facts up to date.

    Only what changed since the last time is read again. Other commands do this by themselves where they need it.
    """
    from scaup.pipeline import ingest as stages

    with options.project() as (project, bar):
        return stages.ingest(project, fresh=fresh, progress=bar)


@command()
def status(options: Options) -> Response:
    """Show what facts there are.

    Also where they are, whether they are stale, and how each stage ended. Nothing is brought up to date.
    """
    from scaup.pipeline.status import summary

    with options.facts() as facts:
        return facts.answer(summary(facts.con, facts.project.location))


@command(formats=("text", "json", "markdown"), refresh=True)
@click.argument("query", required=False)
@click.option("--symbol", metavar="NAME", help="Pack this symbol instead of a question.")
@click.option(
    "--diff", metavar="REV", help="Pack what differs from this revision, the working tree and untracked files included."
)
@click.option(
    "--path", metavar="PATH", help="Take a question or a diff only from this file or folder; with --symbol, its file."
)
@click.option(
    "--budget", type=int, default=400, show_default=True, metavar="LINES", help="Lines of the pack, at most 800."
)
@click.option("--seeds", type=int, metavar="N", help="Symbols that a question starts from, at most 15 (the default).")
@click.option("--include-tests", is_flag=True, help="Pack test symbols too, as seeds, callers and callees.")
def pack(options: Options, **asked: Any) -> Response:
    """Assemble the code around a question.

    With a QUERY, the symbols that it is about; with --symbol, that one; with --diff, those whose lines differ, and
    the tests nearest to them. Their callers and callees follow, within a budget of lines; what has no room is listed.
    --path narrows where a pack starts, and not what surrounds it.
    """
    from scaup.pipeline.pack import pack as assemble

    with options.facts() as facts:
        return facts.answer(assemble(facts, **asked))


@command(refresh=True)
@click.argument("query")
@click.option("--files", is_flag=True, help="Rank files instead of symbols.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="Results at most."
)
@click.option("--path", metavar="PREFIX", help="Only below this file or folder.")
def search(options: Options, query: str, files: bool, limit: int, path: str | None) -> Response:
    """Rank symbols, or files, by a question."""
    from scaup.pipeline.lookup import find_place
    from scaup.pipeline.search import search as lanes

    with options.facts() as facts:
        prefix = find_place(facts, path).path if path is not None else None
        return facts.answer(lanes(facts.con, query, limit=limit, path_prefix=prefix or None, files=files))


@command(refresh=True)
@click.argument("path")
def outline(options: Options, path: str) -> Response:
    """List the definitions in a file.

    PATH counts from the root of the repository or from the current folder; its last parts are enough.
    """
    from scaup.pipeline import symbols

    with options.facts() as facts:
        payload = symbols.outline(facts, path)
        return facts.answer(payload)


@command(refresh=True)
@click.argument("target")
def show(options: Options, target: str) -> Response:
    """Print the text of a definition.

    TARGET is NAME, PATH::NAME or PATH:LINE; of a NAME, the last parts are enough.
    """
    from scaup.pipeline import symbols

    with options.facts() as facts:
        payload = symbols.show(facts, target)
        return facts.answer(payload)


@command(refresh=True)
@click.argument("symbol")
def calls(options: Options, symbol: str) -> Response:
    """List callers and callees of a symbol.

    Each with the rung that resolved the call, from exact to unique_name; then the calls that were not resolved.
    SYMBOL is NAME, PATH::NAME or PATH:LINE.
    """
    from scaup.pipeline import symbols

    with options.facts() as facts:
        return facts.answer(symbols.calls(facts, symbol))


@command(refresh=True)
@click.argument("target", required=False)
@click.option("--sort", default="amp", show_default=True, metavar="COLUMN", help="Column of symbol_risk to sort by.")
@click.option(
    "--limit", type=click.IntRange(min=0), default=50, show_default=True, metavar="N", help="Rows at most; 0 for all."
)
def metrics(options: Options, target: str | None, sort: str, limit: int) -> Response:
    """Show risk facts of symbols.

    TARGET is a file, a folder or a symbol; without it, the whole repository counts.
    """
    from scaup.pipeline import symbols

    with options.facts() as facts:
        return facts.answer(symbols.metrics(facts, target, sort=sort, limit=limit))


@command(formats=("table", "json", "csv"))
@click.argument("query", required=False)
@click.option("--file", type=click.Path(path_type=Path), metavar="FILE", help="Read the query from FILE.")
@click.option("--schema", is_flag=True, help="Show the tables that a query can use, with a comment on each column.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop the query after so long.",
)
@click.option(
    "--max-rows",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Rows of the answer at most.",
)
def sql(
    options: Options, query: str | None, file: Path | None, schema: bool, timeout: float, max_rows: int
) -> Response:
    """Answer a SQL query from the facts.

    A QUERY of - is read from standard input. Only statements that read are allowed; --schema shows the tables.
    """
    if sum((query is not None, file is not None, schema)) != 1:
        raise click.UsageError("Give one of QUERY, --file and --schema.")
    text = _query(query, file)
    with options.facts() as facts:
        if schema:
            from scaup.pipeline import contract

            return facts.answer({"tables": contract.tables(facts.con)})
        from scaup.pipeline.sandbox import run_sql

        return facts.answer(run_sql(facts.project.location, text, timeout=timeout, max_rows=max_rows))


def _query(query: str | None, file: Path | None) -> str:
    """Return the text of a query from where it is."""
    try:
        if file is not None:
            return file.read_text("utf-8")
        return sys.stdin.buffer.read().decode("utf-8") if query == "-" else query or ""
    except OSError as error:
        raise ScaupError("path_not_found", f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ScaupError(
            "invalid_request", f"The query in {file or 'standard input'} is not UTF-8: {error}."
        ) from error


@command(formats=("text", "json", "sarif", "github", "gitlab", "junit", "markdown"), refresh=True, output=True)
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@click.option(
    "--select",
    multiple=True,
    metavar="RULE",
    help="Only these rules: a class (A), a code (C101) or its beginning, a name; instead of the configured ones.",
)
@click.option("--ignore", multiple=True, metavar="RULE", help="Not these rules, in the same forms.")
@click.option(
    "--confidence",
    type=click.Choice(["certain", "likely", "needs_evidence"]),
    help="Report findings of at least this confidence (likely, where nothing else is configured).",
)
@click.option(
    "--candidates", is_flag=True, help="Also judge prose in ordinary code that nothing shows to be agent-facing."
)
@click.option("--show-passes", is_flag=True, help="Also list what was judged and passed, each with its reason.")
@click.option("--diff", metavar="REV", help="Report only texts that differ from a revision, such as HEAD or main.")
@click.option(
    "--baseline",
    metavar="FILE",
    help="Findings accepted before; scaup-baseline.json, where nothing else is configured and it exists.",
)
@click.option("--no-baseline", is_flag=True, help="Report accepted findings too.")
@click.option("--write-baseline", is_flag=True, help="Accept all findings that there are: only new ones fail.")
@click.option("--fix", is_flag=True, help="Make the safe fixes, in files that git knows; then format and check them.")
@click.option("--unsafe-fixes", is_flag=True, help="Also put in the proposed wordings, which may change what is said.")
@click.option("--dry-run", is_flag=True, help="With a fix: print what would change, and write nothing.")
def audit(
    options: Options,
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    confidence: str | None,
    candidates: bool,
    show_passes: bool,
    diff: str | None,
    baseline: str | None,
    no_baseline: bool,
    write_baseline: bool,
    fix: bool,
    unsafe_fixes: bool,
    dry_run: bool,
) -> Response:
    """Find text that trains agents in bad habits.

    Judges tool descriptions, results, errors, hints and prompts. Without a PATH, or with a folder, the facts are
    brought up to date first; files alone are read as they are, and what other files tell of them is taken from the
    facts that there are. Exit status 1 where anything is found.
    """
    if no_baseline and (baseline or write_baseline):
        raise ScaupError("invalid_request", "--no-baseline goes with neither --baseline nor --write-baseline.")
    if dry_run and not (fix or unsafe_fixes):
        raise ScaupError("invalid_request", "--dry-run goes with --fix or --unsafe-fixes.")
    if (fix or unsafe_fixes) and not options.refresh:
        raise ScaupError("invalid_request", "--fix needs facts of the files as they are: leave out --no-refresh.")
    if (fix or unsafe_fixes) and write_baseline:
        raise ScaupError("invalid_request", "--write-baseline accepts what there is: it goes with no fix.")

    def asked(root: Path, wanted: Wanted | None) -> auditor.Asked:
        from scaup.rules import audit as auditor
        from scaup.rules.acceptance import Accepting

        return auditor.Asked(
            _listed(select), _listed(ignore), confidence, candidates, show_passes, diff,
            all_rules=options.format == "sarif",
            edits=options.format in ("json", "sarif"),
            fix=wanted,
            accepting=Accepting(_from_root(root, baseline), not no_baseline, write_baseline),
        )  # fmt: skip

    places = [_existing(options.directory, path) for path in paths]
    # What differs from a revision, and all that a baseline accepts, takes the facts of the repository.
    alone = bool(places) and all(place.is_file() for place in places) and not diff and not write_baseline
    if not (fix or unsafe_fixes):
        return _audited(options, places, asked, None, alone=alone)
    from scaup.rules.fixes.run import Wanted, repeated

    return repeated(lambda wanted: _audited(options, places, asked, wanted, alone=alone), Wanted(unsafe_fixes, dry_run))


def _audited(
    options: Options,
    places: Sequence[Path],
    asked: Callable[[Path, Wanted | None], auditor.Asked],
    wanted: Wanted | None,
    *,
    alone: bool,
) -> Response:
    """Audit files as they are, else the repository by its facts."""
    if alone:
        from scaup.pipeline.stages.pool import Worker

        with Worker() as worker:  # before anything else: it loads the parser while this process loads the rules
            from scaup.rules import audit as auditor

            with options.project() as (project, _):
                inside = [_inside(project, place) for place in places]
                return auditor.files(project, inside, asked(project.root, wanted), worker)
    from scaup.rules import audit as auditor

    with options.facts() as facts:
        inside = [_inside(facts.project, place) for place in places]
        return auditor.repository(facts, asked(facts.project.root, wanted), inside)


def _from_root(root: Path, path: str | None) -> str | None:
    """Return a path given from the current folder as one from a root."""
    import os

    if path is None:
        return None
    whole = Path(os.path.realpath(Path(path).parent)) / Path(path).name
    return Path(os.path.relpath(whole, os.path.realpath(root))).as_posix()


def _listed(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values of an option that can be repeated and takes commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _existing(directory: Path, path: str) -> Path:
    """Return the place that a path names from the current folder, else from the one that the command works on."""
    for place in (Path(path), directory / path):
        if place.exists() or place.is_symlink():
            return place
    raise ScaupError("path_not_found", f"{path} does not exist.")


def _inside(project: Project, place: Path) -> str:
    """Return a place as a path from the root of a project."""
    import os

    from scaup.pipeline import git

    folder = os.path.realpath(place.parent) if place.name not in ("", "..") else os.path.realpath(place)
    whole = Path(folder) / place.name if place.name not in ("", "..") else Path(folder)
    inside = os.path.relpath(whole, os.path.realpath(project.root))
    if inside == os.curdir:
        return ""
    if inside.startswith(os.pardir):
        raise ScaupError("invalid_request", f"{place} is outside of {project.root}.")
    return git.encode_path(os.fsencode(inside))


@command(project=False)
def rules(_: Options) -> Response:
    """List the rules of the audit."""
    from scaup.rules import known_rules
    from scaup.rules.answer import described

    return success({"rules": [described(rule) for rule in known_rules()]})


@command(project=False)
@click.argument("code")
def rule(_: Options, code: str) -> Response:
    """Explain a rule of the audit.

    CODE is its code or its name. Shows what it finds, the habit behind it, what to write instead, and examples.
    """
    from scaup.rules.answer import explained
    from scaup.rules.selection import find

    return success({"rules": [explained(find(code))]})


@command()
@click.argument("path", required=False)
@click.option("--schema", is_flag=True, help="Print the JSON schema of the configuration instead.")
def config(options: Options, path: str | None, schema: bool) -> Response:
    """Show the settings that apply to a path.

    PATH is a file or folder, the root where none is given. Each setting stands with the file that sets it.
    """
    from scaup.pipeline import settings
    from scaup.pipeline.applied import applied

    if schema:
        return success({"schema": settings.schema()})
    with options.project() as (project, _):
        from scaup.rules.selection import Selection

        inside = _inside(project, _existing(options.directory, path)) if path else ""
        response, found = applied(project.root, inside)
        return {**response, "rules": sorted(Selection(None, ()).of(inside, found))}


@command(project=False)
def languages(_: Options) -> Response:
    """List the languages that Scaup reads."""
    from scaup.pipeline.languages import load

    rows = [
        {"name": row.name, "suffixes": row.suffixes, "filenames": row.filenames, "interpreters": row.interpreters}
        for row in load().values()
    ]
    return success({"languages": rows})


@command(project=False)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(_: Options, shell: str) -> Response:
    """Print the completion script of a shell.

    For bash: scaup completion bash > ~/.local/share/bash-completion/completions/scaup
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    if script is None:
        raise ScaupError("invalid_request", f"There is no completion for {shell}.")
    return success({"shell": shell, "script": script(cli, {}, "scaup", _COMPLETE_VAR).source()})


if __name__ == "__main__":
    main()
