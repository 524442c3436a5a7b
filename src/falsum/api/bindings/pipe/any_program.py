"""The binding of a program of which nothing is known but that it reads SMT-LIB from its standard input.

`serve.py` gets five more arguments for it: product, version, program, an empty JSON object, and a JSON
object with the program's arguments, the theories to use and the logic to set. Commands that the program need
not support are tried first; what it refuses is not used. If declarations end with the scope they are made in,
they are repeated after it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from .binding import PipeBinding, ProgramError
from .process import SolverProcess
from .products import theory_table

PRINT_SUCCESS = "(set-option :print-success true)"
# Options that make something possible; a program that refuses one may do without it.
OPTIONS = (
    "(set-option :global-declarations true)",
    "(set-option :produce-models true)",
    "(set-option :produce-unsat-assumptions true)",
)
FORMULA = ("(declare-fun p!! () Bool)", "(assert p!!)")
# Commands after a formula, and what the last of them answers where the feature is supported.
TRIALS = {
    "incremental": (("(push 1)", "(assert (not p!!))", "(check-sat)", "(pop 1)", "(check-sat)"), "sat"),
    "assumptions": (("(check-sat-assuming ((not p!!)))",), "unsat"),
    "unsat-assumptions": (("(check-sat-assuming ((not p!!)))", "(get-unsat-assumptions)"), "((not p!!))"),
    "models": (("(check-sat)", "(get-value (p!!))"), "((p!! true))"),
    "reset-assertions": (("(reset-assertions)", "(check-sat)"), "sat"),
}


class AnyProgramBinding(PipeBinding):
    def __init__(self) -> None:
        self.variant = 0
        self.product, self.version, file, _names, use_text = sys.argv[3:8]
        use = json.loads(use_text)
        self.argv = [file, *use["arguments"]]
        self.default_logic: str = use["logic"] or "ALL"
        self.old_names = {}
        self.product_table: dict[str, Any] = theory_table(use["theories"])
        self.process = None
        self.refused: set[str] = set()
        self.levels: list[list[str]] = [[]]
        self.clear()
        self.product_table["features"] += self.tried_features()

    def tried_features(self) -> list[str]:
        """The features whose commands are answered as they should be."""
        features = ["one-shot", "print"]
        for feature, (commands, expectation) in TRIALS.items():
            answer = ""
            self.new()
            try:
                self.set_up()
                for command in (*FORMULA, *commands):
                    answer = self.ask(command)
            except ProgramError:
                continue
            finally:
                self.delete()
            if "".join(answer.split()) == "".join(expectation.split()):
                features.append(feature)
        return features

    def clear(self) -> None:
        super().clear()
        self.levels = [[]]

    def prepare(self) -> None:
        self.run(PRINT_SUCCESS)
        for option in OPTIONS:
            if option not in self.refused:
                try:
                    self.run(option)
                except ProgramError:
                    self.refused.add(option)

    def set_up(self) -> None:
        if not self.is_set_up:
            self.is_set_up = True
            self.run(f"(set-logic {self.default_logic})")
            for command in self.declared:
                self.run(command)

    def declare(self, command: str) -> None:
        super().declare(command)
        self.levels[-1].append(command)

    def push(self, levels: int) -> None:
        super().push(levels)
        self.levels.extend([] for _ in range(levels))

    def pop(self, levels: int) -> None:
        super().pop(levels)
        names = [command for level in self.levels[-levels:] for command in level]
        del self.levels[-levels:]
        if OPTIONS[0] in self.refused:
            for command in names:
                self.run(command)
        self.levels[-1] += names

    def reset_assertions(self) -> None:
        super().reset_assertions()
        self.levels = [[]]
        if OPTIONS[0] in self.refused:
            for command in self.declared:
                self.run(command)

    def one_shot(self, terms: list[Any]) -> str:
        first = self.process
        self.process = SolverProcess(self.argv)
        try:
            self.prepare()
            self.run(f"(set-logic {self.default_logic})")
            for command in (*self.declared, *(f"(assert {term.text})" for term in terms)):
                self.run(command)
            return self.ask("(check-sat)")
        finally:
            self.process.stop()
            self.process = first


Binding = AnyProgramBinding
