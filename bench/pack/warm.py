#!/usr/bin/env python3
"""How long a warm `scaup pack` takes as a whole process, nothing changed, against `python -c "import duckdb"`.

Both run in turn, so that whatever else the machine does meets both; the difference is that of the medians. The first
pack of a checkout brings its facts up to date and counts for nothing. Bytecode is cached, as it is after an install.

    .venv/bin/python bench/pack/warm.py CHECKOUT [CHECKOUT ...] [--runs 15]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results")
SHORT = "how are connections given back and used again"
# As long as the message of a commit.
LONG = (
    "Fix a race where a connection that was closed by the server while it was idle is handed out once more after a "
    "timeout, so that the first statement of the next transaction fails; check it before use, log the error, and add "
    "a setting for the interval"
)
COMMANDS = {
    "pack": ["pack", SHORT],
    "pack, 48 words": ["pack", LONG],
    "search": ["search", SHORT],
    "ingest": ["ingest"],
}
LINES = """
import sys
from pathlib import Path
from scaup.pipeline import ingest, store
con = store.open_read(ingest.project(Path(sys.argv[1])).location)
print(*con.execute("SELECT count(*), sum(lines)::BIGINT FROM files WHERE excluded_reason IS NULL").fetchone())
"""
SEARCH = """
import sys, time
from pathlib import Path
from scaup.pipeline import ingest, search, store
con = store.open_read(ingest.project(Path(sys.argv[1])).location)
seconds = []
for _ in range(int(sys.argv[3])):
    started = time.perf_counter()
    search.hits(con, sys.argv[2], limit=300)
    seconds.append(time.perf_counter() - started)
print(*seconds)
"""


def seconds(command: list[str]) -> float:
    """Return the wall time of a process that has to succeed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
    return time.perf_counter() - started


def output(script: str, *arguments: str) -> list[str]:
    """Return the words that a script prints."""
    ran = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return ran.stdout.split()


def measured(checkout: Path, runs: int) -> dict[str, Any]:
    """Run all commands in turn and return the row of a checkout, times in milliseconds."""
    scaup = [sys.executable, "-m", "scaup.pipeline.cli"]
    commands = {name: [*scaup, *arguments, "-C", str(checkout)] for name, arguments in COMMANDS.items()}
    commands["import duckdb"] = [sys.executable, "-c", "import duckdb"]
    for command in commands.values():
        seconds(command)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(seconds(command))
    medians = {name: round(statistics.median(values) * 1000) for name, values in times.items()}
    files, lines = map(int, output(LINES, str(checkout)))
    searches = [float(word) * 1000 for word in output(SEARCH, str(checkout), LONG, str(runs))]
    return {
        "checkout": checkout.resolve().name.rpartition("+")[2],
        "files": files,
        "lines": lines,
        "median_ms": medians,
        "least_ms": {name: round(min(values) * 1000) for name, values in times.items()},
        "above_import_ms": {name: medians[name] - medians["import duckdb"] for name in COMMANDS},
        "search_in_process_ms": {
            "first": round(searches[0], 1),
            "median": round(statistics.median(searches), 1),
            "least": round(min(searches), 1),
        },
    }


def main() -> None:
    """Measure the given checkouts, print a table and write results/warm.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    print("checkout        lines  import duckdb ms | above it:  " + "  ".join(COMMANDS) + " | search in process ms")
    rows = []
    for checkout in args.checkouts:
        row = measured(checkout, args.runs)
        rows.append(row)
        above = "  ".join(f"{row['above_import_ms'][name]:>{max(len(name), 4)}}" for name in COMMANDS)
        print(
            f"{row['checkout']:12} {row['lines']:8}  {row['median_ms']['import duckdb']:16} | {'':11}{above} | "
            f"first {row['search_in_process_ms']['first']}, median {row['search_in_process_ms']['median']}",
            flush=True,
        )
    about: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }
    about |= {"runs": args.runs, "load_at_end": round(os.getloadavg()[0], 1)}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "warm.json").write_text(json.dumps({"about": about, "checkouts": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
