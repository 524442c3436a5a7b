"""Tables that papers make of their findings, from a store of falsum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.experiment import Experiment

from falsum.app.stats.count_charts import svg
from falsum.app.stats.count_formats import cells, headings
from falsum.app.stats.counts import CountTable, count_by, read_facts


def write_tables(directory: Path, paper: str, store: Path, tables: Sequence[tuple[str, str, str]]) -> None:
    """For each table its name, its title and the property that it counts by; one finding of each group."""
    facts = read_facts(store, only_leaders=True)
    for name, title, counted_by in tables:
        table = count_by(counted_by, facts)
        print(
            Experiment(directory, f"{paper}-{name}").write(
                title,
                headings(table),
                cells(table),
                note=f"{len(facts)} groups of findings.",
                chart=partial(_draw, table),
            )
        )


def _draw(table: CountTable, file: Path) -> None:
    file.write_text(svg(table), encoding="utf-8")
