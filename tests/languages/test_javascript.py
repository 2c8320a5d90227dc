"""Extraction of JavaScript, on inputs that are worked out by hand."""

from __future__ import annotations

import tomllib

import pytest

from scaup.pipeline import languages
from scaup.pipeline.languages.javascript.imports import BUILT_IN
from tests.languages.extraction import Extraction

DEFINITIONS = """\
/** Adds. */
export function add(a, b = 1) {
  return a + b;
}

async function* walk({ depth }, [first], ...rest) {}
export const twice = (x) => add(x, x);
const once = x => x;
const old = function inner() {}, gen = function* () {};
const LIMIT = 10;
let first = 1, second;
const Card = React.memo(function Card(props) { return null; });
const { exported } = make();

@register
class Shape extends lib.Base {
  static count = 0;
  #secret = new Map();
  area = () => this.#hidden();
  static build = function () {};
  constructor(name) { super(name); }
  get size() { return 1; }
  set size(value) {}
  static of(...parts) { return new Shape(); }
  async *[Symbol.iterator]() {}
  'quoted name'() {}
  #hidden() {}
}

const Alias = class extends Shape { run() {} };
"""


@pytest.fixture(scope="module")
def definitions() -> Extraction:
    return Extraction("javascript", DEFINITIONS, "src/shapes.js")


def test_definitions_have_names_kinds_and_lines(definitions: Extraction) -> None:
    assert definitions.errors == 0
    assert definitions.symbols("qualname", "kind", "start_line", "end_line", "span_start") == [
        ("<module>", "module", 1, 30, 1),
        ("add", "function", 2, 4, 1),
        ("walk", "function", 6, 6, 6),
        ("twice", "function", 7, 7, 7),
        ("once", "function", 8, 8, 8),
        ("old", "function", 9, 9, 9),
        ("gen", "function", 9, 9, 9),
        ("LIMIT", "constant", 10, 10, 10),
        ("first", "constant", 11, 11, 11),
        ("second", "constant", 11, 11, 11),
        ("Card", "function", 12, 12, 12),
        ("exported", "constant", 13, 13, 13),
        ("Shape", "class", 16, 28, 15),
        ("Shape.area", "method", 19, 19, 19),
        ("Shape.build", "method", 20, 20, 20),
        ("Shape.constructor", "method", 21, 21, 21),
        ("Shape.size", "method", 22, 22, 22),
        ("Shape.size", "method", 23, 23, 23),
        ("Shape.of", "method", 24, 24, 24),
        ("Shape.[Symbol.iterator]", "method", 25, 25, 25),
        ("Shape.quoted name", "method", 26, 26, 26),
        ("Shape.#hidden", "method", 27, 27, 27),
        ("Alias", "class", 30, 30, 30),
        ("Alias.run", "method", 30, 30, 30),
    ]


def test_a_signature_ends_before_the_body_and_a_doc_comment_is_the_doc(definitions: Extraction) -> None:
    signatures = {row["qualname"]: (row["signature"], row["doc"]) for row in definitions.rows("symbols")}
    assert signatures["add"] == ("function add(a, b = 1)", "Adds.")
    assert signatures["twice"] == ("twice = (x)", None)
    assert signatures["Shape"] == ("class Shape extends lib.Base", None)
    assert signatures["Shape.of"] == ("static of(...parts)", None)


def test_arities_let_a_caller_leave_arguments_out_and_only_the_word_static_makes_a_method_static(
    definitions: Extraction,
) -> None:
    shapes = {
        definitions.qualname(row["symbol_id"]): (row["min_arity"], row["max_arity"], row["is_static"])
        for row in definitions.rows("internal.symbol_shape")
    }
    assert shapes["add"] == (0, 2, False)
    assert shapes["walk"] == (0, None, False)
    assert shapes["once"] == (0, 1, False)
    assert shapes["Card"] == (0, 1, False)
    assert shapes["Shape.build"] == (0, 0, True)
    assert shapes["Shape.of"] == (0, None, True)
    assert shapes["Shape.constructor"] == (0, 1, False)
    assert shapes["Shape"] == (None, None, None)


