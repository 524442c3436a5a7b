"""The pages of the reference: commands, strategies, settings, files and Python, made from the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click
import msgspec

import falsum
from falsum.api.model.settings import Bounds, Settings
from falsum.app.main import falsum as root_command
from falsum.campaign.config import Config, LimitsTable
from falsum.campaign.executors.clusters import ClusterTable
from falsum.campaign.triage.result import Triage
from falsum.store.records import FindingRecord
from falsum.store.states import FindingLife
from falsum.strategies import ALL, configurations_of, parameters_of

# Wide enough for the longest option, narrow enough for the page.
_COLUMNS = 96
_MODULE = re.compile(r"\b(?:\w+\.)+(?=\w)")


def pages() -> dict[str, str]:
    """The pages by name."""
    made = {
        "commands": _commands(),
        "strategies": _strategies(),
        "settings": _settings(),
        "files": _files(),
        "python": _python(),
    }
    return {name: "\n".join(lines) + "\n" for name, lines in made.items()}


def _commands() -> Iterator[str]:
    yield "# Commands and options"
    yield "\nWhat `-h` prints; [the command line](../docs/commands.md) has what holds for all commands."
    for words, command in _all_commands(root_command, ("falsum",)):
        context = click.Context(command, info_name=" ".join(words), max_content_width=_COLUMNS)
        context.terminal_width = _COLUMNS
        yield f"\n## {' '.join(words)}\n\n```text\n{command.get_help(context)}\n```"


def _all_commands(
    command: click.Command, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _all_commands(inner, (*words, name))


def _strategies() -> Iterator[str]:
    yield "# Strategies and parameters"
    yield "\nAs `falsum strategies` lists them; [strategies](../docs/strategies.md) says what each does."
    for strategy in ALL.own:
        yield f"\n## {strategy.name}\n\n{_first_line(type(strategy))}"
        parameters = parameters_of(strategy).values()
        if parameters:
            yield "\n| parameter | default | meaning |\n| --- | --- | --- |"
        for one in parameters:
            choices = f" ({', '.join(f'`{word}`' for word in one.choices if word)})" if one.choices else ""
            yield f"| `{one.name}` | {_code(one.default_text)} | {_cell(one.meaning)}{choices} |"
        named = configurations_of(strategy)
        if named:
            yield "\n| configuration | parameters |\n| --- | --- |"
        for name, given in named.items():
            yield f"| `{strategy.name}:{name}` | {_code(given) or 'the default'} |"


def _settings() -> Iterator[str]:
    yield "# Settings in falsum.toml"
    yield "\nRead from the current directory, or from the file that `--config` names; options win over it."
    yield from _tables(
        {
            "falsum.toml": Config, "[limits]": LimitsTable, "[api]": Settings, "[api.bounds]": Bounds,
            "[clusters.NAME]": ClusterTable,
        }
    )  # fmt: skip


def _files() -> Iterator[str]:
    yield "# Files of a finding"
    yield "\nEach finding has a folder in `findings/` of the store; these files in it are for programs."
    yield from _tables({"finding.json": FindingRecord, "triage.json": Triage, "state.json": FindingLife})


def _tables(structs: dict[str, type[msgspec.Struct]]) -> Iterator[str]:
    """A table for each record, and for the records inside it."""
    listed = list(structs.items())
    known = set(structs.values())
    for name, struct in listed:
        yield f"\n## {name}\n\n{_plain(struct.__doc__ or '')}\n"
        yield "| name | type | default |\n| --- | --- | --- |"
        for field in msgspec.structs.fields(struct):
            shown = _type(field.type)
            yield f"| `{field.encode_name}` | {_code(shown)} | {_default(field)} |"
            for inner in _records(msgspec.inspect.type_info(field.type)):
                if inner not in known:
                    known.add(inner)
                    listed.append((inner.__name__, inner))


def _records(info: msgspec.inspect.Type) -> Iterator[type[msgspec.Struct]]:
    """The records that values of a type hold."""
    if isinstance(info, msgspec.inspect.StructType):
        yield info.cls
    inside = [getattr(info, name, None) for name in ("item_type", "value_type")]
    for one in [*inside, *getattr(info, "types", ()), *getattr(info, "item_types", ())]:
        if isinstance(one, msgspec.inspect.Type):
            yield from _records(one)


def _type(annotation: Any) -> str:
    """As it is written, without the modules of the classes in it."""
    plain = isinstance(annotation, type) and not hasattr(annotation, "__args__")
    return _MODULE.sub("", annotation.__name__ if plain else str(annotation))


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    if isinstance(value, msgspec.Struct):
        return "see below"
    return _code(msgspec.json.encode(value).decode())


def _python() -> Iterator[str]:
    yield "# Python"
    yield "\nThe public names of `falsum`; [from Python](../docs/python.md) shows them at work."
    for name in falsum.__all__:
        if name.startswith("_"):
            continue
        member = getattr(falsum, name)
        kind = "autofunction" if not isinstance(member, type) else "autoclass"
        if kind == "autoclass" and issubclass(member, Exception):
            kind = "autoexception"
        options = "" if kind == "autofunction" else "   :members:\n"
        yield f"\n## {name}\n\n```{{eval-rst}}\n.. {kind}:: falsum.{name}\n{options}```"


def _first_line(owner: type) -> str:
    return _plain((owner.__doc__ or "").strip().partition("\n")[0])


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("`…`", "…")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{_cell(text)}`" if text else ""
