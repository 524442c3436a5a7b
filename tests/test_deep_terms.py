"""Deep terms are normal: every public function that takes a term or a script takes one nested 100,000 times.

Functions are found by their annotations, and arguments are made by type. A function whose arguments cannot be
made here is listed with the place where it meets deep terms.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest

import falsum
from falsum.defects.case import Case
from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.consequences.clauses import Clause
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.models.model import Model, bare_model
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.scripts import Assert, Command, SynthFun
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.syntax.final_scope import scope_of_all
from falsum.smtlib.syntax.grammars import SynthesisGrammar, read_grammar
from falsum.smtlib.syntax.scope import Scope
from falsum.smtlib.terms import App, Attribute, Term, Var, var
from falsum.smtlib.verdict import Verdict
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Mutant
from falsum.strategies.rewrite.structural import ScriptContext
from falsum.strategies.valfuzz.holes import FreshNames

DEPTH = 100_000
ABOUT = re.compile(r"\b(Term|App|Script|Command)\b")
# Functions that are not called with made-up arguments, by pattern, and where they meet deep terms.
ELSEWHERE = {
    r"app\.assessments\.synthesise": "it asks solvers",
    r"campaign\.triage\..*|defects\.evidence\.evidence_for_sat\.verdicts_on_model": "they ask solvers",
    r"public\.functions\.(solve|judge)": "the solvers refuse, after a minute",
    r"smtlib\.laws\.match\.(match|infer|apply)": "as deep as the pattern of a law",
    r"smtlib\.terms\.(app|lambda_|match_)|smtlib\.syntax\.lenience\.apply": "every deep term is made by them",
    r"smtlib\.theories\..*": "sorts and indices of one application",
    r"strategies\.valfuzz\.(?:wishes|value_mutants)\..*": "holes hold constants",
    r"api\.checks\..*|api\.model\..*": "a mirror's terms are bounded by the settings of a run",
    r"smtlib\.evaluation\.(applications|functions)\..*": "one step of an evaluation: evaluator.truth",
}


LEVELS = (
    ("(not ", ")"),
    ("(let ((q p)) (and q ", "))"),
    ("(forall ((b Bool)) (or b ", "))"),
    ("(> (ite ", " x 1) 0)"),
    ("(= a (store a 1 (ite ", " 1 2)))"),
)


@cache
def script() -> Script:
    """One assertion in which Boolean, arithmetic and array terms, lets and quantifiers are nested in turn."""
    levels = [LEVELS[number % len(LEVELS)] for number in range(DEPTH // 2)]
    text = (
        "".join(opening for opening, _ in levels) + "p" + "".join(closing for _, closing in reversed(levels))
    )
    return read_script(
        "(set-logic ALL)(declare-const p Bool)(declare-const x Int)(declare-const a (Array Int Int))"
        f"(assert {text})(check-sat)"
    )


@cache
def assertion() -> Assert:
    return next(command for command in script().commands if isinstance(command, Assert))


@cache
def synth_fun() -> SynthFun:
    """A function with one deep rule."""
    rule = f"{'(not ' * DEPTH}S{')' * DEPTH}"
    (command,) = read_script(f"(synth-fun f () Bool ((S Bool)) ((S Bool (true {rule}))))").commands
    assert isinstance(command, SynthFun)
    return command


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    for info in pkgutil.walk_packages(falsum.__path__, "falsum."):
        if re.search(r"\.(bindings|hosts|seeds|supervisor|__main__)\b", info.name):
            continue  # they run without falsum, or are no code
        module = importlib.import_module(info.name)
        for name, thing in vars(module).items():
            if inspect.isfunction(thing) and thing.__module__ == info.name and not name.startswith("_"):
                annotations = [str(each) for each in thing.__annotations__.values()]
                wanted = [p.annotation for p in inspect.signature(thing).parameters.values()]
                if annotations and any(ABOUT.search(str(each)) for each in wanted):
                    yield f"{info.name.removeprefix('falsum.')}.{name}", thing


FUNCTIONS = dict(public_functions())
CALLED = [name for name in FUNCTIONS if not any(re.fullmatch(pattern, name) for pattern in ELSEWHERE)]


class NoArgumentError(Exception):
    """There is no argument of this type."""


def argument(hint: Any, name: str) -> object:
    term = assertion().term
    by_type: dict[Any, Callable[[], object]] = {
        Term: lambda: term,
        App: lambda: term,
        Script: script,
        Command: assertion,
        Model: lambda: bare_model(script()),
        Evaluation: lambda: Evaluation(bare_model(script()), 1000),
        Random: lambda: Random(0),
        Sort: lambda: BOOL,
        Logic: lambda: logic_of("ALL"),
        Case: lambda: Case(Mutant(print_script(script()))),
        Scope: lambda: scope_of_all(script()),
        Layout: lambda: Layout.of(script()),
        Clause: lambda: Clause((), (), (term,), None),
        FreshNames: lambda: FreshNames(""),
        Var: lambda: var("v", BOOL),
        Attribute: lambda: Attribute("named", "n"),
        Lab: lambda: FakeLab({"one": lambda _: "unknown", "other": lambda _: "unknown"}),
        ScriptContext: lambda: ScriptContext({}, is_linear=False, has_quantifiers=True),
        SynthFun: synth_fun,
        SynthesisGrammar: lambda: read_grammar(synth_fun(), ()),
        Verdict: lambda: Verdict.SAT,
        bool: lambda: True,
        int: lambda: 0,
        str: lambda: {"verdict": "sat", "solver": "z3"}.get(name, ""),
    }
    if hint in by_type:
        return by_type[hint]()
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (list, tuple) or "Sequence" in str(origin) or "Iterable" in str(origin):
        return (argument(inner[0], name),)
    if "Mapping" in str(origin):
        return {}
    if frozenset in (origin, hint):
        return frozenset()
    if "Callable" in str(hint):
        return lambda *_: None
    if inner:  # a union
        return argument(inner[0], name)
    raise NoArgumentError(str(hint))


@pytest.mark.timeout(100)
@pytest.mark.parametrize("name", CALLED)
def test_public_functions_take_deep_terms(name: str) -> None:
    function = FUNCTIONS[name]
    hints = typing.get_type_hints(function, localns={"App": App, "Model": Model})
    needed = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty or ABOUT.search(str(parameter.annotation))
    ]
    made = {each.name: argument(hints[each.name], each.name) for each in needed}
    positional = [made[each.name] for each in needed if each.kind is not each.KEYWORD_ONLY]
    named = {each.name: made[each.name] for each in needed if each.kind is each.KEYWORD_ONLY}
    with suppress(FalsumError, ValueError):  # answers to made-up arguments; a RecursionError is neither
        result = function(*positional, **named)
        if inspect.isgenerator(result):
            next(result, None)


def test_what_is_listed_is_there() -> None:
    unused = [pattern for pattern in ELSEWHERE if not any(re.fullmatch(pattern, name) for name in FUNCTIONS)]
    assert not unused
