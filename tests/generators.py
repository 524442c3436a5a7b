"""Hypothesis generators: well-sorted terms of every operator of every theory, and broken scripts."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from falsum.errors import ScriptError
from falsum.smtlib import print_command, print_term
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import DeclareFun
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import (
    BOOL,
    INT,
    REAL,
    REGLAN,
    ROUNDING_MODE,
    STRING,
    Bindings,
    Index,
    Sort,
    array,
    bitvec,
    compute,
    floating_point,
    function,
    match,
    substitute,
)
from falsum.smtlib.syntax.lenience import apply
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.terms import (
    App,
    Attribute,
    Function,
    Head,
    Term,
    annotated,
    constant,
    let,
    quantifier,
    sort_text,
    var,
)
from falsum.smtlib.theories import ALL, NAMED_VALUES
from falsum.smtlib.theories.literals import read_literal
from falsum.smtlib.walk import children

UNINTERPRETED: Final = Sort("U")
POOL: Final = (
    INT,
    BOOL,
    REAL,
    STRING,
    bitvec(8),
    UNINTERPRETED,
    ROUNDING_MODE,
    floating_point(5, 11),
    REGLAN,
    array(INT, BOOL),
    Sort("Seq", (), (INT,)),
    Sort("Set", (), (bitvec(3),)),
    Sort("Tuple", (), (INT, BOOL)),
    Sort("FiniteField", (7,)),
    function((INT,), BOOL),
)
NUMBERS: Final = (1, 2, 3, 5)
_TUPLE: Final = Sort("Tuple", (), (INT, BOOL))
_RELATION: Final = Sort("Set", (), (Sort("Tuple", (), (INT, INT)),))
_COLUMN: Final = Sort("Set", (), (Sort("Tuple", (), (INT,)),))
_TABLE: Final = Sort("Bag", (), (_TUPLE,))
_INTS: Final = Sort("Set", (), (INT,))
_MAYBE: Final = Sort("Nullable", (), (INT,))
# An example for every operator whose rank is a rule: indices and argument sorts.
RULED: Final[dict[str, tuple[tuple[Index, ...], tuple[Sort, ...]]]] = {
    "@": ((), (function((INT, BOOL), REAL), INT)),
    "fmf.card": (("U", 3), ()),
    "select": ((), (Sort("Array", (), (INT, BOOL, REAL)), INT, BOOL)),
    "store": ((), (Sort("Array", (), (INT, BOOL, REAL)), INT, BOOL, REAL)),
    **dict.fromkeys(
        ("linear-order", "partial-order", "tree-order", "piecewise-linear-order", "transitive-closure"),
        ((0,), (INT, INT)),
    ),
    "at-most": ((2,), (BOOL, BOOL, BOOL)),
    "at-least": ((2,), (BOOL, BOOL, BOOL)),
    "pble": ((3, 1, 2), (BOOL, BOOL)),
    "pbge": ((3, 1, 2), (BOOL, BOOL)),
    "pbeq": ((3, 1, 2), (BOOL, BOOL)),
    "mkbv": ((), (BOOL, BOOL)),
    "set.insert": ((), (INT, INT, _INTS)),
    "tuple": ((), (INT, REAL)),
    "tuple.unit": ((), ()),
    "tuple.select": ((1,), (_TUPLE,)),
    "tuple.update": ((1,), (_TUPLE, BOOL)),
    "tuple.project": ((1, 0, 1), (_TUPLE,)),
    "nullable.lift": ((), (function((INT,), BOOL), _MAYBE)),
    "rel.join": ((), (_RELATION, _RELATION)),
    "rel.product": ((), (_RELATION, _COLUMN)),
    "rel.table_join": ((0, 1), (_RELATION, _RELATION)),
    "rel.transpose": ((), (_RELATION,)),
    "rel.tclosure": ((), (_RELATION,)),
    "rel.iden": ((), (_COLUMN,)),
    "rel.join_image": ((), (_RELATION, INT)),
    "rel.group": ((0,), (_RELATION,)),
    "rel.aggr": ((0,), (function((_RELATION.args[0], INT), INT), INT, _RELATION)),
    "rel.project": ((1,), (_RELATION,)),
    "table.product": ((), (_TABLE, _TABLE)),
    "table.join": ((0, 0), (_TABLE, _TABLE)),
    "table.group": ((0,), (_TABLE,)),
    "table.aggr": ((0,), (function((_TUPLE, INT), INT), INT, _TABLE)),
    "table.project": ((1,), (_TABLE,)),
}
_LITERALS: Final[dict[Sort, tuple[str, ...]]] = {
    INT: ("0", "7", "123456789012345678901234567890"),
    REAL: ("0.0", "1.50"),
    STRING: ('""', '"a""b"', r'"\u{e9}\u0041\x"', '"é"'),
    bitvec(8): ("#xfF", "#b00000001"),
    bitvec(1): ("#b0",),
    Sort("FiniteField", (7,)): ("#f3m7",),
}
_NAMES: Final = ("c{}", "|a b{}|", "x!{}", "let{}", "é{}", "@x{}")


@cache
def is_readable(sort: Sort) -> bool:
    """Whether the sort can be written and is then the same: no bit-vector of no bits, for example."""
    parser = Parser(sort_text(sort))
    parser.scope.declare_sort("U", parser.scope.sorts["Int"]._replace(body=None))
    try:
        return parser.sort() is sort
    except ScriptError:
        return False


@cache
def _variables(signature: Signature) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of index variables and of sort parameters."""
    numbers: dict[str, None] = {}
    sorts: dict[str, None] = {}
    todo: list[Sort | Index] = [*signature.indices, *signature.args, signature.result]
    while todo:
        item = todo.pop()
        if isinstance(item, Sort):
            if item.is_parameter:
                sorts[item.name] = None
            todo += [*item.args, *item.indices]
        elif isinstance(item, str):
            numbers[item] = None
        elif isinstance(item, tuple):
            todo += item[1:]
    return tuple(numbers), tuple(sorts)


