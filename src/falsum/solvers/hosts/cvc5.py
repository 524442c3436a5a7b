"""cvc5's library, fed command by command; loaded by `serve.py`, never by falsum itself."""

from __future__ import annotations

import os
from typing import Any

import cvc5

STATISTICS = "(get-info :all-statistics)"


def answer(script: str, settings: list[tuple[str, str]]) -> None:
    """Answer a script; stops at the first error, as the program does."""
    solver, symbols = session([*needed_settings(script), *settings])
    if answered(solver, symbols, script.removesuffix(STATISTICS)) and script.endswith(STATISTICS):
        os.write(1, statistics(solver).encode(errors="replace"))


def answered(solver: Any, symbols: Any, script: str) -> bool:
    """Run a script's commands; False at the first error."""
    parser = cvc5.InputParser(solver, symbols)
    is_synthesis = "(check-synth" in script
    language = cvc5.InputLanguage.SYGUS_2_1 if is_synthesis else cvc5.InputLanguage.SMT_LIB_2_6
    parser.setStringInput(language, script, "script")
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return True
        output = command.invoke(solver, symbols)
        if output:
            os.write(1, output.encode(errors="replace"))
            if output.startswith("(error"):
                return False


def statistics(solver: Any) -> str:
    """The statistics that were counted at all; the command prints all of them, which takes ten times as
    long.
    """
    lines = []
    for name, entry in solver.getStatistics().get(internal=True).items():
        value = entry["value"]
        if isinstance(value, dict):
            lines += [f":{name}::{key} {count}" for key, count in value.items()]
        elif isinstance(value, int):
            lines.append(f":{name} {value}")
    return "\n".join(lines)


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


def needed_settings(script: str) -> list[tuple[str, str]]:
    """The settings that the program makes by itself: the library is incremental, which separation logic
    and synthesis refuse, and it does not detect synthesis from the language.
    """
    is_synthesis = "(check-synth" in script
    sygus = [("sygus", "true")] if is_synthesis else []
    return [("incremental", "false"), *sygus] if is_synthesis or "(declare-heap" in script else []


def options() -> list[dict[str, Any]]:
    solver, _symbols = session([])
    kinds = {bool: "bool", int: "int", float: "float", "mode": "mode"}
    infos = []
    for name in sorted(solver.getOptionNames()):
        info = solver.getOptionInfo(name)
        category = str(info.get("category", "regular")).rpartition(".")[2].lower()
        default = info.get("default", "")
        infos.append(
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
    return infos
