# ruff: noqa: E501  (a formula stands on one line)
"""A value is the same wherever it stands and however it is written: functions by extension, languages by words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.smtlib.saying import says

DECLARED = """
    (declare-datatypes ((Box 0)) (((box (held (-> Bool Bool))) (none))))
    (declare-datatypes ((Words 0)) (((nil) (cons (head RegLan) (tail Words)))))
    (declare-datatypes ((Num 0)) (((num (fun (-> Int Int))))))
    (define-fun A () RegLan (str.to_re "a"))
    (define-fun pick ((n Int) (x Int)) Int (ite (= x n) 1 0))
"""
AA, PLUS = "(re.++ A (re.* A))", "(re.+ A)"
ID, ALSO_ID = "(lambda ((p Bool)) p)", "(lambda ((q Bool)) (not (not q)))"
ONE, ALSO_ONE = "(lambda ((x Int)) (ite (= x 5) 1 0))", "(pick 5)"
SAID: dict[str, bool | None] = {
    f"(= (cons {AA} nil) (cons {PLUS} nil))": True,
    f"(= (cons {AA} nil) (cons (re.* A) nil))": False,
    f"(distinct (cons {AA} nil) (cons {PLUS} nil))": False,
    f"(= (set.card (set.insert {AA} (set.singleton {PLUS}))) 1)": True,
    f"(set.member {AA} (set.singleton {PLUS}))": True,
    f"(= (seq.indexof (seq.++ (seq.unit re.all) (seq.unit {AA})) (seq.unit {PLUS}) 0) 1)": True,
    f"(= (select (store ((as const (Array RegLan Int)) 0) {AA} 7) {PLUS}) 7)": True,
    f"(= (tuple {AA} 1) (tuple {PLUS} 1))": True,
    f"(= (box {ID}) (box {ALSO_ID}))": True,
    f"(= (box {ID}) (box (lambda ((p Bool)) (not p))))": False,
    f"(set.member {ID} (set.singleton {ALSO_ID}))": True,
    f"(= (num {ONE}) (num {ALSO_ONE}))": True,
    f"(= (num {ONE}) (num (pick 6)))": False,
    "(= (num (lambda ((x Int)) (+ x 1))) (num (lambda ((x Int)) (+ 1 x))))": None,
    f"(= ((held (box {ID})) true) true)": True,
    f"(= ((store ((as const (-> (-> Int Int) Int)) 0) {ONE} 7) {ALSO_ONE}) 7)": True,
    f"(= ((store ((as const (-> (-> Int Int) Int)) 0) {ONE} 7) (pick 6)) 0)": True,
    "(= (lambda ((x Int) (y Int)) (ite (= x y) 1 0)) (lambda ((x Int) (y Int)) (ite (= y x) 1 0)))": None,
    "(= (lambda ((x Int) (p Bool)) (ite (and p (= x 1)) 1 0)) (lambda ((x Int) (p Bool)) (ite p (ite (= x 1) 1 0) 0)))": True,
    "(= (lambda ((x Int) (p Bool)) (ite (and p (= x 1)) 1 0)) (lambda ((x Int) (p Bool)) (ite p 1 0)))": False,
    "(= ((lambda ((x Int) (y Int)) (ite (= x 1) (ite (= y 2) 3 4) 5)) 1) (lambda ((y Int)) (ite (= y 2) 3 4)))": True,
}  # fmt: skip


@pytest.mark.parametrize("formula", SAID)
def test_said(formula: str) -> None:
    answer = says(formula, declarations=DECLARED)
    assert (answer if isinstance(answer, bool) else None) is SAID[formula], answer


def test_a_lambda_as_the_key_of_a_printed_table() -> None:
    sort = "(-> (-> Bool Bool) Bool)"
    declared = f"(declare-fun b () {sort}) (declare-const d Bool)"
    table = f"(store ((as const {sort}) false) ((as const (-> Bool Bool)) true) true)"
    for d in ("true", "false"):
        model = f"((define-fun b () {sort} {table}) (define-fun d () Bool {d}))"
        assert says("(b (lambda ((e Bool)) d))", model, declared) is (d == "true")


ARRAYS = (
    "(declare-sort U 0) (declare-const a U) (declare-const x (Array U Bool)) (declare-const y (Array U Bool))"
)


def _arrays(element: str, universe: str) -> str:
    constant = "(as const (Array U Bool))"
    return f"""({universe} (define-fun a () U {element})
        (define-fun x () (Array U Bool) ({constant} true))
        (define-fun y () (Array U Bool) (store ({constant} false) {element} true)))"""


def test_a_sort_of_one_element() -> None:
    one = "(declare-fun U!val!0 () U) (forall ((x U)) (= x U!val!0))"
    two = "(declare-fun U!val!0 () U) (declare-fun U!val!1 () U) (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))"
    assert says("(= x y)", _arrays("U!val!0", one), ARRAYS) is True
    assert says("(= x y)", _arrays("U!val!0", two), ARRAYS) is False
    held = "((lambda ((f (Array U Bool))) (= f y)) x)"
    assert says(held, _arrays("U!val!0", one), ARRAYS) is True


def test_a_sort_of_which_no_element_is_listed() -> None:
    model = _arrays("(as @a U)", "")
    # There are universes in which it holds, so it may not be called false; in others it does not.
    assert isinstance(says("(= x y)", model, ARRAYS), str)
    assert says("(distinct x y)", model, ARRAYS) is True
    assert says("(= y (store y a false))", model, ARRAYS) is False
    assert says("(= x ((as const (Array U Bool)) false))", model, ARRAYS) is False


@pytest.mark.parametrize(
    ("declared", "defined", "formula"),
    [
        ("(declare-const x Int)", "(define-fun x () Bool true)", "(= x 1)"),
        ("(declare-const x Int)", "(define-fun x () Bool true)", "(= x 5)"),
        ("(declare-fun f (Int) Int)", "(define-fun f ((x Int)) Bool true)", "(= (f 1) 0)"),
        ("(declare-fun f (Int) Int)", "(define-fun f ((x Int) (y Int)) Int 7)", "(= (f 1) 0)"),
        ("(declare-fun f (Int) Int)", "(define-fun f () Int 7)", "(= (f 1) 0)"),
    ],
)  # fmt: skip
def test_a_definition_of_another_rank_says_nothing(declared: str, defined: str, formula: str) -> None:
    assert "rank" in str(says(formula, f"({defined})", declared))


# -- every representation of a function --------------------------------------------------------------

SORTS = {
    "Int": ["0", "1", "2", "7"],
    "Bool": ["true", "false"],
    "(_ BitVec 2)": ["#b00", "#b01", "#b10", "#b11"],
}


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, dict[str, str], str]:
    """The index sort, the entries and the default of a table of integers."""
    sort = draw(st.sampled_from(sorted(SORTS)))
    entries = draw(st.dictionaries(st.sampled_from(SORTS[sort]), st.sampled_from("01"), max_size=4))
    return sort, entries, draw(st.sampled_from("01"))


def _chain(entries: dict[str, str], default: str, name: str) -> str:
    for key, value in entries.items():
        default = f"(ite (= {name} {key}) {value} {default})"
    return default


def _stores(sort: str, entries: dict[str, str], default: str) -> str:
    made = f"((as const (-> {sort} Int)) {default})"
    for key, value in entries.items():
        made = f"(store {made} {key} {value})"
    return made


def _representations(table: tuple[str, dict[str, str], str], tag: str) -> tuple[str, list[str]]:
    """Declarations, and the same function written in all ways."""
    sort, entries, default = table
    body = _chain(entries, default, "x")
    declared = f"""
        (define-fun d{tag} ((x {sort})) Int {body})
        (define-fun two{tag} ((n Int) (x {sort})) Int (ite (= n 3) {body} 9))
        (define-fun c{tag} () (-> {sort} Int) (lambda ((x {sort})) {body}))
        (declare-fun m{tag} ({sort}) Int)"""
    unstored = [k for k in SORTS[sort] if k not in entries]
    if sort != "Int":
        # The default in other words: as entries, with another default where no key is left.
        entries = {**entries, **dict.fromkeys(unstored, default)}
        default = "8"
    return declared, [
        f"d{tag}", f"(two{tag} 3)", f"c{tag}", f"m{tag}",
        f"(lambda ((y {sort})) {_chain(entries, default, 'y')})",
        f"(lambda ((y {sort})) (d{tag} y))" if sort != "Int" else f"(lambda ((y {sort})) (c{tag} y))",
        f"(let ((f d{tag})) (ite true f c{tag}))",
        _stores(sort, entries, default),
    ]  # fmt: skip


CONTEXTS = (
    "(= {0} {1})",
    "(not (distinct {0} {1}))",
    "(set.member {0} (set.singleton {1}))",
    "(= (set.card (set.insert {0} (set.singleton {1}))) 1)",
    "(= (seq.unit {0}) (seq.unit {1}))",
    "(= (tuple 1 {0}) (tuple 1 {1}))",
    "(= (mk {0}) (mk {1}))",
    "((store ((as const (-> (-> {sort} Int) Bool)) false) {0} true) {1})",
    "(= (store ((as const (-> Int (-> {sort} Int))) {0}) 1 {1}) ((as const (-> Int (-> {sort} Int))) {1}))",
)


@settings(max_examples=60, deadline=None)
@given(tables(), st.data())
def test_every_representation_is_the_same_value(
    table: tuple[str, dict[str, str], str], data: st.DataObject
) -> None:
    sort = table[0]
    other = data.draw(st.one_of(st.just(table), tables().filter(lambda t: t[0] == sort)))
    rows = [
        [t[1].get(key, t[2]) for key in (*SORTS[sort], *(["elsewhere"] if sort == "Int" else []))]
        for t in (table, other)
    ]
    (first_declared, first), (second_declared, second) = (
        _representations(table, "1"),
        _representations(other, "2"),
    )
    declared = (
        f"(declare-datatypes ((D 0)) (((mk (got (-> {sort} Int))))))" + first_declared + second_declared
    )
    model = "".join(
        f"(define-fun m{tag} ((x {sort})) Int {_chain(t[1], t[2], 'x')})"
        for tag, t in (("1", table), ("2", other))
    )
    left, right = data.draw(st.sampled_from(first)), data.draw(st.sampled_from(second))
    formula = data.draw(st.sampled_from(CONTEXTS)).format(left, right, sort=sort)
    answer = says(formula, f"({model})", declared)
    assert answer is (rows[0] == rows[1]), (formula, answer)
