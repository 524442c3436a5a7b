"""The bundled seeds: enough of them, of every theory, readable, their names true."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import pytest
from tests.labs import live_lab

from falsum.seeds import bundled
from falsum.smtlib import print_script, read_script
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    CheckSatAssuming,
    DefineFun,
    DefineFunsRec,
    SetInfo,
)
from falsum.smtlib.terms import App, Match, Quantifier
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import subterms
from falsum.solvers.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from falsum.smtlib import Script
    from falsum.smtlib.terms import Term

SEEDS: Final = bundled()
NAME: Final = re.compile(r"[a-z][a-z0-9_]*\.(sat|unsat)\.smt2\Z")
EXPECTED: Final = re.compile(r"^; expect: ((?:sat|unsat)(?: (?:sat|unsat))+)$", re.MULTILINE)
# Standard operators no seed uses, each with its reason.
UNUSED: Final[dict[str, str]] = {}
# Theories of the tables no seed comes from.
LEFT_OUT: Final = {
    "Separation": "cvc5 refuses it while solving incrementally, as a warm host does",
}


def title(seed: Traversable) -> str:
    return f"{read_script(seed.read_text()).logic}/{seed.name}"


def expected(seed: Traversable) -> list[str]:
    header = EXPECTED.search(seed.read_text())
    return header[1].split() if header else [seed.name.split(".")[-2]]


def terms(script: Script) -> Iterator[Term]:
    for command in script.commands:
        match command:
            case Assert(term):
                yield from subterms(term)
            case DefineFun(body=body):
                yield from subterms(body)
            case DefineFunsRec(bodies=bodies):
                for body in bodies:
                    yield from subterms(body)
            case CheckSatAssuming(assumed):
                for term in assumed:
                    yield from subterms(term)
            case _:
                pass


@pytest.fixture(scope="module")
def used() -> Counter[str]:
    """How many seeds use each operator."""
    counts: Counter[str] = Counter()
    for seed in SEEDS:
        script = terms(read_script(seed.read_text()))
        counts.update({term.head.name for term in script if isinstance(term, App)})
    return counts


def test_there_are_enough() -> None:
    verdicts = Counter(expected(seed)[-1] for seed in SEEDS)
    assert len(SEEDS) >= 200
    assert len({title(seed).partition("/")[0] for seed in SEEDS}) >= 20
    assert set(verdicts) == {"sat", "unsat"}
    assert min(verdicts.values()) >= 0.4 * len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS, ids=title)
def test_reads_and_prints_back(seed: Traversable) -> None:
    script = read_script(seed.read_text())
    assert not script.not_understood
    assert read_script(print_script(script)) == script


@pytest.mark.parametrize("seed", SEEDS, ids=title)
def test_says_what_it_is(seed: Traversable) -> None:
    text = seed.read_text(encoding="ascii")
    script = read_script(text)
    checks = sum(isinstance(command, CheckSat | CheckSatAssuming) for command in script.commands)
    statuses = [c.value for c in script.commands if isinstance(c, SetInfo) and c.keyword == ":status"]
    assert NAME.match(seed.name)
    assert text.startswith("; ")
    assert len(text) < 3000
    assert 5 <= len(text.splitlines()) <= 40
    assert str(seed).replace("\\", "/").split("/")[-2] == script.logic
    assert checks == len(statuses)
    assert statuses == expected(seed)
    assert statuses[-1] == seed.name.split(".")[-2]


def test_no_two_are_alike() -> None:
    bodies = Counter(re.sub(r"^;.*\n|\(set-info.*\n", "", s.read_text(), flags=re.MULTILINE) for s in SEEDS)
    assert max(bodies.values()) == 1


def test_every_standard_operator_is_used(used: Counter[str]) -> None:
    standard = {
        name for name, op in OPERATORS.items() if op.is_standard and not op.is_implicit and not op.alias_of
    }
    assert {name for name in standard if not used[name]} == set(UNUSED)


def test_every_theory_is_used(used: Counter[str]) -> None:
    theories = {operator.theory for operator in OPERATORS.values()}
    assert theories - {OPERATORS[name].theory for name in used if name in OPERATORS} == set(LEFT_OUT)


def test_every_way_to_write_is_used() -> None:
    texts = [seed.read_text() for seed in SEEDS]
    for words in (
        "(push 1)", "(push 2)", "(pop 2)", "(check-sat-assuming (", ":named", ":pattern", "(define-fun-rec ",
        "(define-funs-rec ", "(match ", "(par (", "(let ((", "(forall (", "(exists (", "(lambda ((", "(_ is ",
        "RNE", "RNA", "RTP", "RTN", "RTZ", "_ NaN", "_ +oo", "_ -oo", "_ -zero", "_ +zero",
    ):  # fmt: skip
        assert any(words in text for text in texts), words
    scripts = [read_script(text) for text in texts]
    assert any(isinstance(term, Match) for script in scripts for term in terms(script))
    assert any(isinstance(term, Quantifier) for script in scripts for term in terms(script))


def test_a_slice_of_the_proof() -> None:
    """Twenty seeds, z3 only; `python -m bench.language.seeds` proves them all with two solvers."""
    standard = [seed for seed in SEEDS if not title(seed).startswith(("ALL/", "HO_", "QF_S"))]
    with live_lab("z3", seconds=10) as lab:
        for seed in standard[:: len(standard) // 20][:20]:
            answer = lab.ask(Request("z3", seed.read_text()))
            said = [str(verdict) for verdict in answer.verdicts]
            assert said == expected(seed), title(seed)