@cache
def numberings(signature: Signature) -> tuple[Bindings, ...]:
    """Small numbers for the index variables that fit the signature's conditions."""
    names, params = _variables(signature)
    fitting: list[Bindings] = []
    for numbers in product(NUMBERS, repeat=len(names)):
        bindings: Bindings = dict(zip(names, numbers, strict=True))
        concrete: Bindings = {**bindings, **dict.fromkeys(params, INT)}
        sorts = [substitute(sort, concrete) for sort in (*signature.args, signature.result)]
        if all(compute(c, bindings) for c in signature.where) and all(map(is_readable, sorts)):
            fitting.append(bindings)
    return tuple(fitting)


@st.composite
def ranks(draw: DrawFn, operator: Operator, result: Sort | None = None) -> tuple[Head, tuple[Sort, ...]]:
    """The operator with indices, and sorts of arguments it takes."""
    fitting = [s for s in operator.signatures if result is None or match(s.result, result, {})]
    if result is None and operator.canonical.name in RULED and (not fitting or draw(st.booleans())):
        indices, sorts = RULED[operator.canonical.name]
        return Head(operator, indices), sorts
    assume(fitting)
    signature = draw(st.sampled_from(fitting))
    bindings = draw(_bindings(signature, result))
    args = [substitute(arg, bindings) for arg in signature.args]
    if signature.associativity:
        more = draw(st.integers(0, 2))
        is_right = signature.associativity == "right-assoc"
        args = args[:1] * more + args if is_right else args + args[-1:] * more
    made = substitute(signature.result, bindings)
    assume(all(map(is_readable, (*args, made))))
    computed = tuple(compute(index, bindings) for index in signature.indices)
    indices = tuple(index for index in computed if index is not None)
    is_open = operator.rank(indices, tuple(args)) is None or (not args and bool(made.args))
    head = Head(operator, indices, made if is_open else None)
    assume(head.rank(tuple(args)) is not None)
    return head, tuple(args)


@st.composite
def _bindings(draw: DrawFn, signature: Signature, result: Sort | None) -> Bindings:
    fixed: Bindings = {}
    if result is not None:
        match(signature.result, result, fixed)
    choices = [n for n in numberings(signature) if all(fixed.get(k, v) == v for k, v in n.items())]
    assume(choices)
    bindings: Bindings = {**draw(st.sampled_from(choices)), **fixed}
    for param in _variables(signature)[1]:
        if param not in bindings:
            bindings[param] = draw(st.sampled_from(POOL))
    return bindings


