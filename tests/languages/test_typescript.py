"""Extraction of TypeScript and TSX, on inputs that are worked out by hand."""

from __future__ import annotations

import pytest

from scaup.pipeline import languages
from tests.languages.extraction import Extraction

DEFINITIONS = """\
// Finds.
export function find(id: string): Item;
export function find(id: number, deep?: boolean): Item;
export function find(id: any, deep = false): Item { return load(id); }

@Injectable()
export class Service<T extends Item> extends Base<T> implements Runs, ns.Stops {
  private readonly items: Map<string, Item> = new Map();
  static made?: Service<Item>;
  declare label: string;
  handler = async (event: Event): Promise<void> => { this.take(event); };
  constructor(private store: Store, readonly clock: Clock | null, public name?: string, ...rest: Item[]) { super(); }
  // Counts.
  @Memo('x')
  get size(): Count { return this.items.size; }
  take(this: Service<T>, item: T): this;
  take(item: T): this { item.open(); return this; }
  static create(): Service<Item> { return new Service<Item>(a, b); }
}

export abstract class Shape {
  abstract area(unit: Unit): number;
  draw(): void { this.area(cm); }
}
export interface Runs extends Basic, Other<number> {
  store: Store;
  run(job: Job): Result;
  run(job: string): Result;
  onDone: (result: Result) => void;
}
enum Color { Red, Green = compute() }
type Point = { x: number; move(by: Point): Point };
type Name = string;
type Both = Runs & Shape;
namespace Outer.Inner { export const LIMIT = 1; export function help() {} }
declare module 'plugin' { function setup(): void; }
declare global { interface Window { app: App } }
declare function ambient(a: string): void;
const table = { a() {} } satisfies Table;
const frozen = { nested: { go: () => 1 } as const };
export const make = <T,>(value: T): T => value;
export default abstract class Last {}
"""


@pytest.fixture(scope="module")
def definitions() -> Extraction:
    return Extraction("typescript", DEFINITIONS, "src/service.ts")


def test_definitions_have_names_kinds_and_lines_and_overloads_are_one_symbol(definitions: Extraction) -> None:
    assert definitions.errors == 0
    assert definitions.symbols("qualname", "kind", "start_line", "end_line", "span_start") == [
        ("<module>", "module", 1, 42, 1),
        ("find", "function", 4, 4, 1),
        ("Service", "class", 7, 19, 6),
        ("Service.handler", "method", 11, 11, 11),
        ("Service.constructor", "method", 12, 12, 12),
        ("Service.size", "method", 15, 15, 13),
        ("Service.take", "method", 17, 17, 16),
        ("Service.create", "method", 18, 18, 18),
        ("Shape", "class", 21, 24, 21),
        ("Shape.area", "method", 22, 22, 22),
        ("Shape.draw", "method", 23, 23, 23),
        ("Runs", "class", 25, 30, 25),
        ("Runs.run", "method", 27, 27, 27),
        ("Runs.onDone", "method", 29, 29, 29),
        ("Color", "class", 31, 31, 31),
        ("Point", "class", 32, 32, 32),
        ("Point.move", "method", 32, 32, 32),
        ("Name", "class", 33, 33, 33),
        ("Both", "class", 34, 34, 34),
        ("Outer.Inner.LIMIT", "constant", 35, 35, 35),
        ("Outer.Inner.help", "function", 35, 35, 35),
        ("plugin.setup", "function", 36, 36, 36),
        ("Window", "class", 37, 37, 37),
        ("ambient", "function", 38, 38, 38),
        ("table", "constant", 39, 39, 39),
        ("table.a", "method", 39, 39, 39),
        ("frozen", "constant", 40, 40, 40),
        ("frozen.nested.go", "method", 40, 40, 40),
        ("make", "function", 41, 41, 41),
        ("Last", "class", 42, 42, 42),
    ]


def test_shapes_have_arities_types_of_results_and_no_complexity_without_a_body(definitions: Extraction) -> None:
    shapes = {
        definitions.qualname(row["symbol_id"]): (
            row["min_arity"],
            row["max_arity"],
            row["is_static"],
            row["returns"],
            row["cyclomatic"],
        )
        for row in definitions.rows("internal.symbol_shape")
    }
    assert shapes["find"] == (1, 2, False, "Item", 1)
    assert shapes["Service.handler"] == (1, 1, False, "void", 1)
    assert shapes["Service.constructor"] == (2, None, False, None, 1)
    assert shapes["Service.size"] == (0, 0, False, "Count", 1)
    assert shapes["Service.take"] == (1, 1, False, "this", 1)
    assert shapes["Service.create"] == (0, 0, True, "Service", 1)
    assert shapes["Shape.area"] == (1, 1, False, "number", None)
    assert shapes["Runs.run"] == (1, 1, False, "Result", None)
    assert shapes["make"] == (1, 1, False, "T", 1)


def test_the_doc_above_the_first_overload_and_above_a_decorator_belongs_to_the_definition(
    definitions: Extraction,
) -> None:
    docs = {row["qualname"]: row["doc"] for row in definitions.rows("symbols")}
    assert (docs["find"], docs["Service.size"], docs["Service"]) == ("Finds.", "Counts.", None)


