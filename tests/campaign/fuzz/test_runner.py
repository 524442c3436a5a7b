"""Batches: planted liars are found, honest solvers are not, and the same number gives the same work."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.campaign.places import (
    HONEST,
    SEED,
    batch_of,
    leaky,
    liar,
    plan_of,
    state_of,
    with_budget,
    with_plan,
)

from falsum.campaign.corpus.seed_files import digest_of
from falsum.campaign.fuzz import oracle_runs
from falsum.campaign.fuzz.batch import Batch
from falsum.campaign.fuzz.runner import mutants, run
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.outcome import DONE, STOPPED, BatchOutcome
from falsum.campaign.search.schedule import LEARN
from falsum.campaign.tally import FuzzTally
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.result import OptionRecord
from falsum.campaign.triage.steps import triage
from falsum.defects import ALL
from falsum.defects.confirmation import confirmed
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding
from falsum.errors import ShortageError, SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Want
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import MeasureRecord
from falsum.strategies.mutant import Claim, Mutant, Seed


def kinds(outcome: BatchOutcome) -> set[str]:
    return {finding.kind for finding in outcome.findings}


def tally_of(outcome: BatchOutcome) -> FuzzTally:
    return msgspec.convert(outcome.record.tally, FuzzTally)


def run_alone(batch: Batch) -> BatchOutcome:
    with state_of(*batch.plan.solvers, timeout=batch.plan.timeout) as state:
        return run(batch, state)


@pytest.mark.parametrize(("checks", "count"), [(7, 0), (8, 4)])  # the seed as well
def test_scripts_with_more_models_than_are_looked_at_are_counted(checks: int, count: int) -> None:
    text = SEED.replace("(check-sat)", "(check-sat)" * checks)
    outcome = run_alone(with_plan(batch_of("z3", text=text, count=3), models=1.0))
    assert tally_of(outcome).models_left == count


LEAK = "leak"
# Ways to be wrong, strategies, and the oracles that find it; leaks have a test of their own.
LIARS = [
    ("crash", "numbered", "crash"),
    ("abort", "numbered", "crash"),
    ("verdict", "claiming", "claim"),
    ("model", "numbered", "model"),
    ("verdict", "numbered", "disagreement"),
    ("verdict", "referring", "reference"),
    ("verdict", "numbered", "drawn"),
]


@pytest.mark.parametrize(("mode", "strategy", "kind"), LIARS)
def test_a_planted_liar_is_found(mode: str, strategy: str, kind: str) -> None:
    others = () if kind in ("reference", "drawn") else (HONEST,)
    outcome = run_alone(batch_of(liar(mode), *others, strategy=strategy, count=8))
    assert outcome.faults == ()
    assert kinds(outcome) == {kind}
    (finding,) = outcome.findings
    assert liar(mode) in finding.suspects
    assert finding.exchanges[0].command
    assert "abs" in finding.script
    # It lies about every third mutant: one finding, and the rest are sightings of it.
    assert 1 + len(outcome.sightings) >= 2


def test_a_leak_is_found(tmp_path: Path) -> None:
    outcome = run_alone(batch_of(leaky(tmp_path), HONEST))
    assert kinds(outcome) == {LEAK}
    finding = outcome.findings[0]
    assert len(finding.history) >= 2
    assert finding.history[-1].startswith(finding.exchanges[0].posed)


def test_a_crash_that_only_a_process_that_stays_shows_has_its_history(tmp_path: Path) -> None:
    outcome = run_alone(batch_of(leaky(tmp_path, "check-sat!"), HONEST))
    assert kinds(outcome) == {"crash"}
    finding = outcome.findings[0]
    assert len(finding.history) >= 2
    assert finding.signature.endswith("after other scripts")


FICKLE = """#!/bin/sh
exec {python} -I -S -c '
import os, sys
met = False
for line in sys.stdin if "-in" in sys.argv else open(sys.argv[-1]):
    if line.startswith("(echo"):
        print(line.split(chr(34))[1], flush=True)
    met = "(reset" not in line and (met or "abs" in line)
    if "(check-sat" in line and met and os.path.exists("{flag}"):
        os.kill(os.getpid(), {number})
    for _ in range(line.count("(check-sat")):
        print("sat", flush=True)