@st.composite
def leaves(draw: DrawFn, sort: Sort) -> Term:
    """A constant of the script, or a literal."""
    is_named = draw(st.booleans())
    texts = _LITERALS.get(sort, ())
    if texts and not is_named:
        literal = read_literal(draw(st.sampled_from(texts)))
        assert literal is not None
        return literal
    named = [value for value in NAMED_VALUES.values() if value.sort is sort]
    if named and not is_named:
        return draw(st.sampled_from(named))
    name = draw(st.sampled_from(_NAMES)).format(draw(st.integers(0, 2))).strip("|")
    return constant(Function(f"{name}:{POOL.index(sort)}" if sort in POOL else f"{name}:{sort}", (), sort))


@st.composite
def terms_of(draw: DrawFn, operator: Operator, result: Sort | None = None, depth: int = 2) -> Term:
    """An application of the operator; arguments are leaves or applications of others."""
    head, sorts = draw(ranks(operator, result))
    args: list[Term] = []
    for sort in sorts:
        makers = _makers(sort) if depth else ()
        if makers and draw(st.integers(0, 2)) == 0:
            args.append(draw(terms_of(draw(st.sampled_from(makers)), sort, depth - 1)))
        else:
            args.append(draw(leaves(sort)))
    # As the reader makes it: (fp #b0 …) of constants is a constant.
    made = apply(head, args)
    assert made is not None
    assert result is None or made.sort is result
    return made


@cache
def _makers(sort: Sort) -> tuple[Operator, ...]:
    """Operators that can give this sort."""
    return tuple(
        operator
        for theory in ALL
        for operator in theory.operators
        if any(_can_give(signature, sort) for signature in operator.signatures)
    )


def _can_give(signature: Signature, sort: Sort) -> bool:
    fixed: Bindings = {}
    return match(signature.result, sort, fixed) and any(
        all(fixed.get(k, v) == v for k, v in n.items()) for n in numberings(signature)
    )


@st.composite
def wrapped(draw: DrawFn, term: Term) -> Term:
    """The term inside a binder or an annotation, or as it is."""
    way = draw(st.sampled_from(["", "let", "!", "forall", "exists"]))
    if way == "let":
        bound = var(draw(st.sampled_from(["v", "a b", "and"])), term.sort)
        return let((bound,), (term,), bound)
    if way == "!":
        return annotated(term, (Attribute(":weight", "3"), Attribute(":pattern", (term,))))
    if way and term.sort is BOOL:
        return quantifier(way, (var("q", INT), var("r s", array(INT, REAL))), term)
    return term


def script_with(term: Term) -> str:
    """A script that declares what the term needs and then says `(simplify term)`."""
    lines = ["(declare-sort U 0)"]
    seen: dict[Term, None] = {}
    todo = [term]
    while todo:
        item = todo.pop()
        if item in seen:
            continue
        seen[item] = None
        todo.extend(children(item))
        if isinstance(item, App) and isinstance(item.head.symbol, Function):
            lines.append(print_command(DeclareFun(item.head.symbol, "declare-const")))
    return "\n".join([*lines, f"(simplify {print_term(term)})"])


# Words out of which broken scripts are made.
WORDS: Final = (
    *("(", ")") * 12,
    *"_ as ! let forall exists lambda match par assert declare-fun declare-const define-fun".split(),
    *"declare-datatypes declare-datatype define-funs-rec push pop check-sat get-value set-logic".split(),
    *"declare-sort define-sort reset exit minimize synth-fun check-sat-assuming set-option".split(),
    *"x y p f S T nil cons head Int Bool Real Array BitVec String RegLan -> FloatingPoint Set Seq".split(),
    *"+ - and or not = < ite select store concat extract bvadd is update map as-array fp to_fp const".split(),
    *"str.++ re.* seq.unit set.empty tuple tuple.select root-obj char bv5 +oo sep.nil fmf.card".split(),
    *'0 1 2 8 1.5 #b01 #xF #f1m5 "s" "" |a b| || :named :pattern :k : | " ; -1 1/2 .'.split(" "),
    "\n",
    "\x00",
    "é",
)
broken_scripts = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
