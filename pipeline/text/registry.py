"""`surfaces.toml` made ready: which names of calls, keys, decorators and constants make a string agent-facing."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path
from typing import Any


def plain(name: str) -> str:
    """Return the last part of a name without case and underscores: what names are compared by."""
    last = re.split(r"\.|::|->", name.rstrip("!"))[-1]
    return last.replace("_", "").replace("-", "").lower()


def _plain(names: list[str]) -> frozenset[str]:
    return frozenset(name.replace("_", "").replace("-", "").lower() for name in names)


class Registry:
    """The names of surfaces.toml as sets and patterns."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.speaks = re.compile(table["speaks"].encode())
        self.words = tuple(word.encode() for word in table["words"])
        self.registers = tuple(word.encode() for word in table["registers"])
        tools, parameters, results, prompts, code = (
            table[name] for name in ("tools", "parameters", "results", "prompts", "code")
        )
        self.tool_calls, self.weak_tool_calls = _plain(tools["strong"]), _plain(tools["weak"])
        self.tool_descriptions = _plain(tools["description_calls"])
        self.description_keys = _plain(tools["description_keys"])
        self.schema_keys, self.handler_keys = _plain(tools["schema_keys"]), _plain(tools["handler_keys"])
        self.handler_types, self.result_types = re.compile(tools["handler_types"]), re.compile(tools["result_types"])
        self.decorators, self.prompt_decorators = _plain(tools["decorators"]), _plain(tools["prompt_decorators"])
        self.answering, self.agent_keys = _plain(tools["answering"]), _plain(tools["agent_keys"])
        self.tool_lists, self.tool_list_calls = _plain(tools["lists"]), _plain(tools["list_calls"])
        self.methods, self.classes = frozenset(n.lower() for n in tools["methods"]), tuple(tools["classes"])
        self.request_calls, self.declarations = _plain(tools["request_calls"]), _plain(tools["declarations"])
        self.sure_keys, self.commands = _plain(tools["sure_keys"]), re.compile(tools["commands"])
        self.defining_calls = re.compile(tools["calls"])
        self.parameter_methods = _plain(parameters["methods"])
        self.parameter_calls, self.weak_parameter_calls = _plain(parameters["strong"]), _plain(parameters["weak"])
        self.parameter_descriptions = _plain(parameters["description_calls"])
        self.setters = _plain(parameters["setters"])
        self.parameter_scopes, self.parameter_positional = (
            _plain(parameters["scopes"]),
            _plain(parameters["positional"]),
        )
        self.argument_types = re.compile(parameters["types"])
        self.schema_arguments = _plain(parameters["schema_arguments"])
        self.schema_calls = _plain(parameters["schema_calls"])
        self.containers = _plain(parameters["containers"])
        self.results, self.scoped_results = _plain(results["strong"]), frozenset(results["scoped"])
        self.result_keys, self.error_calls = _plain(results["keys"]), _plain(results["errors"])
        self.makers, self.display_keys = re.compile(results["makers"]), _plain(results["display_keys"])
        self.error_scopes, self.error_keys = _plain(results["error_scopes"]), _plain(results["error_keys"])
        self.hint_keys, self.notice_keys = _plain(results["hint_keys"]), _plain(results["notice_keys"])
        self.prompt_calls, self.instruction_calls = _plain(prompts["strong"]), _plain(prompts["calls"])
        self.message_calls, self.message_scopes = _plain(prompts["messages"]), _plain(prompts["message_scopes"])
        self.template_methods, self.roles = _plain(prompts["template_methods"]), _plain(prompts["roles"])
        self.members = {kind: _plain(keys) for kind, keys in prompts["members"].items()}
        self.prompt_functions = re.compile(prompts["functions"])
        self.prompt_keys, self.weak_prompt_keys = _plain(prompts["keys"]), _plain(prompts["weak_keys"])
        self.prompt_names = re.compile(prompts["names"])
        self.prompted_calls = re.compile(prompts["prompted"])
        self.configs = re.compile(prompts["configs"])
        self.notification_names = re.compile(prompts["notification_names"])
        self.hint_names = re.compile(prompts["hint_names"])
        self.description_names = re.compile(prompts["description_names"])
        self.lookups = _plain(code["lookups"])
        self.log, self.append = _plain(code["log"]), _plain(code["append"])
        self.error_names, self.labels = re.compile(code["error_names"]), _plain(code["labels"])
        self.error_values = frozenset(name.lower() for name in code["errors"])
        branches = table["branches"]
        self.error_branch, self.no_error = re.compile(branches["error"]), re.compile(branches["no_error"])
        self.dry_run, self.negation = re.compile(branches["dry_run"]), re.compile(branches["negation"])

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """All names of calls and keys that mean anything: where none of them stands, nothing is registered."""
        sets = (value for name, value in vars(self).items() if name not in ("log", "append", "error_values"))
        return frozenset().union(*(v for v in sets if isinstance(v, frozenset)), *self.members.values())

    def logs(self, callee: str) -> bool:
        """Whether a call writes what people read."""
        parts = [part.replace("_", "") for part in re.split(r"\.|::", callee.lower().rstrip("!"))]
        return any(part in self.log for part in parts)

    def named(self, name: str) -> str | None:
        """Return the surface that the name of a constant or variable tells, or None."""
        last = re.split(r"\.|::|->", name)[-1].strip()
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).lower()
        if self.description_names.search(snake):
            return None
        if self.prompt_names.search(snake):
            return "instructions" if "instruction" in snake else "prompt"
        if self.notification_names.search(snake):
            return "notification"
        return "hint" if self.hint_names.search(snake) else None

    def scoped_result(self, callee: str) -> bool:
        """Whether a call with its type makes a result: `Content::text`."""
        name = callee.replace("_", "").lower()
        return any(name == scoped or name.endswith((f"::{scoped}", f".{scoped}")) for scoped in self.scoped_results)

    def tells_prompt(self, name: str) -> bool:
        """Whether what a function of this name gives back is a prompt."""
        return self.prompt_functions.search(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()) is not None

    def embedded(self, name: str) -> str | None:
        """Return the surface of a file that code takes in under a name, or None."""
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        return "tool_description" if self.description_names.search(snake) else self.named(name)

    def branch(self, condition: str, other_side: bool) -> str | None:
        """Return what a branch is taken for: `error`, `dry_run`, or None."""
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", condition).lower().strip("() ")
        turned = bool(self.negation.search(snake)) != other_side
        if self.dry_run.search(snake):
            return None if turned else "dry_run"
        if self.no_error.search(snake):
            return "error" if turned else None
        return "error" if self.error_branch.search(snake) and not turned else None


@functools.cache
def registry() -> Registry:
    """Return the registry: one a process."""
    return Registry(tomllib.loads((Path(__file__).parent / "surfaces.toml").read_text(encoding="utf-8")))
