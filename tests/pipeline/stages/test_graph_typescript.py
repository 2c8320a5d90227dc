"""Edges, unresolved calls, tests and purity of a TypeScript workspace with JavaScript and TSX, worked out by hand."""

from __future__ import annotations

import pytest
from facts import Facts

FILES = {
    "package.json": '{"name": "root", "workspaces": ["packages/*"]}',
    "tsconfig.json": """
        {
          // comments are allowed here
          "compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["src/lib/*"]}},
        }
        """,
    "packages/money/package.json": '{"name": "@shop/money", "main": "src/index.ts"}',
    "packages/money/src/index.ts": """
        export { total, tax as levy } from "./prices";
        export * from "./round.js";
        """,
    "packages/money/src/prices.ts": """
        export function total(lines: number[]): number {
          return lines.map((line) => tax(line)).length;
        }

        export const tax = (line: number): number => Math.round(line * 0.2);

        function helper(): number {
          return 2;
        }

        export function even(n: number): boolean {
          return n === 0 ? true : odd(n - 1);
        }

        function odd(n: number): boolean {
          return n === 0 ? false : even(n - 1);
        }
        """,
    "packages/money/src/round.ts": """
        export default function roundUp(n: number): number {
          return n;
        }

        export function cut(n: number): number {
          return n;
        }
        """,
    "src/cart.ts": """
        import { total, levy, cut } from "@shop/money";
        import roundUp from "../packages/money/src/round";
        import * as disk from "@lib/store";
        import { Store as Shelf } from "@lib/store";

        export abstract class Record {
          save(): string {
            return this.key();
          }

          key(): string {
            return "record";
          }
        }

        export class Cart extends Record {
          private store: Shelf;
          lines: number[] = [];

          constructor(store: Shelf) {
            super();
            this.store = store;
          }

          key(): string {
            return super.key() + "cart";
          }

          close(): number {
            this.save();
            this.store.write(this.key());
            return total(this.lines) + levy(1) + cut(2) + roundUp(3);
          }

          static empty(): Cart {
            return new Cart(new disk.Store());
          }
        }

        export function open(): Cart {
          const cart = Cart.empty();
          cart.close();
          return cart;
        }

        function helper(): number {
          return 1;
        }

        export function run(callback: () => number): number {
          callback();
          return helper();
        }

        export const wire = () => run(helper);
        """,
    "src/lib/store.ts": """
        import { writeFileSync } from "node:fs";

        export class Store {
          write(text: string): void {
            writeFileSync("x", text);
          }

          get(key: string): string {
            return key;
          }
        }

        export function use(thing: any): void {
          thing.get("k");
          thing.auditTrail("k");
          console.log(Date.now());
        }

        export class Audited {
          auditTrail(key: string): string {
            return key;
          }
        }
        """,
    "src/view.tsx": """
        import { open } from "./cart";

        function Line(props: { n: number }) {
          return <li>{props.n}</li>;
        }

        export function View() {
          open();
          return <ul><Line n={1} /></ul>;
        }
        """,
    "src/old.cjs": """
        const { View } = require("./view");

        function start() {
          return View();
        }

        start();
        """,
    "test/cart.test.ts": """
        import { describe, expect, it } from "vitest";
        import { open, Cart } from "../src/cart";

        function make(): Cart {
          return Cart.empty();
        }

        describe("cart", () => {
          it("closes", () => {
            expect(open().key()).toBe("recordcart");
          });

          it.each([1, 2])("is made %i", (n) => {
            make();
          });
        });
        """,
}

CART, PRICES, ROUND, STORE = (
    "src/cart.ts:",
    "packages/money/src/prices.ts:",
    "packages/money/src/round.ts:",
    "src/lib/store.ts:",
)
VIEW, OLD, TEST = "src/view.tsx:", "src/old.cjs:", "test/cart.test.ts:"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    return Facts(tmp_path_factory.mktemp("shop"), FILES)


