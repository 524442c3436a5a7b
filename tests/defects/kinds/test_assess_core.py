"""The word on a core: who confirms it, and what is no proof."""

from __future__ import annotations

import pytest
from tests.defects.test_judge import MixedLab, Says, said

from falsum.defects.evidence.evidence_session import open_sessions
from falsum.defects.kinds.wrong_core import assess_core
from falsum.solvers.answer import Answer
from falsum.solvers.request import Request, Want

CORE = "(declare-const x Int)(assert (> x 5))(assert (< x 9))(assert (< x 0))(check-sat)"


class NotedLab(MixedLab):
    def __init__(self, **fakes: Says) -> None:
        super().__init__(None, **fakes)
        self.requests: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        return super().ask(request)


def naming(core: str | None, on_core: str) -> Says:
    def says(script: str, want: Want) -> Answer:
        if script.count("(assert") < 3:
            return said(on_core)
        return said("unsat", core=core if want is Want.CORE else None)

    return says


@pytest.mark.parametrize(
    ("core", "own", "other", "words"),
    [
        (
            "(falsum!1 falsum!3)",
            "unsat",
            "unknown",
            "a answers unsat to these assertions alone; no evaluation",
        ),
        ("(falsum!1 falsum!3)", "unsat", "unsat", "a, b answer unsat to these assertions alone; that is no"),
        ("(falsum!1 falsum!3)", "unknown", "unsat", "b answers unsat to these assertions alone; that is no"),
        ("(falsum!1 falsum!3)", "unknown", "unknown", "no solver decides these assertions alone"),
        ("(falsum!1 falsum!2 falsum!3)", "unsat", "unsat", "the core has all assertions of the script"),
    ],
)
def test_the_word_on_a_core_says_who_confirms_it(core: str, own: str, other: str, words: str) -> None:
    lab = MixedLab(a=naming(core, own), b=naming(None, other))
    (session,) = open_sessions(CORE, lab.solvers, lab)
    found = assess_core(session, "a")
    assert found is not None
    assert found.holds is None
    assert found.reason.startswith(words)
    assert assess_core(session, "b") is None


def test_cores_are_asked_of_fresh_processes() -> None:
    lab = NotedLab(a=naming("(falsum!1 falsum!3)", "unsat"))
    (session,) = open_sessions(CORE, lab.solvers, lab)
    assess_core(session, "a")
    assert Want.CORE in {request.want for request in lab.requests}
    assert all(request.cold for request in lab.requests)


def test_there_is_no_word_on_the_core_of_a_script_that_cannot_be_read() -> None:
    lab = MixedLab(a=naming("(falsum!1)", "sat"))
    (session,) = open_sessions(f"(frobnicate){CORE}", lab.solvers, lab)
    assert str(assess_core(session, "a")) == "cannot say: falsum does not understand the whole script"


def test_a_core_that_evaluation_refutes_is_right() -> None:
    text = "(declare-const p Bool)(declare-const q Bool)(assert p)(assert q)(assert (not p))(check-sat)"
    lab = MixedLab(a=naming("(falsum!1 falsum!3)", "unknown"))
    (session,) = open_sessions(text, lab.solvers, lab)
    found = assess_core(session, "a")
    assert found is not None
    assert found.holds is True
    assert found.reason.startswith("There are 4 assignments")
