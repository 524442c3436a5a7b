"""generate: well-sorted random scripts of any logic, from the operator tables alone.

There is no seed. Scripts keep to their logic; nothing is known about their verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib.fragments.horn import HORN
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.theories import kind_of
from falsum.solvers.lab import Lab
from falsum.strategies.generate.horn_clauses import horn_clauses
from falsum.strategies.generate.logics import theme_of
from falsum.strategies.generate.random_terms import TermGenerator, TermShape
from falsum.strategies.growth import Grammar, declarations, grammar_of
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import parameter, share

# Logics that at least two of the common solvers support; those listed twice are drawn more often.
LOGICS: Final = (
    *("QF_UF", "QF_IDL", "QF_RDL", "QF_LIA", "QF_LRA", "QF_LIRA", "QF_NIA", "QF_NRA", "QF_UFIDL"),
    *("QF_UFLIA", "QF_UFLRA", "QF_UFNIA", "QF_UFNRA", "QF_AX", "QF_ALIA", "QF_AUFLIA", "QF_AUFNIA"),
    *("QF_BV", "QF_UFBV", "QF_ABV", "QF_AUFBV", "QF_FP", "QF_BVFP", "QF_ABVFP", "QF_UFFP", "QF_FPLRA"),
    *("QF_DT", "QF_UFDT", "QF_UFDTLIA", "QF_UFDTLIRA", "QF_SLIA", "QF_SNIA"),
    *("UF", "LIA", "LRA", "NIA", "NRA", "UFLIA", "UFLRA", "UFNIA", "AUFLIA", "AUFLIRA", "AUFNIRA", "BV"),
    *("HORN", "QF_FF"),
    *("UFBV", "ABV", "AUFBV", "FP", "BVFP", "UFDT", "UFDTLIA", "UFDTLIRA"),
    *(
        "ALL",
        "ALL",
        "ALL",
        "ALL",
        "ALL",
        "QF_SLIA",
        "QF_SLIA",
        "QF_BV",
        "QF_ABV",
        "QF_LIA",
        "QF_NIA",
        "QF_BVFP",
    ),
)


@dataclass(frozen=True, slots=True)
class Generate:
    """Makes random well-sorted scripts of a logic, without a seed.

    Scripts are of `logics`, or of all in LOGICS.

    `depth` limits the nesting of terms, `width` the arguments of an operator that takes any number,
    `assertions` and `variables` (of each sort) the size of a script, `longest` that of a formula. `sharing`
    is the probability that an earlier term is used again, `quantifiers` that a formula is quantified where
    the logic allows it, `incremental` the share of scripts with push levels, several checks and assumptions.
    `per_theme` scripts are made with one theme (choice of sorts); a logic has `variants` themes.
    """

    name: str = "generate"
    arity: int = 0
    logics: tuple[str, ...] = parameter((), "logics to draw from; none means all")
    depth: int = parameter(4, "nesting of a term, at most", least=1)
    width: int = parameter(3, "arguments of operators that take any number, at most", least=2)
    assertions: int = parameter(6, "assertions of a script, at most", least=1)
    variables: int = parameter(2, "variables of each sort, at most", least=1)
    longest: int = parameter(120, "pieces of text of a formula, after which only leaves follow", least=1)
    sharing: float = share(0.15, "probability that an earlier term is used again")
    quantifiers: float = share(0.25, "probability of a quantifier, in logics that have them")
    incremental: float = share(0.2, "share of scripts with push levels, several checks and assumptions")
    per_theme: int = parameter(5, "scripts made with one theme in a row", least=1)
    variants: int = parameter(16, "themes of a logic", least=1)

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del seeds, lab
        logics = self.logics or LOGICS
        while True:
            logic, variant = rng.choice(logics), rng.randrange(self.variants)
            grammar = grammar_of(theme_of(logic, variant), self.width)
            for _ in range(self.per_theme):
                yield Mutant(self._script(grammar, rng), lineage=(f"generate: {logic}, sorts {variant}",))

    def _script(self, grammar: Grammar, rng: Random) -> str:
        shape = TermShape(self.variables, self.sharing, self.quantifiers, self.longest)
        terms = TermGenerator(grammar, shape, rng)
        # Floating-point numbers and regular languages are hard enough one level less deep.
        is_hard = any(kind_of(sort).is_hard for sort in grammar.theme.sorts)
        deepest = max(2, self.depth - is_hard)
        count = rng.randint(1, self.assertions)
        if grammar.theme.logic == HORN:
            # Without a fact, a rule and a query there is little to derive.
            declared, clauses = horn_clauses(grammar, shape, max(count, min(3, self.assertions)), rng)
            return "".join([*declarations(grammar.theme, [], {}), *declared, *clauses, "(check-sat)\n"])
        lines = [f"(assert {terms.term(BOOL, rng.randint(2, deepest))})\n" for _ in range(count)]
        if rng.random() < self.incremental:
            lines = _with_levels(lines, terms, rng)
        lines.append("(check-sat)\n")
        return "".join([*declarations(grammar.theme, terms.functions, terms.used), *lines])


def _with_levels(assertions: list[str], terms: TermGenerator, rng: Random) -> list[str]:
    """The assertions in push levels, with checks in between, some of them with assumptions."""
    lines: list[str] = []
    level = 0
    for line in assertions:
        lines.append(line)
        step = rng.random()
        if step < 0.25:
            lines.append("(push 1)\n")
            level += 1
        elif step < 0.45 and level:
            lines.append("(check-sat)\n(pop 1)\n")
            level -= 1
        elif step < 0.6:
            lines.append("(check-sat)\n")
        elif step < 0.75:
            literals = " ".join(dict.fromkeys(terms.literal() for _ in range(rng.randint(1, 2))))
            lines.append(f"(check-sat-assuming ({literals}))\n")
    return lines
