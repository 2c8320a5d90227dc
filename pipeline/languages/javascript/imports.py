"""What the imports and exports of JavaScript and TypeScript bind: rows of `imports`.

Beside the plain forms:

- The module `""` is the file itself. A row of it gives a name of the file another one that other files import:
  `export { a as b }` is ("", "a", "b"), `export default Thing` is ("", "Thing", "default"), and so is
  `module.exports = Thing`.
- A re-export binds the name that it exports: `export { x as y } from "./m"` is ("./m", "x", "y"),
  `export * as ns from "./m"` is ("./m", None, "ns"), `export * from "./m"` is ("./m", "*", None).
- A function or class that is exported as the default, and has no name of its own, is a symbol `default`.
- `const m = require("./m")` binds the module itself, as `import * as m` does; what the module exports as a whole is its
  `default`, as it is for `import m from "./m"`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

# Modules that Node and Bun have built in; known.toml has the same.
BUILT_IN = frozenset(
    [
        "assert",
        "assert/strict",
        "async_hooks",
        "buffer",
        "bun",
        "bun:ffi",
        "bun:sqlite",
        "bun:test",
        "child_process",
        "cluster",
        "console",
        "constants",
        "crypto",
        "dgram",
        "diagnostics_channel",
        "dns",
        "dns/promises",
        "domain",
        "events",
        "fs",
        "fs/promises",
        "http",
        "http2",
        "https",
        "inspector",
        "inspector/promises",
        "module",
        "net",
        "os",
        "path",
        "path/posix",
        "path/win32",
        "perf_hooks",
        "process",
        "punycode",
        "querystring",
        "readline",
        "readline/promises",
        "repl",
        "sea",
        "sqlite",
        "stream",
        "stream/consumers",
        "stream/promises",
        "stream/web",
        "string_decoder",
        "sys",
        "test",
        "test/reporters",
        "timers",
        "timers/promises",
        "tls",
        "trace_events",
        "tty",
        "url",
        "util",
        "util/types",
        "v8",
        "vm",
        "wasi",
        "worker_threads",
        "zlib",
    ]
)

Bound = Iterator[tuple[str, str | None, str | None]]


def expand_import(captures: Mapping[str, Sequence[Node]], text: object) -> Bound:
    """Yield (module, member, bound name) for all that a statement, an assignment to exports or a call imports."""
    node = captures["import"][0]
    if "call" in captures:
        yield from _called(node, _text(captures["module"][0]))
    elif node.type == "import_statement":
        yield from _import(node)
    elif node.type == "export_statement":
        yield from _export(node)
    elif node.type == "assignment_expression":
        yield from _assigned(captures["exports"][0], node.child_by_field_name("right"))
    else:  # import Short = Name.space.member
        alias, name = node.named_children[:2]
        yield "", _text(name), _text(alias)


def _text(node: Node | None) -> str:
    """Return the text of a name, or of a string without its quotes."""
    return (node.text or b"").decode("utf-8", "replace").strip("\"'`") if node is not None else ""


def _default(module: str) -> str | None:
    """Return the member that a default import means: the built-in modules of Node are their own default."""
    return None if module.removeprefix("node:") in BUILT_IN else "default"


def _import(node: Node) -> Bound:
    source = node.child_by_field_name("source")
    module = _text(source)
    clause = next(
        (child for child in node.named_children if child.type in ("import_clause", "import_require_clause")), None
    )
    if clause is None:
        if module:
            yield module, None, None
        return
    if clause.type == "import_require_clause":  # import fs = require("fs")
        yield _text(clause.child_by_field_name("source")), None, _text(clause.named_children[0])
        return
    for child in clause.named_children:
        if child.type == "identifier":
            yield module, _default(module), _text(child)
        elif child.type == "namespace_import":
            yield module, None, _text(child.named_children[0])
        elif child.type == "named_imports":
            yield from ((module, name, alias or name) for name, alias in _specifiers(child))


def _export(node: Node) -> Bound:
    source = node.child_by_field_name("source")
    kinds = {child.type: child for child in node.children}
    if source is not None:
        module = _text(source)
        if "namespace_export" in kinds:
            yield module, None, _text(kinds["namespace_export"].named_children[0])
        elif "export_clause" in kinds:
            yield from ((module, name, alias or name) for name, alias in _specifiers(kinds["export_clause"]))
        else:
            yield module, "*", None
    elif "export_clause" in kinds:
        yield from (("", name, alias) for name, alias in _specifiers(kinds["export_clause"]) if alias and alias != name)
    elif "default" in kinds:
        declared = node.child_by_field_name("declaration")
        name = (
            _value_name(node.child_by_field_name("value"))
            if declared is None
            else _text(declared.child_by_field_name("name"))
        )
        if name:
            yield "", name, "default"
    elif "=" in kinds and node.named_children:  # export = Thing
        yield "", _text(node.named_children[-1]), "default"


def _specifiers(clause: Node) -> Iterator[tuple[str, str | None]]:
    for child in clause.named_children:
        name = child.child_by_field_name("name")
        if name is not None:
            yield _text(name), _text(child.child_by_field_name("alias")) or None


def _value_name(value: Node | None) -> str | None:
    """Return the name by which a file knows the value that it exports as a whole; None where it has none."""
    if value is None:
        return None
    if value.type in ("identifier", "class", "function_expression"):
        return _text(value if value.type == "identifier" else value.child_by_field_name("name")) or None
    if value.type == "new_expression":
        return _text(value.child_by_field_name("constructor"))
    if value.type in ("as_expression", "satisfies_expression", "parenthesized_expression"):
        return _value_name(value.named_children[0])
    if value.type == "call_expression":  # connect(state)(Component), observer(Component)
        arguments = value.child_by_field_name("arguments")
        named = arguments.named_children if arguments is not None else []
        if len(named) == 1 and named[0].type == "identifier" and _text(named[0])[:1].isupper():
            return _text(named[0])
    return None


def _assigned(left: Node, right: Node | None) -> Bound:
    """Yield what `module.exports = …` or `exports.name = …` offers under other names than the file's own."""
    if right is None:
        return
    whole = _text(left) in ("module.exports", "exports")
    if not whole:
        alias = _text(left.child_by_field_name("property"))
        if right.type == "identifier" and _text(right) != alias:
            yield "", _text(right), alias
    elif right.type == "object":
        for pair in right.named_children:
            value = pair.child_by_field_name("value")
            if value is not None and value.type == "identifier":
                key = _text(pair.child_by_field_name("key"))
                if key != _text(value):
                    yield "", _text(value), key
    elif _text(left) == "module.exports":
        name = _value_name(right)
        if name is None and right.type in ("class", "function_expression", "arrow_function", "generator_function"):
            name = "exports"
        if name:
            yield "", name, "default"