def test_signatures_end_before_the_body_and_keep_type_arguments(definitions: Extraction) -> None:
    signatures = {row["qualname"]: row["signature"] for row in definitions.rows("symbols")}
    assert signatures["Service"] == "class Service<T extends Item> extends Base<T> implements Runs, ns.Stops"
    assert signatures["Runs"] == "interface Runs extends Basic, Other<number>"
    assert signatures["Service.create"] == "static create(): Service<Item>"
    assert signatures["make"] == "make = <T,>(value: T): T"


def test_bases_are_what_a_type_extends_and_implements(definitions: Extraction) -> None:
    assert [(definitions.qualname(row["symbol_id"]), row["base"]) for row in definitions.rows("internal.bases")] == [
        ("Service", "Base"),
        ("Service", "Runs"),
        ("Service", "ns.Stops"),
        ("Runs", "Basic"),
        ("Runs", "Other"),
        ("Both", "Runs"),
        ("Both", "Shape"),
    ]


def test_bindings_have_types_of_annotations_properties_and_members(definitions: Extraction) -> None:
    assert definitions.bindings() >= {
        ("Service", "items", "Map"),
        ("Service", "made", "Service"),
        ("Service", "label", "string"),
        ("Service", "store", "Store"),
        ("Service", "clock", "Clock"),
        ("Service", "name", "string"),
        ("Service", "size", "Count"),
        ("Service.take", "item", "Item"),
        ("Runs", "store", "Store"),
        ("Point", "x", "number"),
        ("Window", "app", "App"),
    }


def test_calls_have_their_callers_and_receivers(definitions: Extraction) -> None:
    assert definitions.calls() == [
        ("find", "load", None, 1),
        ("<module>", "Injectable", None, 0),
        ("Service", "Map", None, 0),
        ("Service.handler", "take", "this", 1),
        ("Service.constructor", "constructor", "super", 0),
        ("Service", "Memo", None, 1),
        ("Service.take", "open", "item", 0),
        ("Service.create", "Service", None, 2),
        ("Shape.draw", "area", "this", 1),
        ("Color", "compute", None, 0),
    ]


def test_receivers_see_through_what_only_the_compiler_reads() -> None:
    found = Extraction(
        "typescript",
        """\
function f(a: A, list: B[]) {
  (a as C).x(); a!.y(); a.b!.c?.z<T>(); (a satisfies D).w();
  new E<F>().go(); list.map(g);
}
""",
        "a.ts",
    )
    assert [call[1:] for call in found.calls()] == [
        ("x", "a", 0),
        ("y", "a", 0),
        ("z", "a.b.c", 0),
        ("w", "a", 0),
        ("go", "<E>", 0),
        ("E", None, 0),
        ("map", "list", 1),
    ]
    assert {("f", "a", "A"), ("f", "list", "Array")} <= found.bindings()


@pytest.mark.parametrize(
    ("annotation", "name"),
    [
        ("Item", "Item"),
        ("Item | null", "Item"),
        ("undefined | Item", "Item"),
        ("Promise<Item>", "Item"),
        ("Promise<Item | undefined>", "Item"),
        ("Readonly<Item>", "Item"),
        ("InstanceType<typeof Item>", "Item"),
        ("Map<string, Item<A>>", "Map"),
        ("a.b.Item<C>", "a.b.Item"),
        ("Item[]", "Array"),
        ("readonly Item[] | null", "Array"),
        ("[Item, string]", "Array"),
        ("(Item | null)", "Item"),
        ("'a' | 'b'", "string"),
        ("string", "string"),
        ("A | B", "A|B"),
        ("A<X> | B<Y>", "A<X>|B"),
        ("any", None),
        ("unknown", None),
    ],
)
def test_annotations_become_names_that_can_be_looked_up(annotation: str, name: str | None) -> None:
    found = Extraction("typescript", f"function f(x: {annotation}) {{ x.go(); }}", "a.ts")
    assert found.bindings() == {("f", "x", name)}


