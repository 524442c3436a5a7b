"""Proofs: right ones are silent; crashes over proofs and refused proofs are found."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.defects import liars
from tests.defects.forgeries import found_in
from tests.labs import live_lab

from falsum.defects.confirmation import examine
from falsum.defects.kinds.faulty_proof.faulty_proof import ProofOracle
from falsum.defects.kinds.faulty_proof.proof_checkers import CHECKERS, CPC_SIGNATURE
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import Reply

REFUSED = Ending(EndingKind.CRASHED, Cause.SELF_CHECK, "proof checker failed: ARITH_MULT_SIGN")


@pytest.mark.parametrize("number", range(4))
def test_right_proofs_are_not_reported(number: int) -> None:
    """Several numbers, so that every format is drawn."""
    bounds = f"(assert (> x {number}))(assert (< x {number}))"
    script = f"(set-logic QF_LIA)(declare-const x Int){bounds}(check-sat)"
    with live_lab("z3", "cvc5", "bitwuzla", seconds=20.0) as lab:
        assert found_in(ProofOracle(), script, lab) is None


def proving(reply: Reply) -> Callable[[str], Reply]:
    """A solver with this reply when it has to prove what it answers."""
    return lambda text: reply if "get-proof" in text else "unsat"


@pytest.mark.parametrize(
    ("reply", "evidence", "signature"),
    [
        (
            Answer((Verdict.UNSAT,), REFUSED),
            "proof checker failed: ARITH_MULT_SIGN",
            "self-check: proof checker failed: ARITH_MULT_SIGN",
        ),
        ("sat", "cvc5 answers unsat, but sat when it has to prove it", "Arithmetic | < >"),
        ("unsat", "", ""),
        ("unknown", "", ""),
        (liars.TIMED_OUT, "", ""),
        (liars.REJECTED, "", ""),
    ],
)
def test_what_is_wrong_with_a_proof(reply: Reply, evidence: str, signature: str) -> None:
    lab = liars.lab_of(cvc5=proving(reply))
    found = examine(ProofOracle(), liars.case_of(liars.IMPOSSIBLE), lab)
    assert (found is not None) is bool(evidence)
    if found is not None:
        assert evidence in found.evidence
        assert found.signature.startswith("proof | cvc5 | ")
        assert found.signature.split(" | ", 3)[3] == signature
        assert found.request is not None
        assert "(get-proof)" in found.request.script


def test_a_crash_without_a_proof_is_another_finding() -> None:
    crashed = Answer((), liars.CRASH)
    lab = liars.lab_of(cvc5=lambda text: "unsat" if text == liars.IMPOSSIBLE else crashed)
    assert ProofOracle().find(liars.case_of(liars.IMPOSSIBLE), lab) is None


def test_only_who_answers_unsat_has_to_prove_it() -> None:
    lab = liars.lab_of(cvc5=liars.says("sat"))
    assert ProofOracle().find(liars.case_of(), lab) is None
    assert not any("get-proof" in script for _solver, script in lab.asked)


def on_path(name: str, output: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\ncat \"$2\" >/dev/null 2>&1\necho '{output}'\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


@pytest.mark.parametrize(
    ("name", "output", "refusal"),
    [
        ("carcara", "valid", ""),
        ("carcara", "holey", ""),
        ("carcara", "invalid", "invalid"),
        ("carcara", "[ERROR] checking error: step t3: unknown rule", ""),
        (
            "carcara",
            "[ERROR] checking error: step t3: expected t0",
            "[ERROR] checking error: step t3: expected t0",
        ),
        ("carcara", "[ERROR] parser error: ...", ""),
        ("ethos", "correct", ""),
        ("ethos", "incomplete", ""),
        (
            "ethos",
            "Error: /proof:3.2: A step of rule refl failed to check",
            "Error: /proof:3.2: A step of rule",
        ),
        ("ethos", "Error: /proof:3.2: Expected SMT-LIBv2 command", ""),
    ],
)
def test_external_checkers(
    name: str, output: str, refusal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path(name, output, tmp_path, monkeypatch)
    monkeypatch.setenv(CPC_SIGNATURE, "Cpc.eo")
    found = CHECKERS[name].refusal("((assume a0 false))", liars.IMPOSSIBLE)
    assert found.startswith(refusal)
    assert bool(found) is bool(refusal)


@pytest.mark.parametrize(
    ("name", "place", "read"),
    [("carcara", 4, "((assume"), ("carcara", 5, "(set-logic"), ("ethos", 2, "(assume")],
)
def test_a_checker_gets_the_proof_and_the_script(
    name: str, place: int, read: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Carcara the whole list, ethos the steps in it, and no script."""
    program = tmp_path / name
    program.write_text(f'#!/bin/sh\nread -r line <"${place}"\necho "checking error: Error: $line"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv(CPC_SIGNATURE, "Cpc.eo")
    found = CHECKERS[name].refusal("((assume a0 false))\n", f"{liars.IMPOSSIBLE}\n")
    assert found.startswith(f"checking error: Error: {read}")


def test_checkers_that_are_not_there_say_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path("ethos", "Error: step failed", tmp_path, monkeypatch)
    monkeypatch.delenv(CPC_SIGNATURE, raising=False)
    on_path("carcara", "invalid", tmp_path, monkeypatch)
    assert CHECKERS["ethos"].refusal("()", "") == ""
    assert CHECKERS["carcara"].refusal("()", "") == "invalid"  # which needs no signature
    (tmp_path / "carcara").unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert CHECKERS["carcara"].refusal("()", "") == ""


def test_a_refused_proof_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path("carcara", "invalid", tmp_path, monkeypatch)
    on_path("ethos", "Error: step refl failed to check", tmp_path, monkeypatch)
    monkeypatch.setenv(CPC_SIGNATURE, "Cpc.eo")
    proved = Answer((Verdict.UNSAT,), FINISHED, stdout="unsat\n(\n(assume a0 false)\n)\n")
    lab = liars.lab_of(cvc5=proving(proved))
    found = examine(ProofOracle(), liars.case_of(liars.IMPOSSIBLE), lab)
    assert found is not None
    assert "refuses its proof" in found.evidence
