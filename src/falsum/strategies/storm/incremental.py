"""Incremental instances: formulas asserted in push levels, with checks in between whose verdicts are known.

A formula is asserted, as it is or negated, so that the assignment satisfies it; or it gets a name, a fresh
Boolean constant that equals or implies it; or both. Checks may assume names: they are sat if the assumptions
hold under the assignment, and unsat if one denies the name of an asserted formula, whatever its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from falsum.smtlib.verdict import Verdict
from falsum.strategies.storm.formulas import Formula, assertion


@dataclass(slots=True)
class IncrementalInstance:
    """The commands that follow the declarations of a seed, and the verdicts of the checks.

    Names begin with `prefix`; a share `named` of the formulas has one. At most `levels` are pushed or popped
    at once.
    """

    prefix: str
    rng: Random
    levels: int = 1
    named: float = 0.4
    lines: list[str] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    # Names and their values under the assignment; all are declared before the first level.
    _names: dict[str, bool] = field(default_factory=dict)
    # By push level, the names whose formula is asserted there, so that their value is forced.
    _forced: list[list[str]] = field(default_factory=lambda: [[]])

    def run(self, formulas: Sequence[Formula]) -> None:
        for formula in formulas:
            self._state(formula)
            step = self.rng.random()
            if step < 0.25:
                self._push(self.rng.randint(1, self.levels))
            elif step < 0.5 and len(self._forced) > 1:
                self._pop(self.rng.randint(1, min(self.levels, len(self._forced) - 1)))
            elif step < 0.7:
                self._check()
        self._check()

    def declarations(self) -> list[str]:
        return [f"(declare-fun {name} () Bool)\n" for name in self._names]

    def witness(self) -> str:
        """Definitions of the names under the assignment."""
        return "".join(
            f"(define-fun {name} () Bool {'true' if holds else 'false'})\n"
            for name, holds in self._names.items()
        )

    def _push(self, levels: int) -> None:
        self.lines.append(f"(push {levels})\n")
        self._forced += ([] for _ in range(levels))

    def _pop(self, levels: int) -> None:
        self.lines.append(f"(pop {levels})\n")
        del self._forced[-levels:]

    def _state(self, formula: Formula) -> None:
        """Asserts the formula, gives it a name, or both."""
        if self.rng.random() >= self.named:
            self.lines.append(assertion(formula))
            return
        kind = self.rng.random()
        if kind < 0.4:
            # A false name may imply a true formula.
            name = self._name(holds=formula.holds and self.rng.random() < 0.8)
            self.lines.append(f"(assert (=> {name} {formula.text}))\n")
            return
        name = self._name(holds=formula.holds)
        self.lines.append(f"(assert (= {name} {formula.text}))\n")
        if kind < 0.65:
            self.lines.append(assertion(formula))
            self._forced[-1].append(name)

    def _name(self, *, holds: bool) -> str:
        name = f"{self.prefix}{len(self._names)}"
        self._names[name] = holds
        return name

    def _check(self) -> None:
        """Adds a check; half of them have assumptions if there are names."""
        forced = [name for level in self._forced for name in level]
        if not self._names or self.rng.random() < 0.5:
            self.lines.append("(check-sat)\n")
            self.verdicts.append(Verdict.SAT)
            return
        choice = self.rng.sample(tuple(self._names), self.rng.randint(1, min(3, len(self._names))))
        values = {name: self._names[name] for name in choice}
        verdict = Verdict.SAT
        if forced and self.rng.random() < 0.4:
            denied = self.rng.choice(forced)
            values[denied] = not self._names[denied]
            verdict = Verdict.UNSAT
        literals = " ".join(name if holds else f"(not {name})" for name, holds in values.items())
        self.lines.append(f"(check-sat-assuming ({literals}))\n")
        self.verdicts.append(verdict)
