"""The child side of a warm solver: answers a JSON request per line on its private pipe.

Started as a plain script (`python warm_solver_child.py cvc5|z3`), so it imports nothing of the bench. What a
solver prints by itself is discarded; the output of a script is part of the answer.

    {"mode": "read",  "file": …, "flags": […]}   -> {"errors": [[where, text], …]}       (cvc5)
    {"mode": "solve", "text": …, "flags": […]}   -> {"output": …, "errors": [[…], …]}    (both)
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any, Final

# Queries: parsed and sort-checked, but not executed if a script is only read.
QUERIES: Final = re.compile(r"check-|get-|simplify|echo|find-|block-|query|exit|blockmodel|eval|help")
CHANNEL: Final = re.compile(r"output-channel")


def flag_options(flags: list[str]) -> list[tuple[str, str]]:
    """Command-line words as options: `--x=v`, `--no-x`, `--x`, `-i`."""
    options: list[tuple[str, str]] = []
    for flag in flags:
        if flag in ("-i", "-q"):
            options.append(("incremental", "true") if flag == "-i" else ("quiet", "true"))
        elif flag.startswith("--no-"):
            options.append((flag[5:], "false"))
        elif flag.startswith("--"):
            name, _, value = flag[2:].partition("=")
            options.append((name, value or "true"))
    return options


class Cvc5:
    """A fresh term manager, solver and symbol manager for every script."""

    def __init__(self) -> None:
        import cvc5

        self.cvc5: Any = cvc5

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        terms = self.cvc5.TermManager()
        solver = self.cvc5.Solver(terms)
        limit = [("tlimit-per", str(request.get("milliseconds", 0)))]
        for name, value in limit + flag_options(request["flags"]):
            try:
                solver.setOption(name, value)
            except Exception:
                continue  # a flag of the driver, of another release, or not of the library
        symbols = self.cvc5.SymbolManager(terms)
        parser = self.cvc5.InputParser(solver, symbols)
        language = self.cvc5.InputLanguage.SMT_LIB_2_6
        if request["mode"] == "read":
            parser.setFileInput(language, request["file"])
        else:
            parser.setStringInput(language, request["text"], "script")
        return self.run(parser, solver, symbols, executes_checks=request["mode"] == "solve")

    def run(self, parser: Any, solver: Any, symbols: Any, *, executes_checks: bool) -> dict[str, Any]:
        errors: list[tuple[str, str]] = []
        output: list[str] = []
        while True:
            try:
                command = parser.nextCommand()
            except RuntimeError as error:
                errors.append(("parse", str(error)))
                break
            if command.isNull():
                break
            name = command.getCommandName()
            if name == "exit":
                break
            if CHANNEL.search(command.toString()) if name == "set-option" else False:
                continue
            if QUERIES.match(name) and not (executes_checks and name.startswith("check-")):
                continue
            try:
                output_text = command.invoke(solver, symbols)
            except RuntimeError as error:
                output_text = f'(error "{error}")'
            if output_text.startswith("(error") or output_text.strip() == "unsupported":
                errors.append((name, output_text.strip()))
            output.append(output_text)
        return {"errors": errors, "output": "".join(output)}


class Z3:
    """A fresh context for every script."""

    def __init__(self) -> None:
        import z3

        self.z3: Any = z3
        # The bare C function: its Python wrapper discards the output if there is an error.
        self.evaluate: Any = self.z3.z3core.Z3_eval_smtlib2_string.__defaults__[0].f

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        self.z3.z3core.Z3_global_param_reset_all()  # a script's options outlive its context
        context = self.z3.Context(timeout=request["milliseconds"])
        output_text: bytes | None = self.evaluate(context.ref(), request["text"].encode())
        return {"errors": [], "output": (output_text or b"").decode(errors="replace")}


def main(product: str) -> None:
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    host: Cvc5 | Z3 = Cvc5() if product == "cvc5" else Z3()
    for line in sys.stdin:
        try:
            answer = host.answer(json.loads(line))
        except Exception as error:
            answer = {"ending": f"failed: {error!r}"}
        pipe.write(json.dumps(answer) + "\n")
        pipe.flush()


if __name__ == "__main__":
    main(sys.argv[1])
