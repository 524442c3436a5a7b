"""Evidence for unsat: our evaluator, solvers that contradict themselves, confirmed cores, proofs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final

from falsum.defects.evidence.evidence_for_sat import as_definitions, verdicts_on_model, with_model_substituted
from falsum.defects.evidence.evidence_session import EvidenceSession, PrintedModel
from falsum.defects.evidence.judgement import Evidence, clause
from falsum.defects.finding import shortened
from falsum.defects.model_check import falsified, is_approximate
from falsum.defects.open_points import is_held_to_its_word
from falsum.smtlib import Script, print_term
from falsum.smtlib.consequences import relay
from falsum.smtlib.domains import Domains
from falsum.smtlib.evaluation.evaluator import STEPS, truths
from falsum.smtlib.models.model import Definition, Model, bare_model, declared_functions
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.scripts import DeclareSort
from falsum.smtlib.terms import Function, Term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.names import current_verdicts, families, family_of, profile_of
from falsum.solvers.request import Request, Want

_MOST_ASSIGNMENTS: Final = 4096
_STEPS: Final = 20_000
_PROVING: Final = "(set-option :produce-proofs true)\n(set-option :check-proofs true)\n"
_CHECKING: Final = "check_proofs"
_TRUSTED: Final = re.compile(r"trust|THEORY_REWRITE", re.IGNORECASE)
_PROOF: Final = re.compile(r"\bunsat\s*\(\s*[^\s)]")


def by_evaluation(flat: Script) -> Evidence | None:
    """Refutation by our evaluator: no symbols are declared, or there are few enough assignments to try."""
    if any(isinstance(command, DeclareSort) for command in flat.commands):
        return None
    if not declared_functions(flat):
        false = _false_in(flat, bare_model(flat))
        if false is None:
            return None
        return Evidence(
            "evaluation",
            "The script declares no symbols, and this assertion evaluates to false, so the script is unsat.",
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
        f"There are {count} assignments of values to the declared symbols. Under each of them some assertion "
        "evaluates to false in falsum's own evaluator, so the script is unsat.",
    )


def _false_in(flat: Script, model: Model) -> Term | None:
    truth_values = truths(flat, model, _STEPS)
    return next(
        (term for term, value in zip(flat.assertions, truth_values, strict=True) if value is False), None
    )


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
    for terms_chosen in product(*ranges):
        definitions = {symbol: Definition((), term) for symbol, term in terms_chosen}
        yield Model({**bare.definitions, **definitions}, {}, bare.datatypes)


def own_model_false(session: EvidenceSession, solver: str) -> Evidence | None:
    """A solver's own model makes an assertion false."""
    if session.flat is None:
        return None
    for model in session.own_models(solver):
        false = falsified(session.flat, model.text, STEPS)
        if false is not None and not _is_accepted_by_others(session, session.flat, model):
            return Evidence(
                "own model",
                f"{solver} answers sat, but under its own model the assertion "
                f"{shortened(print_term(false))} evaluates to false.",
                as_definitions(session.flat, model.text),
            )
    return None


def _is_accepted_by_others(session: EvidenceSession, flat: Script, model: PrintedModel) -> bool:
    """Whether an independent product accepts the model, so that our evaluator may be wrong."""
    accepting, _refusing = verdicts_on_model(session, flat, model)
    return any(family_of(solver) != family_of(model.solver) for solver in accepting)


