"""Files in which users list operators."""

from __future__ import annotations

import pytest

from falsum.errors import ScriptError
from falsum.smtlib import print_script, read_script
from falsum.smtlib.sorts import Sort
from falsum.smtlib.syntax.operator_files import EXTENSION, read_operator_file
from falsum.smtlib.theories import ALL, OPERATORS


@pytest.mark.parametrize(
    "text",
    [
        "(str.replace String String String String)",
        "(par (A) (= A A Bool :chainable))",
        "(= Int Int Bool)",
        "(= Int Int Bool :chainable)",
        "(par (A) (ite Bool A A A))",
        "(ite Bool Int Int Int)",
        "(bvadd (_ BitVec 8) (_ BitVec 8) (_ BitVec 8))",
        "(bvadd (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc)",
        "((_ extract i j) (_ BitVec m) (_ BitVec (+ (- i j) 1)) :where (<= 0 j i) :where (< i m))",
        "((_ extract 3 0) (_ BitVec 8) (_ BitVec 4))",
        "((_ extract i 0) (_ BitVec 8) (_ BitVec (+ i 1)) :where (< i 8))",
        "(concat (_ BitVec 4) (_ BitVec i) (_ BitVec (+ i 4)))",
        "(set.empty (Set Int))",
        "(const Int (Array Bool Int))",
        "(tuple Int Bool (Tuple Int Bool))",
        "(|and| Bool Bool Bool)",
        "(bv2nat (_ BitVec 4) Int)",
    ],
)
def test_a_restriction(text: str) -> None:
    (operator,) = read_operator_file(f"; a comment\n{text}\n")
    table = OPERATORS[operator.name]
    assert operator.alias_of is table
    assert operator.theory == table.theory
    assert operator.meaning is table.meaning
    assert len(operator.signatures) == 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(str.len Int Int)", "1:1: (str.len Int Int) is not a rank of the operator"),
        ("\n  (str.len Strin Int)", "2:3: (str.len Strin Int) is not a rank of the operator"),
        ("(str.len String Int Int)", "1:1: (str.len String Int Int) is not a rank of the operator"),
        ("(str.len String Bool)", "1:1: (str.len String Bool) is not a rank of the operator"),
        ("(= Int Real Bool)", "1:1: (= Int Real Bool) is not a rank of the operator"),
        ("(par (A B) (= A B Bool))", "1:1: (= A B Bool) is not a rank of the operator"),
        ("((_ extract i 0) (_ BitVec 8) (_ BitVec (+ i 1)))", "1:1: ((_ extract i 0) "),
        ("((_ extract 8 0) (_ BitVec 8) (_ BitVec 9))", "1:1: ((_ extract 8 0) "),
        ("((_ extract i) (_ BitVec 8) (_ BitVec 8))", "1:1: ((_ extract i) "),
        ("(bvult (_ BitVec m) (_ BitVec m) Bool :chainable)", "1:1: (bvult "),
        ("(bvneg (_ BitVec i) (_ BitVec i) :where (< i 0))", "1:1: (bvneg (_ BitVec i) (_ BitVec i) :where"),
        ("(foo Int Int)", "1:1: unknown operator foo; write (extend (foo …)) if a solver has it"),
        ("(extend (str.len Int Int))", "1:1: str.len is already an operator of Strings"),
        ("(extend (foo Strin Int))", "1:1: unknown sort Strin"),
        ("(extend (foo (Seq Int Int) Int))", "1:1: Seq takes 0 indices and 1 arguments"),
        ("(extend (foo (_ BitVec 1 2) Int))", "1:1: BitVec takes 1 indices"),
        ("(extend (foo BitVec Int))", "1:1: BitVec takes 1 indices"),
        ("(extend (foo (_ BitVec) Int))", "1:1: BitVec takes 1 indices"),
        ("(extend (foo (_ BitVec 0) Int))", "1:1: a bit-vector has at least one bit"),
        ("(extend (foo (_ BitVec 99999999999) Int))", "1:1: bit-vectors of more than 1048576 bits"),
        ("(extend (foo (Seq (_ BitVec 99999999999)) Int))", "1:1: bit-vectors of more than 1048576 bits"),
        ("(extend (foo FloatingPoint Int))", "1:1: FloatingPoint takes 2 indices"),
        ("(bvneg BitVec BitVec)", "1:1: (bvneg BitVec BitVec) is not a rank of the operator"),
        ("(bvneg (_ BitVec 99999999999) (_ BitVec 99999999999))", "1:1: (bvneg (_ BitVec 99999999999)"),
        ("(extend)", "1:1: expected (extend signature)"),
        ("(extend (foo Int) Int)", "1:1: expected (extend signature)"),
        ("(str.len String Int", "1:1: the signature is never closed"),
        ("str.len", "1:1: expected ( at the start of a signature"),
        ("(str.len String Int))", "1:21: unmatched closing parenthesis"),
        ("()", "1:1: expected a signature (operator sort … result-sort)"),
        ("(str.len)", "1:1: expected a signature (operator sort … result-sort)"),
        ("(par (A))", "1:1: expected (par (A …) signature)"),
        ("(str.len String Int :odd)", "1:1: unknown attribute :odd"),
        ("(bvneg (_ BitVec (/ 1 2)) Bool)", "1:1: unknown operation in an index: /"),
        ('("a" Int Int)', '1:1: "a" is not a valid operator name'),
        ("(" * 100_000, "1:51: the signature is nested too deeply"),
    ],
)
def test_refused(text: str, error: str) -> None:
    with pytest.raises(ScriptError) as caught:
        read_operator_file(text)
    assert str(caught.value).startswith(error)


def test_the_file_is_in_the_error() -> None:
    with pytest.raises(ScriptError, match=r"^ops\.txt:1:1: unknown operator"):
        read_operator_file("(foo Int)", "ops.txt")


def test_several_ranks_make_one_operator() -> None:
    plus, length = read_operator_file("(+ Int Int Int) (str.len String Int) (+ Real Real Real)")
    assert (plus.name, len(plus.signatures), length.name) == ("+", 2, "str.len")


def test_an_extension_can_be_read_and_printed() -> None:
    operators = read_operator_file(
        "(extend (str.shuffle String Int String)) (extend ((_ bvfold n) (_ BitVec 8) Int))"
    )
    assert [operator.theory for operator in operators] == [EXTENSION] * 2
    text = '(reset)\n(simplify (str.len (str.shuffle "ab" ((_ bvfold 2) #xff))))\n'
    assert print_script(read_script(text, operators=operators)) == text
    with pytest.raises(ScriptError, match=r"unknown symbol str\.shuffle"):
        read_script(text)
    with pytest.raises(ScriptError, match=r"str\.shuffle cannot take"):
        read_script("(simplify (str.shuffle 1 2))", operators=operators)


def test_what_the_tables_say_may_be_listed() -> None:
    lines = []
    for theory in ALL:
        for operator in theory.operators:
            for signature in operator.signatures if operator.alias_of is None else ():
                names = " ".join(sorted(parameters(signature.args) | parameters((signature.result,))))
                lines.append(f"(par ({names}) {signature})")
    listed = read_operator_file("\n".join(dict.fromkeys(lines)))
    assert len(listed) > 300


def parameters(sorts: tuple[Sort, ...]) -> set[str]:
    found = {sort.name for sort in sorts if sort.is_parameter}
    return found.union(*(parameters(sort.args) for sort in sorts))
