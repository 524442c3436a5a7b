"""The contract of bindings: all behave alike, and each supports what it declares."""

from __future__ import annotations

from random import Random

import pytest
from tests.api.conftest import Make

from falsum.api.actions import ALL, BY_NAME, BY_WORD
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.capabilities import Capabilities
from falsum.api.model.mirror import Mirror
from falsum.api.model.random_terms import draw_operator
from falsum.api.model.settings import Bounds, Settings
from falsum.api.model.theories import OPERATORS_OF, sorts_of
from falsum.api.run_result import RunStatus
from falsum.api.trace import OK, Line, Trace, from_lines, read_trace
from falsum.smtlib.theories import NAMED_VALUES, OPERATORS

TRUE = NAMED_VALUES["true"]

COMMON_TRACE = """
s1 = sort Bool
s2 = sort BitVec 8
t1 = const s2 x
t2 = value s2 #x0f
t3 = value s2 15 #1
t4 = value s2 #b00001111 #1
t5 = value s2 15 #2
t6 = term = t2 t3 t4 t5
t7 = term bvult t1 t2
t8 = term not t7
assert t6
assert t7
check
get-value t1 t7
one-shot t6 t7
push 1
assert t8
check
get-core
pop 1
check t6 t8
get-unsat-assumptions
check
get-assertions
get-sort t7
get-sort t1
get-children t7
print t7
reset-assertions
assert t8
check
reset
new
s1 = sort BitVec 1
t1 = const s1 x
delete
"""


def capabilities_of(fuzzer: Fuzzer) -> Capabilities:
    return fuzzer._usable_child().capabilities


def start(fuzzer: Fuzzer, *theories: str) -> list[Line]:
    """A new solver with all features."""
    return [Line("new"), *(step.line for step in fuzzer.required_steps(theories))]


def test_a_trace_that_every_library_executes(product: str, make: Make) -> None:
    execute_common_trace(make(product, Settings(seconds=20)))


def test_a_trace_that_every_program_executes(piped: str, make: Make) -> None:
    execute_common_trace(make(piped, Settings(seconds=20, pipe=True)))


def execute_common_trace(fuzzer: Fuzzer) -> None:
    """What a library does not support is skipped."""
    capabilities = capabilities_of(fuzzer)
    lines = (*start(fuzzer), *read_trace(COMMON_TRACE).lines)
    result = fuzzer.replay(from_lines(lines, {"theories": "core bitvectors"}))
    assert result.status is RunStatus.DONE, result.evidence
    last = "sat" if capabilities.has("reset-assertions") else "unsat"
    assert result.verdicts == ("sat", "unsat", "unsat", "sat", last)
    said = {str(step.line): step.reply.text for step in result.trace.steps}
    assert said["get-unsat-assumptions"] == "t8"
    if capabilities.has("cores"):
        assert {"t7", "t8"} <= set(said["get-core"].split())
    if capabilities.has("assertions"):
        # A library may return a formula simplified, and then it has no name.
        assert "t7" in said["get-assertions"].split()
        assert "t8" not in said["get-assertions"].split()
    if capabilities.has("one-shot"):
        assert said["one-shot t6 t7"] == "sat"
    if capabilities.has("sort-of"):
        assert said["get-sort t1"] == "(_ BitVec 8)"
    if capabilities.has("children"):
        assert said["get-children t7"].split()
    if capabilities.has("print"):
        assert "bvult" in said["print t7"]


DATATYPES = """
s1 = sort Bool
s2 = datatypes D!s2=c2a|c2b|c2c
s3 s4 = datatypes D!s3=c3a|c3b(f3b0:s1,f3b1:s4) D!s4=c4a|c4b(f4b0:s3,f4b1:s2)
t1 = const s3 x1
t2 = term is:c3b t1
t3 = term get:f3b1 t1
t4 = term make:c2b
t5 = term make:c3a
t6 = term make:c4b t5 t4
t7 = term = t3 t6
t8 = term set:f3b0 t1 t2
t9 = term get:f3b0 t8
t10 = term not t9
assert t2
assert t7
check
get-value t1 t3 t7
one-shot t2 t7
assert t10
check
"""


