"""`falsum strategies`: lists the strategies with their parameters and configurations."""

from __future__ import annotations

import json
from typing import Any

import click

from falsum.app import options
from falsum.app.terminal import echo
from falsum.errors import UsageError
from falsum.strategies import ALL, BY_NAME, Strategy, configurations_of, find_strategy, parameters_of


@click.command()
@click.argument("names", nargs=-1, metavar="[STRATEGY]...")
@options.json_lines("strategy")
@options.plugin
def command(names: tuple[str, ...], *, as_json: bool) -> None:
    """List strategies with their parameters and configurations.

    Parameters are given after a colon: -t valfuzz:cpog=true,multief=7, or -t valfuzz:blendb for a named
    configuration; words of a list are separated by slashes: -t sparrow:rules=pst/lpi. With a STRATEGY that
    has settings, their values are shown.
    """
    if any("+" in name for name in names):
        raise UsageError("name strategies one by one")
    for number, strategy in enumerate([find_strategy(name, BY_NAME) for name in names] or ALL):
        if as_json:
            echo(json.dumps(_plain(strategy)))
        else:
            echo(("\n" if number else "") + "\n".join(_lines(strategy)))


def _plain(strategy: Strategy) -> dict[str, Any]:
    return {
        "strategy": strategy.name,
        "meaning": _meaning(strategy),
        "arity": strategy.arity,
        "parameters": [
            {"name": p.name, "value": p.default, "meaning": p.meaning, "choices": list(p.choices)}
            for p in parameters_of(strategy).values()
        ],
        "configurations": dict(configurations_of(strategy)),
    }


def _lines(strategy: Strategy) -> list[str]:
    lines = [f"{strategy.name}: {_meaning(strategy)}"]
    parameters = parameters_of(strategy).values()
    width = max((len(f"{p.name}={p.default_text}") for p in parameters), default=0)
    for one in parameters:
        text = f"{one.name}={one.default_text}"
        choices = f" ({', '.join(word for word in one.choices if word)})" if one.choices else ""
        lines.append(f"  {text:<{width}}  {one.meaning}{choices}")
    configurations = configurations_of(strategy)
    if configurations:
        lines.append("  configurations:")
        width = max(map(len, configurations))
        lines += [
            f"    {name:<{width}}  {settings or 'the default'}" for name, settings in configurations.items()
        ]
    return lines


def _meaning(strategy: Strategy) -> str:
    """The first line of the strategy's own description."""
    return (type(strategy).__doc__ or "").strip().partition("\n")[0]