' "$@"
"""


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_somebody_ends_is_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """It crashes as long as there is a file, which is gone when fresh processes are asked."""
    flag, program = tmp_path / "flag", tmp_path / "z3-fickle"
    flag.touch()
    program.write_text(FICKLE.format(python=sys.executable, flag=flag, number=int(number)))
    program.chmod(0o755)

    def confirm(oracle: Oracle, first: Finding, lab: Lab) -> Finding | None:
        flag.unlink()
        return confirmed(oracle, first, lab)

    monkeypatch.setattr(oracle_runs, "confirmed", confirm)
    outcome = run_alone(batch_of(str(program), HONEST))
    assert outcome.faults == ()
    assert outcome.findings == ()
    assert tally_of(outcome).unconfirmed == (number == signal.SIGSEGV)


def test_a_batch_with_a_crash_waits_for_good_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(_runner: ProcessRunner) -> None:
        raise ShortageError("no processes")

    monkeypatch.setattr(oracle_runs, "expect_good_conditions", lacking)
    with pytest.raises(ShortageError):
        run_alone(batch_of(liar("crash"), HONEST))


def test_every_oracle_has_its_liar_above() -> None:
    """Those that ask more, or need a known product or fragment, have tests of their own: tests/defects."""
    tested = {kind for _mode, _strategy, kind in LIARS}
    elsewhere = {oracle.name for oracle in ALL.own if oracle.every > 1}
    elsewhere |= {"incompleteness", "invariant", "slow"}
    assert {oracle.name for oracle in ALL.own} == tested | elsewhere
    assert tested.isdisjoint(elsewhere)


@pytest.mark.parametrize("mode", ["honest", "unknown", "error"])
def test_honest_solvers_give_no_finding(mode: str) -> None:
    outcome = run_alone(batch_of(liar(mode), HONEST, strategy="claiming"))
    assert outcome.findings == ()
    assert outcome.faults == ()
    assert outcome.record.made == 6
    assert outcome.record.ending == DONE


def test_real_solvers_give_no_finding() -> None:
    outcome = run_alone(batch_of("z3", "bitwuzla", "cvc5", count=20))
    assert outcome.findings == ()
    assert tally_of(outcome).said["z3"] == {"sat": 20}
    # bitwuzla knows no integers: it refused the seed and is not asked about mutants.
    assert "bitwuzla" not in tally_of(outcome).said


def test_a_time_out_is_no_finding_and_is_counted() -> None:
    outcome = run_alone(batch_of(liar("hang"), HONEST, timeout=0.6))
    assert outcome.findings == ()
    assert tally_of(outcome).said[liar("hang")]["timed out"] >= 1
    assert tally_of(outcome).timeout_seconds > 0
    assert tally_of(outcome).seconds < 20


def test_the_same_number_gives_the_same_mutants() -> None:
    def made(state: WorkerState) -> list[tuple[int, str, str]]:
        stream = mutants(state.strategy("numbered"), (Seed("s", SEED),), "7:1", state.for_strategies({}))
        return [(number, mutant.text, str(want)) for number, mutant, want in islice(stream, 20)]

    with state_of(HONEST) as one, state_of(HONEST) as other:
        assert made(one) == made(other)


def test_strategies_do_not_ask_solvers_of_configurations() -> None:
    with state_of(HONEST) as state:
        before = state.for_strategies({}).solvers
        state.add(liar("sat"))
        assert state.lab.solvers != before
        assert state.for_strategies({}).solvers == before


def test_strategies_do_not_ask_solvers_that_were_too_late_for_the_seed() -> None:
    slow = liar("hang")
    late, early = MeasureRecord(slow, 5.0, (), "timed out"), MeasureRecord(HONEST, 0.1, ("sat",), "finished")
    with state_of(HONEST, slow) as state:
        assert state.for_strategies({HONEST: early, slow: late}, by_time=True).solvers == (HONEST,)
        # If all were, somebody must be asked; and time is not to decide if mutants are counted.
        assert state.for_strategies({HONEST: late, slow: late}, by_time=True).solvers == (HONEST, slow)
        assert state.for_strategies({HONEST: early, slow: late}).solvers == (HONEST, slow)


def test_a_faulty_strategy_is_reported_and_ends_only_its_batch() -> None:
    outcome = run_alone(batch_of(HONEST, strategy="broken"))
    assert outcome.record.made == 1
    (fault,) = outcome.faults
    assert "ZeroDivisionError" in fault.text


def test_a_worker_may_leave_out_what_it_has_asked_before() -> None:
    batch = batch_of(HONEST, count=10)
    new = with_plan(batch, count=None, schedule=LEARN)
    with state_of(HONEST) as state:
        tallies = [tally_of(run(one, state)) for one in (new, new, batch)]
    assert [tally.mutants for tally in tallies] == [10, 10, 10]
    assert [tally.repeated for tally in tallies] == [0, 10, 0]


def test_a_batch_that_wants_news_ends_with_a_bug() -> None:
    batch = batch_of(liar("crash"), HONEST, strategy="numbered", count=8)
    whole, ended = run_alone(batch), run_alone(with_plan(batch, count=None, schedule=LEARN))
    (finding,) = ended.findings
    assert ended.record.made == finding.place + 1 < whole.record.made
    assert ended.sightings == ()


def test_a_batch_stops_between_mutants() -> None:
    with state_of(HONEST) as state:
        asked = iter([False, False, True])
        outcome = run(batch_of(HONEST), state, lambda: next(asked))
    assert outcome.record.ending == STOPPED
    assert outcome.record.made == 2


def test_a_batch_ends_with_its_cpu_time_after_one_mutant_at_least() -> None:
    batch = with_budget(batch_of(HONEST, count=400), cpu=0.1)
    outcome = run_alone(batch)
    assert outcome.record.ending == STOPPED
    assert 1 < outcome.record.made < 100
    assert tally_of(outcome).solver_cpu + tally_of(outcome).own_cpu >= 0.1
    assert run_alone(with_budget(batch, cpu=0.0)).record.made == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(assert", "unreadable"),
        ("(declare-const x Int)", "no (check-sat)"),
        ("(declare-const x Int)(assert (> x 0))(get-model)", "no (check-sat)"),
        ("(declare-const p Bool)(check-sat)", "nothing is asserted"),
        (SEED + " " * 200_000, "longer"),
    ],
)
def test_useless_seeds_are_left_out(text: str, reason: str) -> None:
    outcome = run_alone(batch_of(HONEST, text=text))
    assert outcome.record.made == 0
    (seed,) = outcome.seeds
    assert seed.filtered.startswith(reason)


def test_a_seed_that_is_decided_without_its_symbols_is_used() -> None:
    """What solvers simplify wrongly is often near to it."""
    outcome = run_alone(batch_of(HONEST, text="(assert (> (+ 1 2) (* 2 2)))(check-sat)"))
    assert outcome.record.made > 0


def test_a_seed_that_lacks_only_a_check_gets_one() -> None:
    """As bug 19 of STORM's evaluation."""
    outcome = run_alone(batch_of(HONEST, text="(declare-const x Int)\n(assert (> x 0)) ; and that is all\n"))
    assert outcome.record.made > 0