@pytest.mark.parametrize("name", ["z3", "cvc5", "z3@system", "cvc5@system", "cvc4"])
def test_datatypes_of_all_kinds(name: str, make: Make) -> None:
    """Enumeration, record, mutual recursion; constructors, selectors, testers, updaters."""
    fuzzer = make(name, Settings(seconds=20))
    capabilities = capabilities_of(fuzzer)
    lines = (*start(fuzzer), *read_trace(DATATYPES).lines)
    result = fuzzer.replay(from_lines(lines, {"theories": "core datatypes"}))
    assert result.status is RunStatus.DONE, result.evidence
    has_updaters = capabilities.has("updaters")
    assert result.verdicts == ("sat", "unsat" if has_updaters else "sat")
    assert result.skipped == (0 if has_updaters else 4)
    said = {str(step.line): step.reply.text for step in result.trace.steps}
    assert "c2b" in said["get-value t1 t3 t7"].split("\t")[1]
    assert said["one-shot t2 t7"] == "sat"


@pytest.mark.slow
def test_programs_survive_many_runs(piped: str, make: Make) -> None:
    """Each run is a process of its own; nothing is left when the child is closed."""
    fuzzer = make(piped, Settings(theories=("bitvectors", "uf"), options=0, pipe=True, seconds=20))
    for number in range(4):
        result = fuzzer.run(number)
        assert not result.is_wrong, f"{number}: {result.evidence}"


def world(fuzzer: Fuzzer) -> tuple[Mirror, list[Line]]:
    """Sorts, constants and values of every kind a library has."""
    capabilities = capabilities_of(fuzzer)
    theories = tuple(t for t, sorts in sorts_of().items() if set(sorts) <= set(capabilities.sorts))
    formats = {(8, 24): 1.0, (5, 11): 1.0, (3, 5): 1.0}
    mirror = Mirror(capabilities, Bounds(sorts=45, nodes=60), theories, float_weights=formats)
    lines = start(fuzzer, *theories)
    rng = Random(1)
    # The parts of floats, and the whole.
    widths = {n: None for e, s in formats for n in (1, e, s - 1, e + s)}
    lines += [Line("sort", ("BitVec", str(n)), (f"s{place}",)) for place, n in enumerate(widths, 1)]
    usual = {"Bool": ["true", "false"], "Int": ["3", "-7"], "Real": ["1/2"], "String": ['"a"', '"b"']}
    for place, name in enumerate((each for each in usual if each in capabilities.sorts), len(widths) + 1):
        lines.append(Line("sort", (name,), (f"s{place}",)))
        lines += [
            Line("value", (f"s{place}", text), (f"t{2 * place + n}",)) for n, text in enumerate(usual[name])
        ]
    lines += composed(capabilities, 60)
    names = ["sort"] * 300 + ["const"] * 150 + ["value"] * 150 + ["special"] * 30
    for line in lines:
        BY_WORD[line.word].apply(mirror, line, OK)
    for name in names:
        action = BY_NAME[name]
        drawn = action.draw(mirror, rng) if action.is_ready(mirror) else None
        if drawn is not None:
            BY_WORD[drawn.word].apply(mirror, drawn, OK)
            lines.append(drawn)
    return mirror, lines


def composed(capabilities: Capabilities, first: int) -> list[Line]:
    """Sets as arrays, sequences to map, relations and tables: what is rarely drawn."""
    wanted = [
        ("Bool",), ("Int",), ("Array", "s{0}", "s{0}"), ("Seq", "s{0}"), ("Tuple", "s{1}", "s{1}"),
        ("Tuple", "s{1}"), ("Set", "s{4}"), ("Set", "s{5}"), ("Bag", "s{4}"), ("Nullable", "s{0}"),
    ]  # fmt: skip
    names = [first + place for place in range(len(wanted))]
    made = set[str]()
    lines = []
    for (name, *args), number in zip(wanted, names, strict=True):
        given = [arg.format(*names) for arg in args]
        if name in capabilities.sorts and made.issuperset(given):
            made.add(f"s{number}")
            lines.append(Line("sort", (name, *given), (f"s{number}",)))
            lines.append(Line("const", (f"s{number}", f"k{number}"), (f"t{number + 200}",)))
    return lines


def needs_functions(name: str) -> bool:
    """Whether functions are arguments: that takes a higher-order logic, and functions of the right sorts."""
    signatures = OPERATORS[name].signatures
    return bool(signatures) and all(any(arg.name == "->" for arg in each.args) for each in signatures)


