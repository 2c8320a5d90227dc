#!/usr/bin/env python3
"""What an audit costs: beyond the ingest on 1,000 files with 5,000 strings, and of five changed files on its own.

A repository of tool servers is made: each file registers tools, with descriptions, parameters, results and errors, in
Python, TypeScript and Go. "beyond the ingest" is a full audit (facts fresh, nothing stored yet) less a command that
only opens the facts (`scaup status`), both as whole processes; "again" is the same audit from what the first one kept.
"five files" is `scaup audit FILE…` less `python -c "import duckdb"`. Commands run in turn, so that whatever else the
machine does meets all.

    .venv/bin/python bench/audit/measure.py [--files 1000] [--runs 9]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RESULTS = Path(__file__).with_name("results")
SCAUP = [sys.executable, "-m", "scaup.pipeline.cli"]

# Sentences of tools, some of them with cues; {n} keeps them apart.
SENTENCES = (
    "Report {n} is still being built. Try again later.",
    "Lists the entries of ledger {n} with their dates, amounts and owners, newest first.",
    "Ledger {n} does not exist; the same call fails again until the name is corrected.",
    "Saves the draft of ledger {n} automatically while you edit.",
    "Returns at most {n} rows; pass the cursor of the last page to get the following one.",
    "The currency of ledger {n}, as a code of three letters.",
    "You will be notified as soon as ledger {n} has been closed.",
    "Never put account numbers of ledger {n} into a comment.",
)
PYTHON = '''from mcp.server.fastmcp import FastMCP

mcp = FastMCP("ledger{n}")


@mcp.tool()
def read_{n}(name: Annotated[str, Field(description="{a}")]) -> str:
    """{b}"""
    if not name:
        raise ValueError("{c}")
    return "{d}"


@mcp.tool(description="{e}")
def write_{n}(name: str) -> str:
    return render_{n}(name)


def render_{n}(name: str) -> str:
    return f"{f} ({{name}})"
'''
TYPESCRIPT = """import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
export function register{n}(server: McpServer) {{
  server.registerTool("read{n}", {{
    description: "{a}",
    inputSchema: {{ name: z.string().describe("{b}") }},
  }}, async ({{ name }}) => {{
    if (!name) throw new Error("{c}");
    return {{ content: [{{ type: "text", text: `{d} ${{name}}` }}] }};
  }});
  server.tool("write{n}", "{e}", {{}}, async () => ({{ content: [{{ type: "text", text: "{f}" }}] }}));
}}
"""
GO = """package ledger

import "github.com/mark3labs/mcp-go/mcp"

var tool{n} = mcp.NewTool("read{n}", mcp.WithDescription("{a}"), mcp.WithString("name", mcp.Description("{b}")))

func handle{n}(name string) (*mcp.CallToolResult, error) {{
	if name == "" {{
		return mcp.NewToolResultError("{c}"), nil
	}}
	return mcp.NewToolResultText("{d}" + "{e}" + name), nil
}}

var other{n} = mcp.NewTool("write{n}", mcp.WithDescription("{f}"))
"""
KINDS = (("py", PYTHON), ("ts", TYPESCRIPT), ("go", GO))


def build(root: Path, files: int) -> list[Path]:
    """Write a repository of tool servers; return its files."""
    made = []
    for n in range(files):
        suffix, frame = KINDS[n % len(KINDS)]
        texts = [SENTENCES[(n + offset) % len(SENTENCES)].format(n=n) for offset in range(6)]
        path = root / f"servers{n % 20}" / f"ledger{n}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(frame.format(n=n, **dict(zip("abcdef", texts, strict=True))), encoding="utf-8")
        made.append(path)
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "made"],
    ):
        subprocess.run(["git", "-C", str(root), *command], check=True)
    return made


def seconds(command: list[str]) -> float:
    """Return the wall time of a process; the status of findings counts as success."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, check=False)
    if ended.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {ended.returncode}")
    return time.perf_counter() - started


def main() -> None:
    """Measure, print a table and write results/audit.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=9)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "ledgers"
        root.mkdir()
        made = build(root, args.files)
        at = ["-C", str(root)]
        cold = seconds([*SCAUP, "ingest", *at])
        answer = subprocess.run([*SCAUP, "audit", "--format", "json", *at], capture_output=True, check=False)
        response = json.loads(answer.stdout)
        five = [str(path) for path in made[:: max(1, args.files // 5)][:5]]
        for path in five:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write("\n")
        commands = {
            # --candidates judges anew each time: nothing of it is kept.
            "full audit": [*SCAUP, "audit", "--no-refresh", "--candidates", *at],
            "again, from what is kept": [*SCAUP, "audit", "--no-refresh", *at],
            "status": [*SCAUP, "status", *at],
            "five files": [*SCAUP, "audit", *at, *five],
            "import duckdb": [sys.executable, "-c", "import duckdb"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for command in commands.values():
            seconds(command)
        for _ in range(args.runs):
            for name, command in commands.items():
                times[name].append(seconds(command))
    medians = {name: statistics.median(values) for name, values in times.items()}
    result = {
        "about": {
            "python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count(),
            "runs": args.runs,
            "load_at_end": round(os.getloadavg()[0], 1),
        },
        "files": response["inspected"]["files"],
        "strings": response["inspected"]["strings"],
        "findings": len(response["diagnostics"]),
        "cold_ingest_s": round(cold, 2),
        "median_ms": {name: round(value * 1000) for name, value in medians.items()},
        "least_ms": {name: round(min(values) * 1000) for name, values in times.items()},
        "full_audit_beyond_open_facts_ms": round((medians["full audit"] - medians["status"]) * 1000),
        "five_files_above_import_duckdb_ms": round((medians["five files"] - medians["import duckdb"]) * 1000),
    }  # fmt: skip
    print(json.dumps(result, indent=1))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "audit.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
