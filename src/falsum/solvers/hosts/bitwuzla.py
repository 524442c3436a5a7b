"""Bitwuzla's library and its own parser; loaded by `serve.py`, never by falsum itself."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import bitwuzla

STATISTICS = "(get-info :all-statistics)"


def answer(script: str, settings: list[tuple[str, str]]) -> None:
    """Answer a script: the parser executes the commands and prints the answers to standard output by
    itself.
    """
    chosen = bitwuzla.Options()
    if settings:
        chosen.set_args(*(f"--{name}={value}" for name, value in settings))
    parser = bitwuzla.Parser(bitwuzla.TermManager(), chosen)
    # Its parser does not know this command; its library does.
    parser.parse(script.removesuffix(STATISTICS), False, False)
    if script.endswith(STATISTICS):
        flush()
        counts = parser.bitwuzla().statistics().items()
        text = "\n".join(f":{name} {value}" for name, value in counts if value != "0")
        os.write(1, text.encode(errors="replace"))


def flush() -> None:
    """Have everything written that the library has printed."""
    ctypes.CDLL(None).fflush(None)


def options() -> list[dict[str, Any]]:
    kinds = {"BOOL": "bool", "NUMERIC": "int", "MODE": "mode", "STRING": "text"}
    defaults = bitwuzla.Options()
    infos = []
    for option in bitwuzla.Option:
        info = bitwuzla.OptionInfo(defaults, option)
        kind = kinds[info.kind().name if callable(info.kind) else info.kind.name]
        default = value_of(info, "dflt")
        infos.append(
            {
                "name": value_of(info, "lng"),
                "kind": kind,
                "default": str(default).lower() if kind == "bool" else str(default),
                "category": "regular",
                "choices": list(value_of(info, "modes") or []) if kind == "mode" else [],
                "minimum": value_of(info, "min") if kind == "int" else None,
                "maximum": value_of(info, "max") if kind == "int" else None,
            }
        )
    return infos


def value_of(info: Any, name: str) -> Any:
    """A field of an option's description, which is a method in some releases and a value in others."""
    value = getattr(info, name)
    return value() if callable(value) else value
