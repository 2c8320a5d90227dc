"""Whole packs of each language: bodies with what belongs to them, around a symbol, a module body and a class."""

from __future__ import annotations

from pathlib import Path

import pytest
from packs import build, packed
from syrupy.assertion import SnapshotAssertion

from scaup.reports.pack import render_text

PYTHON = '''
    """Reads configuration."""

    import functools
    import os
    from typing import overload

    DEFAULT = "dev"

    if os.environ.get("CI"):
        DEFAULT = "ci"


    @overload
    def read(name: str) -> str: ...
    @overload
    def read(name: str, fallback: int) -> int: ...
    # Settings come from the environment.
    @functools.cache
    def read(name, fallback=DEFAULT):
        """Read a setting."""
        return Settings(fallback).find(name)


    class Settings:
        def __init__(self, fallback):
            self.fallback = fallback

        @property
        def level(self):
            return self.find("level")

        @level.setter
        def level(self, value):
            os.environ["level"] = value

        def find(self, name):
            return os.environ.get(name, self.fallback)


    print(read("level"))
    '''
JAVASCRIPT = """
    const fs = require("fs");

    /** A queue of jobs. */
    class Queue {
      constructor() {
        this.jobs = [];
      }

      // Jobs wait here.
      push(job) {
        this.jobs.push(job);
        return save(this.jobs);
      }
    }

    /** Save jobs. */
    const save = (jobs) => fs.writeFileSync("jobs.json", JSON.stringify(jobs));

    module.exports = { Queue, save };
    """
JAVASCRIPT_TEST = """
    const { Queue } = require("./queue");

    describe("Queue", () => {
      it("calls push()", () => {
        new Queue().push(1);
      });
    });
    """
TYPESCRIPT = """
    export interface Point {
      x: number;
      y: number;
    }

    /** Distance of two points. */
    export function distance(a: Point, b: Point): number;
    export function distance(a: number, b: number): number;
    export function distance(a: any, b: any): number {
      return Math.abs(norm(a) - norm(b));
    }

    function norm(a: any): number {
      return typeof a === "number" ? a : Math.hypot(a.x, a.y);
    }

    @Injectable()
    export class Ruler {
      private unit = "cm";

      measure(a: Point, b: Point): string {
        return `${distance(a, b)} ${this.unit}`;
      }
    }
    """
TSX = """
    import React from "react";

    type Props = { name: string };

    /** Greets. */
    export function Greeting({ name }: Props) {
      return <b>{upper(name)}</b>;
    }

    export const Page = () => (
      <main>
        <Greeting name="Ada" />
      </main>
    );

    function upper(name: string) {
      return name.toUpperCase();
    }
    """
RUST = """
    use std::fmt;

    /// A temperature.
    #[derive(Debug, Clone)]
    pub struct Celsius(f64);

    impl Celsius {
        /// Convert to Fahrenheit.
        #[inline]
        pub fn fahrenheit(&self) -> f64 {
            scale(self.0) + 32.0
        }
    }

    impl fmt::Display for Celsius {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            write!(f, "{} F", self.fahrenheit())
        }
    }

    fn scale(degrees: f64) -> f64 {
        degrees * 1.8
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn freezing() {
            assert_eq!(Celsius(0.0).fahrenheit(), 32.0);
        }
    }
    """
GO = """
    package clock

    import "time"

    // Zone is a named offset.
    type Zone struct {
        Name   string
        Offset int
    }

    // Now tells the time in a zone.
    func (z Zone) Now() time.Time {
        return shift(time.Now(), z.Offset)
    }

    func shift(t time.Time, hours int) time.Time {
        return t.Add(time.Duration(hours) * time.Hour)
    }

    func Local() time.Time {
        return Zone{"local", 1}.Now()
    }
    """

PACKS: dict[str, tuple[dict[str, str], list[str]]] = {
    "python": ({"config.py": PYTHON}, ["read", "Settings.level", "config.py:1"]),
    "javascript": ({"queue.js": JAVASCRIPT, "queue.test.js": JAVASCRIPT_TEST}, ["Queue.push", "queue.test.js:4"]),
    "typescript": ({"ruler.ts": TYPESCRIPT}, ["distance", "Ruler"]),
    "tsx": ({"page.tsx": TSX}, ["Greeting", "Page"]),
    "rust": ({"src/lib.rs": RUST, "Cargo.toml": '[package]\nname = "heat"\n'}, ["Celsius::fahrenheit", "Celsius"]),
    "go": ({"clock.go": GO, "go.mod": "module example.org/clock\n"}, ["Zone.Now", "Zone"]),
}


@pytest.mark.parametrize("language", PACKS)
def test_whole_packs(tmp_path: Path, snapshot: SnapshotAssertion, language: str) -> None:
    files, symbols = PACKS[language]
    root = build(tmp_path, files)
    for symbol in symbols:
        assert render_text(packed(root, symbol=symbol, include_tests=True)) == snapshot(name=f"{language}, {symbol}")
        assert render_text(packed(root, symbol=symbol, budget=14)) == snapshot(name=f"{language}, {symbol}, small")
    question = f"what does {symbols[0]} do"
    assert render_text(packed(root, query=question, budget=60)) == snapshot(name=f"{language}, question")
