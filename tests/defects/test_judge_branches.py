"""The judge's branches as a table: what each kind of evidence needs, and when it is silent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.defects.test_judge import (
    IMPOSSIBLE,
    POSITIVE,
    STRANGE,
    X_IS_3,
    MixedLab,
    Says,
    about,
    always,
    judged,
    kinds,
    said,
)

from falsum.defects.evidence.assessment import Assessment, assess_model, evidence_for_verdict
from falsum.defects.evidence.evidence_for_unsat import by_evaluation
from falsum.defects.evidence.evidence_session import closely, in_question, open_sessions
from falsum.defects.evidence.judgement import Defect
from falsum.defects.judge import judge
from falsum.defects.kind import DefectKind
from falsum.defects.kinds.wrong_core import assess_core
from falsum.defects.model_check import proves_sat
from falsum.defects.table import kind_named
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim

SAT, UNSAT = Verdict.SAT, Verdict.UNSAT
WRONG_X = "((define-fun x () Int 7))"
FAR_X = "((define-fun x () Int 12))"
PROOF = "unsat\n(\n(step @p1 :rule evaluate)\n)\n"


def solver(
    verdict: str,
    model: str | None = None,
    *,
    core: str | None = None,
    with_model: str = "unknown",
    on_core: str = "unknown",
    proof: str = "",
    text: str = STRANGE,
) -> Says:
    """Answers the script, the script with x defined, the one with fewer assertions, and asks for proofs."""
    asserted = text.count("(assert")

    def says(script: str, want: Want) -> Answer:
        if "(get-proof)" in script:
            return Answer((UNSAT,), said().ending, stdout=proof) if proof else said("unknown")
        if "(define-fun x" in script:
            return said(with_model)
        if script.count("(assert") < asserted:
            return said(on_core)
        if want is Want.CORE and core is not None:
            return said(verdict, core=core)
        return said(verdict, model=model if want is Want.MODEL else None)

    return says


@dataclass(frozen=True)
class Row:
    """Solvers, and who is blamed by which evidence first; nobody if it is "" """

    about: str
    solvers: dict[str, Says]
    suspects: tuple[str, ...] = ()
    first: str = ""
    text: str = STRANGE
    claim: Claim | None = None


def rows(*made: Row) -> list[Row]:
    return list(made)


ROWS = rows(
    # A verified model.
    Row(
        "a model satisfies everything",
        {"a": solver("sat", X_IS_3, text=POSITIVE), "b": solver("unsat", text=POSITIVE)},
        ("b",), "model", POSITIVE,
    ),
    Row(
        "a model that satisfies not everything is evidence against its own solver",
        {"a": solver("sat", FAR_X, text=POSITIVE), "b": solver("unsat", text=POSITIVE)},
        ("a",), "own model", POSITIVE,
    ),
    Row("no model", {"a": solver("sat", text=POSITIVE), "b": solver("unsat", text=POSITIVE)}, text=POSITIVE),
    Row(
        "the evaluator alone against two products that refuse the model",
        {
            "a": solver("sat", X_IS_3, text=POSITIVE),
            "b": solver("unsat", with_model="unsat", text=POSITIVE),
            "c": solver("unsat", with_model="unsat", text=POSITIVE),
        },
        text=POSITIVE,
    ),
    Row(
        "one product that refuses the model is not enough",
        {"a": solver("sat", X_IS_3, text=POSITIVE), "b": solver("unsat", with_model="unsat", text=POSITIVE)},
        ("b",), "model", POSITIVE,
    ),
    Row(
        "two releases that refuse the model are one product",
        {
            "a": solver("sat", X_IS_3, text=POSITIVE),
            "z3_4": solver("unsat", with_model="unsat", text=POSITIVE),
            "z3": solver("unsat", with_model="unsat", text=POSITIVE),
        },
        ("z3@4", "z3"), "model", POSITIVE,
    ),
    Row(
        "a third product that accepts the model",
        {
            "a": solver("sat", X_IS_3, text=POSITIVE),
            "b": solver("unsat", with_model="unsat", text=POSITIVE),
            "c": solver("unsat", with_model="unsat", text=POSITIVE),
            "d": solver("unknown", with_model="sat", text=POSITIVE),
        },
        ("b", "c"), "model", POSITIVE,
    ),
    # A witness.
    Row(
        "a witness at this check",
        {"b": solver("unsat", text=POSITIVE)},
        ("b",), "witness", POSITIVE, Claim((SAT,), X_IS_3),
    ),
    Row(
        "a witness that fails",
        {"b": solver("unsat", text=POSITIVE)},
        (), "", POSITIVE, Claim((UNSAT,), X_IS_3),
    ),
    # A relayed model.
    Row(
        "an independent product accepts the model",
        {"a": solver("sat", X_IS_3), "b": solver("unknown", with_model="sat"), "c": solver("unsat")},
        ("c",), "relayed model",
    ),
    Row(
        "only another release of the same product accepts it",
        {"z3": solver("sat", X_IS_3, with_model="sat"), "z3_4": solver("unknown", with_model="sat"),
         "c": solver("unsat")},
    ),
    Row(
        "who answers unsat accepts it",
        {"a": solver("sat", X_IS_3), "c": solver("unsat", with_model="sat")},
        ("c",), "relayed model",
    ),
    Row(
        "somebody neutral refuses it",
        {"a": solver("sat", X_IS_3), "b": solver("unknown", with_model="sat"),
         "d": solver("unknown", with_model="unsat"), "c": solver("unsat")},
    ),
    Row(
        "nobody decides on it",
        {"a": solver("sat", X_IS_3), "b": solver("unknown"), "c": solver("unsat")},
    ),
    # Evaluation.
    Row(
        "nothing is declared and an assertion is false",
        {"a": always(said("sat")), "b": always(said("unsat"))},
        ("a",), "evaluation", "(assert (= 1 2))(check-sat)",
    ),
    Row(
        "nothing is declared and every assertion is true: sat is not shown by that",
        {"a": always(said("sat")), "b": always(said("unsat"))},
        (), "", "(assert (forall ((x Int)) (exists ((y Int)) (= (* y y y) (+ (* x x) 9)))))(check-sat)",
    ),
    Row(
        "the evaluator and one product against two",
        {"a": always(said("sat")), "b": always(said("sat")), "c": always(said("unsat"))},
        (), "", "(assert (= 1 2))(check-sat)",
    ),
    Row(
        "the evaluator and two products against two",
        {"a": always(said("sat")), "b": always(said("sat")), "c": always(said("unsat")),
         "d": always(said("unsat"))},
        ("a", "b"), "evaluation", "(assert (= 1 2))(check-sat)",
    ),
    # A solver against itself.
    Row(
        "it refuses its own model, and another product answers unsat",
        {"a": solver("sat", X_IS_3, with_model="unsat"), "b": solver("unsat")},
        ("a",), "own model",
    ),
    Row(
        "it refuses its own model, and nobody else answers unsat",
        {"a": solver("sat", X_IS_3, with_model="unsat"), "b": solver("unknown")},
    ),
    Row(
        "it answers unsat to fewer assertions",
        {"a": solver("sat", on_core="unsat"), "b": solver("unsat", core="(falsum!1)")},
        ("a",), "core",
    ),
    Row(
        "one of two that answer sat does not contradict itself",
        {"a": solver("sat", X_IS_3, with_model="unsat"), "d": solver("sat"), "b": solver("unsat")},
        (), "", STRANGE,
    ),
    Row(
        "two products refuse its model",
        {"a": solver("sat", X_IS_3), "b": solver("unsat", with_model="unsat"),
         "c": solver("unsat", with_model="unsat")},
        ("a",), "relayed model",
    ),
    Row(
        "one product refuses its model",
        {"a": solver("sat", X_IS_3), "b": solver("unsat", with_model="unsat")},
    ),
    # A core.
    Row(
        "two products confirm the core",
        {"a": solver("sat"), "b": solver("unsat", core="(falsum!1)", on_core="unsat"),
         "c": solver("unknown", on_core="unsat")},
        ("a",), "core",
    ),
    Row(
        "one product confirms the core",
        {"a": solver("sat"), "b": solver("unsat", core="(falsum!1)", on_core="unsat"),
         "c": solver("unknown", on_core="unknown")},
    ),
    Row(
        "somebody neutral finds the core sat",
        {"a": solver("sat"), "b": solver("unsat", core="(falsum!1)", on_core="unsat"),
         "c": solver("unknown", on_core="unsat"), "d": solver("unknown", on_core="sat")},
    ),
    # A proof.
    Row(
        "a proof without trusted steps",
        {"a": solver("sat"), "cvc5": solver("unsat", proof=PROOF)},
        ("a",), "proof",
    ),
    Row(
        "a proof that its solver is not asked to check",
        {"a": solver("sat"), "z3": solver("unsat", proof=PROOF)},
    ),
    Row(
        "a proof with a trusted step",
        {"a": solver("sat"), "cvc5": solver("unsat", proof=PROOF.replace("evaluate", "trust"))},
    ),
    Row(
        "a proof with a rewrite that is trusted",
        {"a": solver("sat"), "cvc5": solver("unsat", proof=PROOF.replace("evaluate", "theory_rewrite"))},
    ),
    Row(
        "a proof by a solver that does not know the options",
        {"a": solver("sat"), "cvc5": solver("unsat", proof="unsupported\n" + PROOF)},
    ),
    Row(
        "a proof after an error",
        {"a": solver("sat"), "cvc5": solver("unsat", proof='(error "no")\n' + PROOF)},
    ),
    Row("an empty proof", {"a": solver("sat"), "cvc5": solver("unsat", proof="unsat\n()\n")}),
    # Construction.
    Row("constructed to be unsat", {"a": solver("sat")}, ("a",), "construction", STRANGE, Claim((UNSAT,))),
    Row("constructed to be sat", {"a": solver("unsat")}, ("a",), "construction", STRANGE, Claim((SAT,))),
    Row("constructed to be unknown", {"a": solver("unsat")}, (), "", STRANGE, Claim((Verdict.UNKNOWN,))),
    # A majority.
    Row(
        "two products against one",
        {"a": solver("sat"), "b": solver("sat"), "c": solver("unsat")},
        ("c",), "majority",
    ),
    Row(
        "one product against two",
        {"a": solver("sat"), "b": solver("unsat"), "c": solver("unsat")},
        ("a",), "majority",
    ),
    Row("one against one", {"a": solver("sat"), "c": solver("unsat")}),
    Row(
        "the newest release and another against one of the same product",
        {"z3_4": solver("sat"), "z3_5": solver("unsat"), "z3": solver("unsat")},
        ("z3@4",), "majority",
    ),
    Row(
        "the newest release alone",
        {"z3_4": solver("sat"), "z3_5": solver("sat"), "z3": solver("unsat")},
    ),
    Row(
        "a majority that a model of ours contradicts",
        {"a": solver("unsat", text=POSITIVE), "b": solver("unsat", text=POSITIVE),
         "c": solver("sat", X_IS_3, text=POSITIVE)},
        ("a", "b"), "model", POSITIVE,
    ),
)  # fmt: skip


@pytest.mark.usefixtures("no_luck")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.about)
def test_a_branch(row: Row) -> None:
    judgement = judged(row.text, MixedLab(None, **row.solvers), claim=row.claim)
    assert judgement.suspects == row.suspects, judgement
    if row.first:
        assert kinds(judgement)[0] == row.first
        assert judgement.truth is (SAT if judgement.defect == Defect.REFUTATION_UNSOUNDNESS else UNSAT)
        assert judgement.evidence[0].text.endswith(".")
    else:
        assert judgement.defect in (Defect.UNDECIDED, Defect.INVALID_MODEL)


@pytest.mark.usefixtures("no_luck")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.about)
def test_a_branch_at_the_second_of_three_checks(row: Row) -> None:
    """The same, with a check before and one after on which all agree."""
    head, _, rest = row.text.partition("(assert")
    text = f"{head}(check-sat)(push 1)(assert{rest}(pop 1)(check-sat)"

    def later(says: Says) -> Says:
        def answer(script: str, want: Want) -> Answer:
            if script.count("(check-sat)") == 3 or (script.startswith(head) and "(push 1)" in script):
                plain = says(row.text, want)
                checks = script.count("(check-sat)")
                verdicts = (SAT, *plain.verdicts, SAT)[:checks] if plain.verdicts else ()
                return Answer(verdicts, plain.ending, plain.model if checks == 2 else None, plain.core)
            return says(script, want)

        return answer

    claim = Claim((None, *row.claim.verdicts), row.claim.witness) if row.claim else None
    fakes = {name: later(says) for name, says in row.solvers.items()}
    judgement = judged(text, MixedLab(None, **fakes), claim=claim, check=1)
    assert judgement.suspects == row.suspects, judgement
    assert judgement.check == 1
    if row.first:
        assert kinds(judgement)[0] == row.first


CRASH = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))
ALARM = Answer((), Ending(EndingKind.CRASHED, Cause.SELF_CHECK, "invalid model"))


@pytest.mark.parametrize(
    ("answer", "defect"), [(CRASH, Defect.CRASH), (ALARM, Defect.UNDECIDED), (said("sat"), Defect.UNDECIDED)]
)
@pytest.mark.parametrize("want", [Want.VERDICT, Want.MODEL])
def test_a_crash_is_looked_for_with_and_without_models(answer: Answer, defect: Defect, want: Want) -> None:
    def says(_script: str, asked: Want) -> Answer:
        return answer if asked is want else said("sat")

    assert judged(POSITIVE, MixedLab(a=says)).defect is defect


def checks_of(count: int, bad: int) -> tuple[str, Says]:
    text = "(declare-const x Int)(assert (> x 5))" + "(check-sat)" * count

    def says(script: str, want: Want) -> Answer:
        number = script.count("(check-sat)")
        model = X_IS_3 if number == bad else WRONG_X
        return said(*["sat"] * number, model=model if want is Want.MODEL else None)

    return text, says


@pytest.mark.parametrize("bad", [1, 2, 3])
@pytest.mark.parametrize("kind", [None, kind_named(Defect.INVALID_MODEL)])
def test_an_invalid_model_of_any_check_is_found(bad: int, kind: DefectKind | None) -> None:
    text, says = checks_of(3, bad)
    judgement = judge(text, ("a",), ("a",), MixedLab(a=says), about=kind)
    assert (judgement.defect, judgement.suspects, judgement.check) == (Defect.INVALID_MODEL, ("a",), bad - 1)


POPPED = (
    "(declare-const b Bool)(declare-const c Bool)(push 1)(assert c)(check-sat)(pop 1)"
    "(assert b)(assert (or b c))(assert (not b))(check-sat)(assert c)(check-sat)"
)


@pytest.mark.parametrize(
    ("core", "wrong"), [("(falsum!1 falsum!2)", True), ("(falsum!1 falsum!3)", False), ("()", False)]
)
def test_cores_are_read_by_the_numbers_of_what_is_asserted(core: str, *, wrong: bool) -> None:
    """In the whole script `falsum!2` is b, since c was asserted before and is popped."""

    def says(script: str, want: Want) -> Answer:
        if "(push 1)" in script:
            return said(*["sat", "unsat", "unsat"][: script.count("(check-sat)")], core="(falsum!2 falsum!4)")
        if "(not b)" not in script:
            return said("sat", model="((define-fun b () Bool true) (define-fun c () Bool true))")
        return said("unsat", core=core if want is Want.CORE else None)

    lab = MixedLab(a=says)
    judgement = judge(POPPED, ("a",), ("a",), lab, about=kind_named(Defect.WRONG_CORE))
    assert judgement.defect is (Defect.WRONG_CORE if wrong else Defect.UNDECIDED)


ASSUMING = (
    "(declare-const a Bool)(declare-const b Bool)(assert (or a b))(check-sat-assuming (a))"
    "(check-sat-assuming ((not a) (not b)))(get-unsat-assumptions)(check-sat-assuming (b (not b)))"
    "(get-unsat-assumptions)"
)


@pytest.mark.parametrize(
    ("printed", "check"),
    [
        (("", "((not a) (not b))", "(b (not b))"), None),
        (("", "((not a))", "(b (not b))"), 1),
        (("", "((not a) (not b))", "(b)"), 2),
        (("", "", "(b (not b))"), None),
    ],
)
def test_unsat_assumptions_belong_to_their_check(printed: tuple[str, ...], check: int | None) -> None:
    answer = Answer((SAT, UNSAT, UNSAT), said().ending, printed=printed)

    def says(script: str, _want: Want) -> Answer:
        if script == ASSUMING:
            return answer
        return said("sat", model="((define-fun a () Bool false) (define-fun b () Bool true))")

    judgement = judge(ASSUMING, ("s",), ("s",), MixedLab(s=says), about=kind_named(Defect.WRONG_ASSUMPTIONS))
    assert judgement.defect is (Defect.UNDECIDED if check is None else Defect.WRONG_ASSUMPTIONS)
    assert check is None or judgement.check == check


def test_proofs_of_sat_by_a_model_are_about_one_check() -> None:
    text = "(declare-const x Int)(check-sat)(assert (> x 5))(check-sat)"
    assert proves_sat(text, 0, X_IS_3)
    assert not proves_sat(text, 1, X_IS_3)
    assert proves_sat(text, 1, WRONG_X)
    assert not proves_sat(text, 2, WRONG_X)
    assert not proves_sat("(assert", 0, WRONG_X)
    assert not proves_sat(f"(assert-more){text}", 1, WRONG_X)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(assert (= 1 2))", "this assertion evaluates to false"),
        ("(declare-const b Bool)(assert b)(assert (not b))", "There are 2 assignments"),
        ("(declare-const b (_ BitVec 12))(assert (distinct b b))", "There are 4096 assignments"),
        ("(declare-const b (_ BitVec 13))(assert (distinct b b))", ""),
        ("(declare-const b Bool)(assert b)", ""),
        ("(declare-sort S 0)(assert (= 1 2))", ""),
        ("(declare-const i Int)(assert (distinct i i))", ""),
        ("(declare-fun f (Bool) Bool)(assert (distinct (f true) (f true)))", ""),
    ],
)
def test_refutation_by_evaluation(text: str, shown: str) -> None:
    script = by_evaluation(read_script(text))
    assert (script is not None) is bool(shown)
    assert script is None or shown in script.text


# -- what is known where nobody is wrong -----------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "holds", "reason"),
    [
        (X_IS_3, True, "every assertion evaluates to true"),
        ("((define-fun x () Int 12))", False, "the assertion (< x 9) evaluates to false"),
        ("((define-fun x () Int (frob)))", None, "the assertion (> x 0)"),
        ("(frob", None, "the model cannot be read"),
    ],
)
def test_the_word_on_a_model(model: str, holds: bool | None, reason: str) -> None:
    script = assess_model(read_script(POSITIVE), model)
    assert script.holds is holds
    assert reason in str(script)
    assert script.word == {True: "true", False: "false", None: "cannot say"}[holds]
    assert assess_model(None, model) == Assessment(None, "falsum does not understand the whole script")


def test_the_word_on_a_model_with_choices() -> None:
    script = read_script("(declare-const x Int)(assert (= (div x 0) 7))")
    found = assess_model(script, "((define-fun x () Int 1) (define-fun div0 ((x Int)) Int 7))")
    assert found.holds is True
    assert "with the choices the model makes" in found.reason


@pytest.mark.parametrize(
    ("solvers", "verdict", "first"),
    [
        ({"a": solver("sat", X_IS_3, text=POSITIVE)}, SAT, "model"),
        ({"a": solver("sat", text=POSITIVE)}, SAT, ""),
        ({"a": solver("unsat", core="(falsum!1)", on_core="unsat")}, UNSAT, ""),
        (
            {"a": solver("unsat", core="(falsum!1)", on_core="unsat"), "b": solver("unsat", on_core="unsat")},
            UNSAT,
            "core",
        ),
        ({"cvc5": solver("unsat", proof=PROOF)}, UNSAT, "proof"),
        ({"z3": solver("unsat", proof=PROOF)}, UNSAT, ""),
    ],
)
def test_evidence_for_a_verdict_that_nobody_contradicts(
    solvers: dict[str, Says], verdict: Verdict, first: str
) -> None:
    lab = MixedLab(None, **solvers)
    text = POSITIVE if verdict is SAT else STRANGE
    (session,) = open_sessions(text, lab.solvers, lab)
    found = [each.kind for each in evidence_for_verdict(session, verdict)]
    assert found[:1] == ([first] if first else [])
    (unread,) = open_sessions("(frobnicate)(check-sat)", lab.solvers, lab)
    assert evidence_for_verdict(unread, verdict) == ()


CoreCase = tuple[str, str, bool | None]


@pytest.mark.parametrize(
    ("core", "on_core", "holds"),
    [
        ("(falsum!1 falsum!3)", "unsat", None),
        ("(falsum!1 falsum!2)", "sat", False),
        ("(falsum!1 falsum!2 falsum!3)", "unsat", None),
        ("(falsum!1 falsum!3)", "unknown", None),
    ],
)
def test_the_word_on_a_core(core: str, on_core: str, holds: bool | None) -> None:
    def says(script: str, want: Want) -> Answer:
        if script.count("(assert") < 3:
            return said(on_core, model="((define-fun x () Int 6))")
        return said("unsat", core=core if want is Want.CORE else None)

    lab = MixedLab(a=says)
    (session,) = open_sessions(IMPOSSIBLE, lab.solvers, lab)
    found = assess_core(session, "a")
    assert found is not None
    assert found.holds is holds
    silent: Callable[[str, Want], Answer] = about(IMPOSSIBLE, said("unsat"))
    (session,) = open_sessions(IMPOSSIBLE, ("a",), MixedLab(a=silent))
    assert assess_core(session, "a") is None


# -- how solvers are asked -------------------------------------------------------------------------


class Recorded(MixedLab):
    """A lab that remembers every request."""

    def __init__(self, **fakes: Says) -> None:
        super().__init__(None, **fakes)
        self.requests: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        return super().ask(request)


@pytest.mark.parametrize("defect", [None, Defect.WRONG_CORE, Defect.INVALID_MODEL, Defect.WRONG_ASSUMPTIONS])
def test_the_script_and_all_that_is_made_of_it_go_to_fresh_processes(defect: Defect | None) -> None:
    lab = Recorded(
        a=solver("sat", X_IS_3, with_model="unsat"), b=solver("unsat", core="(falsum!1)", on_core="unsat")
    )
    judge(STRANGE, ("b",), lab.solvers, lab, about=kind_named(defect) if defect else None)
    assert lab.requests
    assert all(request.cold for request in lab.requests)


REJECTS = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "unsupported logic"))


@pytest.mark.parametrize("first", [REJECTS, said("unknown"), said("sat")])
def test_who_rejects_one_spelling_is_asked_another(first: Answer) -> None:
    lab = Recorded(a=lambda script, _want: first if "QF_LIA" in script else said("unsat"))
    (session,) = open_sessions(POSITIVE, lab.solvers, lab)
    verdict = session.verdict_on("a", "(set-logic QF_LIA)(check-sat)", "(set-logic ALL)(check-sat)")
    assert verdict is {REJECTS: UNSAT, said("unknown"): None, said("sat"): SAT}[first]
    asked = len(lab.requests)
    session.verdict_on("a", "(set-logic QF_LIA)(check-sat)", "(set-logic ALL)(check-sat)")
    assert len(lab.requests) == asked
    assert session.plain_verdict_of("a") is verdict
    crash = Answer((SAT,), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))
    (session,) = open_sessions(POSITIVE, ("c",), Recorded(c=always(crash)))
    assert session.verdict_on("c", "(check-sat)") is None


def test_who_times_out_twice_is_not_asked_again() -> None:
    late = Answer((), Ending(EndingKind.TIMED_OUT))
    lab = Recorded(a=always(late))
    (session,) = open_sessions(POSITIVE, lab.solvers, lab)
    list(session.models())
    session.plain_verdict_of("a")
    assert len(lab.requests) == 3  # one to open the session, two in it


def test_evaluation_confirms_a_verdict() -> None:
    lab = MixedLab(None, a=always(said("unsat")))
    (session,) = open_sessions("(assert (= 1 2))(check-sat)", lab.solvers, lab)
    assert [each.kind for each in evidence_for_verdict(session, UNSAT)] == ["evaluation"]


def test_with_time_enough_a_majority_counts() -> None:
    lab = MixedLab(None, a=solver("sat"), b=solver("sat"), c=solver("unsat"))
    assert judge(STRANGE, (), lab.solvers, lab, seconds=600).suspects == ("c",)


def test_the_session_of_a_contradiction_is_the_first_one() -> None:
    text = "(declare-const x Int)" + "(check-sat)" * 14
    lab = MixedLab(
        None,
        a=always(said(*["sat"] * 14)),
        b=always(said("sat", "unknown", "unsat", "unsat", *["sat"] * 10)),
    )
    sessions = open_sessions(text, lab.solvers, lab)
    assert [session.check for session in sessions] == list(range(14))
    assert [session.check for session in closely(sessions)] == [*range(11), 13]
    assert in_question(sessions).check == 2
    (alone,) = open_sessions(text, lab.solvers, lab, check=13)
    assert (alone.check, alone.verdict_of("b")) == (13, SAT)
