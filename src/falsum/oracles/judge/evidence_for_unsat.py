"""Evidence for unsat: refutation by our evaluator, solvers against themselves, confirmed cores, proofs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final

from falsum.oracles.judge import relay
from falsum.oracles.judge.evidence_for_sat import relayed_spellings, second_opinions, written
from falsum.oracles.judge.evidence_session import GivenModel, Hearing
from falsum.oracles.judge.independence import current_verdicts, families, family_of
from falsum.oracles.judge.judgement import Evidence
from falsum.oracles.model import falsified
from falsum.smtlib import Script, print_term
from falsum.smtlib.domains import Domains
from falsum.smtlib.evaluation.evaluator import STEPS, truths
from falsum.smtlib.models.model import Definition, Model, bare_model, declared_functions
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.scripts import DeclareSort
from falsum.smtlib.terms import Function, Term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request, Want

_MOST_ASSIGNMENTS: Final = 4096
_STEPS: Final = 20_000
_PROVING: Final = "(set-option :produce-proofs true)\n(set-option :check-proofs true)\n"
_TRUSTED: Final = re.compile(r"trust|THEORY_REWRITE", re.IGNORECASE)
_PROOF: Final = re.compile(r"\bunsat\s*\(\s*[^\s)]")


def by_evaluation(flat: Script) -> Evidence | None:
    """Proof by our own evaluator: no symbol to choose, or few enough assignments to try them all."""
    if any(isinstance(command, DeclareSort) for command in flat.commands):
        return None
    if not declared_functions(flat):
        false = _false_in(flat, bare_model(flat))
        if false is None:
            return None
        return Evidence(
            "evaluation",
            "Nothing is declared, so there is nothing to choose, and this assertion is false. So the script "
            "is unsat.",
            print_term(false),
        )
    count = 0
    for model in _every_model(flat):
        if _false_in(flat, model) is None:
            return None
        count += 1
    if not count:
        return None
    return Evidence(
        "evaluation",
        f"There are {count} assignments of values to the declared symbols, and falsum's own evaluator has "
        "found an assertion that is false under each of them. So the script is unsat.",
    )


def _false_in(flat: Script, model: Model) -> Term | None:
    held = truths(flat, model, _STEPS)
    return next((term for term, value in zip(flat.assertions, held, strict=True) if value is False), None)


def _every_model(flat: Script) -> Iterator[Model]:
    """All models of a script over small finite sorts; none if there are too many."""
    bare = bare_model(flat)
    domains = Domains(bare.datatypes, {}, _MOST_ASSIGNMENTS)
    ranges: list[list[tuple[Function, Term]]] = []
    for symbol in declared_functions(flat):
        values = None if symbol.args else domains.of(symbol.result)
        terms = [value_term(symbol.result, payload, bare.datatypes) for payload in values or ()]
        if not terms or any(term is None for term in terms):
            return
        ranges.append([(symbol, term) for term in terms if term is not None])
    if prod(map(len, ranges)) > _MOST_ASSIGNMENTS:
        return
    for chosen in product(*ranges):
        given = {symbol: Definition((), term) for symbol, term in chosen}
        yield Model({**bare.definitions, **given}, {}, bare.datatypes)


def own_model_false(hearing: Hearing, solver: str) -> Evidence | None:
    """A solver's own model makes an assertion false."""
    if hearing.flat is None:
        return None
    for model in hearing.own_models(solver):
        false = falsified(hearing.flat, model.text, STEPS)
        if false is not None and not _others_accept(hearing, hearing.flat, model):
            return Evidence(
                "own model",
                f"{solver} says sat, but its own model is none: falsum's own evaluator computes the "
                f"assertion {shown(print_term(false))} to false.",
                written(hearing.flat, model.text),
            )
    return None


def _others_accept(hearing: Hearing, flat: Script, model: GivenModel) -> bool:
    """Whether an independent product finds the model right: then our evaluator may be the one at fault."""
    yes, _no = second_opinions(hearing, flat, model)
    return any(family_of(solver) != family_of(model.solver) for solver in yes)


