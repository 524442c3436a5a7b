"""CountTable: how many findings of a store have each kind, theory, strategy …, by product."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from packaging.version import InvalidVersion, Version

from falsum.app.pages.finding_index import FindingIndex, FindingRow
from falsum.campaign.triage import result
from falsum.campaign.triage.result import Triage
from falsum.defects.targets.standing import Standing
from falsum.errors import SurroundingsError
from falsum.solvers.names import product_of
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.records import FindingRecord
from falsum.store.store import FINDINGS

UNKNOWN: Final = "not known"
NOT_JUDGED: Final = "not judged"
DEFAULT_OPTIONS: Final = "default"
NO_THEORY: Final = "Core"
NO_LOGIC: Final = "no logic"
_LOGIC: Final = re.compile(r"\(\s*set-logic\s+([^\s()]+)\s*\)")
_STEPS: Final = (3600, 6 * 3600, 86400, 7 * 86400, 28 * 86400)
_MOST_STEPS: Final = 30


@dataclass(frozen=True, slots=True)
class FindingFacts:
    """The properties by which a finding is counted: `kind` is the name of the oracle that found it, `defect`
    what the judge calls it; `releases` are those known to show it. `logic` is that of its script; `size`
    compares its length with that of its seeds.
    """

    kind: str
    defect: str
    products: tuple[str, ...]
    theories: tuple[str, ...]
    logic: str
    size: str
    strategy: str
    options: tuple[str, ...]
    releases: tuple[str, ...]
    state: str
    first_seen: float


@dataclass(frozen=True, slots=True)
class CountTable:
    """Counts by one property: for each of its values one number per product, and the number of findings.

    A finding with several values (theories, releases) is counted with each. If `grows`, the values are
    moments and the numbers are sums up to then.
    """

    name: str
    products: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...], int], ...]
    grows: bool = False


def read_facts(out: Path, *, only_leaders: bool = False) -> list[FindingFacts]:
    """The findings of a store, the oldest first; with `only_leaders` one of each group."""
    index = FindingIndex(out)
    with StoreReader(out) as store:
        index.refresh(store)
    rows = [row for row in index.current.rows if not only_leaders or row.group in ("", row.digest)]
    return [_facts(row, out / FINDINGS / row.folder) for row in sorted(rows, key=lambda row: row.first_seen)]


def _facts(row: FindingRow, folder: Path) -> FindingFacts:
    try:
        record, triage = finding_folder.read(folder), result.read(folder)
    except SurroundingsError:
        record, triage = None, None  # the list of findings says that it cannot be read
    return FindingFacts(
        kind=row.kind,
        defect=row.defect or NOT_JUDGED,
        products=row.products or (UNKNOWN,),
        theories=row.theories or (NO_THEORY,),
        logic=_logic(record),
        size=_size(record),
        strategy=record.strategy if record is not None else UNKNOWN,
        options=_options(row, triage),
        releases=_releases(row, record, triage),
        state=row.state,
        first_seen=row.first_seen,
    )


def _logic(record: FindingRecord | None) -> str:
    logic = _LOGIC.search(record.script) if record is not None else None
    return UNKNOWN if record is None else logic[1] if logic else NO_LOGIC


def _size(record: FindingRecord | None) -> str:
    """Whether the script, before reduction, is smaller or larger than its seeds together."""
    if record is None or not record.seeds or not record.script:
        return UNKNOWN
    own, seeds = len(record.script), sum(len(text) for _name, text in record.seeds)
    if own == seeds:
        return "as long as its seeds"
    return "smaller than its seeds" if own < seeds else "larger than its seeds"


def _options(row: FindingRow, triage: Triage | None) -> tuple[str, ...]:
    """The options that the finding needs; all those of the suspects if triage has not tried to drop any."""
    if triage is not None and triage.options:
        options = [option.option for option in triage.options if option.is_needed]
    else:
        options = [option for name in row.suspects for option in _settings(name)]
    return tuple(dict.fromkeys(options)) or (DEFAULT_OPTIONS,)


def _settings(solver: str) -> list[str]:
    product, _, settings = solver.partition(":")
    return [one for one in settings.split(",") if one] if "/" not in product else []


def _releases(row: FindingRow, record: FindingRecord | None, triage: Triage | None) -> tuple[str, ...]:
    if triage is not None and triage.bisection is not None:
        bad = [each.release for each in triage.bisection.rows if each.standing is Standing.BAD]
        if bad:
            return tuple(f"{triage.bisection.product} {release}" for release in bad)
    if triage is not None and triage.release:
        return (f"{triage.product} {triage.release}",)
    if record is None:
        return (UNKNOWN,)
    if record.trace is not None:
        return (f"{product_of(record.trace.solver)} {record.trace.version}",)
    exchanges = [one for one in record.exchanges if one.solver in row.suspects]
    return tuple(dict.fromkeys(f"{product_of(one.solver)} {one.version}" for one in exchanges)) or (UNKNOWN,)


_VALUES: Final[dict[str, Callable[[FindingFacts], Iterable[str]]]] = {
    "kind": lambda facts: (facts.kind,),
    "defect": lambda facts: (facts.defect,),
    "product": lambda facts: facts.products,
    "theory": lambda facts: facts.theories,
    "logic": lambda facts: (facts.logic,),
    "size": lambda facts: (facts.size,),
    "strategy": lambda facts: (facts.strategy,),
    "option": lambda facts: facts.options,
    "release": lambda facts: facts.releases,
    "state": lambda facts: (facts.state,),
}
TIME: Final = "time"
PROPERTIES: Final = (*_VALUES, TIME)


def count_by(name: str, findings: Sequence[FindingFacts]) -> CountTable:
    """The table of one property; the most frequent value first, releases in their order."""
    products = tuple(
        product
        for product, _count in Counter(one for facts in findings for one in facts.products).most_common()
    )
    if name == TIME:
        return _over_time(findings, products)
    having: dict[str, list[FindingFacts]] = {}
    for facts in findings:
        for value in dict.fromkeys(_VALUES[name](facts)):
            having.setdefault(value, []).append(facts)
    rows = [(value, _by_product(found, products), len(found)) for value, found in having.items()]
    rows.sort(key=lambda row: _release_key(row[0]) if name == "release" else (-row[2], row[0]))
    return CountTable(name, products, tuple(rows))


def _by_product(findings: Sequence[FindingFacts], products: Sequence[str]) -> tuple[int, ...]:
    return tuple(sum(product in facts.products for facts in findings) for product in products)


def _release_key(value: str) -> tuple[str, bool, Version | str]:
    product, _, release = value.partition(" ")
    try:
        return product, False, Version(release)
    except InvalidVersion:
        return product, True, release


def _over_time(findings: Sequence[FindingFacts], products: tuple[str, ...]) -> CountTable:
    """The number of findings at the end of each time step, from the first finding to the last."""
    if not findings:
        return CountTable(TIME, products, (), grows=True)
    times = [facts.first_seen for facts in findings]
    step = next(
        (one for one in _STEPS if (max(times) - min(times)) / one < _MOST_STEPS), _STEPS[-1]
    )  # fmt: skip
    rows = []
    for number in range(int(min(times) // step) + 1, int(max(times) // step) + 2):
        so_far = [facts for facts in findings if facts.first_seen < number * step]
        moment = datetime.fromtimestamp(number * step, UTC).strftime("%Y-%m-%d %H:%M")
        rows.append((moment, _by_product(so_far, products), len(so_far)))
    return CountTable(TIME, products, tuple(rows), grows=True)
