"""Which surface a string of code has, by what stands around it: registrations, schemas, results, errors, prompts."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.text import attached
from scaup.pipeline.text.context import Context, Frame
from scaup.pipeline.text.registry import Registry, plain
from scaup.pipeline.text.strings import Strings, attribute_name

# Functions of a language itself whose names are those of tools elsewhere.
BUILTIN = frozenset(("Function",))
# A string that is one word.
WORD = rb"""["'`]([\w./:-]{1,100})["'`]"""
# What a branch asks a name for.
CASE = re.compile(r"""^\(?(?:[\w.?]*name\s*===?\s*)?["'\x60]([\w./:-]+)["'\x60]\)?$""", re.IGNORECASE)


class Surface(NamedTuple):
    """What a string is to an agent, and how that is known."""

    surface: str
    detail: str
    tool: str | None = None
    parameter: str | None = None


class Surfaces:
    """Tells surfaces in one file. `speaks` is whether the file speaks of agents: weak names count only then."""

    def __init__(self, registry: Registry, context: Context, strings: Strings, speaks: bool) -> None:
        self.registry, self.context, self.strings, self.speaks = registry, context, strings, speaks
        # Registrations met, by place: their handlers are looked for once.
        self.registrations: dict[tuple[int, int], tuple[Node, str | None]] = {}
        self._places: list[tuple[int, int]] = []
        # Tools by the variable that holds one, and types whose methods make them tools.
        self.variables: dict[str, str] = {}
        self.tool_types: set[str] = set()
        # Names of tools by the type that is one.
        self.tool_names: dict[str, str] = {}
        self._keys: dict[int, frozenset[str]] = {}
        # Whether the file stands among tools, by its path.
        self.in_tools = False
        self._constants: dict[str, str] = {}
        # By the definition: the tools that decorators and registrations make, and functions that give a prompt back.
        self.decorated: dict[int, str] = {}
        self.prompting: dict[int, str] = {}
        # Classes whose name as a tool was looked for, and whether classes are tools that run on their fields.
        self._classes: set[int] = set()
        self._on_fields: dict[int, bool] = {}
        # Decorators whose first argument is a name; names for the types of parameters, with tool and parameter.
        self.naming: set[int] = set()
        self.aliases: dict[str, tuple[str, str]] = {}

    def classify(self, frames: Sequence[Frame]) -> Surface | None:
        """Return the surface of a string in these frames, inner ones first; None where they do not tell."""
        for index, frame in enumerate(frames):
            if frame.kind == "opaque":
                return None
            outer = frames[index + 1 :]
            found = None
            if outer and outer[-1].kind == "annotation" and frame.kind in ("key", "argument"):
                found = self._at_annotation(frame, outer[-1])
            if found is not None:
                return found
            if frame.kind == "key":
                if plain(frame.name) in self.registry.display_keys:
                    return None
                # What stands under a key of a description is something else: {description: {component: "…"}}
                is_inner = plain(frame.name) in self.registry.description_keys and self._has_key(frames[:index])
                found = None if is_inner else self._at_key(frame, outer)
            elif frame.kind == "parameter":
                return self._annotated(frame, outer) if index == 0 else None
            elif frame.kind in ("argument", "method"):
                if plain(frame.name) in self.registry.lookups:
                    return None  # what is looked for or cut away is no text
                # What a key of an argument holds is for that key to say.
                if frame.kind == "argument" and not self._has_key(frames[:index]):
                    found = self._at_argument(frame, outer)
                if found is None and self.registry.logs(frame.name):
                    return None
            elif frame.kind == "assign":
                return self._at_assignment(frame, outer, frames[:index])
            elif frame.kind in ("return", "arrow", "tail", "raise"):
                return self._given_back(frame, outer, frames[:index])
            elif frame.kind in ("function", "definition", "class", "statement"):
                return None
            if found is not None:
                return found
        return None

    @staticmethod
    def _has_key(frames: Sequence[Frame]) -> bool:
        return any(frame.kind == "key" for frame in frames)

    def _annotated(self, frame: Frame, outer: Sequence[Frame]) -> Surface | None:
        """Return the surface of a text that a type is annotated with: of a tool's parameter, or a field of a class."""
        around = outer[0] if outer else None
        if around is None or not self.speaks:
            return None
        if around.kind == "definition" and (tool := self.decorated.get(around.node.id)) is not None:
            return Surface("parameter_description", "Annotated", tool, frame.name)
        return Surface("parameter_description", "Annotated", None, frame.name) if around.kind == "class" else None

    # ------------------------------------------------------------------------------------------------------- keys

    def _at_key(self, frame: Frame, outer: Sequence[Frame]) -> Surface | None:
        key = plain(frame.name)
        name = plain(self.context.constructor(frame.node))
        known = self.registry
        if key in known.description_keys:
            found = self._description(frame, outer, name)
            return found or (self._at_member(frame, outer, key) if self.speaks else None)
        if name in known.results and key in known.result_keys:
            if self._in_message(outer):
                return Surface("prompt", f"{frame.name} of {name}")
            surface = "error_message" if self._in_error(frame, outer) else "tool_result"
            return Surface(surface, f"{frame.name} of {name}", self.tool(outer))
        makes_error = name in known.results or name in known.error_calls or name in known.error_scopes
        if makes_error and key in known.error_keys | {"message"}:
            return Surface("error_message", f"{frame.name} of {name}", self.tool(outer))
        if key == "text" and self._literal(frame.node, "type") == "text":
            wrong = self._in_error(frame, outer)
            if wrong or self._speaks_of_results(outer):
                return Surface("error_message" if wrong else "tool_result", "text content", self.tool(outer))
        if key in known.prompt_keys or (
            key in known.weak_prompt_keys and self.speaks and key != "prompt" and (name or self._is_argument(outer))
        ):
            return Surface("instructions" if "instruction" in key else "prompt", f"key {frame.name}")
        if key == "content" and self._literal(frame.node, "role") in ("system", "developer"):
            return Surface("prompt", "system message")
        if key in ("content", "template", "prompt") and (name in known.prompt_calls or self._is_message(name)):
            return Surface("prompt", f"{frame.name} of {name}")
        if self.speaks and any(name.endswith(kind) and key in keys for kind, keys in known.members.items()):
            return Surface("instructions" if "instruction" in key else "prompt", f"{frame.name} of {name}")
        is_pair = "tuple" in frame.node.type or frame.node.type == "array"
        if is_pair and key in known.roles and self.speaks:
            return Surface("prompt", f"{frame.name} message")
        if self.speaks and key in known.weak_prompt_keys:
            return self._at_member(frame, outer, key)
        return None

    def _at_member(self, frame: Frame, outer: Sequence[Frame], key: str) -> Surface | None:
        """Return the surface of a member of a plain object by what else is in it: of agents, prompts and parameters."""
        known = self.registry
        keys = self.keys(frame.node)
        path = [f for f in outer if f.kind in ("key", "argument")]
        inside = plain(path[0].name) if path and path[0].kind == "key" else ""
        asked = self._is_argument(outer) and known.prompted_calls.search(plain(outer[0].name)) is not None
        if asked and key == "prompt" and keys & {"model", "system", "messages", "schema"}:
            return Surface("prompt", f"key {frame.name}")
        # agents: {reviewer: {description, prompt, tools}}
        if len(path) > 1 and plain(path[1].name) in ("agents", "subagents", "agent") and "prompt" in keys:
            surface = "tool_description" if key in known.description_keys else "prompt"
            return Surface(surface, f"{frame.name} of an agent", path[0].name if surface != "prompt" else None)
        # parameters: [{name, description}]
        in_list = bool(outer) and outer[0].kind == "element" and inside in known.containers and "name" in keys
        around = self.keys(path[0].node) if in_list else set()
        if key != "prompt" and "in" not in keys and around & {"name", *known.description_keys}:
            parameter = self._tool_name(self.context.entries(frame.node))
            return Surface("parameter_description", "list of parameters", self.tool(outer), parameter)
        return None

    def _is_message(self, name: str) -> bool:
        """Whether a call makes a message to a model that stands for a person's."""
        return self.speaks and name in self.registry.message_calls

    def _in_message(self, outer: Sequence[Frame]) -> bool:
        """Whether a text stands in a message to a model: it is no result."""
        frames = [f for f in outer[:4] if f.kind in ("key", "argument")]
        names = (f.name if f.kind == "argument" else self.context.constructor(f.node) for f in frames)
        return any(plain(name) in self.registry.message_scopes for name in names)

    def _description(self, frame: Frame, outer: Sequence[Frame], name: str) -> Surface | None:
        """Return the surface of the member `description` of an object or call."""
        known = self.registry
        entries = self.context.entries(frame.node)
        attribute = self._attribute(frame.node)
        if attribute is not None:
            return self._of_attribute(attribute, entries)
        keys = {plain(key) for key in entries}
        is_tool = name in known.tool_calls or (name in known.weak_tool_calls and self.speaks)
        if self.speaks and not is_tool:
            is_decorator = name in known.decorators and any(f.kind == "decorator" for f in outer)
            is_base = name == "init" and self.tool(outer) is not None  # super().__init__(name=…, description=…)
            made = name or (plain(outer[0].name) if outer and outer[0].kind == "argument" else "")  # new Agent({…})
            is_tool = is_decorator or is_base or (made.endswith("agent") and bool(keys & known.agent_keys))
        looks_like_tool = self._looks_like_tool(keys, outer)
        if is_tool or looks_like_tool or self._is_registration(outer):
            decorator = next((f.node for f in outer if f.kind == "decorator"), None)
            tool = self._tool_name(entries) or self._registered_name(outer)
            if (tool or "").startswith("/") and not is_tool:
                return None  # a command that a person types
            if tool is None and decorator is not None:
                tool = self._decorated_name(decorator)
            tool = tool or self._function_of(frame.node, entries) or self._placed(frame, outer)
            self.register(frame.node, tool)
            self._remember(outer, tool)
            for around in outer[:1]:
                if around.kind in ("argument", "key"):
                    self.register(around.node, tool)
            return Surface("tool_description", f"description of {name or 'a tool object'}", tool)
        # properties: {p: {description}}
        path = [f.name for f in outer if f.kind in ("key", "argument")]
        path = path[path[:1] == ["items"] :]  # {p: {items: {description}}}
        if len(path) == 1 and outer[0].kind == "key" and self._is_schema_of_class(outer):
            return Surface("parameter_description", "schema", self.tool(outer), path[0])
        if name == "task" and keys & known.members.get("task", frozenset()) - {"description"} and self.speaks:
            return Surface("prompt", f"{frame.name} of {name}")
        is_entry = bool(outer) and next((f.kind for f in outer if f.kind in ("key", "argument")), "") == "key"
        if is_entry and len(path) > 1 and plain(path[1]) in known.containers and (self.speaks or self.tool(outer)):
            return Surface("parameter_description", "schema", self.tool(outer), path[0])
        if not name and outer and outer[0].kind == "argument" and "." in outer[0].name and not self._is_config(outer):
            name = plain(outer[0].name)  # Type.String({description: "…"})
        if name in known.parameter_calls or (name in known.weak_parameter_calls and self.speaks):
            return Surface("parameter_description", f"description of {name}", self.tool(outer), self._parameter(outer))
        return None

    def _looks_like_tool(self, keys: Set[str], outer: Sequence[Frame]) -> bool:
        """Whether an object with these members is a tool: it says what it is called and takes, or takes and runs."""
        known = self.registry
        if "in" in keys or not keys & known.description_keys:
            return False
        # What has a name and runs, or has a schema, may be a job or a setting as well.
        vague = known.handler_keys | {"schema", "annotations"}
        if "name" in keys and keys & (known.schema_keys - vague if self.speaks else known.sure_keys):
            return True
        if "name" in keys and self.speaks and keys & vague and (self.in_tools or self._among_tools(outer)):
            return True
        if self.speaks and keys & {"inputschema", "parametersjsonschema"}:
            return True
        taken = {"parameters", "schema", "args", *known.sure_keys}
        return self.speaks and bool(keys & known.handler_keys and keys & taken) and not keys & {"responses", "path"}

    def _among_tools(self, outer: Sequence[Frame]) -> bool:
        """Whether an object stands under a name that speaks of tools, or gets such a type."""
        for frame in outer[:4]:
            if frame.kind in ("key", "argument", "assign"):
                start = frame.node.start_byte
                head = frame.name if frame.kind != "assign" else self.strings.text(start, start + 120).partition("=")[0]
                if "tool" in head.lower():
                    return True
        return False

    def _placed(self, frame: Frame, outer: Sequence[Frame]) -> str | None:
        """Return the name that a tool without one gets where it stands: of a key, or of a variable."""
        rest = list(outer)
        if rest and rest[0].kind == "argument" and self._registers(rest[0].name):
            rest = rest[1:]
        while rest and rest[0].kind in ("return", "arrow", "function", "argument"):
            if rest[0].kind == "argument" and self._registers(rest[0].name):
                return self._first_argument(rest[0].node)  # define("name", async () => ({description}))
            rest = rest[1:]
        if not rest or rest[0].kind not in ("key", "assign"):
            return None
        name = rest[0].name.partition(":")[0].strip()
        # A variable that is called as every such object says nothing; beside it may stand `const name = "…"`.
        return name if plain(name) not in self.registry.declarations else self._constant("name")

    def _constant(self, name: str) -> str | None:
        """Return the one word that a variable of the file holds."""
        if (known := self._constants.get(name)) is None:
            declared = rf"(?m)(?:^|\b(?:const|let|var|readonly|static)\s+){re.escape(name)}\b[^=\n\"']{{0,40}}=\s*"
            match = re.search(declared.encode() + WORD, self.strings.source)
            known = self._constants[name] = match[1].decode("utf-8", "replace") if match is not None else ""
        return known or None

    def _function_of(self, holder: Node, entries: Mapping[str, Node]) -> str | None:
        """Return the name of the function that a call without a name makes a tool of."""
        if holder.type not in self.context.forms.nodes["call"]:
            return None
        named = next((value for key, value in entries.items() if plain(key) in self.registry.handler_keys), None)
        value = named or next(iter(self.strings.arguments(holder)), None)
        name = self.strings.name(value) if value is not None else ""
        return name.rpartition(".")[2] or None

    def _is_schema_of_class(self, outer: Sequence[Frame]) -> bool:
        """Whether an object is what a class of a tool has as its parameters: `inputs = {"p": {"description": …}}`."""
        frames = [f for f in outer if f.kind in ("assign", "class", "definition", "return", "function")]
        if len(frames) < 2 or frames[0].kind != "assign":
            return False
        name = plain(frames[0].name.partition(":")[0])
        return name in self.registry.containers and frames[1].kind == "class" and self.is_tool_class(frames[1].node)

    def _attribute(self, holder: Node) -> Node | None:
        """Return the attribute whose arguments a group of tokens is."""
        node = holder.parent
        for _ in range(2):
            if node is not None and node.type in self.context.forms.nodes["annotation"]:
                return node
            node = node.parent if node is not None else None
        return None

    def _of_attribute(self, attribute: Node, entries: Mapping[str, Node]) -> Surface | None:
        """Return the surface of the description in an attribute: of a tool, or of a field of a schema."""
        name = attribute_name(self.strings, attribute)
        definition = attached.definition_behind(attribute)
        named = definition.child_by_field_name("name") if definition is not None else None
        written = self.strings.text(named.start_byte, named.end_byte) if named is not None else None
        if not self.speaks:
            return None
        if plain(name) in self.registry.decorators or plain(name) in self.registry.prompt_decorators:
            return Surface("tool_description", f"#[{name}]", self._tool_name(entries) or written)
        if plain(name) == "schemars":
            pattern = definition.child_by_field_name("pattern") if definition is not None else None
            if written is None and pattern is not None:  # a parameter of a function
                written = self.strings.text(pattern.start_byte, pattern.end_byte)
            if definition is not None and definition.type in self.context.forms.nodes["model"]:
                return Surface("parameter_description", f"#[{name}]")  # of the arguments as a whole
            return Surface(
                "parameter_description", f"#[{name}]", None, attached.renamed(self.strings, attribute) or written
            )
        return None

    def _at_annotation(self, frame: Frame, annotation: Frame) -> Surface | None:
        """Return the surface of a text in an attribute: `params(city = "…")`, or the only argument."""
        if not self.speaks or plain(annotation.name) not in self.registry.decorators:
            return None
        definition = attached.definition_behind(annotation.node)
        named = definition.child_by_field_name("name") if definition is not None else None
        tool = self.strings.text(named.start_byte, named.end_byte) if named is not None else None
        detail = f"#[{annotation.name}]"
        group = plain(self.context.constructor(frame.node)) if frame.kind == "key" else ""
        if group in ("param", "arg") and plain(frame.name) in self.registry.description_keys:
            return Surface("parameter_description", detail, tool, self._tool_name(self.context.entries(frame.node)))
        if group in self.registry.containers:
            return Surface("parameter_description", detail, tool, frame.name)
        if frame.kind == "argument" and frame.position == 0:
            return Surface("tool_description", detail, tool)
        return None

    # -------------------------------------------------------------------------------------------------- arguments

    def _at_argument(self, frame: Frame, outer: Sequence[Frame]) -> Surface | None:
        known, name, last = self.registry, frame.name, plain(frame.name)
        if known.commands.search(name) or name in BUILTIN:
            return None
        if name == "super":
            return self._told_base(frame, outer)
        if last in known.parameter_methods and self.speaks:
            if frame.position or re.search(r"\.|::", name) is None or self._is_config(outer):
                return None  # describe("…", () => …) of a test, a schema of settings
            return Surface(
                "parameter_description", f"{name.rpartition('.')[2]}()", self.tool(outer), self._parameter(outer)
            )
        if last in known.parameter_descriptions and self._inside(outer, known.parameter_calls):
            around = next(f for f in outer if f.kind == "argument" and plain(f.name) in known.parameter_calls)
            return Surface("parameter_description", name, self.tool(outer), self._first_argument(around.node))
        if (last in known.tool_descriptions and not self._builds_other(name)) or self._builds_tool(name):
            tool = self.tool(outer) or self._chained_name(frame.node)
            for index, around in enumerate(outer):
                if around.kind == "argument" and self._registers(around.name):
                    self.register(around.node, tool)
                    self._remember(outer[index + 1 :], tool)
                    break
            return Surface("tool_description", name, tool)
        if plain(name.rpartition("::")[0]) in known.parameter_scopes:
            return Surface("parameter_description", name, self.tool(outer), self._parameter(outer))
        if frame.position == 1 and last in known.parameter_positional and self.speaks:
            parameter = self._first_argument(frame.node)
            if (parameter or "").startswith(("<", "[")):
                return None  # of a command line
            return Surface("parameter_description", name, self.tool(outer), parameter)
        if known.scoped_result(name) or last in known.results:
            wrong = any(f.kind == "argument" and plain(f.name) == "error" for f in outer[:4])
            return Surface("error_message" if wrong else "tool_result", name, self.tool(outer))
        scope = name.rpartition("::")[0] or name.rpartition(".")[0]
        if last in known.error_calls or plain(scope) in known.error_scopes:
            return Surface("error_message", name, self.tool(outer))
        if last in known.prompt_calls or (frame.position == 0 and self._is_message(last)):
            return Surface("prompt", name)
        if last in known.template_methods and plain(name.rpartition(".")[0]) in known.prompt_calls:
            return Surface("prompt", name)
        if last in known.instruction_calls and self.speaks:
            return Surface("instructions" if "instruction" in last else "prompt", name)
        if self._registers(name) or (self.speaks and self._makes_tool(name)):
            tool = self._described(frame)
            if tool is not None:
                self.register(frame.node, tool)
                self._remember(outer, tool)
                return Surface("tool_description", f"{name}()", tool)
        decorator = next((f.node for f in outer if f.kind == "decorator"), None)
        is_first = frame.position == 0 and frame.node.id not in self.naming
        if decorator is not None and last in known.decorators and is_first and self.speaks:
            return Surface("tool_description", f"@{name}", self._decorated_name(decorator))
        return None

    def _is_config(self, outer: Sequence[Frame]) -> bool:
        """Whether a schema is one of settings, by the name of the variable that holds it."""
        held = next((f for f in outer if f.kind in ("assign", "function", "definition")), None)
        if held is None or held.kind != "assign":
            return False
        if any(f.kind == "key" and plain(f.name) in self.registry.containers for f in outer[: outer.index(held)]):
            return False
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", held.name.partition(":")[0].strip()).lower()
        return self.registry.configs.search(name) is not None

    def _told_base(self, frame: Frame, outer: Sequence[Frame]) -> Surface | None:
        """Return the surface of a text that a tool's class hands to its base: the last of those that come first."""
        around = next((f for f in outer if f.kind == "class"), None)
        method = next((f for f in outer if f.kind == "definition"), None)
        holder = around.node if around is not None else self._class_of(method.node) if method is not None else None
        arguments = self.strings.arguments(frame.node)
        after = arguments[frame.position + 1] if frame.position + 1 < len(arguments) else None
        if holder is None or frame.position not in (1, 2) or not self.is_tool_class(holder):
            return None
        if after is not None and self.strings.pieces(after) is not None:
            return None
        first = self.strings.pieces(arguments[0])
        tool = "".join(piece.text for piece in first) if first is not None else self.tool(outer)
        named = holder.child_by_field_name("name")
        if tool and named is not None:
            self.tool_names.setdefault(self.strings.text(*named.byte_range), tool)
        return Surface("tool_description", "handed to the base class", tool)

    def _described(self, frame: Frame) -> str | None:
        """Return the tool that an argument describes: the name in front of it, the first or behind a registry."""
        arguments = self.strings.arguments(frame.node)
        if frame.position == 1:
            if arguments and self._registered_in(arguments[0]) is not None:
                return None  # behind a tool stands what runs it
            return self._first_argument(frame.node) or ""
        if frame.position != 2 or len(arguments) < 3 or self.strings.pieces(arguments[0]) is not None:
            return None
        name = self.strings.pieces(arguments[1])
        written = "".join(piece.text for piece in name) if name is not None else ""
        return written if written and " " not in written else None

    def _makes_tool(self, name: str) -> bool:
        """Whether a call is that of a constructor of a tool: `Tool::new`, `Tool::from`."""
        scope, _, method = name.rpartition("::")
        return method in ("new", "function", "builder") and plain(scope) != "resource" and self._is_tool_type(scope)

    def _builds_tool(self, name: str) -> bool:
        """Whether a call is `.description(…)` in a chain that builds a tool."""
        if "(" not in name or plain(name) not in self.registry.description_keys:
            return False
        root = re.split(r"[.(]", name, maxsplit=1)[0]
        return any(self._is_tool_type(part) for part in root.split("::"))

    def _builds_other(self, name: str) -> bool:
        """Whether a chain builds an answer, which is no description of a tool."""
        root = re.split(r"[.(]", name, maxsplit=1)[0]
        return "(" in name and any(part.lower().endswith(("result", "error")) for part in root.split("::"))

    def _is_tool_type(self, name: str) -> bool:
        last = re.sub(r"(?:args|builder)$", "", plain(name))
        return last in self.registry.tool_calls or (last in self.registry.weak_tool_calls and self.speaks)

    def _chained_name(self, call: Node) -> str | None:
        """Return the name of a tool from the chain of calls that builds it: `Tool::new("name").description(…)`."""
        node: Node | None = call
        for _ in range(20):
            node = self.strings.receiver(node)
            if node is None or not self.strings.arguments(node):
                return None
            callee = self.strings.callee(node)
            if plain(callee) in ("name", "withname") or self._makes_tool(callee) or self._registers(callee):
                return self._first_argument(node)
        return None

    def _remember(self, outer: Sequence[Frame], tool: str | None) -> None:
        """Note the variable that a tool is put into."""
        for frame in outer:
            if frame.kind == "assign" and tool:
                self.variables.setdefault(frame.name, tool)
            if frame.kind == "definition" and tool and (owner := self.owner(frame.node)) is not None:
                self.tool_names.setdefault(owner, tool)
            if frame.kind in ("assign", "function"):
                return

    # ------------------------------------------------------------------------------------------------ assignments

    def _at_assignment(self, frame: Frame, outer: Sequence[Frame], inner: Sequence[Frame]) -> Surface | None:
        if any(f.kind in ("argument", "method") for f in inner):
            return None
        in_class = next((f for f in outer if f.kind in ("class", "definition", "function")), None)
        if in_class is not None and in_class.kind == "class" and plain(frame.name) in self.registry.description_keys:
            if self.is_tool_class(in_class.node):
                tool = self.class_tool(in_class.node, in_class.name)
                return Surface("tool_description", f"description of class {in_class.name}", tool)
            return None
        if in_class is not None and in_class.kind == "definition":
            if in_class.node.id in self.decorated and frame.node.type in self.context.forms.nodes["parameter"]:
                return None  # what a parameter of a tool is by default
            is_own = frame.name in ("self.description", "this.description")
            if is_own and (owner := self.owner(in_class.node)) is not None:
                return Surface("tool_description", f"assigned to {frame.name}", owner)
        if self.speaks and (surface := self.registry.named(frame.name)) is not None:
            keys = {plain(f.name) for f in inner if f.kind == "key"}
            if keys & self.registry.labels or (keys and surface in ("notification", "hint")):
                return None  # what describes a prompt is none
            return Surface(surface, f"name {frame.name}")
        return None

    def is_tool_class(self, node: Node) -> bool:
        """Whether a class is a tool, by its name and what it inherits from."""
        head = self.strings.text(node.start_byte, min(node.start_byte + 300, node.end_byte)).partition("{")[0]
        words = head.partition(":\n")[0].replace("(", " ").replace(")", " ").replace(",", " ").replace("<", " ").split()
        return self.speaks and any(word.rstrip(":").lower().endswith(self.registry.classes) for word in words)

    def class_tool(self, node: Node, name: str) -> str:
        """Return the name of the tool that a class is: the text of its member `name`, else what the class is called."""
        is_known = name in self.tool_names or node.id in self._classes
        body = node.child_by_field_name("body") if not is_known else None
        self._classes.add(node.id)
        for member in body.named_children if body is not None else ():
            if self.context.forms.role.get(member.type) != "assign":
                continue
            target = next((n for f in ("left", "name", "property") if (n := member.child_by_field_name(f))), None)
            value = member.child_by_field_name("right") or member.child_by_field_name("value")
            if target is not None and value is not None and target.end_byte - target.start_byte == 4:
                written = self.context.source_at(target.start_byte, 4).lower()
                pieces = self.strings.pieces(value) if written == b"name" else None
                if pieces:
                    self.tool_names[name] = "".join(piece.text for piece in pieces)[:200]
        return self.tool_names.get(name, name)

    def runs_on_fields(self, node: Node) -> bool:
        """Whether a class is a tool whose fields are its parameters: what runs it takes nothing else."""
        if (known := self._on_fields.get(node.id)) is None:
            known = self._on_fields[node.id] = self._runs_alone(node)
        return known

    def _runs_alone(self, node: Node) -> bool:
        body = node.child_by_field_name("body")
        if body is None or not self.is_tool_class(node):
            return False
        for member in body.named_children:
            inner = member.child_by_field_name("definition") or member
            parameters, named = inner.child_by_field_name("parameters"), inner.child_by_field_name("name")
            if parameters is not None and named is not None and parameters.named_child_count == 1:
                name = self.strings.text(named.start_byte, named.end_byte)
                if name in self.registry.methods and self.strings.text(*parameters.byte_range) == "(self)":
                    return True
        return False

    def class_description(self, node: Node) -> Surface | None:
        """Return what the docstring of a class is: the description of a tool whose fields are its parameters."""
        named = node.child_by_field_name("name")
        if named is None or not self.runs_on_fields(node):
            return None
        name = self.strings.text(named.start_byte, named.end_byte)
        return Surface("tool_description", f"docstring of class {name}", self.class_tool(node, name))

    # ------------------------------------------------------------------------------------------------- given back

    def _given_back(self, frame: Frame, outer: Sequence[Frame], inner: Sequence[Frame] = ()) -> Surface | None:
        """Return the surface of what a function gives back: a handler that is a literal, or a method that describes."""
        for index, around in enumerate(outer):
            if around.kind == "definition":
                return self._of_method(around) if not any(f.kind in ("argument", "key") for f in inner) else None
            if around.kind in ("function", "arrow") or (frame.kind == "arrow" and index == 0):
                rest = outer[index + 1 :] if around.kind in ("function", "arrow") else outer
                if self._is_handler(rest) and not self._is_option(inner):
                    wrong = frame.kind == "raise" or any(self.fails(f) or self._says_error(f) for f in inner)
                    return self._answer([*outer[: index + 1], *rest], rest, wrong=wrong)
                if rest and rest[0].kind == "key" and not self._has_key(inner) and self.speaks:
                    # instructions: () => "…"
                    key = plain(rest[0].name)
                    is_text = key in self.registry.prompt_keys | self.registry.weak_prompt_keys
                    return self._at_key(rest[0], rest[1:]) if is_text or key in self.registry.description_keys else None
                if rest and rest[0].kind == "assign":
                    return self._of_variable(rest[0]) if not self._has_key(inner) else None
                if rest and rest[0].kind == "argument" and plain(rest[0].name) not in self.registry.lookups:
                    continue  # what a function in a handler gives to what it is handed to
                return None
        return None

    def _of_variable(self, frame: Frame) -> Surface | None:
        """Return what a function gives back that stands in a variable whose name tells a prompt."""
        name = frame.name.partition(":")[0].strip()
        if not self.speaks or not self.registry.tells_prompt(name):
            return None
        return Surface("instructions" if "instruction" in name.lower() else "prompt", f"function {name}")

    def collected(self, frames: Sequence[Frame], *, wrong: bool) -> Surface | None:
        """Return the surface of what a handler that is a literal collects and gives back; `wrong` if it is an error."""
        for index, frame in enumerate(frames):
            if frame.kind in ("opaque", "class", "definition", "decorator", "annotation", "parameter"):
                return None
            if frame.kind == "key" and plain(frame.name) in self.registry.labels | self.registry.display_keys:
                return None
            if frame.kind in ("function", "arrow") and self._is_handler(frames[index + 1 :]):
                return self._answer(frames, frames[index + 1 :], wrong=wrong)
        return None

    def _answer(self, frames: Sequence[Frame], rest: Sequence[Frame], *, wrong: bool) -> Surface:
        """Return what a handler in the frames `rest` gives back to an agent."""
        kinds = ("prompt", "registerprompt", "addprompt", "newprompt")
        prompts = any(f.kind == "argument" and (plain(f.name) in kinds or self._asks(f, "getprompt")) for f in rest[:3])
        surface = "error_message" if wrong else "prompt" if prompts else "tool_result"
        return Surface(surface, "given back by a handler", self._case(frames) or self.tool(rest))

    def _case(self, frames: Sequence[Frame]) -> str | None:
        """Return the tool whose calls a branch of a handler of all tools answers: `case "name"`, `name === "name"`."""
        for index, frame in enumerate(frames):
            if frame.kind == "branch" and not frame.position and any(self.asks(f) for f in frames[index + 1 :]):
                match = CASE.search(frame.name)
                return match[1] if match is not None else None
            if frame.kind == "argument" and self.asks(frame):
                break
        return None

    def asks(self, frame: Frame) -> bool:
        """Whether a call sets up what answers the calls of all tools."""
        return any(self._asks(frame, name) for name in self.registry.answering)

    def _asks(self, frame: Frame, name: str) -> bool:
        if frame.kind != "argument" or plain(frame.name) not in self.registry.request_calls:
            return False
        arguments = self.strings.arguments(frame.node)
        return bool(arguments) and plain(self.strings.text(*arguments[0].byte_range)).startswith(name)

    def _is_option(self, inner: Sequence[Frame]) -> bool:
        """Whether a text is a field of a struct that a call takes: that is no part of what is given back."""
        field = next((f for f in inner if f.kind in ("key", "argument")), None)
        if field is None or field.kind != "key" or not any(f.kind == "argument" and not self.answers(f) for f in inner):
            return False
        if plain(field.name) in self.registry.labels:
            return True
        name = plain(self.context.constructor(field.node))
        return bool(name) and name not in self.registry.results and name not in self.registry.error_calls

    def takes_reference(self, frames: Sequence[Frame]) -> bool:
        """Whether a name is the text that a registration takes, not an argument of another call in it."""
        index = next((i for i, f in enumerate(frames) if f.kind in ("key", "argument")), None)
        if index is None or frames[index].kind == "key":
            return True
        return self._at_argument(frames[index], frames[index + 1 :]) is not None

    def answers(self, frame: Frame) -> bool:
        """Whether a call makes a result or an error for an agent of its argument."""
        known, last = self.registry, plain(frame.name)
        if last in known.results or last in known.error_calls:
            return True
        scope = frame.name.rpartition("::")[0] or frame.name.rpartition(".")[0]
        scoped = known.scoped_result(frame.name)
        return scoped or plain(scope) in known.error_scopes

    def _says_error(self, frame: Frame) -> bool:
        """Whether a call's name says that it makes an error's answer: `NewAPIErrorResponse`."""
        return frame.kind == "argument" and self.registry.error_names.search(plain(frame.name)) is not None

    def fails(self, frame: Frame) -> bool:
        """Whether a call makes an error of its argument."""
        if frame.kind != "argument":
            return False
        known = self.registry
        if frame.name.lower() in known.error_values or plain(frame.name) in known.error_values:
            return True
        return frame.node.type in self.context.forms.nodes["call"] and self.strings.makes_error(frame.node)

    def prompted(self, frames: Sequence[Frame]) -> Surface | None:
        """Return the surface of what a function collects and gives back whose name or decorator tells a prompt."""
        for index, frame in enumerate(frames):
            if frame.kind in ("function", "arrow") and index + 1 < len(frames) and frames[index + 1].kind == "assign":
                return self._of_variable(frames[index + 1])
            if frame.kind in ("key", "opaque", "raise", "class", "function", "arrow", "decorator", "parameter"):
                return None
            if frame.kind in ("argument", "method"):
                last = plain(frame.name)
                if last not in self.registry.append and not last.endswith("message"):
                    return None
        return self._of_method(frames[-1], is_method=False) if frames and frames[-1].kind == "definition" else None

    def _of_method(self, definition: Frame, *, is_method: bool = True) -> Surface | None:
        """Return the surface of what a method of a tool says of the tool, or a function whose name tells a prompt."""
        named = definition.node.child_by_field_name("name")
        name = self.strings.text(named.start_byte, named.end_byte) if named is not None else ""
        owner = self.owner(definition.node)
        key = plain(name).removeprefix("get")
        if (owner or "").lower().endswith("invocation"):
            return None  # one call of a tool, described for people
        if is_method and owner is not None and key in self.registry.description_keys:
            return Surface("tool_description", f"method {name}", owner)
        if (prompt := self.prompting.get(definition.node.id)) is not None:
            return Surface(prompt, f"function {name}")
        if self.speaks and self.registry.tells_prompt(name):
            return Surface("instructions" if "instruction" in name.lower() else "prompt", f"function {name}")
        return None

    def owner(self, function: Node) -> str | None:
        """Return the tool whose method a function is; None where it is of no tool."""
        receiver = function.child_by_field_name("receiver")
        if receiver is not None:
            match = re.search(
                r"(\w+)(?:\[[^\]]*\])?\s*,?\s*\)$", self.strings.text(receiver.start_byte, receiver.end_byte)
            )
            owner = match[1] if match is not None else ""
            is_tool = owner.lower().endswith(self.registry.classes) or owner in self.tool_types
            return self.tool_names.get(owner, owner) if self.speaks and is_tool else None
        holder = self._class_of(function)
        if holder is None or not self.is_tool_class(holder):
            return None
        name = holder.child_by_field_name("name") or holder.child_by_field_name("type")
        owner = self.strings.text(name.start_byte, name.end_byte) if name is not None else None
        return self.class_tool(holder, owner) if owner is not None else None

    def _class_of(self, function: Node) -> Node | None:
        """Return the class that a function is a method of."""
        holder = function.parent
        for _ in range(3):
            if holder is None or holder.type in self.context.forms.nodes["class"]:
                break
            holder = holder.parent
        return holder if holder is not None and holder.type in self.context.forms.nodes["class"] else None

    def _is_handler(self, outer: Sequence[Frame]) -> bool:
        """Whether a function literal in these frames answers calls of a tool."""
        for index, frame in enumerate(outer[:3]):
            if frame.kind == "argument" and self._registers(frame.name):
                return frame.position > 0 or self._describes_later(frame.node)
            if frame.kind == "argument" and frame.position > 0 and (self.asks(frame) or self._asks(frame, "getprompt")):
                return True
            if frame.kind == "return":  # return NewTool(…), func(…) …
                at = bisect_left(self._places, (frame.node.start_byte, 0))
                return at < len(self._places) and self._places[at][1] <= frame.node.end_byte
            if frame.kind == "key" and plain(frame.name) in self.registry.handler_keys:
                entries = self.context.entries(frame.node)
                keys = {plain(key) for key in entries}
                after = outer[index + 1 :]
                if self._is_registration(after) or self._registers(self.context.constructor(frame.node)):
                    return True
                return self._looks_like_tool(keys, after) or self._declared(entries) is not None
        return False

    def _describes_later(self, call: Node) -> bool:
        """Whether a tool is told behind what runs it: `tool(function, {name, description})`."""
        arguments = self.strings.arguments(call)
        entries = self.context.entries(arguments[1]) if len(arguments) > 1 else {}
        return bool({plain(key) for key in entries} & self.registry.description_keys)

    def _declared(self, entries: Mapping[str, Node]) -> Mapping[str, Node] | None:
        """Return the members of the declaration in a tool's object: `{schema: {name, description}, handle}`."""
        for key, value in entries.items():
            if plain(key) in self.registry.declarations and value.type in self.context.forms.nodes["object"]:
                inside = self.context.entries(value)
                if {plain(name) for name in inside} & self.registry.description_keys:
                    return inside
        return None

    # --------------------------------------------------------------------------------------------------- questions

    def tool(self, outer: Sequence[Frame]) -> str | None:
        """Return the name of the tool that frames are in, as far as it is written there."""
        for index, frame in enumerate(outer):
            if frame.kind == "key":
                entries, keys = self.context.entries(frame.node), self.keys(frame.node)
                if "name" in keys and keys & self.registry.schema_keys:
                    return self._tool_name(entries)
                inside = self._declared(entries) if keys & self.registry.declarations else None
                if inside is not None and keys & self.registry.handler_keys:
                    return self._tool_name(inside)
                after = outer[index + 1 :]
                looks_like_tool = keys & self.registry.schema_keys and self._looks_like_tool(keys, after)
                if looks_like_tool and not self._is_registration(after):
                    return self._tool_name(entries) or self._placed(frame, after)
            if frame.kind == "argument" and (self._registers(frame.name) or self._makes_tool(frame.name)):
                return self.registered(frame.node) or self._placed(frame, outer[index + 1 :])
            if frame.kind == "class" and self.is_tool_class(frame.node):
                return self.class_tool(frame.node, frame.name)
            if frame.kind == "assign" and frame.name in self.aliases:
                return self.aliases[frame.name][0]
            if self.asks(frame):
                return self._case(outer)
            if frame.kind == "definition":
                return self.decorated.get(frame.node.id) or self.owner(frame.node) or self._of_object(frame.node)
        return None

    def _of_object(self, method: Node) -> str | None:
        """Return the tool whose object a method stands in: `{name, description, execute() {…}}`."""
        holder = method.parent
        if holder is None or holder.type not in self.context.forms.nodes["object"]:
            return None
        entries = self.context.entries(holder)
        return self._tool_name(entries) if self._looks_like_tool({plain(key) for key in entries}, ()) else None

    def module_name(self) -> str | None:
        """Return the name of the tool that a module is."""
        return self._constant("name")

    def keys(self, holder: Node) -> Set[str]:
        """Return the keys of an object in plain: asked for by each string in it."""
        if (known := self._keys.get(holder.id)) is None:
            known = self._keys[holder.id] = frozenset(plain(key) for key in self.context.entries(holder))
        return known

    def registers(self, callee: str) -> bool:
        """Whether calls of a name register a tool."""
        return self._registers(callee)

    def registered(self, call: Node) -> str | None:
        """Return the tool that a call registers: its first text or name, or the name in its first object."""
        arguments = self.strings.arguments(call)[:3]
        for argument in arguments:
            pieces = self.strings.pieces(argument)
            if pieces is not None:
                text = "".join(piece.text for piece in pieces)
                return text if text and not re.search(r"\s", text) else None
            if (tool := self._registered_in(argument)) is not None:
                return tool
        return self.strings.constant(arguments[0]) or None if arguments else None

    def _registered_in(self, argument: Node) -> str | None:
        """Return the tool that an argument is: an object with its name, the call that makes it, a variable of it."""
        for holder in self._objects(argument):
            entries = self.context.entries(holder)
            if (tool := self._tool_name(entries) or self._tool_name(self._declared(entries) or {})) is not None:
                return tool
        if argument.type in self.context.forms.nodes["call"] and self._registers(self.strings.callee(argument)):
            return self.registered(argument)
        return self.variables.get(self.strings.name(argument))

    def _objects(self, node: Node) -> Iterator[Node]:
        """Yield the objects that an argument is, behind a reference or a type's name."""
        for _ in range(4):
            if self.context.forms.role.get(node.type) in ("object", "list"):
                yield node
            if node.type in self.context.forms.nodes["call"] or not node.named_children:
                return
            node = node.named_children[-1]

    def _registers(self, callee: str) -> bool:
        last, known = plain(callee), self.registry
        if last in known.tool_calls:
            return True
        if not self.speaks or callee in BUILTIN or known.commands.search(callee):
            return False
        return last in known.weak_tool_calls or known.defining_calls.search(callee.lower().replace("_", "")) is not None

    @staticmethod
    def _is_argument(outer: Sequence[Frame]) -> bool:
        """Whether an object is what a call is given: `new Agent({...})`."""
        return bool(outer) and outer[0].kind == "argument"

    def _is_registration(self, outer: Sequence[Frame]) -> bool:
        """Whether an object is the argument of a call that registers a tool."""
        return bool(outer) and outer[0].kind == "argument" and self._registers(outer[0].name)

    def _registered_name(self, outer: Sequence[Frame]) -> str | None:
        return self._first_argument(outer[0].node) if self._is_registration(outer) else None

    def register(self, node: Node, tool: str | None) -> None:
        """Note a registration, whose handlers are looked for later."""
        place = (node.start_byte, node.end_byte)
        if place not in self.registrations:
            self.registrations[place] = (node, tool)
            insort(self._places, place)

    def _inside(self, outer: Sequence[Frame], names: frozenset[str]) -> bool:
        return any(frame.kind == "argument" and plain(frame.name) in names for frame in outer[:3])

    def _speaks_of_results(self, outer: Sequence[Frame]) -> bool:
        """Whether a text content is a result and not a message to a model: it stands in a list called content."""
        return (
            self.speaks
            and any(f.kind == "key" and plain(f.name) == "content" for f in outer[:4])
            and not any(f.kind == "key" and "role" in self.context.entries(f.node) for f in outer[:4])
        )

    def _in_error(self, frame: Frame, outer: Sequence[Frame]) -> bool:
        """Whether a text is a part of a result that is marked as an error."""
        contents = (f for f in (frame, *outer) if f.kind == "key" and plain(f.name) in ("content", "text"))
        return any(self._is_error(f.node) for f in contents)

    def _is_error(self, holder: Node) -> bool:
        value = next((v for key, v in self.context.entries(holder).items() if plain(key) == "iserror"), None)
        return value is not None and self.strings.text(value.start_byte, value.end_byte).lower() == "true"

    def _literal(self, holder: Node, name: str) -> str | None:
        value = next((v for key, v in self.context.entries(holder).items() if plain(key) == name), None)
        return self._value(value) if value is not None else None

    def _tool_name(self, entries: Mapping[str, Node]) -> str | None:
        names = ("name", "toolname", "nameoverride", "toolnameoverride")
        value = next((v for key, v in entries.items() if plain(key) in names), None) or entries.get("id")
        return self._value(value) if value is not None else None

    def _first_argument(self, call: Node) -> str | None:
        arguments = self.strings.arguments(call)
        return self._value(arguments[0]) if arguments else None

    def _value(self, node: Node) -> str | None:
        """Return a string's value, or the name of what stands there."""
        pieces = self.strings.pieces(node)
        if pieces is not None:
            return "".join(piece.text for piece in pieces)[:200]
        name = self.strings.name(node)
        return (self._constant(name) if "." not in name and self.speaks else None) or name or None if name else None

    def _decorated_name(self, decorator: Node) -> str | None:
        """Return the name of the function that a decorator stands above."""
        definition = decorator.parent.child_by_field_name("definition") if decorator.parent is not None else None
        name = definition.child_by_field_name("name") if definition is not None else None
        return self.strings.text(name.start_byte, name.end_byte) if name is not None else None

    def _parameter(self, outer: Sequence[Frame]) -> str | None:
        """Return the name of the parameter or field that a description belongs to."""
        for frame in outer:
            if frame.kind in ("key", "parameter"):
                return frame.name
            if frame.kind == "argument" and frame.position == 1 and plain(frame.name) in self.registry.setters:
                return self._first_argument(frame.node)
            if frame.kind == "assign":
                name = frame.name.partition(":")[0].strip()
                return self.aliases[name][1] if name in self.aliases else name
            if frame.kind in ("definition", "function", "class"):
                return None
        return None
