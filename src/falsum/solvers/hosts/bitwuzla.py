"""Bitwuzla's library and its own reader; loaded by `serve.py`, never by falsum itself."""

from __future__ import annotations

from typing import Any

import bitwuzla


def answer(script: str, settings: list[tuple[str, str]]) -> None:
    """The reader executes the commands and prints the answers to standard output by itself."""
    chosen = bitwuzla.Options()
    if settings:
        chosen.set_args(*(f"--{name}={value}" for name, value in settings))
    bitwuzla.Parser(bitwuzla.TermManager(), chosen).parse(script, False, False)


def options() -> list[dict[str, Any]]:
    kinds = {"BOOL": "bool", "NUMERIC": "int", "MODE": "mode", "STRING": "text"}
    defaults = bitwuzla.Options()
    listed = []
    for option in bitwuzla.Option:
        told = bitwuzla.OptionInfo(defaults, option)
        kind = kinds[told.kind().name if callable(told.kind) else told.kind.name]
        default = value_of(told, "dflt")
        listed.append(
            {
                "name": value_of(told, "lng"),
                "kind": kind,
                "default": str(default).lower() if kind == "bool" else str(default),
                "category": "regular",
                "choices": list(value_of(told, "modes") or []) if kind == "mode" else [],
                "minimum": value_of(told, "min") if kind == "int" else None,
                "maximum": value_of(told, "max") if kind == "int" else None,
            }
        )
    return listed


def value_of(told: Any, name: str) -> Any:
    """A field of an option's description: a method in some releases, a value in others."""
    value = getattr(told, name)
    return value() if callable(value) else value
