"""STORM's published seeds and settings of 20 bugs, on releases near the buggy commits: wrong *unsat* again?

PAIRS has `recipes.tsv` (per bug: solver, logic, incremental or not, tactics, bounds, options) and a seed for
each bug. Instances are those of `storm:paper` with the settings of the recipe; tactics are for z3 only.
Assignments are models of the newest z3 and cvc5. An instance is wrong if the release answers unsat where the
assignment satisfies every assertion. The shortest one is minimised by bounds (Algorithm 2).
Results are kept in DIRECTORY; an interrupted run continues.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.command import command_parser
from bench.experiment import Experiment, Unit

from falsum.errors import FalsumError
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Seed, find_strategy
from falsum.strategies.mutant import Mutant
from falsum.strategies.storm import Storm
from falsum.strategies.storm.minimisation import smallest_instance

NEWEST = ("z3", "cvc5")
RELEASES = {
    "z3": ("z3@4.8.6", "z3@4.8.7"),
    "z3-seq": ("z3@4.8.6", "z3@4.8.7"),
    "z3str3": ("z3@4.8.6", "z3@4.8.7"),
    "cvc4": ("cvc4",),
    "yices": ("yices",),
    "yices2": ("yices",),
}
# For options that are flags; on PATH.
PROGRAMS = {"cvc4": "cvc4 --lang=smt2 --incremental", "yices": "yices-smt2 --incremental"}


class Recipe(NamedTuple):
    """How STORM found a bug: its seed, the settings of the run, and options of the solver."""

    name: str
    solver: str
    seed: Seed
    settings: str
    options: str

    @property
    def solvers(self) -> tuple[str, ...]:
        if self.options.startswith("--"):
            return (f"{PROGRAMS[self.solver]} {self.options}",)
        return tuple(f"{name}:{self.options}" if self.options else name for name in RELEASES[self.solver])


def recipes(folder: Path) -> list[Recipe]:
    with (folder / "recipes.tsv").open(encoding="utf-8", newline="") as file:
        return [_recipe(row, folder) for row in csv.DictReader(file, delimiter="\t")]


def _recipe(row: dict[str, str], folder: Path) -> Recipe:
    tactics = [tactic for part in row["check_sat_using"].split(";") if (tactic := part.strip())]
    if not row["solver"].startswith("z3"):
        tactics = []
    settings = [
        "paper",
        f"depth={row['depth']}",
        f"assertions={row['assertions']}",
        f"fewest={row['enrichment']}",
        f"constructed={row['enrichment']}",
        f"per_model={row['mutants']}",
        f"incremental={int(row['incremental'] == 'yes')}",
        f"tactics={int(bool(tactics))}",
        f"tactic={'/'.join(tactics)}",
    ]
    options = (row["options"] or "").strip()
    seed = Seed(row["id"], (folder / f"{row['id']}.smt2").read_text(encoding="utf-8"))
    return Recipe(row["id"], row["solver"], seed, ",".join(settings), options)


def hunt(recipe: Recipe, solver: str, most: int, seconds: float, cpu: float, rng: int) -> dict[str, Any]:
    """How a release answers instances of a seed; `wrong` are those with an unsat that is claimed sat."""
    zoo = Zoo()
    endings: Counter[str] = Counter()
    wrong: list[tuple[int, str]] = []
    assertions: list[int] = []
    names = tuple(dict.fromkeys((*NEWEST, solver)))
    with LiveLab([resolve(name, zoo) for name in names], Limits(seconds=seconds)) as lab:
        strategy = find_strategy(f"storm:{recipe.settings}", BY_NAME)
        makers = SubsetLab(lab, NEWEST)
        started = _cpu(lab)
        try:
            for number, mutant in enumerate(
                islice(strategy.mutants([recipe.seed], Random(rng), makers), most)
            ):
                answer = lab.ask(Request(solver, mutant.text))
                finished = " ".join(dict.fromkeys(map(str, answer.verdicts)))
                endings[finished or f"{answer.ending.kind}: {answer.ending.detail}"[:60]] += 1
                assertions.append(mutant.text.count("(assert "))
                if _is_wrong(mutant, answer.verdicts):
                    wrong.append((number + 1, mutant.text))
                if _cpu(lab) - started > cpu:
                    break
        except FalsumError as error:
            endings[f"{type(error).__name__}: {error}"] += 1
        shortest = min((text for _number, text in wrong), key=len, default="")

        def shows(mutant: Mutant) -> bool:
            return _is_wrong(mutant, lab.ask(Request(solver, mutant.text)).verdicts)

        small = None
        if shortest and isinstance(strategy, Storm):
            small = smallest_instance(strategy, Seed(recipe.name, shortest), shows, Random(rng), makers)
        confirmed = [lab.ask(Request(name, shortest)).verdicts for name in NEWEST] if shortest else []
        return {
            "tested": len(assertions),
            "mean assertions": round(sum(assertions) / max(1, len(assertions)), 1),
            "endings": dict(endings),
            "wrong": len(wrong),
            "first": wrong[0][0] if wrong else 0,
            "shortest": shortest,
            "minimised": small.text if small is not None else "",
            "newest": [[str(verdict) for verdict in verdicts] for verdicts in confirmed],
            "cpu": round(_cpu(lab) - started, 1),
        }


def _is_wrong(mutant: Mutant, verdicts: tuple[Any, ...]) -> bool:
    promised = mutant.claim.verdicts if mutant.claim is not None else ()
    return any(
        claim is not None and verdict.contradicts(claim)
        for verdict, claim in zip(verdicts, promised, strict=False)
    )


def _cpu(lab: LiveLab) -> float:
    return time.process_time() + lab.usage.cpu


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.papers.storm_pairs", __doc__)
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("pairs", type=Path, metavar="PAIRS", help="directory with recipes.tsv and the seeds")
    made.add_argument("--instances", type=int, default=1000, metavar="N", help="instances of a seed, at most")
    made.add_argument("--seconds", type=float, default=1.0, metavar="S", help="limit of a solver call")
    made.add_argument("--cpu", type=float, default=120.0, metavar="S", help="CPU seconds for a seed, at most")
    made.add_argument("--rng", type=int, default=0, metavar="N", help="random seed")
    return made


def main() -> None:
    args = parser().parse_args()
    by_name = {recipe.name: recipe for recipe in recipes(args.pairs)}

    def measured(unit: Unit) -> dict[str, Any]:
        recipe = by_name[unit["bug"]]
        return hunt(recipe, unit["solver"], args.instances, args.seconds, args.cpu, args.rng)

    units = [
        {"bug": recipe.name, "solver": solver, "rng": args.rng, "instances": args.instances}
        for recipe in by_name.values()
        for solver in recipe.solvers
    ]
    experiment = Experiment(args.directory, "storm-pairs")
    rows = []
    for record in experiment.run(units, measured):
        result = record.result
        rows.append(
            [
                record.unit["bug"],
                record.unit["solver"],
                result["tested"],
                result["mean assertions"],
                ", ".join(f"{count} {ending}" for ending, count in result["endings"].items()),
                result["wrong"],
                result["first"] or "–",
                f"{len(result['shortest'])} → {len(result['minimised'])}" if result["wrong"] else "–",
                "; ".join(" ".join(verdicts) or "–" for verdicts in result["newest"]) or "–",
            ]
        )
    heading = (
        "bug",
        "release",
        "instances",
        "assertions",
        "endings",
        "wrong unsat",
        "first",
        "newest z3; cvc5",
    )
    note = f"At most {args.instances} instances or {args.cpu:.0f} CPU seconds of a seed, --rng {args.rng}."
    print(experiment.write("STORM's published seeds", heading, rows, note=note))


if __name__ == "__main__":
    main()
