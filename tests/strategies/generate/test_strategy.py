"""Generated scripts keep to their logic, to the parameters, and to what solvers take."""

from __future__ import annotations

from random import Random

import pytest
from tests.strategies.drawn import draw

from falsum.errors import UsageError
from falsum.smtlib import Script, read_script
from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import CheckSatAssuming, DeclareDatatypes, DeclareFun, DeclareSort, Pop, Push
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Let, Quantifier, Term, Var
from falsum.smtlib.walk import children, subterms
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.generate import LOGICS, Generate
from falsum.strategies.generate.logics import theme_of

EACH = tuple(dict.fromkeys(LOGICS))


def scripts(count: int, strategy: Generate, number: int = 1) -> list[Script]:
    made = draw(strategy, (), number, count)
    return [read_script(mutant.text) for mutant in made]


def terms(script: Script) -> list[Term]:
    return [part for term in script.assertions for part in subterms(term)]


@pytest.mark.parametrize("logic", EACH)
def test_scripts_keep_to_their_logic(logic: str) -> None:
    rules = logic_of(logic)
    for script in scripts(15, Generate(logics=(logic,))):
        assert script.logic == logic
        declared = [c.function for c in script.commands if isinstance(c, DeclareFun)]
        if "UF" not in logic and logic not in ("ALL", "HORN"):
            assert not any(function.args for function in declared)
        for term in terms(script):
            if logic.startswith("QF_"):
                assert not isinstance(term, Quantifier)
            if isinstance(term, App) and isinstance(term.head.symbol, Operator):
                assert rules.allows(term.head.symbol, term.args)


@pytest.mark.parametrize("logic", ["QF_IDL", "QF_RDL"])
def test_difference_logic_has_only_differences(logic: str) -> None:
    for script in scripts(30, Generate(logics=(logic,))):
        for term in terms(script):
            if isinstance(term, App) and term.head.name == "-" and len(term.args) == 2:
                assert all(isinstance(arg, Var) or not children(arg) for arg in term.args)
            assert not (isinstance(term, App) and term.head.name in ("+", "*"))


def test_all_theories_occur() -> None:
    sorts: set[str] = set()
    kinds: set[type] = set()
    for script in scripts(900, Generate(per_theme=1)):
        kinds.update(map(type, script.commands))
        kinds.update(type(term) for term in terms(script))
        sorts.update(term.sort.name for term in terms(script))
    wanted = (
        "Bool Int Real BitVec FloatingPoint RoundingMode String RegLan Array Seq Set Bag U Chain Tree Color"
    )
    assert sorts >= set(wanted.split())
    assert kinds >= {Quantifier, Let, Push, Pop, CheckSatAssuming, DeclareDatatypes, DeclareSort}


def test_parameters_bound_what_is_made() -> None:
    plain = Generate(
        depth=2, width=2, assertions=1, variables=1, sharing=0.0, quantifiers=0.0, incremental=0.0
    )
    for script in scripts(300, plain):
        assert len(script.assertions) == 1
        if script.logic == "HORN":
            continue  # its clauses bind their variables
        assert not any(isinstance(c, Push | CheckSatAssuming) for c in script.commands)
        of_sort: dict[Sort, int] = {}
        for command in script.commands:
            if isinstance(command, DeclareFun) and not command.function.args:
                of_sort[command.function.result] = of_sort.get(command.function.result, 0) + 1
        assert all(count == 1 for count in of_sort.values())
        for term in terms(script):
            assert not isinstance(term, Let | Quantifier)
            if isinstance(term, App) and term.head.name in ("and", "or", "+", "bvadd", "str.++"):
                assert len(term.args) == 2
    wide = Generate(logics=("QF_LIA",), width=5, incremental=1.0)
    made = scripts(100, wide)
    assert any(isinstance(t, App) and len(t.args) == 5 for script in made for t in terms(script))
    assert any(isinstance(c, CheckSatAssuming) for script in made for c in script.commands)
    shared = Generate(logics=("QF_LIA",), sharing=0.9)
    assert any(isinstance(term, Let) for script in scripts(20, shared) for term in terms(script))


def test_an_unknown_logic_is_refused() -> None:
    with pytest.raises(UsageError):
        next(iter(Generate(logics=("QF_XYZ",)).mutants((), Random(1), None)))


def test_every_number_is_a_theme_of_its_own() -> None:
    assert theme_of("ALL", 3) is theme_of("ALL", 3)
    assert len({theme_of("ALL", number).sorts for number in range(16)}) > 8


def test_solvers_take_the_scripts_and_disagree_on_none() -> None:
    solvers = [resolve(name, Zoo()) for name in ("z3", "cvc5")]
    some = [logic for logic in EACH[::3] if logic != "QF_FF"]  # cvc5's own package has no finite fields
    said: set[str] = set()
    rejected = []
    with LiveLab(solvers, Limits(seconds=0.5)) as lab:
        for logic in some:
            (mutant,) = draw(Generate(logics=(logic,)), (), 4, 1)
            answers = [lab.ask(Request(solver.name, mutant.text)) for solver in solvers]
            rejected += [mutant.text for a in answers if a.ending.kind is EndingKind.REJECTED]
            for first, second in zip(*(answer.verdicts for answer in answers), strict=False):
                assert not first.contradicts(second), mutant.text
            said.update(str(verdict) for answer in answers for verdict in answer.verdicts)
    assert len(rejected) <= 0.05 * 2 * len(some), "\n".join(rejected)
    assert {"sat", "unsat"} <= said
