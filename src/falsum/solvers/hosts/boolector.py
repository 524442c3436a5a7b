"""Boolector's library and its own parser; loaded by `serve.py`, never by falsum itself."""

from __future__ import annotations

import os
import re
import tempfile
from typing import Any

import pyboolector  # type: ignore[import-not-found, import-untyped, unused-ignore]

INCREMENTAL = pyboolector.BtorOption.BTOR_OPT_INCREMENTAL
SCOPE = re.compile(r"\(\s*(?:push|pop|check-sat-assuming)\b")
CHECK = re.compile(r"\(\s*check-sat\b")
# Solvers that have aborted: to free one crashes.
ABORTED: list[Any] = []


def answer(script: str, settings: list[tuple[str, str]]) -> None:
    """Answer a script: the parser takes a file, executes the commands, and prints the answers by itself."""
    solver = pyboolector.Boolector()
    # Quantifiers have no incremental mode.
    solver.Set_opt(INCREMENTAL, int(bool(SCOPE.search(script)) or len(CHECK.findall(script)) > 1))
    by_name = {option.lng: number for number, option in enumerate(solver.Options())}
    for name, value in settings:
        if name not in by_name:
            raise ValueError(f"unknown option {name}")
        solver.Set_opt(pyboolector.BtorOption(by_name[name]), number(value))
    with tempfile.NamedTemporaryFile(suffix=".smt2", dir=".", delete=False) as file:
        file.write(script.encode())
    try:
        _result, _status, error = solver.Parse(file.name)
    except Exception:
        ABORTED.append(solver)
        raise
    finally:
        os.remove(file.name)  # noqa: PTH107
    if error:
        raise ValueError(error)


def number(value: str) -> int:
    return {"true": 1, "false": 0}[value] if value in {"true", "false"} else int(value)


def options() -> list[dict[str, Any]]:
    infos = []
    for option in pyboolector.Boolector().Options():
        yes_or_no = option.min == 0 and option.max == 1
        default = str(option.dflt)
        infos.append(
            {
                "name": option.lng,
                "kind": "bool" if yes_or_no else "int",
                "default": {"0": "false", "1": "true"}[default] if yes_or_no else default,
                "category": "regular" if option.tunable else "expert",
                "choices": [],
                "minimum": None if yes_or_no else option.min,
                "maximum": None if yes_or_no else option.max,
            }
        )
    return infos