def test_a_slow_seed_is_put_off_until_there_is_more_patience() -> None:
    slow = liar("hang", "declare-const")
    batch = with_budget(batch_of(slow, timeout=1.0), patience=0.1)
    with state_of(slow, timeout=1.0) as state:
        early = run(batch, state)
        assert (early.record.made, early.seeds) == (0, ())
        late = run(with_budget(batch, patience=5.0), state)
    (seed,) = late.seeds
    assert (late.record.made, seed.measures[0].ending) == (0, "timed out")
    assert seed.measures[0].seconds > 0.9


def test_a_seed_that_one_solver_decides_is_not_put_off() -> None:
    slow = liar("hang", "declare-const")
    batch = with_budget(batch_of(slow, HONEST, timeout=1.0), patience=0.2)
    outcome = run_alone(batch)
    (seed,) = outcome.seeds
    assert sorted(measure.ending for measure in seed.measures) == ["finished", "timed out"]
    assert outcome.record.made > 0


def test_once_a_seed_is_decided_no_other_solver_is_waited_for_long() -> None:
    slow = liar("hang", "declare-const")
    batch = with_budget(batch_of(HONEST, slow, timeout=20.0), patience=4.8)
    (seed,) = run_alone(batch).seeds
    assert seed.measures[1].ending == "timed out"
    assert seed.measures[1].seconds < 4


