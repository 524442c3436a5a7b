"""cvc5's library, fed command by command; loaded by `serve.py`, never by falsum itself."""

from __future__ import annotations

import os
from typing import Any

import cvc5


def answer(script: str, settings: list[tuple[str, str]]) -> None:
    """Stops at the first error, as the program does."""
    solver, symbols = session(settings)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return
        said = command.invoke(solver, symbols)
        if said:
            os.write(1, said.encode(errors="replace"))
            if said.startswith("(error"):
                return


def session(settings: list[tuple[str, str]]) -> tuple[Any, Any]:
    """A new solver; releases before 1.2 have no term manager."""
    if hasattr(cvc5, "TermManager"):
        manager = cvc5.TermManager()
        solver, symbols = cvc5.Solver(manager), cvc5.SymbolManager(manager)
    else:
        solver = cvc5.Solver()
        symbols = cvc5.SymbolManager(solver)
    for name, value in settings:
        solver.setOption(name, value)
    return solver, symbols


def options() -> list[dict[str, Any]]:
    solver, _symbols = session([])
    kinds = {bool: "bool", int: "int", float: "float", "mode": "mode"}
    listed = []
    for name in sorted(solver.getOptionNames()):
        info = solver.getOptionInfo(name)
        category = str(info.get("category", "regular")).rpartition(".")[2].lower()
        default = info.get("default", "")
        listed.append(
            {
                "name": name,
                "kind": kinds.get(info["type"], "text"),
                "default": str(default).lower() if isinstance(default, bool) else str(default),
                "category": "expert" if category == "undocumented" else category,
                "choices": list(info.get("modes", [])),
                "minimum": info.get("minimum"),
                "maximum": info.get("maximum"),
            }
        )
    return listed