def test_calls_have_their_callers_receivers_and_arities(definitions: Extraction) -> None:
    assert definitions.calls() == [
        ("twice", "add", None, 2),
        ("Card", "memo", "React", 1),
        ("<module>", "make", None, 0),
        ("<module>", "register", None, 1),
        ("Shape", "Map", None, 0),
        ("Shape.area", "#hidden", "this", 0),
        ("Shape.constructor", "constructor", "super", 1),
        ("Shape.of", "Shape", None, 0),
    ]


def test_a_class_has_the_base_that_it_extends(definitions: Extraction) -> None:
    bases = [(definitions.qualname(row["symbol_id"]), row["base"]) for row in definitions.rows("internal.bases")]
    assert bases == [("Shape", "lib.Base"), ("Alias", "Shape")]


def test_functions_of_a_named_object_are_methods_of_it_and_callbacks_belong_to_the_function_around() -> None:
    found = Extraction(
        "javascript",
        """\
const api = {
  get(id) { return this.fetch(id); },
  fetch: async (id) => load(id),
  nested: { run: function () {} },
  plain: 1,
};
function use() {
  query({ onDone: () => done(), retry() { again(); } });
  return { stop() { halt(); } };
}
const store = defineStore({ actions: { add() {} } });
export default { data() {}, methods: { go() {} } };
""",
        "a.js",
    )
    owners = {row["symbol_id"]: row["owner"] for row in found.rows("internal.symbol_shape")}
    assert [
        (r["qualname"], r["kind"], owners[r["symbol_id"]]) for r in found.rows("symbols") if r["kind"] == "method"
    ] == [
        ("api.get", "method", "api"),
        ("api.fetch", "method", "api"),
        ("api.nested.run", "method", "nested"),
        ("use.stop", "method", None),
        ("store.actions.add", "method", "actions"),
        ("default.data", "method", "default"),
        ("default.methods.go", "method", "methods"),
    ]
    assert ("use", "done", None, 0) in found.calls()
    assert ("use", "again", None, 0) in found.calls()
    assert ("use.stop", "halt", None, 0) in found.calls()
    assert (None, "api", "<Object>") not in found.bindings()


def test_a_function_behind_a_wrapper_is_a_function_at_the_top_of_a_file_and_a_callback_below() -> None:
    found = Extraction(
        "javascript",
        """\
export const guard = createGuard(async (request) => { check(request); });
const named = define('name', () => run());
const sums = rows.map((row) => add(row));
const schema = object().refine((value) => test(value));
const Page = lazy(() => import('./Page'));
function use() { const value = computed(() => derive()); const stable = useCallback(() => go()); }
""",
        "a.js",
    )
    assert found.symbols("qualname", "kind") == [
        ("<module>", "module"),
        ("guard", "function"),
        ("named", "function"),
        ("sums", "constant"),
        ("schema", "constant"),
        ("Page", "constant"),
        ("use", "function"),
        ("use.stable", "function"),
    ]
    assert {("guard", "check", None, 1), ("<module>", "add", None, 1), ("use", "derive", None, 0)} <= set(found.calls())


