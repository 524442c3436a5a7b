"""What ValFuzz measures on files rather than bugs: Table II, and the figures of V-D and V-G."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from bench import charts
from bench.experiment import Experiment, Record
from bench.known_bugs import MOST_LOAD, CountingLab
from bench.significance import mean_and_deviation, welch
from bench.strategies.mutants import readable_seeds

from falsum import evaluate
from falsum.contest.statistics import p_text
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.models.model import declared_functions
from falsum.smtlib.scripts import Assert, Command, DeclareFun, DefineFun, Script
from falsum.smtlib.terms import App, Function, Head
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import configured
from falsum.strategies.valfuzz import ValFuzz
from falsum.strategies.valfuzz.coverage import TargetOutcome

_EQUALS = Head(OPERATORS["="])
LONGEST = 5000
SOLVER = "z3"
# The quantifier, and the parameters that copy and skolemise it.
HANDLED = {
    "forall": {"copy": "skolu=false", "skolemise": "skolu=true"},
    "exists": {"copy": "noskole=true", "skolemise": "noskole=false"},
}


def table2(directory: Path, corpus: Path, *, small: bool) -> None:
    """Satisfiable enforcements and substitutions with copied and with skolemised quantifiers."""
    files, runs, most = (15, 2, 10) if small else (1000, 30, 50)
    seeds = {word: dict(_having(corpus, word, files)) for word in HANDLED}
    units = [
        {"quantifier": word, "handling": handling, "seed": name, "run": run, "iterations": most}
        for word, some in seeds.items()
        for name in some
        for handling in HANDLED[word]
        for run in range(runs)
    ]
    with _lab() as lab:
        records = Experiment(directory, "valfuzz-table2").run(
            units,
            lambda unit: _enforced(
                configured(ValFuzz(), ["skolu", HANDLED[unit["quantifier"]][unit["handling"]]]),
                seeds[unit["quantifier"]][unit["seed"]], lab, unit,
            ),
        )  # fmt: skip
    rows: list[list[str]] = []
    bars: dict[str, dict[str, float]] = {}
    for word, handlings in HANDLED.items():
        samples = {}
        for handling in handlings:
            mine = [one for one in records if one.unit["quantifier"] == word and
                    one.unit["handling"] == handling]  # fmt: skip
            samples[handling] = [_shares([one for one in mine if one.unit["run"] == run])
                                 for run in range(runs)]  # fmt: skip
            columns = list(zip(*samples[handling], strict=True))
            rows.append([word, handling, *map(mean_and_deviation, columns)])
            bars[f"{word}, {handling}"] = {
                "enforcements": sum(columns[0]) / runs, "substitutions": sum(columns[1]) / runs
            }  # fmt: skip
        rows.append([word, "p (Welch)", *(
            p_text(welch(*([one[place] for one in some] for some in samples.values()))) for place in (0, 1)
        )])  # fmt: skip
    print(
        Experiment(directory, "valfuzz-table2").write(
            "ValFuzz, Table II: satisfiable enforcements and substitutions, in percent",
            ("quantifier", "handling", "enforcements", "substitutions"),
            rows,
            note=(f"{len(seeds['forall'])} files with ∀, {len(seeds['exists'])} with ∃, {most} iterations "
                   f"each, {runs} runs; solver {SOLVER}."),
            chart=lambda file: charts.bars(file, bars, "satisfiable (%)"),
        )
    )  # fmt: skip


def _shares(records: list[Record]) -> tuple[float, float]:
    total = {name: sum(one.result[name] for one in records) for name in records[0].result}
    return (
        100 * total["sat_enforcements"] / max(1, total["enforcements"]),
        100 * total["sat_substitutions"] / max(1, total["substitutions"]),
    )


def _enforced(strategy: ValFuzz, seed: Seed, lab: Lab, unit: Mapping[str, Any]) -> dict[str, int]:
    """How many enforcements and substitutions are satisfiable."""
    counted = dict.fromkeys(("enforcements", "sat_enforcements", "substitutions", "sat_substitutions"), 0)
    coerced = strategy.coerce(seed, Random(f"{unit['run']}:{seed.name}"), CountingLab(lab, lab.solvers))
    if coerced is None:
        return counted
    for mutant in coerced.mutants():
        if _is_substitution(mutant):
            counted["substitutions"] += 1
            counted["sat_substitutions"] += lab.ask(Request(SOLVER, mutant.text)).verdicts == (Verdict.SAT,)
        if len(coerced.coverage.outcomes) >= unit["iterations"]:
            break
    outcomes = list(coerced.coverage.outcomes.values())
    counted["enforcements"] = len(outcomes)
    counted["sat_enforcements"] = outcomes.count(TargetOutcome.SAT)
    return counted


def _is_substitution(mutant: Mutant) -> bool:
    return bool(mutant.lineage) and "solved by" in mutant.lineage[0]


def coverage(directory: Path, corpus: Path, *, small: bool) -> None:
    """V-D: substitutions with the skeleton asserted and negated. V-G: enforcements that still hold."""
    files, runs, most = (32, 2, 10) if small else (1000, 30, 50)
    seeds = {Path(seed.name).name: seed for seed in readable_seeds(corpus, files, LONGEST)}
    units = [{"seed": name, "run": run, "iterations": most} for name in seeds for run in range(runs)]
    with _lab() as lab:
        records = Experiment(directory, "valfuzz-coverage").run(
            units, lambda unit: _coverage(seeds[unit["seed"]], lab, unit)
        )
    gains, held = [], []
    for run in range(runs):
        mine = [one.result for one in records if one.unit["run"] == run]
        total = {name: sum(one[name] for one in mine) for name in mine[0]}
        gains.append(100 * (total["cpog"] / max(1, total["basic"]) - 1))
        held.append(100 * total["held"] / max(1, total["satisfiable"]))
    print(
        Experiment(directory, "valfuzz-coverage").write(
            "ValFuzz, V-D and V-G",
            ("figure", "here", "published"),
            [
                ["V-D: more test cases with CPOG (%)", mean_and_deviation(gains), "26"],
                ["V-G: enforcement holds in the final model (%)", mean_and_deviation(held), "77.6 ± 7.2"],
            ],
            note=(f"{len(seeds)} files, {most} iterations each, {runs} runs; solver {SOLVER}. V-G: "
                  f"{sum(one.result['satisfiable'] for one in records)} models of substitutions whose "
                  "monitors have no variables of quantifiers or lets."),
            chart=lambda file: charts.bars(
                file, {"V-D": {"here": sum(gains) / runs, "published": 26.0},
                       "V-G": {"here": sum(held) / runs, "published": 77.6}}, "%"),
        )
    )  # fmt: skip


def _coverage(seed: Seed, lab: Lab, unit: Mapping[str, Any]) -> dict[str, int]:
    made = {
        name: _substitutions(configured(ValFuzz(), [name]), seed, lab, unit)
        for name in ("skolu", "cpog", "effinal")
    }
    satisfiable = held = 0
    for key, text in made["skolu"].items():
        # The same constants, with what was enforced as assertions in addition.
        watched = made["effinal"].get(key)
        answer = lab.ask(Request(SOLVER, text, Want.MODEL))
        if watched is None or answer.verdicts != (Verdict.SAT,) or answer.model is None:
            continue
        try:
            with_monitors = monitors_defined(read_script(watched), read_script(text))
            truths = evaluate(with_monitors, answer.model) if with_monitors is not None else [None]
        except FalsumError:
            continue
        if all(isinstance(one, bool) for one in truths):
            satisfiable += 1
            held += all(truths)
    return {"basic": len(made["skolu"]), "cpog": len(made["cpog"]), "satisfiable": satisfiable, "held": held}


def monitors_defined(watched: Script, plain: Script) -> Script | None:
    """A script with the constants it has beyond another one defined instead of declared and equated.

    A model of the other script does not interpret them: undefined monitors would be false. None if one has
    no equation, as the variables of a quantifier.
    """
    added = {*declared_functions(watched)} - {*declared_functions(plain)}
    commands: list[Command] = []
    for command in watched.commands:
        if isinstance(command, DeclareFun) and command.function in added:
            continue
        equated = _equated(command, added)
        if equated is not None:
            added.discard(equated.function)
        commands.append(equated or command)
    return None if added else Script(tuple(commands))


def _equated(command: Command, added: set[Function]) -> DefineFun | None:
    """The definition of an added constant that an assertion `(= constant term)` is."""
    term = command.term if isinstance(command, Assert) else None
    if isinstance(term, App) and term.head == _EQUALS and isinstance(term.args[0], App):
        symbol = term.args[0].head.symbol
        if isinstance(symbol, Function) and symbol in added and len(term.args) == 2:
            return DefineFun(symbol, (), term.args[1])
    return None


def _substitutions(
    strategy: ValFuzz, seed: Seed, lab: Lab, unit: Mapping[str, Any]
) -> dict[tuple[str, ...], str]:
    """The substitutions of the first iterations, by what was enforced and changed.

    An iteration of CPOG enforces a monitor twice: with the skeleton asserted, and with it negated.
    """
    coerced = strategy.coerce(seed, Random(f"{unit['run']}:{seed.name}"), CountingLab(lab, lab.solvers))
    if coerced is None:
        return {}
    found: dict[tuple[str, ...], str] = {}
    most = unit["iterations"] * (2 if strategy.cpog else 1)
    for mutant in coerced.mutants():
        if _is_substitution(mutant):
            found[mutant.lineage[:-1]] = mutant.text
        if len(coerced.coverage.outcomes) >= most:
            break
    return found


def _having(corpus: Path, word: str, most: int) -> Iterator[tuple[str, Seed]]:
    """Seeds with a quantifier, by their names."""
    found = (seed for seed in readable_seeds(corpus, 10**9, LONGEST) if f"({word} " in seed.text)
    for seed in islice(found, most):
        yield Path(seed.name).name, seed


def _lab() -> LiveLab:
    return LiveLab([resolve(SOLVER, Zoo())], Limits(seconds=MOST_LOAD, cpu=1.0))