def _called(node: Node, module: str) -> Bound:
    """Yield what a call of require() or import() binds, by what is done with its value."""
    member: str | None = None
    parent = node.parent
    while parent is not None and parent.type in (
        "await_expression",
        "parenthesized_expression",
        "as_expression",
        "member_expression",
    ):
        if parent.type == "member_expression":
            name = parent.child_by_field_name("property")
            if _text(name) == "then":
                yield from _then(parent.parent, module)
                return
            if member is not None:
                break
            member = _text(name)
        parent = parent.parent
    kind = parent.type if parent is not None else ""
    if parent is not None and kind == "variable_declarator":
        yield from _declared(parent.child_by_field_name("name"), module, member)
    elif parent is not None and kind == "assignment_expression":
        left = parent.child_by_field_name("left")
        if left is not None and left.type == "identifier":
            yield module, member, _text(left)
        elif _text(left) == "module.exports":
            yield module, "*", None
            yield module, "default", "default"
        elif left is not None and _text(left.child_by_field_name("object")) in ("exports", "module.exports"):
            yield module, member, _text(left.child_by_field_name("property"))
        else:
            yield module, member, None
    elif parent is not None and kind == "pair" and _exported(parent.parent):
        yield module, member, _text(parent.child_by_field_name("key"))
    elif parent is not None and kind == "spread_element" and _exported(parent.parent):
        yield module, "*", None
    elif parent is not None and kind == "arrow_function" and (lazy := _lazy(parent)) is not None:
        yield module, "default", _text(lazy)
    else:
        yield module, member, None


def _exported(literal: Node | None) -> bool:
    """Whether an object literal is all that its file exports."""
    parent = literal.parent if literal is not None else None
    return (
        parent is not None
        and parent.type == "assignment_expression"
        and _text(parent.child_by_field_name("left")) == "module.exports"
    )


def _lazy(arrow: Node) -> Node | None:
    """Return the name in `const Page = lazy(() => import("./Page"))`, seen from the arrow."""
    node: Node | None = arrow
    for kind in ("arguments", "call_expression", "variable_declarator"):
        node = node.parent if node is not None else None
        if node is None or node.type != kind:
            return None
    name = node.child_by_field_name("name") if node is not None else None
    return name if name is not None and name.type == "identifier" else None


def _declared(name: Node | None, module: str, member: str | None) -> Bound:
    """Yield what a name or a pattern is bound to that takes a module's value, or a member of it."""
    if name is not None and name.type == "identifier":
        yield module, member, _text(name)
        return
    prefix = f"{member}." if member else ""
    found = False
    for child in name.named_children if name is not None and name.type == "object_pattern" else ():
        if child.type == "shorthand_property_identifier_pattern":
            key, alias = _text(child), _text(child)
        elif child.type == "pair_pattern":
            value = child.child_by_field_name("value")
            key, alias = _text(child.child_by_field_name("key")), _text(value)
            if value is None or value.type != "identifier":
                continue
        elif child.type == "object_assignment_pattern":
            key = alias = _text(child.child_by_field_name("left"))
        else:
            continue
        found = True
        yield module, prefix + key, alias
    if not found:
        yield module, member, None


def _then(call: Node | None, module: str) -> Bound:
    """Yield what the callback of `import("./m").then(…)` binds."""
    arguments = call.child_by_field_name("arguments") if call is not None else None
    callback = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    parameter = None
    if callback is not None:
        parameter = callback.child_by_field_name("parameter")
        parameters = callback.child_by_field_name("parameters")
        if parameter is None and parameters is not None and parameters.named_children:
            parameter = parameters.named_children[0]
        if parameter is not None:
            parameter = parameter.child_by_field_name("pattern") or parameter
    yield from _declared(parameter, module, None)
