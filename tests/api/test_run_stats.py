"""Statistics of runs, and what settings leave out."""

from __future__ import annotations

import pytest
from tests.api.conftest import Make

from falsum.api.model.settings import Settings
from falsum.api.run_stats import RunStats
from falsum.api.trace import read_line
from falsum.errors import UsageError


def test_actions_are_counted_by_state(make: Make) -> None:
    fuzzer = make("bitwuzla", Settings(options=0, compare=0))
    stats = RunStats(fuzzer.visits)
    results = [fuzzer.run(number) for number in range(20)]
    for result in results:
        stats.add(result)
    rows = list(stats.rows())
    assert rows[0] == "endings: 20"
    assert stats.visits["new", "new"] == 20
    assert stats.visits["assert", "assert"] > 20
    assert any(action.startswith("extra ") for _state, action in stats.visits)
    made = sum(line.word == "term" for result in results for line in result.trace.lines)
    assert f"operators: {made}" in rows


def test_theories_can_be_left_out(make: Make) -> None:
    fuzzer = make("z3", Settings(without=("strings", "floats", "sets"), options=0, compare=0))
    drawn = {t for number in range(40) for t in fuzzer.run(number).trace.header["theories"].split()}
    assert not drawn & {"strings", "floats", "sets"}
    assert {"ints", "bitvectors"} <= drawn
    with pytest.raises(UsageError, match="unknown theory sting"):
        make("z3", Settings(without=("sting",))).allowed_theories()


def test_operators_can_be_left_out(make: Make) -> None:
    settings = Settings(theories=("bitvectors",), without_operators=("bvs*", "concat"), options=0, compare=0)
    fuzzer = make("bitwuzla", settings)
    lines = [line for number in range(30) for line in fuzzer.run(number).trace.lines if line.word == "term"]
    operators = {line.args[0].partition("[")[0] for line in lines}
    assert operators & {"bvadd", "bvult"}
    assert not [name for name in operators if name.startswith("bvs") or name == "concat"]
    with pytest.raises(UsageError, match="no operator is called bvsmood"):
        make("bitwuzla", Settings(without_operators=("bvsmood",), options=0, compare=0)).run(0)


def test_options_can_be_chosen_by_pattern(make: Make) -> None:
    fuzzer = make("cvc5", Settings(option_names=("nl-*", "bv-*")))
    names = [option.name for option in fuzzer.drawable_options()]
    assert names
    assert all(name.startswith(("nl-", "bv-")) for name in names)
    with pytest.raises(UsageError, match="cvc5 has no option like nonsense-"):
        make("cvc5", Settings(option_names=("nonsense-*",))).drawable_options()


@pytest.mark.parametrize("name", ["z3", "cvc5", "bitwuzla"])
def test_symbols_that_must_be_quoted_are_no_finding(name: str, make: Make) -> None:
    """Reading back is left out: z3 does not quote `0x4`, and Bitwuzla does not read all that it prints."""
    weights = {f"{state}.extra read-back": 0.0 for state in ("sat", "unsat")}
    settings = Settings(random_symbols=True, options=0, compare=0, weights=weights, seconds=2.0)
    fuzzer = make(name, settings)
    results = [fuzzer.run(number) for number in range(25)]
    assert not [result.evidence for result in results if result.is_wrong]
    names = {line.args[1] for each in results for line in each.trace.lines if line.word == "const"}
    assert any(" " in each for each in names)
    assert any("é" in each for each in names)


def test_a_symbol_may_have_blanks() -> None:
    line = read_line("t1 = const s1 a b7 #3")
    assert (line.args, line.variant) == (("s1", "a b7"), 3)
    assert read_line(str(line)) == line
