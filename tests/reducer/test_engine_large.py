"""Large inputs: nesting 10,000 deep and 100 kB, in a time that follows their size."""

from __future__ import annotations

from itertools import islice

import pytest

from falsum.reducer import Budget, measure, reduce
from falsum.reducer.apply import apply
from falsum.reducer.layers import layers_of
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.passes import ALL
from falsum.smtlib import print_script, read_script
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import Command, Script, SetInfo

DEEP = 10_000


def nested(opening: str, inner: str, deep: int) -> str:
    return opening * deep + inner + ")" * deep


def lets(deep: int) -> str:
    bindings = "".join(f"(let ((x{n + 1} (+ x{n} x{n}))) " for n in range(deep))
    return f"(declare-fun x0 () Int)(assert {bindings}(= x{deep} 0){')' * deep})(check-sat)"


def quantifiers(deep: int) -> str:
    bindings = "".join(f"(forall ((x{n + 1} Int)) (or (= x{n} x{n + 1}) " for n in range(deep))
    return f"(declare-fun x0 () Int)(assert {bindings}true{'))' * deep})(check-sat)"


def large(deep: int) -> dict[str, str]:
    p, x = "(declare-fun p () Bool)", "(declare-fun x () Int)"
    return {
        "not": f"{p}(assert {nested('(not ', 'p', deep)})(check-sat)",
        "plus": f"{x}(assert (= x {nested('(+ 1 ', 'x', deep)}))(check-sat)",
        "ite": f"{p}{x}(assert (= 0 {nested('(ite p x ', 'x', deep)}))(check-sat)",
        "let": lets(deep),
        "forall": quantifiers(deep),
    }


LARGE = large(DEEP)
SOME = large(DEEP // 10)


# Passes that have something to say about each.
EVERYWHERE = frozenset(
    ["drop-commands", "drop-assertions", "strengthen", "replace-by-child", "replace-by-variable"]
)
SPECIAL = {
    "not": "short-names",
    "plus": "flatten replace-by-value shrink-values",
    "ite": "weaken replace-by-value",
    "let": "weaken replace-by-value inline-lets",
    "forall": "weaken replace-by-value drop-quantifiers",
}


@pytest.mark.parametrize("name", SOME)
def test_every_pass_copes(name: str) -> None:
    script = read_script(SOME[name])
    outline, measurer, helped = Outline(script), Measurer(), set()
    before = measurer.measure(script)
    for one in ALL:
        for layer in islice(layers_of(outline, one.edits(outline)), 2):
            for edits in (layer, layer[:1]):
                made = apply(outline, edits)
                # What lets share is very long when it is written out; the engine weighs before it prints.
                if made is None or measurer.weight(made) > before.weight:
                    continue
                measure = measurer.measure(made)
                assert print_script(read_script(measure.text)) == measure.text
                if measure < before:
                    helped.add(one.name)
    assert helped >= EVERYWHERE.union(SPECIAL[name].split())


@pytest.mark.parametrize(
    ("name", "word", "length"),
    [("not", "(not ", 60), ("plus", "(+ ", 60), ("ite", "(ite ", 60)],
)
def test_deep_terms_become_small(name: str, word: str, length: int) -> None:
    result = reduce(
        read_script(LARGE[name]), lambda text: word in text and "(assert" in text, budget=Budget(tests=300)
    )
    assert len(result.text) <= length


def test_no_command_of_a_long_script_is_printed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[Command] = []

    def noted(command: Command) -> str:
        printed.append(command)
        return print_command(command)

    monkeypatch.setattr(measure, "print_command", noted)
    script = Script(tuple(SetInfo(":number", str(number)) for number in range(12_000)))
    measurer = Measurer()
    assert measurer.measure(script) == measurer.measure(script) == measurer.measure(script)
    assert len(printed) == len(script.commands)