def test_members_that_are_given_from_outside_belong_to_what_they_are_given_to() -> None:
    found = Extraction(
        "javascript",
        """\
function Old() { this.go = function () {}; }
Old.prototype.run = function () { this.go(); };
Old.prototype = { stop() {} };
Old.create = () => new Old();
exports.helper = function () {};
module.exports.other = () => 1;
class New { constructor() { this.handler = () => {}; } }
""",
        "a.js",
    )
    owners = {row["symbol_id"]: (row["owner"], row["is_static"]) for row in found.rows("internal.symbol_shape")}
    assert [(r["qualname"], r["kind"], *owners[r["symbol_id"]]) for r in found.rows("symbols")] == [
        ("Old", "function", None, False),
        ("Old.go", "function", None, False),
        ("Old.run", "method", "Old", False),
        ("Old.stop", "method", "Old", False),
        ("Old.create", "method", "Old", True),
        ("helper", "function", None, False),
        ("other", "function", None, False),
        ("New", "class", None, None),
        ("New.constructor", "method", None, False),
        ("New.handler", "method", None, False),
    ]
    assert found.rows("internal.effects") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import './a.js';", [("/src/a.js", None, None)]),
        ("import d, { x, y as z } from 'a';", [("a", "default", "d"), ("a", "x", "x"), ("a", "y", "z")]),
        ("import d, * as ns from '../a';", [("/a", "default", "d"), ("/a", None, "ns")]),
        ("import data from './d.json' with { type: 'json' };", [("/src/d.json", "default", "data")]),
        ("import fs, { readFile } from 'node:fs';", [("fs", None, "fs"), ("fs", "readFile", "readFile")]),
        ("export { x, y as z, default as w } from 'a';", [("a", "x", "x"), ("a", "y", "z"), ("a", "default", "w")]),
        ("export * from './a'; export * as ns from './b';", [("/src/a", "*", None), ("/src/b", None, "ns")]),
        ("function f() {} export { f as g, f };", [("/src/m.js", "f", "g")]),
        ("const x = 1; export default x;", [("/src/m.js", "x", "default")]),
        ("export default function f() {}", [("/src/m.js", "f", "default")]),
        ("export default class K {}", [("/src/m.js", "K", "default")]),
        ("export default connect(state)(View);", [("/src/m.js", "View", "default")]),
        ("export default function () {}", []),
        ("export const x = 1;", []),
        ("const a = require('./a');", [("/src/a", None, "a")]),
        ("const a = require('./a').b;", [("/src/a", "b", "a")]),
        ("const { b, c: d, e = 1 } = require('a');", [("a", "b", "b"), ("a", "c", "d"), ("a", "e", "e")]),
        ("require('./a');", [("/src/a", None, None)]),
        ("require('./a').run();", [("/src/a", "run", None)]),
        ("module.exports = { a, b: c, ...require('./d'), e: require('./e') };",
         [("/src/m.js", "c", "b"), ("/src/d", "*", None), ("/src/e", None, "e")]),
        ("module.exports = Thing;", [("/src/m.js", "Thing", "default")]),
        ("module.exports = function () {};", [("/src/m.js", "exports", "default")]),
        ("module.exports = function make() {};", [("/src/m.js", "make", "default")]),
        ("module.exports = class Made {};", [("/src/m.js", "Made", "default")]),
        ("module.exports = require('./a');", [("/src/a", "*", None), ("/src/a", "default", "default")]),
        ("exports.a = b; exports.c = c;", [("/src/m.js", "b", "a")]),
        ("exports.a = require('./a').b;", [("/src/a", "b", "a")]),
        ("const m = await import('./a');", [("/src/a", None, "m")]),
        ("const { x: y } = await import('./a');", [("/src/a", "x", "y")]),
        ("import('./a').then((m) => m.run());", [("/src/a", None, "m")]),
        ("import('./a').then(({ run }) => run());", [("/src/a", "run", "run")]),
        ("const Page = lazy(() => import('./Page'));", [("/src/Page", "default", "Page")]),
        ("import(name);", []),
    ],
)  # fmt: skip
def test_imports_and_exports_bind_names(source: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert sorted(Extraction("javascript", source, "src/m.js").imports(), key=str) == sorted(expected, key=str)


def test_what_a_file_exports_as_a_whole_is_a_symbol() -> None:
    assert Extraction("javascript", "export default function () {}", "a.js").symbols("qualname") == [("default",)]
    assert Extraction("javascript", "export default class { m() {} }", "a.js").symbols("qualname") == [
        ("default",),
        ("default.m",),
    ]
    assert Extraction("javascript", "module.exports = function () {};", "a.js").symbols("qualname") == [("exports",)]
    assert Extraction("javascript", "module.exports = function make() {};", "a.js").symbols("qualname") == [("make",)]


def test_an_import_inside_a_function_has_it_as_scope_and_is_no_variable_of_it() -> None:
    found = Extraction("javascript", "function f() { const { g } = require('./g'); g(); }", "a.js")
    assert [(found.qualname(row["scope"]), row["alias"]) for row in found.rows("imports")] == [("f", "g")]
    assert found.bindings() == set()


def test_receivers_are_in_normal_form() -> None:
    found = Extraction(
        "javascript",
        """\
a?.b.c(1, ...more);
new T(x).run();
new ns.U;
make().go();
'text'.trim(); `t`.trim(); [1].map(f); /x/.test(y);
(await load()).use();
list[0].first();
table[key]();
tag`a ${b}`;
super_.x(), this.y(/* nothing */);
""",
        "a.js",
    )
    assert [call[1:] for call in found.calls()] == [
        ("c", "a.b", None),
        ("run", "<T>", 0),
        ("T", None, 1),
        ("U", "ns", 0),
        ("go", "make()", 0),
        ("make", None, 0),
        ("trim", "<string>", 0),
        ("trim", "<string>", 0),
        ("map", "<Array>", 1),
        ("test", "<RegExp>", 1),
        ("use", "load()", 0),
        ("load", None, 0),
        ("first", "<expression>", 0),
        ("<expression>", None, 0),
        ("tag", None, 1),
        ("x", "super_", 0),
        ("y", "this", 0),
    ]


def test_bindings_tell_types_from_constructions_and_calls() -> None:
    found = Extraction(
        "javascript",
        """\
export const client = new Client();
class Service {
  cache = new Cache();
  constructor(db, { log }) { this.db = new Pool(); this.log = log; }
  run(job) {
    const worker = new Worker(), made = make();
    let later;
    later = new Later();
    for (const item of job.items) item.start();
    try { worker.go(); made.go(); later.go(); } catch (error) { error.report(); }
    job.each(entry => entry.stop(), function (other) { other.stop(); });
    const [left, { right: renamed }] = job.pair();
    left.a(); renamed.b(); this.cache.get();
  }
}
function recurse() { recurse(); }
const again = () => again();
""",
        "a.js",
    )
    assert found.bindings() == {
        (None, "client", "<Client>"),
        ("Service", "cache", "<Cache>"),
        ("Service", "db", "<Pool>"),
        ("Service.run", "job", None),
        ("Service.run", "worker", "<Worker>"),
        ("Service.run", "made", "make()"),
        ("Service.run", "later", None),
        ("Service.run", "later", "<Later>"),
        ("Service.run", "item", None),
        ("Service.run", "error", None),
        ("Service.run", "entry", None),
        ("Service.run", "other", None),
        ("Service.run", "left", None),
        ("Service.run", "renamed", None),
    }


TESTS = """\
import { describe, it, test } from 'vitest';

describe('suite', () => {
  beforeEach(() => reset());
  it('works', async () => { await run(); });
  test.only(`template`, { timeout: 5 }, function () {});
  it.each([1, 2])('takes %s', (n) => { check(n); });
  test.each`a | b`('table', ({ a }) => {});
  describe.skip(Shape, () => { it.concurrent.skip('inner', () => {}); });
  it('wrapped', fakeAsync(() => tick()));
  it.todo('later');
});
describe.concurrent.each([[1]])('many', () => {});
test.skipIf(windows)('not there', () => {});
suite('node', () => {});
fdescribe('jasmine', () => { xit('off', () => {}); });
Deno.test('deno', () => {});
Deno.test(function named() {});
Deno.test({ name: 'object', fn() {} });
t.test('sub', (t) => {});
context.on('event', () => {});
pattern.test('text');
suite.run('x', () => {});
"""


def test_test_blocks_are_symbols_by_syntax() -> None:
    found = Extraction("javascript", TESTS, "src/a.js")
    assert found.symbols("qualname", "kind", "is_test", "start_line") == [
        ("<module>", "module", False, 1),
        ("suite", "test", True, 3),
        ("suite.works", "test", True, 5),
        ("suite.template", "test", True, 6),
        ("suite.takes %s", "test", True, 7),
        ("suite.table", "test", True, 8),
        ("suite.Shape", "test", True, 9),
        ("suite.Shape.inner", "test", True, 9),
        ("suite.wrapped", "test", True, 10),
        ("many", "test", True, 13),
        ("not there", "test", True, 14),
        ("node", "test", True, 15),
        ("jasmine", "test", True, 16),
        ("jasmine.off", "test", True, 16),
        ("deno", "test", True, 17),
        ("named", "test", True, 18),
        ("object", "test", True, 19),
        ("sub", "test", True, 20),
    ]
    calls = found.calls()
    assert ("suite.works", "run", None, 0) in calls
    assert ("suite.takes %s", "check", None, 1) in calls
    assert ("suite.wrapped", "tick", None, 0) in calls
    assert ("suite", "reset", None, 0) in calls


def test_the_use_of_a_component_is_a_call_of_it_and_a_lower_case_tag_is_none() -> None:
    found = Extraction(
        "javascript",
        "const App = () => <Layout.Main a={f()}><div><Item /><input /></div></Layout.Main>;",
        "src/app.jsx",
    )
    assert found.errors == 0
    assert found.calls() == [
        ("App", "Main", "Layout", 1),
        ("App", "f", None, 0),
        ("App", "Item", None, 1),
    ]


BRANCHES = """\
function plain() { return 1; }
function chain(a) {
  if (a > 1) { return 1; }
  else if (a > 0) { return 2; }
  else if (a < -5) return 3;
  else { return 4; }
}
function loops(rows) {
  for (let i = 0; i < 2; i++) {}
  for (const row of rows) { while (row.next()) {} }
  for (const key in rows) {}
  do {} while (rows.more());
}
function choose(x) {
  switch (x) {
    case 1:
    case 2: return 'a';
    case 3: return 'b';
    default: return 'c';
  }
}
function operators(a, b, c) {
  const d = a && b && c;
  const e = a || (b && c);
  let f = a ?? b;
  f ??= 1;
  f ||= 2;
  return d ? e : f;
}
function failing() {
  try { work(); } catch (error) { if (error.code) throw error; } finally { clean(); }
}
function jumping(rows) {
  outer: for (const row of rows) {
    for (const cell of row) { if (cell) continue outer; else break outer; }
  }
}
function callbacks(list) {
  return list.filter((x) => x > 1 ? true : false).map(function (x) { if (x) return 1; });
}
const arrow = (a) => { if (a) return 1; };
const brief = (a) => a ? 1 : 2;
function outside() {
  if (a) { const inside = () => { if (b) {} }; }
}
function optional(a, b = 1) { return a?.b?.c(b); }
class K { method() { if (a) { if (b) {} } } field = () => a && b; }
"""


def test_complexity_is_that_counted_by_hand() -> None:
    assert {k: v for k, v in Extraction("javascript", BRANCHES, "a.js").complexity().items() if v[0] is not None} == {
        "plain": (1, 0),
        # if, else if, else if; 1 + 1 + 1, and 1 for else
        "chain": (4, 4),
        # for, for-of, while in it, for-in, do; 1 + 1 + 2 + 1 + 1
        "loops": (6, 6),
        # three cases; the switch is 1
        "choose": (4, 1),
        # && && || && ?? ??= ||= ?:; runs: &&, ||, && inside, ??, ??=, ||=, and the ternary
        "operators": (9, 7),
        # catch, if in it; 1 + 2
        "failing": (3, 3),
        # two loops, an if; 1 + 2 + 3, else 1, two jumps
        "jumping": (4, 9),
        # a ternary and an if, each in a callback; 2 + 2
        "callbacks": (3, 4),
        "arrow": (2, 1),
        "brief": (2, 1),
        # the nested function counts by itself
        "outside": (2, 1),
        "outside.inside": (2, 1),
        "optional": (1, 0),
        "K.method": (3, 3),
        "K.field": (2, 1),
    }


def test_effects_without_a_call_are_writes_to_shared_names_and_reads_of_the_environment() -> None:
    found = Extraction(
        "javascript",
        """\
import { shared } from './s';
let count = 0;
const table = {};
count = 1;
function raise() { count++; }
function keep(key) { table[key] = 1; }
function replace() { shared.value = 2; }
function local(count) { count = 3; let table; table = {}; }
function patch() { window.app = {}; }
function where() { return process.env.HOME; }
function set() { process.env.HOME = ''; }
function drop() { delete table.x; }
""",
        "a.js",
    )
    effects = sorted(found.rows("internal.effects"), key=lambda row: (row["line"], row["kind"]))
    assert [(found.qualname(row["symbol_id"]), row["kind"]) for row in effects] == [
        ("raise", "global_state"),
        ("keep", "global_state"),
        ("replace", "global_state"),
        ("patch", "global_state"),
        ("where", "env"),
        ("set", "env"),
        ("set", "global_state"),
        ("drop", "global_state"),
    ]


def test_fields_are_keys_that_are_written_and_names_that_are_read() -> None:
    found = Extraction(
        "javascript", "function f(r) { const { a, b: c } = r; return { d: 1, 'e f': r['g'], a }; }", "a.js"
    )
    assert {(row["field"], row["use"]) for row in found.rows("field_uses")} == {
        ("a", "read"),
        ("b", "read"),
        ("g", "read"),
        ("a", "produced"),
        ("d", "produced"),
        ("e f", "produced"),
    }


def test_code_with_errors_keeps_what_parses() -> None:
    found = Extraction("javascript", "function before() { go(); }\nconst = ;\nclass After { m() { on(); } }\n", "a.js")
    assert found.errors > 0
    assert {"before", "After", "After.m"} <= {name for (name,) in found.symbols("qualname")}
    assert {("before", "go", None, 0), ("After.m", "on", None, 0)} <= set(found.calls())


def test_an_empty_file_has_no_rows() -> None:
    assert Extraction("javascript", "", "a.js").tables == {}


def test_deep_nesting_is_extracted() -> None:
    depth = 150
    source = "".join(f"function f{n}() {{ g{n}(); " for n in range(depth)) + "}" * depth
    found = Extraction("javascript", source, "a.js")
    assert found.errors == 0
    assert found.calls()[-1] == (".".join(f"f{n}" for n in range(depth)), f"g{depth - 1}", None, 0)


def test_the_same_names_are_built_in_for_imports_and_for_effects() -> None:
    file = languages.FOLDER / "javascript" / "known.toml"
    assert set(tomllib.loads(file.read_text("utf-8"))["modules"]["names"]) == BUILT_IN


def test_known_effects_name_each_name_once() -> None:
    effects = tomllib.loads((languages.FOLDER / "javascript" / "known.toml").read_text("utf-8"))["effects"]
    names = [name for names in effects.values() for name in names]
    assert len(names) == len(set(names))


def test_common_method_names_are_known() -> None:
    methods = set(
        tomllib.loads((languages.FOLDER / "javascript" / "known.toml").read_text("utf-8"))["methods"]["names"]
    )
    assert {"get", "set", "map", "then", "push", "toString", "call", "json", "readFileSync", "on", "emit"} <= methods