def test_parameters_of_functions_without_a_name_are_variables_of_the_function_around() -> None:
    found = Extraction(
        "typescript",
        "function f(on: (x: Wrong) => void) { each((item: Item, other) => { item.go(); other.go(); x.go(); }); }",
        "a.ts",
    )
    assert found.bindings() == {("f", "item", "Item"), ("f", "other", None)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import type { A, type B as C } from './t.js';", [("/src/t.js", "A", "A"), ("/src/t.js", "B", "C")]),
        ("import { type A } from '@scope/pkg/sub';", [("@scope/pkg/sub", "A", "A")]),
        ("import fs = require('fs');", [("fs", None, "fs")]),
        ("import Short = Long.Name;", [("/src/m.ts", "Long.Name", "Short")]),
        ("export = Thing;", [("/src/m.ts", "Thing", "default")]),
        ("export type { A } from './t';", [("/src/t", "A", "A")]),
        ("export default interface I {}", [("/src/m.ts", "I", "default")]),
        ("export default app satisfies App;", [("/src/m.ts", "app", "default")]),
        ("const m = (await import('./m')) as M;", [("/src/m", None, "m")]),
        ("import('./a').then((m: M) => m.run());", [("/src/a", None, "m")]),
        ("export type { B as C };", [("/src/m.ts", "B", "C")]),
    ],
)
def test_imports_and_exports_bind_names(source: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert sorted(Extraction("typescript", source, "src/m.ts").imports(), key=str) == sorted(expected, key=str)


BRANCHES = """\
function narrow(x: string | number): x is string {
  if (typeof x === 'string' && x.length) { return true; }
  return x! as any ? false : true;
}
class K {
  private run<T>(list: T[]): void {
    for (const item of list) { switch (item) { case 1: break; default: break; } }
  }
  go = (a?: A): void => { while (a) { try {} catch {} } };
  abstract none(): void;
}
enum E { A = f() || 1 }
const o = { m(a: A) { return a ?? (b && c); } };
namespace N { export function g() { do { if (x) {} else if (y) {} } while (z); } }
describe('s', () => { it('t', async () => { if (a) { for (const b of c) {} } }); });
const wrap = memo((a: A) => a || b);
abstract class Q { get v(): V { return this.a ? this.b : this.c; } static s() { label: for (;;) { break label; } } }
"""


def test_complexity_is_that_counted_by_hand() -> None:
    found = Extraction("typescript", BRANCHES, "a.ts")
    assert {k: v for k, v in found.complexity().items() if v[0] is not None and k != "<module>"} == {
        # if, &&, ternary; 1 + 1 + 1
        "narrow": (4, 3),
        # for, one case; 1 + 2 for the switch
        "K.run": (3, 3),
        # while, catch; 1 + 2
        "K.go": (3, 3),
        # ?? and &&, two runs
        "o.m": (3, 2),
        # do, if, else if; 1 + 2 + 1
        "N.g": (4, 4),
        "s": (1, 0),
        # if, for; 1 + 2
        "s.t": (3, 3),
        "wrap": (2, 1),
        "Q.v": (2, 1),
        # for and the jump
        "Q.s": (2, 2),
    }


def test_tsx_has_both_types_and_components() -> None:
    found = Extraction(
        "tsx",
        """\
type Props = { onDone: () => void };
export const View: FC<Props> = ({ onDone }: Props) => <Panel<Item> go={() => onDone()}><p/></Panel>;
export function Page(props: Props): JSX.Element { return <View {...props} />; }
const Memo = memo<Props>((props) => <ns.Part />);
""",
        "src/view.tsx",
    )
    assert found.errors == 0
    assert found.symbols("qualname", "kind", "language") == [
        ("Props", "class", "tsx"),
        ("View", "function", "tsx"),
        ("Page", "function", "tsx"),
        ("Memo", "function", "tsx"),
    ]
    assert found.calls() == [
        ("View", "Panel", None, 1),
        ("View", "onDone", None, 0),
        ("Page", "View", None, 1),
        ("Memo", "memo", None, 1),
        ("Memo", "Part", "ns", 1),
    ]


def test_code_with_errors_keeps_what_parses() -> None:
    found = Extraction("typescript", "class A { m(): B { go(); } }\nconst x: = 1;\nfunction f(): C { on(); }\n", "a.ts")
    assert found.errors > 0
    assert {"A", "A.m", "f"} <= {name for (name,) in found.symbols("qualname")}
    assert ("f", "on", None, 0) in found.calls()


def test_the_dialects_are_one_family_with_suffixes_of_their_own() -> None:
    loaded = languages.load()
    assert {loaded[name].family for name in ("javascript", "typescript", "tsx")} == {"javascript"}
    assert [languages.identify(path) for path in ("a.mjs", "a.jsx", "a.d.ts", "a.cts", "a.tsx", "a.svg")] == [
        "javascript",
        "javascript",
        "typescript",
        "typescript",
        "tsx",
        None,
    ]
    assert languages.identify_interpreter(b"#!/usr/bin/env node\n") == "javascript"
    assert languages.identify_interpreter(b"#!/usr/bin/env -S deno run\n") == "typescript"
    assert loaded["tsx"].table["classes"] == loaded["javascript"].table["classes"]


def test_call_signatures_without_separators_do_not_hide_the_rest_of_the_file() -> None:
    found = Extraction(
        "typescript",
        """\
export interface Handler<E> {
  (context: Context): Result
  <T>(path: string): Handler<T>

  // Both.
  (path: string, ...handlers: Handler<E>[]): void
  on(event: string): void
}
export const after = (a: A): void => { a.go() }
""",
        "a.ts",
    )
    assert found.errors == 0
    assert found.symbols("qualname", "start_line") == [("Handler", 1), ("Handler.on", 7), ("after", 9)]
    assert found.calls() == [("after", "go", "a", 0)]


def test_a_file_that_cannot_be_repaired_is_read_as_it_is() -> None:
    found = Extraction("typescript", "function f() { a()\n  (b) }\nconst = 1\nf()\n", "a.ts")
    assert found.errors > 0
    assert ("<module>", "f", None, 0) in found.calls()
