"""What is read and what is refused, with the place of the error."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.smtlib import accepted_cases as accepted
from tests.smtlib import refused_cases as refused

from falsum.errors import ScriptError
from falsum.smtlib import print_script, read_file, read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import (
    CheckSat,
    CheckSatAssuming,
    DeclareDatatypes,
    DefineFunsRec,
    NotUnderstood,
    Plain,
    Pop,
    Push,
    Script,
    WithTerms,
)
from falsum.smtlib.sorts import INT, REAL, bitvec
from falsum.smtlib.terms import Annotated, App, Lambda, Let, Match, Quantifier, Term, Value

PRELUDE = accepted.PRELUDE


def read_term(text: str, before: str = PRELUDE) -> Term:
    command = read_script(f"{before}(simplify {text})").commands[-1]
    assert isinstance(command, WithTerms)
    term = command.pieces[0]
    assert not isinstance(term, str)
    return term


def refusal(text: str) -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        read_script(text)
    return caught.value


def assert_reads_back(text: str) -> Script:
    script = read_script(text)
    printed = print_script(script)
    assert read_script(printed) == script
    assert print_script(read_script(printed)) == printed
    return script


@pytest.mark.parametrize("text", accepted.TERMS)
def test_term_is_read_and_printed(text: str) -> None:
    assert_reads_back(f"{PRELUDE}(simplify {text})")


@pytest.mark.parametrize("text", accepted.COMMANDS)
def test_command_is_read_and_printed(text: str) -> None:
    assert_reads_back(PRELUDE + text)


@pytest.mark.parametrize(("text", "column", "message"), refused.TERMS)
def test_term_is_refused_at_its_place(text: str, column: int, message: str) -> None:
    before = PRELUDE.count("\n") + 1
    error = refusal(f"{PRELUDE}(simplify {text})")
    assert (error.line, error.column) == (before, column + len("(simplify "))
    assert error.message.startswith(message)


@pytest.mark.parametrize(("text", "place", "message"), refused.COMMANDS)
def test_command_is_refused_at_its_place(text: str, place: str, message: str) -> None:
    before = PRELUDE.count("\n")
    error = refusal(PRELUDE + text)
    assert f"{error.line - before}:{error.column}" == place
    assert error.message.startswith(message)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("(forall ((z Int)) (= z 1))", Quantifier),
        ("(let ((z 1)) z)", Let),
        ("(lambda ((z Int)) z)", Lambda),
        ("(match l ((nil 1) ((cons h t) h)))", Match),
        ("(! p :named n)", Annotated),
        ("(f 1)", App),
        ("#b101", Value),
    ],
)
def test_shapes(text: str, kind: type) -> None:
    assert type(read_term(text)) is kind


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("(+ x 1)", INT),
        ("(+ x 1.5)", REAL),
        ("(/ 1 2)", REAL),
        ("(ite p x r)", REAL),
        ("(concat b b #b1)", bitvec(17)),
        ("((_ extract 6 2) b)", bitvec(5)),
        ("((_ repeat 3) b)", bitvec(24)),
        ("(hd l)", INT),
        ("(let ((x r)) x)", REAL),
    ],
)
def test_sorts(text: str, sort: object) -> None:
    assert read_term(text).sort is sort


def test_let_is_parallel() -> None:
    swapped = read_term("(let ((x y) (y x)) (- x y))")
    assert isinstance(swapped, Let)
    assert [print_script(read_script("")), *[type(v) for v in swapped.values]] == ["", App, App]


def test_shadowing() -> None:
    inner = read_term("(forall ((x Bool)) (and x (exists ((x (_ BitVec 8))) (= x b))))")
    assert inner.sort.name == "Bool"
    assert refusal(f"{PRELUDE}(assert (forall ((x Bool)) (= x 1)))").column == 29


def test_numerals_are_reals_where_the_logic_has_no_integers() -> None:
    assert read_term("1", "(set-logic QF_LRA)").sort is REAL
    assert read_term("1", "(set-logic QF_LIRA)").sort is INT
    assert read_term("1", "").sort is INT


def test_string_escapes_are_decoded_and_kept() -> None:
    term = read_term(r'"\u{41}\u0042""\x43"')
    assert isinstance(term, Value)
    assert (term.payload, term.text) == (r'AB"\x43', r'"\u{41}\u0042""\x43"')


def test_quoted_and_plain_symbols_are_the_same() -> None:
    read_script("(declare-const |x| Int)(assert (= x |x|))(declare-fun |a b| () Int)(assert (= 1 |a b|))")


def test_commands_have_their_types() -> None:
    script = read_script(
        f"{PRELUDE}(push 2)(pop 1)(check-sat)(check-sat-assuming (p))(get-model)(blub 1 (2))(minimize x)"
        "(define-funs-rec ((g ((n Int)) Int)) ((g n)))(declare-datatype E ((one) (two)))"
    )
    kinds = [type(command) for command in script.commands[10:]]
    assert kinds == [
        Push,
        Pop,
        CheckSat,
        CheckSatAssuming,
        Plain,
        NotUnderstood,
        WithTerms,
        DefineFunsRec,
        DeclareDatatypes,
    ]
    assert [command.text for command in script.not_understood] == ["(blub 1 (2))"]


@pytest.mark.parametrize("text", ["(block-model :literals)", "(block-model-values (x))", "(assert-not x)"])
def test_what_other_commands_assert_is_not_followed(text: str) -> None:
    (command,) = read_script(f"(declare-const x Bool){text}(check-sat)").not_understood
    assert command.text == text
    assert "asserts is not followed" in command.reason


@pytest.mark.parametrize(
    ("option", "changes"),
    [
        (":encoding ascii", True),
        (":encoding unicode", False),
        (":rewriter.hi_div0 false", True),
        (":solve-int-as-bv 8", True),
        (":solve-int-as-bv 0", False),
        (":smt.arith.solver 2", False),
    ],
)
def test_options_that_change_what_terms_mean(option: str, *, changes: bool) -> None:
    script = read_script(f"(set-option {option})(check-sat)")
    assert [command.text for command in script.not_understood] == [f"(set-option {option})"] * changes


def test_nothing_is_read_after_exit() -> None:
    script = read_script("(blub)(exit)(assert nonsense)")
    unread = script.commands[-1]
    assert isinstance(unread, NotUnderstood)
    assert unread.reason == "after (exit)"
    assert [command.text for command in script.not_understood] == ["(blub)"]


def test_the_file_is_in_the_error() -> None:
    with pytest.raises(ScriptError, match=r"^some\.smt2:2:9: unknown symbol y$"):
        read_script("\n(assert y)", "some.smt2")


def test_files(tmp_path: Path) -> None:
    plain, packed, broken = tmp_path / "a.smt2", tmp_path / "a.smt2.gz", tmp_path / "b.smt2.gz"
    plain.write_text("(assert true)")
    packed.write_bytes(gzip.compress(b"(assert true)"))
    broken.write_bytes(b"(assert true)")
    assert read_file(plain) == read_file(packed)
    with pytest.raises(ScriptError, match="not a gzip file"):
        read_file(broken)


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "a.smt2"
    file.write_bytes(b'(assert true)\n(echo "\xff")')
    with pytest.raises(ScriptError, match=r"a\.smt2:2:8: byte 0xff is not UTF-8"):
        read_file(file)


def test_overloaded_functions_are_told_apart_by_their_arguments() -> None:
    text = """(declare-fun H (Int Int) Int)
(declare-fun H (Int Int Int) Int)
(declare-fun x () Int)
(assert (= (H x 1) (H x 1 2)))
(check-sat)
"""
    script = read_script(text)
    assert print_script(script) == text
    model = "(model (define-fun H ((a Int) (b Int)) Int 7) (define-fun H ((a Int) (b Int) (c Int)) Int c))"
    assert truths(script, read_model(model, script)) == [False]
