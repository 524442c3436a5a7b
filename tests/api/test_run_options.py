"""Options of runs: of the solver's name, of features, and random ones that the library accepts."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.api.conftest import Make, library_named

from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.errors import UsageError


def options_of(make: Make, name: str, runs: int, settings: Settings) -> list[dict[str, str]]:
    """The options that each run sets."""
    fuzzer = make(name, settings)
    found = []
    for number in range(runs):
        result = fuzzer.run(number)
        assert result.status is not RunStatus.REFUSED or result.kind != "set-option", result.evidence
        found.append(
            {s.line.args[0]: s.line.args[1] for s in result.trace.steps if s.line.word == "set-option"}
        )
    return found


@pytest.mark.parametrize(
    "name",
    [
        "cvc5:nonsense=true",
        "bitwuzla:nonsense=true",
        "z3:nonsense=true",
        "bitwuzla:rewrite-level=many",
        "yices:a=b",
    ],
)
def test_options_that_the_library_refuses_are_an_error(name: str, make: Make) -> None:
    with pytest.raises(UsageError, match=f"{name} refuses {name.partition(':')[2]}: "):
        make(name)


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("bitwuzla:rewrite-level=0", "rewrite-level", "0"),
        ("cvc5:incremental=false", "incremental", "false"),
        ("z3:smt.arith.solver=2", "smt.arith.solver", "2"),
    ],
)
def test_options_of_the_name_are_set_in_every_run(name: str, option: str, value: str, make: Make) -> None:
    for options in options_of(make, name, 10, Settings(theories=("bitvectors", "ints"), compare=0)):
        assert options[option] == value


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bitwuzla", "produce-models produce-unsat-cores produce-unsat-assumptions produce-interpolants"),
        ("cvc5", "incremental produce-models produce-unsat-cores produce-unsat-assumptions"),
        ("boolector", "model-gen incremental"),
    ],
)
def test_what_features_need_is_on_in_some_runs_and_off_in_others(name: str, options: str, make: Make) -> None:
    drawn = options_of(make, name, 40, Settings(theories=("bitvectors",), options=0, compare=0))
    for option in options.split():
        values = Counter(each.get(option, "") for each in drawn)
        assert len(values) == 2, (option, values)
        assert min(values.values()) > 1, (option, values)


def test_calls_that_need_an_option_are_made_only_with_it(make: Make) -> None:
    fuzzer = make("bitwuzla", Settings(theories=("bitvectors",), options=0, compare=0))
    needed = {
        "get-value": "produce-models",
        "get-core": "produce-unsat-cores",
        "get-unsat-assumptions": "produce-unsat-assumptions",
        "extra interpolant": "produce-interpolants",
    }
    called = Counter[str]()
    for number in range(60):
        result = fuzzer.run(number)
        assert not result.is_wrong, result.evidence
        words = {" ".join((s.line.word, *s.line.args[:1])) for s in result.trace.steps}
        options = {step.line.args[0] for step in result.trace.steps if step.line.word == "set-option"}
        for call, option in needed.items():
            if any(word.startswith(call) for word in words):
                called[call] += 1
                assert option in options
    assert set(called) == set(needed)


def test_one_check_without_incremental_solving(make: Make) -> None:
    fuzzer = make("cvc5:incremental=false", Settings(theories=("bitvectors",), compare=0))
    for number in range(20):
        result = fuzzer.run(number)
        assert not result.is_wrong, result.evidence
        words = [step.line.word for step in result.trace.steps]
        assert words.count("check") <= 1
        assert "push" not in words


def test_number_and_classes_of_options(make: Make) -> None:
    settings = Settings(
        theories=("bitvectors",), options=1, max_options=6, option_classes=("self-check",), compare=0
    )
    fuzzer = make("cvc5", settings)
    listed = fuzzer.drawable_options()
    assert {"check-models", "check-proofs", "check-unsat-cores"} <= {option.name for option in listed}
    assert all(option.category == "self-check" for option in listed)
    experts = make("cvc5", Settings(option_classes=("expert",))).drawable_options()
    assert {option.category for option in experts} == {"expert"}
    drawn = options_of(make, "cvc5", 25, settings)
    counts = [len([name for name in options if name.startswith("check-")]) for options in drawn]
    assert max(counts) > 3


def test_options_that_are_refused_are_left_out(make: Make) -> None:
    """cvc5 lists options that this build does not have, or that exclude what the run needs."""
    settings = Settings(theories=("bitvectors", "quantifiers"), options=1, max_options=4, compare=0)
    fuzzer = make("cvc5", settings)
    results = [fuzzer.run(number) for number in range(40)]
    refused = [
        r.evidence for r in results if r.status is RunStatus.REFUSED and "option parsing" in r.evidence
    ]
    assert not refused


def test_a_run_does_not_depend_on_earlier_ones(make: Make) -> None:
    settings = Settings(theories=("bitvectors",), options=1, compare=0)
    first = make("cvc5", settings)
    for number in range(5):
        first.run(number)
    lines = [str(step.line) for step in first.run(7).trace.steps]
    assert [str(step.line) for step in make("cvc5", settings).run(7).trace.steps] == lines


def test_safe_options_of_cvc5(make: Make) -> None:
    settings = Settings(theories=("bitvectors",), options=1, option_classes=("safe",), compare=0)
    for options in options_of(make, "cvc5", 10, settings):
        assert options["safe-mode"] == "safe"
        assert "sets-exp" not in options


def test_an_unknown_class_is_refused(make: Make) -> None:
    with pytest.raises(UsageError, match="unknown class of options 'brave'; the classes are regular, expert"):
        make("bitwuzla", Settings(option_classes=("brave",)))


def test_safe_mode_is_no_finding(make: Make) -> None:
    """cvc5 has fewer theories, operators and features in it; what it has not is not drawn."""
    known: dict[str, tuple[str, ...]] = {"cvc5": ("ProofNodeManager::mkScope",)}  # docs/api-findings.md
    settings = Settings(option_classes=("safe",), options=1.0, compare=0, seconds=2.0, known=known)
    fuzzer = make("cvc5", settings)
    if "safe-mode" not in {option.name for option in fuzzer.solver.options(fuzzer.runner)}:
        pytest.skip("this release has no safe mode")
    results = [fuzzer.run(number) for number in range(40)]
    assert not [result.evidence for result in results if result.is_wrong]
    restricted = [r for r in results if any("safe-mode" in line.args for line in r.trace.lines)]
    assert len(restricted) == len(results)
    assert not [r for r in results if "floats" in r.trace.header["theories"]]
    assert sum(result.status is RunStatus.REFUSED for result in results) < len(results) // 4


@pytest.mark.parametrize(
    ("name", "count", "expected"),
    [("boolector", 60, "engine sat-solver fun-just"), ("yices", 35, "branching learn-eq randomness")],
)
def test_options_that_no_list_has_are_drawn(name: str, count: int, expected: str, make: Make) -> None:
    """A binding may list them itself; Boolector calls all but one of its own not tunable."""
    library_named(name)
    fuzzer = make(name, Settings(options=1.0, max_options=6, compare=0, seconds=2.0))
    drawable = {option.name for option in fuzzer.drawable_options()}
    assert len(drawable) >= count
    assert drawable.issuperset(expected.split())
    results = [fuzzer.run(number) for number in range(40)]
    assert not [result.evidence for result in results if result.is_wrong]
    drawn = {line.args[0] for result in results for line in result.trace.lines if line.word == "set-option"}
    assert len(drawn & drawable) > count // 2


def test_an_engine_for_bit_vectors_gets_no_functions(make: Make) -> None:
    library_named("boolector")
    fuzzer = make("boolector:engine=3", Settings(compare=0, seconds=2.0))
    theories = {theory for n in range(20) for theory in fuzzer.run(n).trace.header["theories"].split()}
    assert theories == {"core", "bitvectors"}