def test_every_operator_it_has_makes_terms_of_our_sort(product: str, make: Make) -> None:
    fuzzer = make(product, Settings(seconds=60))
    capabilities = capabilities_of(fuzzer)
    mirror, lines = world(fuzzer)
    rng = Random(2)
    made = set()
    for _round in range(2):
        for name in capabilities.operators:
            line = next(filter(None, (draw_operator(name, mirror, rng) for _ in range(60))), None)
            if line is not None and len(lines) < 3000:
                BY_WORD["term"].apply(mirror, line, OK)
                lines += [line, Line("get-sort", line.results)]  # left out where there is no such call
                made.add(name)
    result = fuzzer.replay(Trace(from_lines(lines).steps, {"theories": " ".join(mirror.theories)}))
    assert result.status is RunStatus.DONE, f"{result.trace.steps[-1]} {result.evidence}"
    missing = set(capabilities.operators) - made - {"apply", "forall", "exists"}
    assert {name for name in missing if not needs_functions(name)} == set()


def test_what_it_computes_is_what_our_evaluator_computes(product: str, make: Make) -> None:
    """Every operator on values: the value it gives is compared by the checks."""
    fuzzer = make(product, Settings(seconds=60))
    capabilities = capabilities_of(fuzzer)
    mirror, lines = world(fuzzer)
    rng = Random(3)
    values = [known for known in mirror.terms.values() if known.role == "value"]
    mirror.by_sort.clear()
    for known in values:
        mirror.by_sort.setdefault(known.sort, []).append(known)
    terms = []
    # Powers of powers are too large to write down.
    apart = OPERATORS_OF["extended-arithmetic"]
    for name in (each for each in capabilities.operators if each not in apart):
        for _ in range(2):
            line = next(filter(None, (draw_operator(name, mirror, rng) for _ in range(40))), None)
            if line is not None:
                BY_WORD["term"].apply(mirror, line, OK)
                terms.append(line)
    asked = [line for line in terms if mirror.entry(line.results[0]).sort.name != "RegLan"]
    truth = next(known.name for known in values if known.term is TRUE)
    ending = [Line("assert", (truth,)), Line("check"), *(Line("get-value", line.results) for line in asked)]
    trace = from_lines([*lines, *terms, *ending], {"theories": " ".join(mirror.theories)})
    result = fuzzer.replay(trace)
    assert result.status is RunStatus.DONE, f"{result.trace.steps[-1]} {result.evidence}"
    assert len(asked) > 50


def test_its_own_actions_are_carried_out(product: str, make: Make) -> None:
    """Most of them in some runs, without a complaint."""
    extras = capabilities_of(make(product)).extras
    # What is asked about an answer above all; of the rest little, or a run never comes to an answer.
    weights = {
        f"{extra.states[0]}.extra {extra.name}": 60.0 if extra.states[0] in ("sat", "unsat") else 4.0
        for extra in extras
        if extra.states
    }
    bounds = Bounds(actions=120)
    fuzzer = make(
        product, Settings(theories=("bitvectors",), weights=weights, options=0, seconds=2, bounds=bounds)
    )
    seen: set[str] = set()
    for number in range(30):
        if len(seen) >= 0.6 * len(extras):
            break
        result = fuzzer.run(number)
        assert not result.is_wrong, f"{number}: {result.evidence}"
        seen |= {step.line.args[0] for step in result.trace.steps if step.line.word == "extra"}
    assert len(seen) >= 0.6 * len(extras), {extra.name for extra in extras} - seen


def test_actions_have_what_an_action_has() -> None:
    for action in ALL:
        assert action.name
        assert action.word
        assert BY_WORD[action.word].has_reply == action.has_reply
    assert len(BY_NAME) == len(ALL)


RESET = """
new
s1 = sort Bool
t1 = const s1 x1
t2 = value s1 false
assert t1
reset
assert t2
check
check t1
reset
assert t1
check
get-value t1
"""


def test_a_program_answers_in_step_after_a_reset(piped: str, make: Make) -> None:
    """Whether `(reset)` and what follows are answered differs between programs."""
    result = make(piped, Settings(seconds=20, pipe=True)).replay(read_trace(RESET))
    assert result.status is RunStatus.DONE, result.evidence
    assert result.verdicts == ("unsat", "unsat", "sat")
