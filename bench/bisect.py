"""Bisection of known bugs over the installed releases: does it give the releases that are known?

    python -m bench.bisect KNOWN_BUGS [--count N] [--product P…] [--only ID…] [--jobs N] [--show]

KNOWN_BUGS has `bugs.tsv` (id, kind, config, solver, releases, fixed_in, expected, observed, trigger, …) and
the triggers. Only bugs that show with default options are taken (also by what the trigger itself says),
evenly over the list. Compared are the releases that the list names anywhere: between them nobody knows. A
release that leaves it open (unknown, time-out, another crash) agrees with neither and is counted apart.
Install the releases first: `falsum solvers add z3@4.8.6 …`.
"""

from __future__ import annotations

import csv
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

from falsum.campaign.bisection import Bisection, bisect, sentence
from falsum.campaign.probing import Prober, readable
from falsum.campaign.symptom import Kind, Standing, Symptom, message_of
from falsum.smtlib.verdict import Verdict
from falsum.solvers.limits import Limits
from falsum.solvers.profiles.profile import numbers
from falsum.solvers.question import Want

_PRODUCTS = {"z3": "z3", "cvc4/cvc5": "cvc5"}
_SYSTEM_ONLY = {"1.8"}  # cvc4, another product


def _order(release: str) -> tuple[int, ...]:
    """cvc4's 1.8 came before all of cvc5."""
    return () if release in _SYSTEM_ONLY else numbers(release)


@dataclass(frozen=True)
class Bug:
    id: str
    kind: str
    product: str
    spans: tuple[tuple[str, str], ...]
    fixed_in: str
    expected: str
    observed: str
    trigger: Path

    def is_bad(self, release: str) -> bool:
        return any(_order(low) <= _order(release) <= _order(high) for low, high in self.spans)

    @property
    def symptom(self) -> Symptom | None:
        if self.kind.endswith("-soundness"):
            pairs = list(zip(self.expected.split(","), self.observed.split(","), strict=False))
            for check, (right, wrong) in enumerate(pairs):
                if {right, wrong} == {"sat", "unsat"}:
                    return Symptom(Kind.WRONG_VERDICT, check=check, truth=Verdict(right))
            return None
        if self.kind == "invalid-model":
            return Symptom(Kind.INVALID_MODEL, Want.MODEL)
        return Symptom(Kind.CRASH) if self.kind == "crash" else None


def read_bugs(home: Path) -> tuple[list[Bug], dict[str, set[str]]]:
    """The bugs, and for each product the releases the list speaks of."""
    bugs, named = [], {product: set[str]() for product in _PRODUCTS.values()}
    with (home / "bugs.tsv").open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            product = _PRODUCTS.get(row["solver"])
            if product is None:
                continue
            spans = []
            for span in row["releases"].split(", "):
                low, _, high = span.partition("..")
                spans.append((low, high or low))
            named[product].update(release for span in spans for release in span)
            fixed = row["fixed_in"].partition("-")[2]
            if numbers(fixed):
                named[product].add(fixed)
            if row["config"] == "default" and row["tier"] == "1":
                bug = Bug(
                    row["id"], row["kind"], product, tuple(spans), fixed, row["expected"], row["observed"],
                    home / row["trigger"],
                )  # fmt: skip
                if bug.symptom is not None and spans != [("1.8", "1.8")] and not _asks_options(bug.trigger):
                    bugs.append(bug)
    return bugs, {product: releases - _SYSTEM_ONLY for product, releases in named.items()}


def _asks_options(trigger: Path) -> bool:
    """Regressions name their options in a comment."""
    return "COMMAND-LINE:" in trigger.read_text(errors="surrogateescape")


def run(bug: Bug, jobs: int, cache: Path) -> Bisection:
    symptom = bug.symptom
    assert symptom is not None
    text = bug.trigger.read_text(errors="surrogateescape")
    with Prober(bug.product, text, symptom, Limits(seconds=10.0), cache=cache) as prober:
        if symptom.kind is not Kind.CRASH:
            return bisect(prober, jobs)
        known = [one for one in readable(prober.zoo, prober.profile) if bug.is_bad(one.release)]
        answers = [answer for one in reversed(known) if (answer := prober.answer(one)).crashed]
    # The list does not word the crash: what the newest release says that crashes as it should.
    message = message_of(answers[0]) if answers else ""
    with Prober(
        bug.product, text, Symptom(Kind.CRASH, message=message), Limits(seconds=10.0), cache=cache
    ) as prober:
        return bisect(prober, jobs)


def compared(bug: Bug, found: Bisection, named: set[str]) -> tuple[list[str], list[str], int]:
    """Releases we call otherwise than the list, those we leave open, and how many were compared."""
    wrong, left_open, count = [], [], 0
    for row in found.rows:
        if row.release not in named:
            continue
        count += 1
        if row.standing.decided or row.standing is Standing.CRASHES:
            if (row.standing is not Standing.GOOD) is not bug.is_bad(row.release):
                wrong.append(f"{row.release} {row.standing} ({row.said})")
        elif bug.is_bad(row.release):
            left_open.append(f"{row.release} {row.standing}")
    return wrong, left_open, count


@click.command()
@click.argument("home", type=click.Path(exists=True, path_type=Path), metavar="KNOWN_BUGS")
@click.option("--count", type=int, default=10, show_default=True)
@click.option("--product", "products", multiple=True, default=("z3", "cvc5"), show_default=True)
@click.option("--only", multiple=True)
@click.option("--jobs", type=int, default=2, show_default=True)
@click.option("--show", is_flag=True, help="Show the table of every bug.")
def main(
    home: Path, count: int, products: tuple[str, ...], only: tuple[str, ...], jobs: int, *, show: bool
) -> None:
    """Bisect known bugs."""
    bugs, named = read_bugs(home)
    chosen = [bug for bug in bugs if bug.id in only or (not only and bug.product in products)]
    if not only:
        chosen = [chosen[place * len(chosen) // count] for place in range(min(count, len(chosen)))]
    right = contained = 0
    with tempfile.TemporaryDirectory() as cache:
        for bug in chosen:
            try:
                found = run(bug, jobs, Path(cache))
            except Exception as error:
                click.echo(f"NOT {bug.id} {bug.kind} {bug.product}: a fault of ours: {error!r}")
                continue
            wrong, left_open, seen = compared(bug, found, named[bug.product])
            right += not wrong and bool(found.spans)
            missed = [
                one for one in wrong if bug.is_bad(one.split()[0]) or one.startswith(f"{bug.fixed_in} ")
            ]
            contained += not missed and bool(found.spans)
            known = ", ".join(f"{low}..{high}" if low != high else low for low, high in bug.spans)
            click.echo(f"{'ok ' if not wrong and found.spans else 'NOT'} {bug.id} {bug.kind} {bug.product}")
            click.echo(f"    known {known}, fixed in {bug.fixed_in}; we: {sentence(found)}")
            click.echo(
                f"    {seen} releases compared; otherwise: {wrong or 'none'}; open: {left_open or 'none'}"
            )
            if show:
                for row in found.rows:
                    click.echo(f"      {row.release:16} {row.standing:18} {row.said}")
    click.echo(
        f"{right} of {len(chosen)} bugs have the releases that are known; {contained} show on all of these"
        " and not on the one with the fix, some of them on more"
    )


if __name__ == "__main__":
    main()
