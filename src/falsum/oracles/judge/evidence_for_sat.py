"""Evidence for sat: a model our evaluator verifies, a claim's witness, a model relayed into other solvers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from falsum.errors import FalsumError
from falsum.oracles.judge import relay
from falsum.oracles.judge.evidence_session import GivenModel, Hearing
from falsum.oracles.judge.independence import current_verdicts, families, family_of
from falsum.oracles.judge.judgement import Evidence
from falsum.oracles.model import falsified
from falsum.oracles.old_escapes import readings
from falsum.smtlib import Script
from falsum.smtlib.evaluation.evaluator import STEPS, truths
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.strategies.mutant import Claim

_MOST_RELAYED: Final = 4


@dataclass(frozen=True, slots=True)
class Support:
    """Evidence for a verdict. Where choices are in it that the standard leaves open, it counts only against
    solvers that leave them open, or take them as the `parties` do who made them.
    """

    evidence: Evidence
    has_choices: bool = False
    parties: tuple[str, ...] = ()


def of_sat(hearing: Hearing, claim: Claim | None) -> Support | None:
    """The strongest there is."""
    if hearing.flat is None:
        return None
    return _verified(hearing, hearing.flat) or _witness(hearing, hearing.flat, claim) or _relayed(hearing)


def satisfies(flat: Script, text: str) -> tuple[bool, bool]:
    """Whether a model satisfies every assertion of a flat script, and whether it does so whatever a solver
    chooses at points the standard leaves open. Strings that older solvers mean in another way must do so in
    both.
    """
    always = True
    for reading in readings(text):
        try:
            model = read_model(reading, flat)
        except FalsumError:
            return False, False  # what we cannot read proves nothing
        if not _all_hold(flat, model):
            return False, False
        always = always and (not model.named or _all_hold(flat, replace(model, named={})))
    return True, always


def _all_hold(flat: Script, model: Model) -> bool:
    return all(held is True for held in truths(flat, model))


def written(flat: Script, text: str) -> str:
    """A model as standard definitions; as it was given where we cannot write it so."""
    try:
        return print_model(read_model(text, flat), declared_functions(flat)) or text
    except FalsumError:
        return text


def _verified(hearing: Hearing, flat: Script) -> Support | None:
    weaker: Support | None = None
    for model in hearing.models():
        holds, always = satisfies(flat, model.text)
        if holds and not _all_others_refuse(hearing, flat, model):
            support = Support(_of_model(flat, model), not always, (model.solver,))
            if always:
                return support
            weaker = weaker or support
    return weaker


def _all_others_refuse(hearing: Hearing, flat: Script, model: GivenModel) -> bool:
    """Whether our evaluator stands alone against two independent products: it may be the one at fault."""
    yes, no = second_opinions(hearing, flat, model)
    independent = [solver for solver in yes if family_of(solver) != family_of(model.solver)]
    return not independent and len(families(no)) > 1


def evaluator_dissents(hearing: Hearing, truth: Verdict) -> bool:
    """Whether our evaluator sees some model of the hearing in another way than this truth would have it."""
    if hearing.flat is None:
        return False
    for model in hearing.models():
        if truth is Verdict.SAT and falsified(hearing.flat, model.text, STEPS) is not None:
            return True
        if truth is Verdict.UNSAT and satisfies(hearing.flat, model.text)[0]:
            return True
    return False


def second_opinions(hearing: Hearing, flat: Script, model: GivenModel) -> tuple[list[str], list[str]]:
    """Who says sat and who says unsat to the script with a model written in."""
    spellings = relayed_spellings(flat, model.text)
    said = {s: hearing.opinion(s, *spellings) for s in hearing.solvers} if spellings else {}
    return (
        [solver for solver, verdict in said.items() if verdict is Verdict.SAT],
        [solver for solver, verdict in said.items() if verdict is Verdict.UNSAT],
    )


def _of_model(flat: Script, model: GivenModel) -> Evidence:
    return Evidence(
        "model",
        f"This model, given by {model.solver}, satisfies every assertion: falsum's own evaluator has "
        "computed each of them to true. So the script is sat.",
        written(flat, model.text),
    )


def _witness(hearing: Hearing, flat: Script, claim: Claim | None) -> Support | None:
    if claim is None or not claim.witness:
        return None
    if hearing.check >= len(claim.verdicts) or claim.verdicts[hearing.check] is not Verdict.SAT:
        return None
    holds, always = satisfies(flat, claim.witness)
    if not holds:
        return None
    return Support(
        Evidence(
            "witness",
            "The script was made to be sat. This model was known before any solver was asked, and satisfies "
            "every assertion.",
            written(flat, claim.witness),
        ),
        # Whose choices they are is not known any more.
        has_choices=not always,
    )


def _relayed(hearing: Hearing) -> Support | None:
    """A model our evaluator cannot decide on, written into the script, and others say sat."""
    flat = hearing.flat
    assert flat is not None
    accused = frozenset(hearing.voices(Verdict.UNSAT))
    for number, model in enumerate(hearing.models()):
        if number >= _MOST_RELAYED:
            break
        if falsified(flat, model.text, STEPS) is not None:
            continue
        yes, no = second_opinions(hearing, flat, model)
        against_themselves = [solver for solver in yes if solver in accused]
        said = dict.fromkeys(yes, Verdict.SAT) | dict.fromkeys(no, Verdict.UNSAT)
        independent = Verdict.SAT in current_verdicts(said).values() and any(
            family_of(solver) != family_of(model.solver) for solver in yes
        )
        if (against_themselves or independent) and accused.issuperset(no):
            script = relayed_spellings(flat, model.text)[0]
            told = _of_relay(model, yes, against_themselves, script)
            return Support(told, has_choices=True, parties=(model.solver, *yes))
    return None


def relayed_spellings(flat: Script, model: str) -> tuple[str, ...]:
    """The script with the model written in, in the widest logic and in its own."""
    logics = dict.fromkeys(("ALL", flat.logic or "ALL"))
    made = [relay.with_model(flat, model, logic) for logic in logics]
    return tuple(text for text in made if text is not None)


def _of_relay(model: GivenModel, yes: list[str], against_themselves: list[str], script: str) -> Evidence:
    told = (
        f"With the model of {model.solver} written in as definitions, the script is sat according to "
        f"{', '.join(yes)}."
    )
    if against_themselves:
        told += (
            f" {', '.join(against_themselves)} thereby contradict{'s' * (len(against_themselves) == 1)} the "
            "own answer: definitions only narrow a script down."
        )
    else:
        told += f" These are {len(families([*yes, model.solver]))} independent products."
    return Evidence("relayed model", told, script)
