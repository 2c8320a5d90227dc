#!/usr/bin/env python3
"""How long a cold ingest takes, and how much memory: each checkout as a whole process, beside its floor.

The floor is what no ingest can do without: one thread that parses the same files with tree-sitter, and the same
`git log`. Memory is the peak of PSS (shared pages counted once) summed over all processes, sampled from /proc.

    .venv/bin/python bench/ingest/measure.py CHECKOUT [CHECKOUT ...] [--runs 3] [--output results/NAME.json]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

# Reading a large process takes milliseconds of the cores that are measured.
SAMPLE_SECONDS = 0.25


def tree_of(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            children = Path(f"/proc/{pid}/task/{task}/children").read_text().split()
            for child in children:
                found += tree_of(int(child))
    except OSError:
        pass
    return found


def pss_kib(pid: int) -> int:
    """Return the proportional set size of a process."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def measured(command: list[str]) -> dict[str, Any]:
    """Run a command; return wall seconds, CPU seconds, peak PSS in MiB, and its JSON answer."""
    before = os.times()
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    peak = 0
    output: list[bytes] = []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read() if process.stdout else b""))
    reader.start()
    while process.poll() is None:
        peak = max(peak, sum(pss_kib(pid) for pid in tree_of(process.pid)))
        time.sleep(SAMPLE_SECONDS)
    wall = time.perf_counter() - started
    reader.join()
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"wall": round(wall, 2), "cpu": round(cpu, 2), "pss_mib": peak // 1024, "answer": json.loads(output[0])}


FLOOR = """
import json, subprocess, sys, time
from scaup.pipeline import languages, store
from scaup.pipeline.ingest import project
from pathlib import Path
from tree_sitter import Parser
from tree_sitter_language_pack import get_language
at = project(Path(sys.argv[1]))
con = store.open_read(at.location)
rows = con.execute("SELECT path, language FROM files WHERE excluded_reason IS NULL ORDER BY language, path").fetchall()
parsers = {n: Parser(get_language(languages.load()[n].grammar)) for n in {r[1] for r in rows}}
lines = 0
started = time.perf_counter()
for path, language in rows:
    data = (at.root / path).read_bytes()
    lines += data.count(b"\\n")
    parsers[language].parse(data)
parse = time.perf_counter() - started
started = time.perf_counter()
log = ["log", "--no-merges", "--raw", "-z", "-M", "-n", "4000", "--format=%H%x00%s%x00%b"]
subprocess.run(["git", "-C", str(at.root), *log], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
log_seconds = time.perf_counter() - started
print(json.dumps({"files": len(rows), "lines": lines, "parse": round(parse, 2), "log": round(log_seconds, 2)}))
"""


def main() -> None:
    """Measure the given checkouts and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    scaup = [str(Path(sys.executable).with_name("scaup"))]
    results = []
    print("checkout                  files    lines  floor s  cold s  ratio   cpu s  PSS MiB")
    for checkout in args.checkouts:
        runs, floors = [], []
        for _ in range(args.runs):
            runs.append(measured([*scaup, "ingest", "--fresh", "--format", "json", "-C", str(checkout)]))
            ran = subprocess.run([sys.executable, "-c", FLOOR, str(checkout)], capture_output=True, check=True)
            floors.append(json.loads(ran.stdout))
        runs.sort(key=lambda run: run["wall"])
        floors.sort(key=lambda run: run["parse"] + run["log"])
        run, floor = runs[len(runs) // 2], floors[len(floors) // 2]
        bottom = floor["parse"] + floor["log"]
        answer = run.pop("answer")
        row = {
            "checkout": checkout.resolve().name,
            **floor,
            **run,
            "pss_mib": max(one["pss_mib"] for one in runs),
            "walls": [one["wall"] for one in runs],
            "ratio": round(run["wall"] / bottom, 2),
            "stages": {stage["stage"]: stage["seconds"] for stage in answer["stages"]},
            "complete": answer["complete"],
            "counts": answer["counts"],
        }
        results.append(row)
        print(
            f"{row['checkout']:24} {row['files']:6} {row['lines']:8} {bottom:8.2f} {row['wall']:7.2f} "
            f"{row['ratio']:6.2f} {row['cpu']:7.1f} {row['pss_mib']:8}",
            flush=True,
        )
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        about = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
        args.output.write_text(json.dumps({"about": about, "runs": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
