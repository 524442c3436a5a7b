"""A theory is its own module and one line: a toy theory that is defined here alone goes through every room.

Clocks have the hours 0 to 11, written `#h0` to `#h11`, and `noon`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

import pytest
from tests.smtlib.laws.sampling_laws import check

from falsum.api.model.theories import rare_theories, sorts_of
from falsum.api.model.values import draw_value, read_value, small_values
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.identity.fingerprint import fingerprint
from falsum.defects.identity.groups import Member, grouped
from falsum.errors import ScriptError, UsageError
from falsum.reducer import reduce
from falsum.smtlib import Script, laws, print_script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.evaluation.evaluator import payload_of, truths
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.operators import table
from falsum.smtlib.sort_kinds import Difference, Literals, SortKind
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Value, constant, value
from falsum.smtlib.theories import OPERATORS, SORTS, Theory, join, joined
from falsum.smtlib.theories.law import LawTable
from falsum.smtlib.theories.meanings import chained, folded, plain
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab
from falsum.strategies import ALL, Seed, Strategy

# -- the theory ------------------------------------------------------------------------------------

CLOCK: Final = Sort("Clock")
HOURS: Final = 12


def clock_token(token: str, reals_only: bool) -> Value | None:
    hour = token.removeprefix("#h")
    return value(CLOCK, int(hour) % HOURS, token) if token[:2] == "#h" and hour.isdecimal() else None


CLOCKS: Final = Theory(
    "Clocks",
    (
        SortKind(
            "Clock",
            family="clocks",
            literals=Literals(names={"noon": 0}, starts="#", token=clock_token),
            has_literals=True,
            text=lambda _, hour: f"#h{hour}",
            corners=lambda _: (0, 1, 6, 11),
            random=lambda _, rng: rng.randrange(HOURS),
            domain=lambda sort, domains: tuple(range(HOURS)),
            smaller_values=lambda _, hour: iter((hour // 2,)),
            relations=("=", "clock.before"),
            difference=lambda _, want, have, rng: Difference("clock.add", (want - have) % HOURS),
        ),
    ),
    tuple(
        table(
            "Clocks",
            """
            (clock.add Clock Clock Clock :left-assoc)
            (clock.sub Clock Clock Clock)
            (clock.before Clock Clock Bool :chainable)
            (clock.not-after Clock Clock Bool :chainable)
            (clock.hour Clock Int)
            """,
            {
                "clock.add": folded(lambda x, y: (x + y) % HOURS),
                "clock.sub": plain(lambda x, y: (x - y) % HOURS),
                "clock.before": chained(lambda x, y: x < y),
                "clock.not-after": chained(lambda x, y: x <= y),
                "clock.hour": plain(lambda x: x),
            },
            is_standard=False,
        )
    ),
    (
        LawTable(
            "Clocks",
            """
            (law clock-add-commutes equivalent ((x Clock) (y Clock)) (clock.add x y) (clock.add y x))
            (law clock-add-associates equivalent ((x Clock) (y Clock) (z Clock))
              (clock.add (clock.add x y) z) (clock.add x (clock.add y z)))
            (law clock-add-noon equivalent ((x Clock)) (clock.add x noon) x)
            (law clock-before-weaker implies ((x Clock) (y Clock)) (clock.before x y) (clock.not-after x y))
            (law clock-fuse inverse ((z Clock) (x Clock) (y Clock))
              (= z (clock.add x y)) (and (= x (clock.sub z y)) (= y (clock.sub z x))))
            """,
        ),
    ),
    adjective="clock",
    is_extension=True,
    generated_sorts=(CLOCK,),
)

# -- what the rest of falsum makes of it -----------------------------------------------------------

TEXT: Final = """(set-logic ALL)
(declare-fun now () Clock)
(declare-fun then () Clock)
(declare-fun table (Clock) Clock)
(declare-fun p () Bool)
(assert (clock.before (clock.add now #h7) (table then)))
(assert (or p (= (clock.sub then #h3) noon) (clock.not-after now then)))
(assert (=> p (< (clock.hour now) 9)))
(check-sat)
"""
UNSAT: Final = """(set-logic ALL)
(declare-fun late () Clock)
(declare-fun early () Clock)
(assert (clock.before early late))
(assert (clock.before late (clock.add early #h0)))
(check-sat)
"""


@pytest.fixture(autouse=True)
def clocks() -> Iterator[None]:
    with joined(CLOCKS):
        yield


def solver(text: str) -> Answer:
    """Decides scripts by guessing models: what no random model satisfies it takes for unsatisfiable."""
    verdicts, model = [], None
    for asked in at_each_check(read_script(text)):
        found = next((m for n in range(40) if satisfies(asked, m := random_model(asked, Random(n)))), None)
        verdicts.append(Verdict.UNSAT if found is None else Verdict.SAT)
        model = None if found is None else f"(\n{print_model(found, declared_functions(asked))})"
    return Answer(tuple(verdicts), FINISHED, model=model)


def satisfies(script: Script, model: Model) -> bool:
    return all(truth is True for truth in truths(script, model))


def lab() -> FakeLab:
    return FakeLab({"guess": solver, "guess again": solver})


def test_scripts_are_read_checked_and_printed() -> None:
    script = read_script(TEXT)
    assert print_script(script) == TEXT
    with pytest.raises(ScriptError, match=r"clock\.hour"):
        read_script("(declare-const x Int)(assert (= 1 (clock.hour x)))")
    with pytest.raises(ScriptError, match="takes 0 indices"):
        read_script("(declare-const x (_ Clock 3))")


def test_terms_are_evaluated() -> None:
    script = read_script(TEXT)
    model = read_model(
        "((define-fun now () Clock #h9) (define-fun then () Clock (clock.add now #h4)))", script
    )
    constants = [constant(function) for function in declared_functions(script)[:2]]
    assert [payload_of(symbol, model) for symbol in constants] == [9, 1]
    assert [payload_of(term, model) for term in script.assertions[1:2]] == [False]


def test_models_are_sampled_printed_and_read_back() -> None:
    script = read_script(TEXT)
    functions = declared_functions(script)
    hours = set()
    for number in range(20):
        model = random_model(script, Random(number))
        assert set(truths(script, model)) <= {True, False}
        printed = print_model(model, functions)
        again = read_model(f"({printed})", script)
        assert truths(script, again) == truths(script, model)
        hours.update(re.findall(r"#h\d+", printed))
    assert len(hours) > 4


def test_laws_hold_and_are_found() -> None:
    own = [law for law in laws.all_laws() if law.theory == "Clocks"]
    assert len(own) == 5
    for law in own:
        assert not check(law, 50, Random(1)).broken
    assert laws.law_index().is_commutative("clock.add")


# Interrogation is of Horn clauses, which these seeds are not.
@pytest.mark.parametrize("strategy", [s for s in ALL if s.name != "interrogation"], ids=lambda s: s.name)
def test_every_strategy_makes_mutants_of_it(strategy: Strategy) -> None:
    seeds = [Seed("clocks", TEXT), Seed("late", TEXT.replace("now", "x").replace("#h7", "#h5"))]
    made = islice(strategy.mutants(seeds[: strategy.arity], Random(3), lab()), 30 if strategy.arity else 2000)
    mutants = [mutant for mutant in made if "Clock" in mutant.text]
    assert mutants
    assert {mutant.text for mutant in mutants} - {seed.text for seed in seeds}
    for mutant in mutants[:20]:
        script = read_script(mutant.text)
        if mutant.claim is None:
            continue
        for asked, verdict in zip(at_each_check(script), mutant.claim.verdicts, strict=True):
            if verdict is Verdict.SAT and mutant.claim.witness:
                assert satisfies(asked, read_model(mutant.claim.witness, asked)), mutant.text


@pytest.mark.parametrize("name", ["typefuzz", "opfuzz", "valfuzz", "sparrow", "rewrite", "fusion", "pivot"])
def test_strategies_use_what_the_theory_says(name: str) -> None:
    """Mutants have operators and values of the theory that the seeds do not have."""
    (strategy,) = (each for each in ALL if each.name == name)
    text = UNSAT if name in ("typefuzz", "opfuzz", "sparrow", "rewrite") else TEXT
    seeds = [Seed("one", text), Seed("two", text.replace("early", "e").replace("then", "th"))]
    words = re.compile(r"clock\.[a-z-]+|#h\d+|noon")
    new: set[str] = set()
    for mutant in islice(strategy.mutants(seeds[: strategy.arity], Random(5), lab()), 60):
        new.update(words.findall(mutant.text))
    assert new - set(words.findall(text))


def test_scripts_are_reduced() -> None:
    """Values become simpler, and what is not needed goes."""
    script = reduce(read_script(TEXT), lambda text: "(clock.before" in text)
    assert script.text == "(assert (clock.before #h0 #h0))\n"


def test_findings_are_grouped_and_reported() -> None:
    judgement = Judgement(Defect.REFUTATION_UNSOUNDNESS, ("guess",), Verdict.SAT, ())
    prints = [fingerprint(text, judgement, lab()) for text in (UNSAT, UNSAT.replace("#h0", "#h1"), TEXT)]
    assert prints[0].theories == ("Clocks",)
    assert dict(prints[0].operators)["clock.before"] == 2
    groups = grouped(Member(str(n), each, n) for n, each in enumerate(prints))
    assert [[member.name for member in group.members] for group in groups] == [["0", "1"], ["2"]]
    equation = fingerprint("(declare-const x Clock)(assert (= x noon))(check-sat)", judgement, lab())
    assert equation.theories == ("Clocks",)


def test_the_library_fuzzer_knows_its_values() -> None:
    assert sorts_of()["clocks"] == ("Clock",)
    assert "clocks" in rare_theories()
    assert small_values(CLOCK) == ("#h0", "#h1")
    texts = [draw_value(CLOCK, Random(number)) for number in range(20)]
    assert len(set(texts)) > 4
    for text in texts:
        assert text is not None
        term = read_value(CLOCK, text)
        assert isinstance(term, Value)
        assert term.text == text
    with pytest.raises(UsageError):
        read_value(CLOCK, "#b0")


def test_names_are_taken_once() -> None:
    with pytest.raises(UsageError, match="Clock"):
        join(CLOCKS)


def test_a_theory_leaves_without_a_trace() -> None:
    operators, sorts = dict(OPERATORS), dict(SORTS)
    with joined(Theory("Moons", (SortKind("Moon"),))):
        assert read_script("(declare-const m Moon)").commands
    assert (operators, sorts) == (OPERATORS, SORTS)
    with pytest.raises(ScriptError, match="unknown sort Moon"):
        read_script("(declare-const m Moon)")
