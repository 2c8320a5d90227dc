"""The value of a string expression: literals, concatenations, templates and formatting calls, as pieces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from scaup.pipeline.text.escapes import decode
from scaup.pipeline.text.forms import Forms
from scaup.pipeline.text.found import ESCAPE, PLACEHOLDER, VERBATIM, Piece
from scaup.pipeline.text.tokens import Element, Tokens
from scaup.pipeline.text.trims import trimmed

# What a placeholder may be called: a name or a path of members; anything else is `{}`.
NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|\?\.)[A-Za-z_$][\w$]*)*")
NAME_LENGTH = 60
# Format verbs of C, Go and Python; `%%` is a percent sign.
PRINTF = re.compile(r"%(?:\((?P<name>\w+)\))?[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:\[\d+\])?[hlL]*[a-zA-Z]|%%")
# Places of format strings with braces; doubled braces are braces.
BRACES = re.compile(r"\{\{|\}\}|\{(?P<name>[^{}:!]*)(?:![a-z])?(?::(?:[^{}]|\{[^{}]*\})*)?\}")
INDEX = re.compile(r"\d{1,4}(?=\.|$)")
# Escapes that are bytes: those of one character stand side by side.
BYTES = re.compile(r"\\(?:x[89a-fA-F][0-9a-fA-F]|[23][0-7]{2})")
SHOWN = re.compile(rb"\s*=\s*(?=[!:}])")
# Calls that format, and do nothing else.
FORMATS = re.compile(r"(?:^|[.:])(?:[sS]printf|format(?:_args|doc)?)!?$")
# How raw strings of Rust open.
RAW = re.compile(rb'[bc]?r(#*)"')
COMPARISONS = frozenset(("==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"))
# Nesting of expressions that is followed; no person writes more. A long sum is one node deeper with each operand.
DEPTH = 200
CLIMB = 20_000


# A character outside of the first plane as JavaScript writes it without braces.
PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")


class Strings:
    """Evaluates string expressions in one file."""

    def __init__(self, forms: Forms, source: bytes) -> None:
        self.forms, self.source = forms, source
        self.tokens = Tokens(forms, source)
        # The whole expression of every node that was climbed through, by the node's id.
        self._wholes: dict[int, Node] = {}
        self._callees: dict[int, str] = {}

    def text(self, start: int, end: int) -> str:
        """Return the source between two bytes."""
        return self.source[start:end].decode("utf-8", "replace")

    def whole(self, literal: Node) -> Node:
        """Return the largest expression around a literal whose value is a string made with it."""
        node, path = literal, [literal.id]
        for _ in range(CLIMB):
            parent = node.parent
            if node.id in self._wholes:
                node = self._wholes[node.id]
                break
            if parent is None or not self._carries(parent, node):
                break
            node = parent if parent.type not in self.forms.nodes["arguments"] else parent.parent or parent
            if node.type in self.forms.nodes["member"]:
                node = node.parent or node
            elif node.type in self.forms.nodes["list"]:
                node = self._joining(node) or node
            elif node.type in self.forms.nodes["tokens"] and node.parent is not None:
                node = node.parent if node.parent.type in self.forms.nodes["macro"] else node
                node = self._joining(node) or node
            path.append(node.id)
        self._wholes.update(dict.fromkeys(path, node))
        return node

    def _carries(self, parent: Node, child: Node) -> bool:
        """Whether a node is a string whose value the child is a part of."""
        nodes, kind = self.forms.nodes, parent.type
        if kind in nodes["adjacent"]:
            return True
        if kind in nodes["plus"]:
            return self._operator(parent) in ("+", "%") and (
                self._operator(parent) == "+" or parent.child_by_field_name("left") == child
            )
        if kind in nodes["transparent"] or kind in nodes["tagged"]:
            return True
        if kind in nodes["conversion"]:
            return self._conversion(parent) == child
        if kind in nodes["member"]:
            call = parent.parent
            method = self._method(call) if call is not None else ""
            return method in ("format_method", "same_method") and self.receiver(call) == child
        if kind in nodes["arguments"]:
            call = parent.parent
            if call is None:
                return False
            role = self._function(call)
            if not role:
                return False
            first = parent.named_child(1 if role.endswith("_later") else 0)
            if role in ("printf", "braces", "same", "dedent", "printf_later", "braces_later"):
                return first == child
            return role == "concat"
        if kind in nodes["tokens"]:
            return self._carried(parent, child)
        if kind in nodes["list"]:
            return self._joining(parent) is not None
        # A template behind the name of a function that only changes how it is written: dedent`…`
        return kind in nodes["call"] and self._is_tagged(parent, child) and bool(self._function(parent))

    def _carried(self, group: Node, child: Node) -> bool:
        """Whether the tokens of a macro are a string that the child is a part of."""
        callee = self.tokens.head(group)
        found = self.tokens.element(group, child.start_byte)
        if found is None or found[1].key is not None:
            return False
        role = self._role(callee)
        if role == "concat":
            return True
        if role in ("same", "dedent"):
            return found[0] == 0
        if role in ("braces", "braces_later"):
            return found[0] == self._template(group)
        outer = group.parent
        is_list = callee == "vec!" and outer is not None and outer.type in self.forms.nodes["macro"]
        return is_list and outer is not None and self._joining(outer) is not None

    def _template(self, group: Node) -> int | None:
        """Return which element of a formatting macro's tokens is its template: the first that is a string alone."""
        for index, element in enumerate(self.tokens.elements(group)):
            if element.key is None and self._is_text(element.nodes):
                return index
        return None

    def _is_text(self, nodes: Sequence[Node]) -> bool:
        """Whether tokens are a string: a literal, perhaps converted, or the call of a macro that makes one."""
        if nodes[0].type in self.forms.literals:
            names = [node for node in nodes[1:] if node.is_named and node.type not in self.forms.nodes["tokens"]]
            marks = all(node.is_named or node.type == "." for node in nodes[1:])
            return marks and all(
                self.forms.calls.get(self.text(name.start_byte, name.end_byte)) == "same_method" for name in names
            )
        if nodes[-1].type not in self.forms.nodes["tokens"] or self.tokens.start(nodes[-1]) != nodes[0].start_byte:
            return False
        return self._role(self.tokens.head(nodes[-1])) in ("braces", "concat", "same", "dedent")

    def _joining(self, node: Node) -> Node | None:
        """Return the call that joins the elements of a list to a string."""
        parent = node.parent
        while parent is not None and parent.type in self.forms.nodes["transparent"] | self.forms.nodes["struct"]:
            node, parent = parent, parent.parent
        if parent is None:
            return None
        while parent.type in self.forms.nodes["member"] and parent.parent is not None:
            # […].join(separator), […].filter(Boolean).join(separator)
            method, call = self._method(parent.parent), parent.parent
            if method not in ("join_method", "list_method") or self.receiver(call) != node:
                return None
            if method == "join_method" or call.parent is None:
                return call if method == "join_method" else None
            node, parent = call, call.parent
        if parent.type in self.forms.nodes["arguments"] and parent.parent is not None:
            call = parent.parent
            joins = self._method(call) == "join_method" or self._function(call) == "join"
            first = parent.named_child(0)
            return call if joins and first == node else None
        return None

    # ---------------------------------------------------------------------------------------------------- values

    def pieces(self, node: Node, depth: int = 0) -> list[Piece] | None:
        """Return the pieces of a string expression; None for an expression that is no string as far as one can see."""
        nodes, kind = self.forms.nodes, node.type
        if kind in self.forms.literals:
            return list(self.literal(node))
        if depth > DEPTH:
            return None
        if kind in nodes["adjacent"]:
            return [piece for child in node.named_children for piece in self.pieces(child, depth + 1) or ()]
        if kind in nodes["plus"]:
            return self._operation(node, depth)
        if kind in nodes["tagged"]:
            return self.pieces(node.named_children[-1], depth + 1) if node.named_children else None
        if kind in nodes["transparent"]:
            children = [child for child in node.named_children if "comment" not in child.type]
            return self.pieces(children[0], depth + 1) if children else None
        if kind in nodes["conversion"]:
            operand = self._conversion(node)
            return self.pieces(operand, depth + 1) if operand is not None else None
        if kind in nodes["macro"]:
            group = next((child for child in node.named_children if child.type in nodes["tokens"]), None)
            return self._macro(group, depth) if group is not None else None
        if kind in nodes["tokens"]:
            return self._macro(node, depth)
        if kind in nodes["call"]:
            return self._call(node, depth)
        return None

    def _conversion(self, node: Node) -> Node | None:
        """Return what a conversion turns into text or bytes."""
        kind = node.child_by_field_name("type")
        written = self.text(kind.start_byte, min(kind.end_byte, kind.start_byte + 40)) if kind is not None else ""
        return node.child_by_field_name("operand") if written in ("[]byte", "[]rune", "string") else None

    # ---------------------------------------------------------------------------------------------------- macros

    def _macro(self, group: Node, depth: int) -> list[Piece] | None:
        """Return the pieces of the tokens of a macro or call that makes a string of them."""
        elements, role = self.tokens.elements(group), self._role(self.tokens.head(group))
        if role in ("braces", "braces_later"):
            template = self._template(group)
            if template is None:
                return None
            found = self._element(elements[template], depth) or []
            if self.tokens.head(group).endswith("doc!"):
                found = self._dedented(found) or []
            names = [self._element_name(element) for element in elements[template + 1 :] if element.key is None]
            return self._formatted(found, BRACES, names)
        if role == "same" and elements:
            return self._element(elements[0], depth)
        if role == "dedent" and elements:
            return self._dedented(self._element(elements[0], depth))
        if role == "concat":
            parts = [self._element(element, depth) or [self._constant(element)] for element in elements]
            return [piece for part in parts for piece in part]
        return None

    def _element(self, element: Element, depth: int = 0) -> list[Piece] | None:
        """Return the pieces of an element of tokens: of a literal, perhaps converted, or of a macro's call."""
        nodes = element.nodes
        if nodes[0].type in ("&", "*"):
            nodes = nodes[1:]
        if not nodes or depth > DEPTH or not self._is_text(nodes):
            return None
        if nodes[0].type in self.forms.literals:
            return list(self.literal(nodes[0]))
        return self._macro(nodes[-1], depth + 1)

    def _element_name(self, element: Element) -> str:
        written = self.text(element.start, min(element.end, element.start + NAME_LENGTH + 1)).lstrip("&*")
        return written if len(written) <= NAME_LENGTH and NAME.fullmatch(written) else ""

    def _constant(self, element: Element) -> Piece:
        """Return what stands in a concatenation and is no string: a number as it is written, else a placeholder."""
        if len(element.nodes) == 1 and element.nodes[0].type.endswith("_literal"):
            return Piece(self.text(element.start, element.end), element.start, element.end, VERBATIM)
        return Piece(f"{{{self._element_name(element)}}}", element.start, element.end, PLACEHOLDER)

    def tokens_of(self, attribute: Node) -> Node | None:
        """Return the arguments of an attribute."""
        inner = attribute.named_children[0] if attribute.named_children else attribute
        return next((child for child in inner.named_children if child.type in self.forms.nodes["tokens"]), None)

    def start(self, node: Node) -> int:
        """Return where a string expression starts: the name in front of tokens is a part of it."""
        return self.tokens.start(node) if node.type in self.forms.nodes["tokens"] else node.start_byte

    def _operation(self, node: Node, depth: int) -> list[Piece] | None:
        if self._operator(node) == "%":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            found = self.pieces(left, depth + 1) if left is not None else None
            if found is None or right is None:
                return None
            arguments = right.named_children if right.type in self.forms.nodes["list"] else [right]
            return self._formatted(found, PRINTF, [self.name(argument) for argument in arguments])
        if self._operator(node) != "+":
            return None
        # The left side of a chain of additions is one node deeper with each: taken apart in a loop.
        operands: list[Node] = []
        current: Node | None = node
        while current is not None and current.type in self.forms.nodes["plus"] and self._operator(current) == "+":
            right = current.child_by_field_name("right")
            if right is not None:
                operands.append(right)
            current = current.child_by_field_name("left")
        if current is not None:
            operands.append(current)
        values = [self.pieces(operand, depth + 1) for operand in reversed(operands)]
        if all(value is None for value in values):
            return None
        found = []
        for operand, value in zip(reversed(operands), values, strict=True):
            found += [self.placeholder(operand)] if value is None else value
        return found

    def _call(self, node: Node, depth: int) -> list[Piece] | None:
        method, arguments = self._method(node), self.arguments(node)
        receiver = self.receiver(node)
        if method == "join_method" and receiver is not None:
            while receiver.type in self.forms.nodes["call"] and self._method(receiver) == "list_method":
                receiver = self.receiver(receiver) or node
            if receiver.type in self.forms.nodes["macro"]:
                return self._join_tokens(receiver, arguments[0] if arguments else None, depth)
            if receiver.type in self.forms.nodes["list"]:
                return self._join(receiver, arguments[0] if arguments else None, depth)
            if arguments and arguments[0].type in self.forms.nodes["list"]:
                return self._join(arguments[0], receiver, depth)
            return None
        if method == "same_method" and receiver is not None:
            return self._trimmed(node, self.pieces(receiver, depth + 1), bool(arguments))
        if method == "format_method" and receiver is not None:
            found = self.pieces(receiver, depth + 1)
            names = [self.name(argument) for argument in arguments]
            return None if found is None else self._formatted(found, BRACES, names)
        role = self._function(node)
        if role == "dedent" and arguments:
            return self._dedented(self.pieces(arguments[0], depth + 1))
        if role == "raw" and arguments and arguments[0].type in self.forms.literals:
            return list(self.literal(arguments[0], raw=True))
        if role.endswith("_later"):
            role, arguments = role.removesuffix("_later"), arguments[1:]
        if role in ("printf", "braces") and arguments:
            found = self.pieces(arguments[0], depth + 1)
            names = [self.name(argument) for argument in arguments[1:]]
            return found and self._formatted(found, PRINTF if role == "printf" else BRACES, names)
        if role == "same" and arguments:
            return self._trimmed(node, self.pieces(arguments[0], depth + 1), len(arguments) > 1)
        if role == "join" and len(arguments) > 1:
            return self._join(arguments[0], arguments[1], depth)
        if role == "concat":
            parts = [self.pieces(argument, depth + 1) or [self.placeholder(argument)] for argument in arguments]
            return [piece for part in parts for piece in part]
        return None

    def _trimmed(self, call: Node, pieces: list[Piece] | None, is_other: bool) -> list[Piece] | None:
        """Return what a call leaves of the string that it is given; with further arguments it cuts something else."""
        how = self.forms.trims.get(re.split(r"\.|::", self.callee(call))[-1]) if pieces else None
        return pieces if pieces is None or how is None or is_other else trimmed(pieces, how)

    def _join(self, elements: Node, separator: Node | None, depth: int) -> list[Piece] | None:
        text = self._separator(separator, depth)
        if elements.type not in self.forms.nodes["list"]:
            body = next((child for child in elements.named_children if "value" in child.type), elements)
        else:
            body = elements
        found: list[Piece] = []
        last = elements.start_byte
        for element in body.named_children:
            if "comment" in element.type:
                continue
            inner = element.named_children[0] if element.type == "literal_element" else element
            if found:
                found.append(Piece(text, last, last, ESCAPE))
            found += self.pieces(inner, depth + 1) or [self.placeholder(inner)]
            last = element.end_byte
        return found or None

    def _separator(self, separator: Node | None, depth: int) -> str:
        if separator is None:
            return "," if self.forms.escapes == "javascript" else ""
        between = self.pieces(separator, depth + 1)
        return "".join(piece.text for piece in between) if between is not None else "{}"

    def _join_tokens(self, macro: Node, separator: Node | None, depth: int) -> list[Piece] | None:
        """Return the pieces of `vec![…].join(separator)`."""
        text = self._separator(separator, depth)
        group = next((child for child in macro.named_children if child.type in self.forms.nodes["tokens"]), None)
        found: list[Piece] = []
        for element in self.tokens.elements(group) if group is not None else ():
            if found:
                found.append(Piece(text, element.start, element.start, ESCAPE))
            found += self._element(element, depth + 1) or [self._constant(element)]
        return found or None

    def _dedented(self, pieces: Sequence[Piece] | None) -> list[Piece] | None:
        """Return pieces without the indentation that all lines share, and without a break in front of the first."""
        if not pieces:
            return None
        # Indentation is what is written; a placeholder or an escape is text.
        written = "".join(piece.text if piece.kind == VERBATIM or piece.text == "\n" else "x" for piece in pieces)
        lines = written.split("\n")[1:]
        indents = [len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()]
        indent = min(indents, default=0)
        found: list[Piece] = []
        left = 0
        is_first = True
        for piece in pieces:
            if piece.kind != VERBATIM:
                left = indent if piece.text == "\n" else 0
                if not (is_first and piece.text == "\n"):
                    found.append(piece)
                is_first = False
                continue
            byte = piece.start
            for line in piece.text.splitlines(keepends=True) if "\r" not in piece.text else [piece.text]:
                size = len(line.encode())
                cut = min(left, len(line) - len(line.lstrip(" \t")))
                rest = "" if is_first and line == "\n" else line[cut:]
                if rest:
                    found.append(Piece(rest, byte + cut, byte + size, VERBATIM))
                byte += size
                left = indent if line.endswith("\n") else left - cut if rest == "" else 0
                is_first = False
        return found or None

    def _formatted(self, pieces: Sequence[Piece], places: re.Pattern[str], names: Sequence[str]) -> list[Piece]:
        """Return pieces with the places of a format string as placeholders, called as their arguments are."""
        position = 0
        found: list[Piece] = []
        for piece in pieces:
            if piece.kind != VERBATIM:
                found.append(piece)
                continue
            at, byte = 0, piece.start
            for match in places.finditer(piece.text):
                if match.start() > at:
                    verbatim = piece.text[at : match.start()]
                    found.append(Piece(verbatim, byte, byte + len(verbatim.encode()), VERBATIM))
                    byte += len(verbatim.encode())
                end = byte + len(match[0].encode())
                if match[0] in ("{{", "}}", "%%"):
                    found.append(Piece(match[0][0], byte, end, ESCAPE))
                else:
                    name = match["name"] or ""
                    # A width or a precision that is an argument, and an argument by its number.
                    position += match[0].count("*" if places is PRINTF else ".*")
                    if places is PRINTF and (number := re.search(r"\[(\d+)\][a-zA-Z]$", match[0])) is not None:
                        position = int(number[1]) - 1
                    if not name and position < len(names):
                        name = names[position]
                        position += 1
                    elif (number := INDEX.match(name)) is not None:
                        given = names[int(number[0])] if int(number[0]) < len(names) else ""
                        name = given and given + name[number.end() :]
                    found.append(Piece(f"{{{name if NAME.fullmatch(name) else ''}}}", byte, end, PLACEHOLDER))
                at, byte = match.end(), end
            if at < len(piece.text):
                found.append(Piece(piece.text[at:], byte, piece.end, VERBATIM))
        return found

    def literal(self, node: Node, *, raw: bool = False) -> Iterator[Piece]:
        """Yield the pieces of a literal; of a `raw` one, escapes stay as they are written."""
        how = self.forms.literals[node.type]
        start, end = self._inside(node)
        if how == "prefixed":
            how = "template"  # what is no escape or interpolation has no node
        at = start
        special = [] if how == "raw" else self._special(node)
        if raw:
            special = [child for child in special if child.type in self.forms.nodes["interpolation"]]
        for child in special:
            if child.start_byte < at:
                continue  # a byte of a character that is read
            if child.start_byte > at:
                yield from self._verbatim(at, child.start_byte)
            if child.type in self.forms.nodes["interpolation"]:
                if (shown := self._shown(child)) is not None:
                    yield shown
                    yield self.placeholder(child)._replace(start=shown.end)
                else:
                    yield self.placeholder(child)
                at = child.end_byte
            else:
                written = self.text(child.start_byte, child.end_byte)
                at = child.end_byte
                if self.forms.escapes == "rust" and written[1:2] in ("\n", "\r"):
                    # The break and the white space that the next line starts with go.
                    while at < end and self.source[at : at + 1] in (b" ", b"\t", b"\r", b"\n"):
                        at += 1
                    yield Piece("", child.start_byte, at, ESCAPE)
                elif self.forms.escapes == "go" and BYTES.fullmatch(written):
                    # Bytes of a character of several.
                    at = child.start_byte + len(self._bytes(child.start_byte, end)) * 4
                    character = self._bytes(child.start_byte, end).decode("utf-8", "replace")
                    yield Piece(character, child.start_byte, at, ESCAPE)
                elif (
                    self.forms.escapes == "javascript"
                    and (pair := PAIR.match(self.source, child.start_byte)) is not None
                ):
                    # Two escapes of one character.
                    at = pair.end()
                    yield Piece(json.loads(b'"' + pair[0] + b'"'), child.start_byte, at, ESCAPE)
                else:
                    yield Piece(decode(written, self.forms.escapes), child.start_byte, at, ESCAPE)
        if at < end:
            yield from self._verbatim(at, end)

    def _shown(self, interpolation: Node) -> Piece | None:
        """Return the source of an expression that an f-string shows in front of its value: `{x=}`."""
        if self.forms.escapes != "python":
            return None
        inner = interpolation.child_by_field_name("expression")
        if inner is None or (match := SHOWN.match(self.source, inner.end_byte, interpolation.end_byte)) is None:
            return None
        start = interpolation.start_byte + 1
        return Piece(self.text(start, match.end()), start, match.end(), VERBATIM)

    def _verbatim(self, start: int, end: int) -> Iterator[Piece]:
        """Yield a stretch that is the text itself, except for its breaks: compilers read them all as line feeds."""
        if (at := self.source.find(b"\r\n", start, end)) < 0:
            yield Piece(self.text(start, end), start, end, VERBATIM)
            return
        while at >= 0:
            if at > start:
                yield Piece(self.text(start, at), start, at, VERBATIM)
            yield Piece("\n", at, at + 2, ESCAPE)
            start = at + 2
            at = self.source.find(b"\r\n", start, end)
        if start < end:
            yield Piece(self.text(start, end), start, end, VERBATIM)

    def _bytes(self, start: int, end: int) -> bytes:
        """Return the bytes that escapes of four characters side by side stand for."""
        found = bytearray()
        while start < end and (written := self.source[start : start + 4].decode("utf-8", "replace")):
            if not BYTES.fullmatch(written):
                break
            found.append(int(written[2:], 16) if written[1] == "x" else int(written[1:], 8))
            start += 4
        return bytes(found)

    def _special(self, node: Node) -> list[Node]:
        """Return the escapes and interpolations of a literal in order."""
        escape, interpolation = self.forms.nodes["escape"], self.forms.nodes["interpolation"]
        found: list[Node] = []
        for child in node.children:
            if child.type in escape or child.type in interpolation:
                found.append(child)
            elif child.child_count and child.type not in self.forms.nodes["delimiters"]:
                found += [c for c in child.children if c.type in escape or c.type in interpolation]
        return found

    def _inside(self, node: Node) -> tuple[int, int]:
        """Return where the content of a literal starts and ends."""
        children = node.children
        if not children:
            # A literal in one token: its delimiters are one character each.
            return node.start_byte + 1, max(node.end_byte - 1, node.start_byte + 1)
        start, end = node.start_byte, node.end_byte
        if len(children) == 1 and self.forms.literals[node.type] == "raw":
            # Delimiters that have no nodes; and the content's node leaves out the white space that it starts with.
            opening = RAW.match(self.source, start, end)
            if opening is not None and opening.end() + len(opening[1]) < end:
                return opening.end(), end - 1 - len(opening[1])
            return children[0].start_byte, children[0].end_byte
        if self._delimits(children[0]):
            start = children[0].end_byte
        if len(children) > 1 and self._delimits(children[-1]):
            end = children[-1].start_byte
        return start, max(start, end)

    def _delimits(self, node: Node) -> bool:
        return not node.is_named or node.type in self.forms.nodes["delimiters"]

    def placeholder(self, node: Node) -> Piece:
        """Return an expression in a string as a placeholder: `{name}`, or `{}` where it is no name."""
        inner = node
        if node.type in self.forms.nodes["interpolation"]:
            inner = node.child_by_field_name("expression") or next(iter(node.named_children), node)
        return Piece(f"{{{self.name(inner)}}}", node.start_byte, node.end_byte, PLACEHOLDER)

    def name(self, node: Node) -> str:
        """Return the name of an expression, empty where it is none."""
        while node.type in self.forms.nodes["transparent"] and node.named_children:
            node = node.named_children[0]
        if node.end_byte - node.start_byte > NAME_LENGTH:
            return ""
        written = self.text(node.start_byte, node.end_byte).lstrip("&*")
        return written if NAME.fullmatch(written) else ""

    def constant(self, node: Node) -> str:
        """Return the name behind conversions: of `TEXT.to_string()`, `Some(TEXT)`, `string(text)`."""
        for _ in range(DEPTH):
            inner: Node | None = None
            if node.type in self.forms.nodes["transparent"] and node.named_children:
                inner = node.named_children[0]
            elif node.type in self.forms.nodes["conversion"]:
                inner = self._conversion(node)
            elif node.type in self.forms.nodes["call"]:
                if self._method(node) == "same_method":
                    inner = self.receiver(node)
                elif self.passes(node):
                    inner = next(iter(self.arguments(node)), None)
            if inner is None:
                break
            node = inner
        return self.name(node)

    # ----------------------------------------------------------------------------------------------------- calls

    def callee(self, call: Node) -> str:
        """Return the called name as written, without type arguments; empty where it is none."""
        if (known := self._callees.get(call.id)) is None:
            known = self._callees[call.id] = self._callee(call)
        return known

    def _callee(self, call: Node) -> str:
        for field in self.forms.fields.get("call", ()):
            if (function := call.child_by_field_name(field)) is not None:
                written = self.text(function.start_byte, min(function.end_byte, function.start_byte + 400))
                if function.end_byte - function.start_byte > 400:
                    # A chain of calls: how it starts, and the last of them.
                    written = f"{written[:200]}.{self._last_name(function)}"
                written = re.sub(r"\s+|::<.*?>|<[^<>]*>|\[[\w.*\[\], ]*\]", "", written)
                return written + "!" if call.type in self.forms.nodes["macro"] else written
        return ""

    def _last_name(self, function: Node) -> str:
        name = function.child_by_field_name(self.forms.fields["member"][1])
        return self.text(name.start_byte, name.end_byte) if name is not None else ""

    def arguments(self, call: Node) -> list[Node]:
        """Return the arguments of a call, named ones included; the tokens of a macro's call that are values."""
        for field in self.forms.fields.get("arguments", ()):
            if (found := call.child_by_field_name(field)) is not None:
                if found.type in self.forms.literals:
                    return [found]
                return [child for child in found.named_children if "comment" not in child.type]
        group: Node | None = call
        if call.type not in self.forms.nodes["tokens"]:
            group = next((child for child in call.named_children if child.type in self.forms.nodes["tokens"]), None)
        return [self.token_value(element) for element in self.tokens.elements(group)] if group is not None else []

    def token_value(self, element: Element) -> Node:
        """Return the node that a value in tokens is told by: a group for a call, else its first."""
        nodes = [node for node in element.nodes if node.type not in ("&", "*")] or element.nodes
        if nodes[0].type in self.forms.literals or nodes[-1].type not in self.forms.nodes["tokens"]:
            return nodes[0]
        return nodes[-1]

    def _is_tagged(self, call: Node, argument: Node) -> bool:
        """Whether a literal is what a call is given, without brackets."""
        return argument.type in self.forms.literals and any(
            call.child_by_field_name(field) == argument for field in self.forms.fields.get("arguments", ())
        )

    def receiver(self, call: Node | None) -> Node | None:
        """Return what a method is called on."""
        function = self._function_node(call) if call is not None else None
        if function is None or function.type not in self.forms.nodes["member"]:
            return None
        return function.child_by_field_name(self.forms.fields["member"][0])

    def _function_node(self, call: Node) -> Node | None:
        for field in self.forms.fields.get("call", ()):
            if (function := call.child_by_field_name(field)) is not None:
                return function
        return None

    def _method(self, call: Node) -> str:
        """Return what kind of string a method makes of its receiver."""
        function = self._function_node(call)
        if function is None or function.type not in self.forms.nodes["member"]:
            return ""
        name = function.child_by_field_name(self.forms.fields["member"][1])
        role = self.forms.calls.get(self.text(name.start_byte, name.end_byte), "") if name is not None else ""
        return role if role.endswith("_method") else ""

    def _function(self, call: Node) -> str:
        """Return what kind of string a function makes of its arguments."""
        return self._role(self.callee(call))

    def _role(self, callee: str) -> str:
        role = self.forms.calls.get(callee) or self.forms.calls.get(re.split(r"\.|::", callee)[-1], "")
        return "" if role.endswith("_method") else role

    def passes(self, call: Node) -> bool:
        """Whether a call is the string that it is given."""
        return self._function(call) in ("same", "dedent")

    def passes_name(self, callee: str) -> bool:
        """Whether calls of a name are the string that they are given."""
        return (
            self._role(callee) in ("same", "dedent") or self.forms.calls.get(callee.rpartition(".")[2]) == "same_method"
        )

    def formatter(self, node: Node) -> str | None:
        """Return the name of the call that a string expression is, if it does more than to make a string."""
        while node.type in self.forms.nodes["transparent"] and node.named_children:
            node = node.named_children[0]
        if node.type in self.forms.nodes["tokens"]:
            callee = self.tokens.head(node)
        elif node.type in self.forms.nodes["call"] or node.type in self.forms.nodes["macro"]:
            callee = self.callee(node)
        else:
            return None
        makes = self._role(callee).removesuffix("_later") in ("printf", "braces")
        return callee if makes and not FORMATS.search(callee) else None

    def joins(self, call: Node) -> bool:
        """Whether a call is the text of the list or string that it is called on."""
        return self._method(call) in ("join_method", "list_method", "same_method")

    def makes_error(self, call: Node) -> bool:
        """Whether a method makes an error of what it is given."""
        return self._method(call) == "error_method"

    def compares(self, node: Node) -> bool:
        """Whether an operation compares its operands."""
        return self._operator(node) in COMPARISONS

    def adds(self, assignment: Node) -> bool:
        """Whether an assignment adds to what is there: `+=`."""
        return self._operator(assignment) == "+="

    def _operator(self, node: Node) -> str:
        operator = node.child_by_field_name("operator")
        return self.text(operator.start_byte, operator.end_byte) if operator is not None else ""


def attribute_name(strings: Strings, attribute: Node) -> str:
    """Return the path of an attribute: `tool`, `rmcp::tool`."""
    inner = attribute.named_children[0] if attribute.named_children else attribute
    path = inner.named_children[0] if inner.named_children else inner
    return strings.text(path.start_byte, path.end_byte)
