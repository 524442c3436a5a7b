"""Grammars of functions to synthesise: what is read, and what is refused."""

from __future__ import annotations

import pytest

from falsum.errors import ScriptError
from falsum.smtlib import print_term, read_script
from falsum.smtlib.scripts import SynthFun
from falsum.smtlib.sorts import BOOL, INT
from falsum.smtlib.syntax.grammars import AnyConstant, AnyVariable, SynthesisGrammar, read_grammar


def grammar_of(text: str, before: str = "") -> SynthesisGrammar:
    *earlier, command = read_script(f"{before}(synth-fun f ((x Int) (b Bool)) Int {text})").commands
    assert isinstance(command, SynthFun)
    return read_grammar(command, earlier)


def shown(grammar: SynthesisGrammar) -> dict[str, list[object]]:
    return {
        symbol.name: [p if isinstance(p, AnyConstant | AnyVariable) else print_term(p) for p in patterns]
        for symbol, patterns in grammar.rules.items()
    }


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("((S Int)) ((S Int (x 1)))", {"S": ["x", "1"]}),
        (
            "((S Int) (B Bool)) ((S Int ((ite B S 0))) (B Bool (b (<= S (+ x S)) (Variable Bool))))",
            {"S": ["(ite B S 0)"], "B": ["b", "(<= S (+ x S))", AnyVariable(BOOL)]},
        ),
        ("((S Int)) ((S Int ((Constant Int) (g S) S)))", {"S": [AnyConstant(INT), "(g S)", "S"]}),
        ("((S Int)) ((S Int ((! (- S) :weight 2))))", {"S": ["(! (- S) :weight 2)"]}),
        ("((|a b| Int)) ((|a b| Int (1 (+ |a b| |a b|))))", {"a b": ["1", "(+ |a b| |a b|)"]}),
        ("((S Int)) ((S Int ()))", {"S": []}),
    ],
)
def test_grammars_are_read(text: str, rules: dict[str, list[object]]) -> None:
    grammar = grammar_of(text, "(define-fun g ((y Int)) Int y)")
    assert shown(grammar) == rules
    assert grammar.start.name == next(iter(rules))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("((S Int (x 1)))", "expected )"),
        ("((x Int)) ((x Int (1)))", "names of their own"),
        ("((S Int) (S Int)) ((S Int (1)) (S Int (2)))", "names of their own"),
        ("() ()", "names of their own"),
        ("((S Int)) ((T Int (1)))", "expected the rules of S"),
        ("((S Int)) ((S Bool (true)))", "expected the rules of S"),
        ("((S Int)) ((S Int (1 true)))", "a rule of another sort than Int"),
        ("((S Int)) ((S Int ((Constant Bool))))", "a rule of another sort than Int"),
        ("((S Int)) ((S Int (unknown)))", "unknown"),
        ("((S Int)) ((S Int ((let ((y 1)) y))))", "binds variables"),
        ("((S Int)) ((S Int (1))) more", "expected )"),
        ("((S Int))", "expected ("),
    ],
)
def test_other_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(ScriptError) as caught:
        grammar_of(text)
    assert message in str(caught.value)


def test_reals_are_read_as_the_logic_says() -> None:
    text = "(set-logic LRA)(synth-fun f ((x Real)) Real ((S Real)) ((S Real (x 1 (* 2 S)))))"
    *before, command = read_script(text).commands
    assert isinstance(command, SynthFun)
    assert shown(read_grammar(command, before)) == {"S": ["x", "1", "(* 2 S)"]}
