"""`falsum summary`: what a campaign did, and why seeds were left out and mutants rejected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from falsum.app import options
from falsum.app.terminal import echo
from falsum.campaign.library.batch import LibraryTally
from falsum.campaign.outcome import KILLED
from falsum.campaign.progress import duration_text
from falsum.campaign.search import seed_profile
from falsum.campaign.tally import FuzzTally
from falsum.errors import UsageError
from falsum.plural import counted
from falsum.store.reader import StoreReader
from falsum.store.records import BatchRecord, SeedRecord

# Of each list the first ones, unless all are asked for.
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was left out or rejected, how often, and for which seeds or solvers."""

    reason: str
    count: int
    names: tuple[str, ...]


@click.command()
@options.out
@click.option("--all", "shows_all", is_flag=True, help="List every reason and every name.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
def command(out: Path, *, shows_all: bool, as_json: bool) -> None:
    """Show what the last campaign in DIR did.

    Says why seeds were left out, which commands of seeds were not sent to solvers, why solvers rejected
    mutants, and which internal errors there were.
    """
    with StoreReader(out) as store:
        last = store.campaign()
        if last is None:
            raise UsageError(f"{out}: no campaign here")
        batches = store.batches(last.id)
        kinds = store.kinds(last.id)
        by_batch = [(batch, text) for batch, _place, text in store.faults(last.id)]
        solvers = () if "api" in last.plan else tuple(last.plan["solvers"])
        left_out = list(_left_out(store.all_seeds(), solvers))
    rejected = list(_rejected(batches, is_library="api" in last.plan))
    not_sent = [] if "api" in last.plan else list(_not_sent(batches))
    killed = {batch.number for batch in batches if batch.ending == KILLED}
    faults = [text for batch, text in by_batch if batch not in killed]
    given_up = [text for batch, text in by_batch if batch in killed]
    mutants = sum(batch.made for batch in batches)
    if as_json:
        fields: dict[str, Any] = {
            "campaign": last.id, "ended": last.ended, "elapsed": round(last.elapsed, 2), "plan": last.plan,
            "made": mutants, "findings": kinds, "left_out": [asdict(one) for one in left_out],
            "not_sent": [asdict(one) for one in not_sent],
            "rejected": [asdict(one) for one in rejected], "faults": faults,
            "given_up": given_up,
        }  # fmt: skip
        echo(json.dumps(fields))
        return
    what = "run" if "api" in last.plan else "mutant"
    findings = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "nothing wrong"
    echo(f"campaign {last.id}: {last.ended or 'not ended'} after {duration_text(last.elapsed)}")
    echo(f"{counted(mutants, what)} in {counted(len(batches), 'batch', 'batches')}; found: {findings}")
    limit = None if shows_all else _SHOWN
    if "api" not in last.plan:
        _show("seeds left out", left_out, limit)
    if not_sent:
        _show("seeds with commands that were not sent", not_sent, limit)
    _show(f"{what}s rejected", rejected, limit)
    _show_texts("internal errors, which are bugs in falsum", faults, limit)
    _show_texts("batches given up, whose workers were killed time and again", given_up, limit)


def _left_out(seeds: Sequence[SeedRecord], solvers: Sequence[str]) -> Iterator[Reason]:
    """The seeds that were not used, by reason, the most frequent reason first."""
    names: dict[str, list[str]] = {}
    for seed in seeds:
        measures = {measure.solver: measure for measure in seed.measures}
        identities = [identity for identity in measures if identity.rpartition("=")[0] in solvers]
        if reason := seed.filtered or seed_profile.useless(measures, identities):
            names.setdefault(reason, []).append(seed.name)
    for reason in sorted(names, key=lambda each: (-len(names[each]), each)):
        yield Reason(reason, len(names[reason]), tuple(names[reason]))


def _rejected(batches: Sequence[BatchRecord], *, is_library: bool) -> Iterator[Reason]:
    """The messages of solvers about mutants that they rejected, or of libraries about calls."""
    counts: dict[str, dict[str, int]] = {}
    for batch in batches:
        if is_library:
            tally = msgspec.convert(batch.tally, LibraryTally)
            rejections = {batch.seed: tally.errors}
        else:
            rejections = msgspec.convert(batch.tally, FuzzTally).rejections
        _add(counts, rejections)
    for message, by_solver in sorted(counts.items(), key=lambda item: (-sum(item[1].values()), item[0])):
        yield Reason(message, sum(by_solver.values()), tuple(by_solver))


def _not_sent(batches: Sequence[BatchRecord]) -> Iterator[Reason]:
    """The parts of seeds that were not sent to solvers, with numbers of seeds and the solvers."""
    counts: dict[str, dict[str, int]] = {}
    for batch in batches:
        _add(counts, msgspec.convert(batch.tally, FuzzTally).not_sent)
    for what, by_solver in sorted(counts.items(), key=lambda item: (-max(item[1].values()), item[0])):
        yield Reason(what, max(by_solver.values()), tuple(by_solver))


def _add(counts: dict[str, dict[str, int]], more: dict[str, dict[str, int]]) -> None:
    """Add counts by solver and message to counts by message and solver."""
    for solver, messages in more.items():
        for message, count in messages.items():
            by_solver = counts.setdefault(message, {})
            by_solver[solver] = by_solver.get(solver, 0) + count


def _show(title: str, reasons: Sequence[Reason], limit: int | None) -> None:
    total = sum(reason.count for reason in reasons)
    echo(f"\n{title}: {total}")
    for reason in reasons[:limit]:
        echo(f"  {reason.count} × {reason.reason}")
        for name in reason.names[:limit]:
            echo(f"      {name}")
        if limit is not None and len(reason.names) > limit:
            echo(f"      and {len(reason.names) - limit} more")
    _show_rest(len(reasons), limit, "reason")


def _show_texts(title: str, texts: Sequence[str], limit: int | None) -> None:
    if not texts:
        return
    echo(f"\n{title}: {len(texts)}")
    for text in texts[:limit]:
        lines = text.strip().splitlines()
        echo(f"  {lines[-1]}" if limit is not None else "\n".join(f"  {line}" for line in lines))
    _show_rest(len(texts), limit, "message")


def _show_rest(count: int, limit: int | None, noun: str) -> None:
    if limit is not None and count > limit:
        echo(f"  and {counted(count - limit, f'more {noun}')}; --all shows all")