def test_a_mutant_that_becomes_a_seed_is_not_profiled_again() -> None:
    batch = with_plan(batch_of(HONEST), schedule=LEARN)
    with state_of(HONEST) as state:
        novelty = run(batch, state).novelties[0]
        (measure,) = state.measures[digest_of(novelty.text)].values()
    assert (measure.solver, measure.ending) == (state.identity(HONEST), "finished")


def test_a_bug_in_the_seed_itself_is_found() -> None:
    outcome = run_alone(batch_of(liar("abort", "declare-const"), HONEST))
    (finding,) = outcome.findings
    assert finding.place == -1
    assert finding.lineage == ("the seed itself",)


def test_the_model_of_the_seed_itself_is_looked_at() -> None:
    batch = batch_of(liar("model", "declare-const"), HONEST, count=1)
    assert [(one.kind, one.place) for one in run_alone(batch).findings][:1] == [("model", -1)]
    without = run_alone(with_plan(batch, models=0.0))
    assert without.findings == ()


def test_a_solver_that_cannot_print_the_model_of_a_seed_is_asked_about_mutants() -> None:
    crashing = liar("abort", "get-model")
    with state_of(crashing, HONEST) as state:
        outcome = run(batch_of(crashing, HONEST), state)
        measures = state.measures[digest_of(SEED)]
    assert outcome.findings[0].place == -1
    assert {measure.ending for measure in measures.values()} == {"finished"}
    assert tally_of(outcome).said[crashing]["sat"] >= 1


def test_models_are_asked_for_a_share_of_the_mutants() -> None:
    with state_of(HONEST) as state:
        strategy, seeds = state.strategy("numbered"), (Seed("s", SEED),)
        wants = {
            share: Counter(
                want
                for _, _, want in islice(mutants(strategy, seeds, "1", state.for_strategies({}), share), 200)
            )
            for share in (0.0, 0.2, 1.0)
        }
    assert wants[0.0][Want.MODEL] == 0
    assert 20 <= wants[0.2][Want.MODEL] <= 60
    assert wants[1.0][Want.MODEL] == 200


def test_the_lineage_names_parameters_that_are_not_default() -> None:
    with WorkerState.of(plan_of(HONEST)) as state:
        for name in ("opfuzz:most=1", "opfuzz"):
            strategy, seeds = state.strategy(name), (Seed("s", SEED),)
            _, mutant, _ = next(iter(mutants(strategy, seeds, "1", state.for_strategies({}))))
            assert (mutant.lineage[-1] == "parameters: opfuzz:most=1") is (name != "opfuzz")


