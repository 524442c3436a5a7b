"""Counting findings by their properties."""

from __future__ import annotations

from pathlib import Path

import msgspec
from tests.app.pages.sample_store import make_store
from tests.app.report.example import RECORD, TRIAGE
from tests.store.test_merge import another, filled, home

from falsum.app.stats.counts import DEFAULT_OPTIONS, NO_LOGIC, NOT_JUDGED, UNKNOWN, count_by, read_facts
from falsum.campaign.triage import result
from falsum.store.finding_folder import RECORD_NAME
from falsum.store.states import FindingState, note_change


def triaged_store(folder: Path) -> Path:
    """Three findings: two triaged of one group, and one that is not triaged."""
    records = (RECORD, another("b"), another("c"))
    out = filled(folder, *records)
    for record in records[:2]:
        result.write(home(out, record), result.TRIAGE, msgspec.structs.replace(TRIAGE, digest=record.digest))
    note_change([home(out, RECORD)], FindingState.FIXED, release="5.0")
    return out


def rows(out: Path, name: str, **more: bool) -> dict[str, int]:
    return {value: total for value, _counts, total in count_by(name, read_facts(out, **more)).rows}


def test_triaged_findings_have_judged_defects_needed_options_and_bad_releases(tmp_path: Path) -> None:
    out = triaged_store(tmp_path)
    assert rows(out, "defect") == {"refutation unsoundness": 2, NOT_JUDGED: 1}
    assert rows(out, "kind") == {"disagreement": 3}
    assert rows(out, "option") == {"smt.arith.solver=2": 2, DEFAULT_OPTIONS: 1}
    assert rows(out, "release") == {"z3 4.8.6.0": 2, "z3 4.8.7.0": 2, UNKNOWN: 1}
    assert rows(out, "state") == {"fixed": 1, "triaged": 1, "new": 1}
    assert rows(out, "strategy") == {"typefuzz": 3}
    assert rows(out, "theory")["Arithmetic"] == 3


def test_logics_and_sizes_of_triggers(tmp_path: Path) -> None:
    seeds = (("seed.smt2", "(set-logic QF_LIA)" + " " * 1000),)
    short = msgspec.structs.replace(another("b"), script="(set-logic QF_NIA)(check-sat)", seeds=seeds)
    long = msgspec.structs.replace(another("c"), script="(check-sat)" + " " * 2000, seeds=seeds)
    none = msgspec.structs.replace(another("d"), script="( set-logic QF_NIA )", seeds=())
    out = filled(tmp_path, short, long, none)
    assert rows(out, "logic") == {"QF_NIA": 2, NO_LOGIC: 1}
    assert rows(out, "size") == {"smaller than its seeds": 1, "larger than its seeds": 1, UNKNOWN: 1}


def test_a_crash_after_other_scripts_has_the_theories_and_options_of_its_script(tmp_path: Path) -> None:
    """Its signature names no theories, and triage does not try to do without its options."""
    out = filled(tmp_path, RECORD)
    solver = "yices:mcsat=true"
    judgement = msgspec.structs.replace(TRIAGE.judgement, suspects=(solver,))
    signature = f"crash | {solver} | signal: SIGSEGV | after other scripts"
    made = msgspec.structs.replace(TRIAGE, signature=signature, judgement=judgement, options=())
    result.write(home(out, RECORD), result.TRIAGE, made)
    assert rows(out, "theory") == {"Arithmetic": 1}
    assert rows(out, "option") == {"mcsat=true": 1}


def test_one_finding_of_each_group(tmp_path: Path) -> None:
    out = triaged_store(tmp_path)
    assert rows(out, "defect", only_leaders=True) == {"refutation unsoundness": 1, NOT_JUDGED: 1}


def test_over_time_numbers_only_grow_up_to_all(tmp_path: Path) -> None:
    table = count_by("time", read_facts(make_store(tmp_path)))
    totals = [total for _moment, _counts, total in table.rows]
    assert table.grows
    assert totals == sorted(totals)
    assert totals[-1] == len(read_facts(tmp_path))


def test_a_finding_counts_for_each_of_its_products(tmp_path: Path) -> None:
    table = count_by("product", read_facts(make_store(tmp_path)))
    assert set(table.products) == {value for value, _counts, _total in table.rows}


def test_a_finding_whose_files_are_damaged_is_counted(tmp_path: Path) -> None:
    out = filled(tmp_path, RECORD)
    (home(out, RECORD) / RECORD_NAME).write_text("{")
    assert rows(out, "strategy") == {UNKNOWN: 1}
    assert rows(out, "kind") == {"disagreement": 1}


def test_an_empty_store(tmp_path: Path) -> None:
    out = filled(tmp_path)
    assert read_facts(out) == []
    assert count_by("time", []).rows == count_by("kind", []).rows == ()