def test_every_edge_is_the_one_worked_out_by_hand(facts: Facts) -> None:
    assert facts.edges() == {
        (CART + "Record.save", CART + "Record.key", "exact"),
        (CART + "Cart.constructor", CART + "Record", "exact"),  # super() where the base has no constructor
        (CART + "Cart.close", CART + "Record.save", "exact"),
        (CART + "Cart.close", CART + "Cart.key", "exact"),
        (CART + "Cart.key", CART + "Record.key", "exact"),
        (CART + "Cart.close", STORE + "Store.write", "type"),
        (CART + "Cart.close", PRICES + "total", "import"),  # a workspace package, over a re-export
        (CART + "Cart.close", PRICES + "tax", "import"),  # re-exported under another name
        (CART + "Cart.close", ROUND + "cut", "import"),  # over export *
        (CART + "Cart.close", ROUND + "roundUp", "import"),  # a default export under its own name
        (CART + "Cart.empty", CART + "Cart", "same_file"),
        (CART + "Cart.empty", CART + "Cart.constructor", "same_file"),
        (CART + "Cart.empty", STORE + "Store", "import"),  # over a path of tsconfig
        (CART + "open", CART + "Cart.empty", "exact"),
        (CART + "open", CART + "Cart.close", "type"),
        (CART + "run", CART + "helper", "same_file"),
        (CART + "wire", CART + "run", "same_file"),
        (PRICES + "total", PRICES + "tax", "same_file"),
        (PRICES + "even", PRICES + "odd", "same_file"),
        (PRICES + "odd", PRICES + "even", "same_file"),
        (STORE + "use", STORE + "Audited.auditTrail", "unique_name"),
        (VIEW + "View", CART + "open", "import"),
        (VIEW + "View", VIEW + "Line", "same_file"),
        (OLD + "start", VIEW + "View", "import"),
        (OLD + "<module>", OLD + "start", "same_file"),
        (TEST + "make", CART + "Cart.empty", "import"),
        (TEST + "cart.closes", CART + "open", "import"),
        (TEST + "cart.closes", CART + "Cart.key", "type"),
        (TEST + "cart.is made %i", TEST + "make", "same_file"),
    }


def test_every_unresolved_call_has_its_reason(facts: Facts) -> None:
    unresolved = facts.unresolved()
    assert {row for row in unresolved if not row[0].startswith((TEST, OLD))} == {
        (CART + "run", "callback", "dynamic", None),
        (PRICES + "total", "lines map", "external", "Array.map"),
        (PRICES + "tax", "Math round", "external", "Math.round"),
        (STORE + "Store.write", "writeFileSync", "external", "fs.writeFileSync"),
        (STORE + "use", "thing get", "dynamic", None),
        (STORE + "use", "console log", "external", "console.log"),
        (STORE + "use", "Date now", "external", "Date.now"),
    }


def test_test_blocks_are_tests_and_reach_what_they_call(facts: Facts) -> None:
    assert {name for name, value in facts.metric("is_test").items() if value} == {
        TEST + "cart",
        TEST + "cart.closes",
        TEST + "cart.is made %i",
    }
    tested = {name for name, value in facts.metric("tested").items() if value and not name.startswith(TEST)}
    assert tested == {
        CART + "open",
        CART + "Cart",
        CART + "Cart.constructor",
        CART + "Cart.empty",
        CART + "Cart.close",
        CART + "Cart.key",
        CART + "Record",
        CART + "Record.save",
        CART + "Record.key",
        STORE + "Store",
        STORE + "Store.write",
        PRICES + "total",
        PRICES + "tax",
        ROUND + "cut",
        ROUND + "roundUp",
    }


def test_purity_spreads_from_effects_to_callers(facts: Facts) -> None:
    purity = facts.metric("purity")
    impure = {name for name, value in purity.items() if value == "impure" and not name.startswith(TEST)}
    assert impure == {
        CART + "Cart.close",
        CART + "open",
        STORE + "Store.write",
        STORE + "use",
        VIEW + "View",
        OLD + "start",
        OLD + "<module>",
    }
    assert purity[CART + "run"] == purity[CART + "wire"] == "unknown"
    assert purity[PRICES + "even"] == purity[PRICES + "odd"] == "pure"
    assert purity[PRICES + "tax"] == "pure"
    assert facts.metric("effect_kinds")[CART + "open"] == ["io"]
    assert facts.metric("effect_kinds")[STORE + "use"] == ["clock", "io"]