def self_contradiction(session: EvidenceSession, solver: str, core: str | None) -> Evidence | None:
    """A solver answers sat, but refuses its own model, or answers unsat to a subset of the assertions.

    That counts only if the solver answers sat to the unchanged script, with its logic and its options.
    """
    flat = session.flat
    is_held = session.verdict_of(solver) is Verdict.SAT and is_held_to_its_word(
        session.case, solver, session.lab
    )
    if flat is None or not is_held:
        return None
    for model in session.own_models(solver, as_is=True):
        spellings = with_model_substituted(flat, model.text)[:1]
        if is_approximate(flat, model.text):
            continue
        if spellings and session.verdict_on(solver, *spellings) is Verdict.UNSAT:
            return Evidence(
                "own model",
                f"{solver} answers sat and prints a model, but with that model substituted as definitions it "
                "answers unsat.",
                spellings[0],
            )
    if core is not None and session.verdict_on(solver, core) is Verdict.UNSAT:
        return Evidence(
            "core",
            f"{solver} answers sat to the script, but unsat to these assertions of it alone.",
            core,
        )
    return None


def model_refuted_by_others(session: EvidenceSession, solver: str) -> Evidence | None:
    """Two independent products refuse the model a solver prints, and no solver accepts it."""
    flat = session.flat
    if flat is None:
        return None
    for model in session.own_models(solver):
        if is_approximate(flat, model.text):
            continue
        accepting, refusing = verdicts_on_model(session, flat, model)
        if len(families(refusing)) > 1 and not accepting:
            return Evidence(
                "relayed model",
                f"With the model of {solver} substituted as definitions, "
                f"{clause(refusing, 'answer', 'unsat')}, and no solver answers sat.",
                with_model_substituted(flat, model.text)[0],
            )
    return None


def smallest_core(session: EvidenceSession) -> str | None:
    """The smallest script made of a core by a solver that answers unsat; without a core, the plain script."""
    if session.flat is None:
        return None
    whole = relay.with_settings(session.flat)
    smallest = [whole]
    for solver in session.answering(Verdict.UNSAT):
        for text in dict.fromkeys((whole, relay.plain(session.flat))):
            answer = session.lab.ask(Request(solver, text, Want.CORE, cold=True))
            if answer.verdict is Verdict.UNSAT and answer.core is not None:
                script = relay.with_core(session.flat, answer.core)
                smallest += [script] if script is not None else []
                break
    return min(smallest, key=len)


def confirmed_core(session: EvidenceSession, core: str, suspects: tuple[str, ...]) -> Evidence | None:
    """A core to which all other deciding solvers answer unsat, two independent products among them.

    All assertions together do not count as a core: answers to them are a majority at best.
    """
    if session.flat is None or core == relay.with_settings(session.flat):
        return None
    wide = relay.widened(core)
    verdicts = {solver: session.verdict_on(solver, core, wide) for solver in session.solvers}
    unsat = [solver for solver, verdict in verdicts.items() if verdict is Verdict.UNSAT]
    sat = [s for s, verdict in verdicts.items() if verdict is Verdict.SAT and s not in suspects]
    if sat or len(families(unsat)) < 2 or Verdict.UNSAT not in current_verdicts(verdicts).values():
        return None
    others = " apart from the suspect" if suspects else ""
    return Evidence(
        "core",
        f"These assertions alone are unsat according to {', '.join(unsat)}: {len(families(unsat))} "
        f"independent products, and every solver that decides{others}.",
        core,
    )


def checked_proof(session: EvidenceSession, core: str) -> Evidence | None:
    """A proof that passes the solver's own checker and has no trusted steps."""
    text = _PROVING + core + "(get-proof)\n"
    for solver in session.answering(Verdict.UNSAT):
        if not profile_of(solver).neutral_options.has(_CHECKING):
            continue  # it is not sent, so a proof would not be checked
        answer = session.lab.ask(Request(solver, text, cold=True))
        # A solver that does not know the options says so, and its proof has not been checked.
        offers = answer.finished and "(error" not in answer.stdout and "unsupported" not in answer.stdout
        proved = offers and answer.verdict is Verdict.UNSAT and _PROOF.search(answer.stdout) is not None
        if proved and _TRUSTED.search(answer.stdout) is None:
            sentence = f"{solver} prints a proof of unsat that passes its own checker without trusted steps."
            return Evidence("proof", sentence, answer.stdout)
    return None