def test_coverage_is_sent_back_with_the_batch() -> None:
    batch = batch_of(HONEST, count=6, strategy="valfuzz")
    with WorkerState.of(plan_of(HONEST)) as state:
        outcome = run(batch, state)
    memories = [seed.memory["valfuzz"] for seed in outcome.seeds if seed.memory]
    assert len(memories) == 1
    assert tally_of(outcome).decided > 0


OLD = "z3@4.8.10"
FLAT = f"{OLD}:rewriter.flat=false"
# z3 issue 6091: wrong only without flattening.
SHOWN = """(declare-const p Int)
(declare-const q Int)
(assert (= 0 (+ q p)))
(assert (= 0 (+ p p (* q p))))
(assert (= (= 0 q) (forall ((r Int)) (> r 5))))
(check-sat)
"""


@pytest.fixture
def old() -> str:
    try:
        resolve(OLD, Zoo())
    except SurroundingsError as error:
        pytest.skip(str(error))
    return OLD


def test_one_solver_is_enough_to_find_a_wrong_verdict(old: str, tmp_path: Path) -> None:
    """Found by comparing two configurations, reduced, judged; the report names the difference."""
    batch = msgspec.structs.replace(
        batch_of(old, text=SHOWN), variants={FLAT: old, f"{old}:script=push": old}
    )
    outcome = run_alone(batch)
    assert outcome.faults == ()
    assert set(tally_of(outcome).said) == {old}
    assert set(tally_of(outcome).variants) == {FLAT, f"{old}:script=push"}
    finding = outcome.findings[0]
    assert finding.kind == "disagreement"
    assert FLAT in finding.suspects
    folder = finding_folder.write(tmp_path, finding)
    triaged = triage(Job(str(folder), seconds=60, bisects=False))
    assert (triaged.suspect, str(triaged.judgement.defect)) == (FLAT, "refutation unsoundness")
    assert triaged.options == (OptionRecord("rewriter.flat=false", is_needed=True, without="sat"),)
    assert triaged.command[:2] == ("z3", "rewriter.flat=false")


def test_what_is_wrong_anyway_is_no_news_about_a_configuration(tmp_path: Path) -> None:
    """A solver that crashes in every configuration has one finding, under its own name."""
    program = tmp_path / "z3-crash"
    easy = "for last; do :; done; [ -f $last ] && grep -q QF_UF $last && exit"
    program.write_text(f"#!/bin/sh\necho sat\n{easy}\nkill -SEGV $$\n")
    program.chmod(0o755)
    name = str(program)
    batch = msgspec.structs.replace(batch_of(name), variants={f"{name}:script=push": name})
    with state_of(name) as state:
        measure = MeasureRecord(state.identity(name), 0.1, ("sat",), "finished")
        known = msgspec.structs.replace(batch.seeds[0], measures=(measure,), is_profiled=True)
        outcome = run(msgspec.structs.replace(batch, seeds=(known,)), state)
    assert {finding.suspects for finding in outcome.findings} == {(name,)}


def test_no_model_is_asked_for_where_there_is_none() -> None:
    class Refuted:
        name, arity = "refuted", 1

        def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
            del rng, lab
            for claimed in (Verdict.UNSAT, Verdict.SAT, None):
                yield Mutant(seeds[0].text, None if claimed is None else Claim((claimed,)))

    with state_of(HONEST) as state:
        made = mutants(Refuted(), (Seed("s", SEED),), "1:1", state.for_strategies({}), models=1.0)
        assert [want for _number, _mutant, want in made] == [Want.VERDICT, Want.MODEL, Want.MODEL]


def test_mutants_that_are_no_horn_clauses_are_not_asked() -> None:
    """Solvers run another engine on anything that is not Horn."""
    text = (
        "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))"
        "(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))(check-sat)\n"
    )
    with WorkerState.of(plan_of("z3")) as state:
        outcome = run(batch_of("z3", strategy="opfuzz", text=text, count=30), state)
    tally = tally_of(outcome)
    assert tally.mutants > 0
    assert tally.not_horn > 0
    assert tally.faults == 0