def against_itself(hearing: Hearing, solver: str, core: str | None) -> Evidence | None:
    """A solver that says sat refutes its own model, or calls unsat what is weaker than the script."""
    flat = hearing.flat
    if flat is None:
        return None
    for model in hearing.own_models(solver):
        spellings = relayed_spellings(flat, model.text)
        if spellings and hearing.opinion(solver, *spellings) is Verdict.UNSAT:
            return Evidence(
                "own model",
                f"{solver} says sat and gives a model, but with that model written in as definitions it says "
                "unsat: by its own account the model is none.",
                spellings[0],
            )
    if core is not None and hearing.opinion(solver, core) is Verdict.UNSAT:
        return Evidence(
            "core",
            f"{solver} says sat to the script, but unsat to some of its assertions alone, asked plainly: "
            "it contradicts itself.",
            core,
        )
    return None


def model_refuted_by_others(hearing: Hearing, solver: str) -> Evidence | None:
    """All others who decide refute the model a solver gives, two independent products among them."""
    flat = hearing.flat
    if flat is None:
        return None
    for model in hearing.own_models(solver):
        yes, no = second_opinions(hearing, flat, model)
        if len(families(no)) > 1 and not yes:
            return Evidence(
                "relayed model",
                f"With the model of {solver} written in as definitions, the script is unsat according to "
                f"{', '.join(no)}; nobody calls it sat.",
                relayed_spellings(flat, model.text)[0],
            )
    return None


def smallest_core(hearing: Hearing) -> str | None:
    """The shortest script of a core that someone who says unsat gives; without any, the plain script."""
    if hearing.flat is None:
        return None
    whole = relay.plain(hearing.flat)
    found = [whole]
    for solver in hearing.voices(Verdict.UNSAT):
        answer = hearing.lab.ask(Request(solver, whole, Want.CORE, cold=True))
        if answer.verdict is Verdict.UNSAT and answer.core is not None:
            script = relay.with_core(hearing.flat, answer.core)
            found += [script] if script is not None else []
    return min(found, key=len)


def core_confirmed(hearing: Hearing, core: str, suspects: tuple[str, ...]) -> Evidence | None:
    """A core that all others who decide call unsat, two independent products among them."""
    wide = re.sub(r"\A\(set-logic [^)]*\)", "(set-logic ALL)", core)
    said = {solver: hearing.opinion(solver, core, wide) for solver in hearing.solvers}
    yes = [solver for solver, verdict in said.items() if verdict is Verdict.UNSAT]
    no = [solver for solver, verdict in said.items() if verdict is Verdict.SAT and solver not in suspects]
    if no or len(families(yes)) < 2 or Verdict.UNSAT not in current_verdicts(said).values():
        return None
    return Evidence(
        "core",
        f"These assertions alone are unsat according to {', '.join(yes)}: {len(families(yes))} independent "
        "products, and every solver that was asked and decides, but the suspect.",
        core,
    )


def proof(hearing: Hearing, core: str) -> Evidence | None:
    """A proof that passes its maker's own checker and takes no step on trust."""
    text = _PROVING + core + "(get-proof)\n"
    for solver in hearing.voices(Verdict.UNSAT):
        answer = hearing.lab.ask(Request(solver, text, cold=True))
        # Who does not know the options says so, and its proof has not been checked.
        offers = answer.finished and "(error" not in answer.stdout and "unsupported" not in answer.stdout
        proved = offers and answer.verdict is Verdict.UNSAT and _PROOF.search(answer.stdout) is not None
        if proved and _TRUSTED.search(answer.stdout) is None:
            told = f"{solver} gives a proof of unsat that passes its own checker, no step taken on trust."
            return Evidence("proof", told, answer.stdout)
    return None


def shown(text: str, most: int = 300) -> str:
    return text if len(text) <= most else text[:most] + " …"
