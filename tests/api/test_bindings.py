"""The conformance suite: every binding does the same, and what each says it can do it can."""

from __future__ import annotations

from random import Random

from falsum.api.actions import ALL, BY_NAME, BY_WORD
from falsum.api.capabilities import Capabilities
from falsum.api.drawing import draw_operator
from falsum.api.fuzzer import Fuzzer
from falsum.api.mirror import SORTS_OF, Mirror
from falsum.api.run import Ending
from falsum.api.settings import Bounds, Settings
from falsum.api.trace import OK, Line, Trace, from_lines, read_trace

from .conftest import Make

STORY = """
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
    return fuzzer._well_child().capabilities


def start(capabilities: Capabilities) -> list[Line]:
    return [Line("new"), *(Line("set-option", pair) for pair in capabilities.required)]


def test_a_story_every_library_can_tell(product: str, make: Make) -> None:
    fuzzer = make(product, Settings(seconds=20))
    lines = (*start(capabilities_of(fuzzer)), *read_trace(STORY).lines)
    outcome = fuzzer.replay(from_lines(lines, {"theories": "core bitvectors"}))
    assert outcome.ending is Ending.DONE, outcome.evidence
    assert outcome.verdicts == ("sat", "unsat", "unsat", "sat", "sat")
    said = {str(step.line): step.reply.text for step in outcome.trace.steps}
    assert {"t7", "t8"} <= set(said["get-core"].split())
    assert said["get-unsat-assumptions"] == "t8"
    # A library may give a formula back simplified, and then nobody knows it.
    assert "t7" in said["get-assertions"].split()
    assert "t8" not in said["get-assertions"].split()
    assert said["get-sort t1"] == "(_ BitVec 8)"
    assert said["get-children t7"] == "2"
    assert "bvult" in said["print t7"]


def world(capabilities: Capabilities) -> tuple[Mirror, list[Line]]:
    """Sorts, constants and values of every kind a library has."""
    theories = tuple(t for t in SORTS_OF if set(SORTS_OF[t]) <= set(capabilities.sorts))
    mirror = Mirror(capabilities, Bounds(sorts=30, nodes=60), theories)
    lines = start(capabilities)
    rng = Random(1)
    # The parts of floats, and the whole.
    widths = {n: None for e, s in capabilities.float_formats for n in (1, e, s - 1, e + s)}
    lines += [Line("sort", ("BitVec", str(n)), (f"s{place}",)) for place, n in enumerate(widths, 1)]
    names = ["sort"] * 300 + ["const"] * 150 + ["value"] * 150 + ["special"] * 30
    for line in lines:
        BY_WORD[line.word].apply(mirror, line, OK)
    for name in names:
        action = BY_NAME[name]
        drawn = action.draw(mirror, rng) if action.ready(mirror) else None
        if drawn is not None:
            BY_WORD[drawn.word].apply(mirror, drawn, OK)
            lines.append(drawn)
    return mirror, lines


def test_every_operator_it_has_makes_terms_of_our_sort(product: str, make: Make) -> None:
    fuzzer = make(product, Settings(seconds=60))
    capabilities = capabilities_of(fuzzer)
    mirror, lines = world(capabilities)
    rng = Random(2)
    made = set()
    for _round in range(2):
        for name in capabilities.operators:
            line = next(filter(None, (draw_operator(name, mirror, rng) for _ in range(60))), None)
            if line is not None and len(lines) < 3000:
                BY_WORD["term"].apply(mirror, line, OK)
                lines += [line, Line("get-sort", line.made)]
                made.add(name)
    outcome = fuzzer.replay(Trace(from_lines(lines).steps, {"theories": " ".join(mirror.theories)}))
    assert outcome.ending is Ending.DONE, f"{outcome.trace.steps[-1]} {outcome.evidence}"
    missing = set(capabilities.operators) - made - {"apply", "forall", "exists"}
    assert not missing


def test_what_it_computes_is_what_our_evaluator_computes(product: str, make: Make) -> None:
    """Every operator on values: the value it gives is compared by the checks."""
    fuzzer = make(product, Settings(seconds=60))
    capabilities = capabilities_of(fuzzer)
    mirror, lines = world(capabilities)
    rng = Random(3)
    values = [known for known in mirror.terms.values() if known.role == "value"]
    mirror.by_sort.clear()
    for known in values:
        mirror.by_sort.setdefault(known.sort, []).append(known)
    terms = []
    for name in capabilities.operators:
        for _ in range(2):
            line = next(filter(None, (draw_operator(name, mirror, rng) for _ in range(40))), None)
            if line is not None:
                BY_WORD["term"].apply(mirror, line, OK)
                terms.append(line)
    asked = [line for line in terms if mirror.known(line.made[0]).sort.name != "RegLan"]
    truth = next(known.name for known in values if known.sort.name == "Bool" and known.term.payload)  # type: ignore[union-attr]
    ending = [Line("assert", (truth,)), Line("check"), *(Line("get-value", line.made) for line in asked)]
    trace = from_lines([*lines, *terms, *ending], {"theories": " ".join(mirror.theories)})
    outcome = fuzzer.replay(trace)
    assert outcome.ending is Ending.DONE, f"{outcome.trace.steps[-1]} {outcome.evidence}"
    assert len(asked) > 50


def test_its_own_actions_are_carried_out(product: str, make: Make) -> None:
    """Most of them in some runs, without a complaint."""
    extras = capabilities_of(make(product)).extras
    weights = {f"{extra.states[0]}.extra {extra.name}": 60.0 for extra in extras if extra.states}
    bounds = Bounds(actions=90)
    fuzzer = make(
        product, Settings(theories=("bitvectors",), weights=weights, options=0, seconds=10, bounds=bounds)
    )
    seen = set()
    for number in range(12):
        outcome = fuzzer.run(number)
        assert not outcome.is_wrong, f"{number}: {outcome.evidence}"
        seen |= {step.line.args[0] for step in outcome.trace.steps if step.line.word == "extra"}
    assert len(seen) >= 0.6 * len(extras), {extra.name for extra in extras} - seen


def test_actions_have_what_an_action_has() -> None:
    for action in ALL:
        assert action.name
        assert action.word
        assert BY_WORD[action.word].asks == action.asks
    assert len(BY_NAME) == len(ALL)
