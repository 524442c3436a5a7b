"""Reads indexed and qualified identifiers, and the reserved words that open binders."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from falsum.errors import UsageError
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import BOOL, REAL, Index, Sort, substitute
from falsum.smtlib.syntax import algebraic_numbers
from falsum.smtlib.syntax.frames import AnnotationFrame, BinderFrame, LetFrame, MatchFrame, Special
from falsum.smtlib.terms import Function, Head, Term, app, sort_text, value
from falsum.smtlib.text.lexer import chunks, is_symbol, quote, symbol_name, token_text
from falsum.smtlib.theories.literals import indexed_literal, qualified_literal
from falsum.smtlib.values.elements import Element

if TYPE_CHECKING:
    from falsum.smtlib.syntax.parser import Parser


def indexed_head(parser: Parser) -> Head | tuple[Head, ...]:
    """Reads `name index …)` after `((_`, in front of arguments."""
    name, indices = _read_indexed(parser)
    return _head_of(parser, name, indices)


def indexed_term(parser: Parser) -> Term:
    """Reads `name index …)` after `(_`, as a term."""
    name, indices = _read_indexed(parser)
    if name == "real_algebraic_number":
        return _isolated_root(parser, indices)
    try:
        literal = indexed_literal(name, indices)
    except UsageError as error:
        parser.fail(str(error))
    if literal is not None:
        return literal
    return _nullary(parser, _head_of(parser, name, indices), name)


def qualified_head(parser: Parser) -> Head | tuple[Head, ...]:
    """Reads `name sort)` after `((as`, in front of arguments."""
    name, indices = _read_name(parser)
    sort = parser.sort()
    parser.expect(")")
    meaning = _head_of(parser, name, indices)
    heads = meaning if isinstance(meaning, tuple) else (meaning,)
    return tuple(Head(head.symbol, head.indices, sort) for head in heads)


def qualified_term(parser: Parser) -> Term:
    """Reads `name sort)` after `(as`, as a term."""
    name, indices = _read_name(parser)
    sort = parser.sort()
    parser.expect(")")
    try:
        literal = qualified_literal(name, sort)
    except UsageError as error:
        parser.fail(str(error))
    if literal is not None:
        return literal
    key = quote(name)
    if not indices and key not in parser.scope.heads:
        term = parser.scope.atoms.get(key)
        if term is not None and term.sort is sort:
            return term
        if name.startswith("@"):
            return value(sort, Element(name), f"(as {key} {sort_text(sort)})")
        parser.fail(f"unknown symbol {key}")
    head = _head_of(parser, name, indices)
    heads = head if isinstance(head, tuple) else (head,)
    return _nullary(parser, tuple(Head(h.symbol, h.indices, sort) for h in heads), name)


def _nullary(parser: Parser, heads: Head | tuple[Head, ...], name: str) -> Term:
    for head in heads if isinstance(heads, tuple) else (heads,):
        if head.rank(()) is not None:
            return app(head)
    parser.fail(f"{quote(name)} needs arguments, or does not have this sort")


def defaulted(head: Head) -> Term | None:
    """`set.empty`, `seq.empty` and the like without a sort, for which cvc5 uses Bool as the element sort."""
    symbol = head.symbol
    if not isinstance(symbol, Operator) or not symbol.signatures:
        return None
    signature = symbol.signatures[0]
    if signature.args or not signature.result.is_pattern or signature.indices:
        return None
    names = {"A": BOOL}
    return app(Head(symbol, (), substitute(signature.result, dict(names)), head.text))


def _read_name(parser: Parser) -> tuple[str, tuple[Index, ...]]:
    token = parser.next()
    if token == "(":
        parser.expect("_")
        return _read_indexed(parser)
    return parser.symbol(token), ()


def _read_indexed(parser: Parser) -> tuple[str, tuple[Index, ...]]:
    name = parser.symbol()
    indices: list[Index] = []
    while (token := parser.next()) != ")":
        if token.isdecimal():
            indices.append(parser.numeral(token))
        elif token == "(":
            indices.append(parser.verbatim(token))
        elif is_symbol(token):
            indices.append(quote(symbol_name(token)))
        else:
            indices.append(token)
    if not indices:
        parser.fail("an indexed identifier needs an index")
    return name, tuple(indices)


def _head_of(parser: Parser, name: str, indices: tuple[Index, ...]) -> Head | tuple[Head, ...]:
    """What an identifier means in front of arguments."""
    maker = _INDEXED_BY_FUNCTIONS.get(name) if indices else None
    if maker is not None and len(indices) > 1:
        parser.fail(f"{name} takes one index, not {len(indices)}")
    if maker is not None:
        return maker(parser, name, str(indices[0]))
    meaning = parser.scope.heads.get(quote(name))
    if meaning is None:
        parser.fail(f"unknown {'indexed ' if indices else ''}symbol {quote(name)}")
    if not indices:
        return meaning
    heads = meaning if isinstance(meaning, tuple) else (meaning,)
    return tuple(Head(head.symbol, indices) for head in heads if isinstance(head.symbol, Operator))


def _first_symbol(parser: Parser, index: str) -> str:
    """The first symbol of an index: z3 also writes a rank, as in `(_ map (+ (Int Int) Int))`."""
    for chunk in chunks(index):
        for token in chunk.tokens:
            if token != "(":
                return quote(parser.symbol(token))
    parser.fail("expected a symbol as the index")


def _subjects(parser: Parser, index: str, role: str) -> list[Function]:
    name = symbol_name(_first_symbol(parser, index))
    functions = [f for f in parser.scope.functions(quote(name)) if f.role == role]
    if not functions:
        parser.fail(f"{quote(name)} is not a {role}")
    return functions


def _tester(parser: Parser, name: str, index: str) -> tuple[Head, ...]:
    return tuple(
        Head(tester(f), (), None, f"(_ {name} {index})") for f in _subjects(parser, index, "constructor")
    )


def tester(constructor: Function) -> Function:
    """The function that tests whether a value is made by the constructor."""
    return Function(
        f"is-{constructor.name}",
        (constructor.result,),
        BOOL,
        constructor.params,
        "tester",
        constructor.name,
    )


def _updater(parser: Parser, name: str, index: str) -> tuple[Head, ...]:
    return tuple(
        Head(
            Function(
                f"update-{f.name}",
                (*f.args, f.result),
                f.args[0],
                f.params,
                "updater",
                f.name,
            ),
            (),
            None,
            f"(_ {name} {index})",
        )
        for f in _subjects(parser, index, "selector")
    )


def _functions(parser: Parser, index: str) -> Head | tuple[Head, ...]:
    name = _first_symbol(parser, index)
    head = parser.scope.heads.get(name)
    if head is None:
        parser.fail(f"unknown function {name}")
    return head


def _map(parser: Parser, name: str, index: str) -> tuple[Head, ...]:
    functions = _functions(parser, index)
    heads = functions if isinstance(functions, tuple) else (functions,)
    return tuple(Head(_mapped(head), (), None, f"(_ {name} {index})") for head in heads)


@lru_cache(maxsize=4096)
def _mapped(head: Head) -> Operator:
    """z3's `map`: a function applied pointwise to arrays."""

    def rule(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
        if indices or not sorts or any(sort.name not in ("Array", "Set") for sort in sorts):
            return None
        domain = sorts[0].args[:-1] if sorts[0].name == "Array" else sorts[0].args
        inner = tuple(sort.args[-1] if sort.name == "Array" else BOOL for sort in sorts)
        result = head.rank(inner)
        return None if result is None else Sort("Array", (), (*domain, result))

    return Operator("map", "ArraysEx", rule=rule, wants="arrays of its sorts", is_standard=False, mapped=head)


def _as_array(parser: Parser, name: str, index: str) -> tuple[Head, ...]:
    found = _functions(parser, index)
    heads = found if isinstance(found, tuple) else (found,)
    functions = [head for head in heads if isinstance(head.symbol, Function) and head.symbol.args]
    return tuple(Head(_array_of(head), (), None, f"(_ {name} {index})") for head in functions)


@lru_cache(maxsize=4096)
def _array_of(head: Head) -> Operator:
    """z3's `as-array`: a function as an array."""
    symbol = head.symbol
    assert isinstance(symbol, Function)
    sort = Sort("Array", (), (*symbol.args, symbol.result))

    def rule(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
        return None if indices or sorts else sort

    return Operator("as-array", "ArraysEx", rule=rule, wants="no arguments", is_standard=False)


def _lift(parser: Parser, name: str, index: str) -> tuple[Head, ...]:
    functions = _functions(parser, index)
    heads = functions if isinstance(functions, tuple) else (functions,)
    return tuple(Head(_lifted(head), (), None, f"(_ {name} {index})") for head in heads)


@lru_cache(maxsize=4096)
def _lifted(head: Head) -> Operator:
    """cvc5's `nullable.lift`: a function on arguments that may be null."""

    def rule(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
        if indices or not sorts or any(sort.name != "Nullable" or not sort.args for sort in sorts):
            return None
        result = head.rank(tuple(sort.args[0] for sort in sorts))
        return None if result is None else Sort("Nullable", (), (result,))

    return Operator(
        "nullable.lift", "Datatypes", rule=rule, wants="nullables", is_standard=False, mapped=head
    )


_INDEXED_BY_FUNCTIONS: Final[dict[str, Callable[[Parser, str, str], tuple[Head, ...]]]] = {
    "is": _tester,
    "update": _updater,
    "update-field": _updater,
    "map": _map,
    "as-array": _as_array,
    "nullable.lift": _lift,
}


def _open_let(parser: Parser, word: str) -> Special:
    del word
    parser.expect("(")
    frame = LetFrame()
    token = parser.next()
    if token == ")":
        # Solvers accept `(let () t)`.
        return frame
    if token != "(":
        parser.fail(f"expected ( or ), found {token_text(token)}")
    return frame.part(parser)


def _open_binder(parser: Parser, word: str) -> Special:
    return BinderFrame(parser, word)


def _root_object(parser: Parser, word: str) -> Term:
    """z3's `(root-obj polynomial index)`: a real algebraic number."""
    polynomial = parser.verbatim(parser.next())
    index = parser.numeral()
    parser.expect(")")
    root = algebraic_numbers.read_root(polynomial, index)
    if root is None:
        parser.fail("expected a polynomial in one variable and the number of a root")
    return value(REAL, root, f"({word} {polynomial} {index})")


def _isolated_root(parser: Parser, indices: tuple[Index, ...]) -> Term:
    """cvc5's real algebraic number: the only root of a polynomial in an interval."""
    text = " ".join(map(str, indices))
    root = algebraic_numbers.read_isolated(text)
    if root is None:
        parser.fail("expected a polynomial in x and an interval")
    return value(REAL, root, f"(_ real_algebraic_number {text})")


OPENERS: Final[dict[str, Callable[[Parser, str], Special | Term]]] = {
    "root-obj": _root_object,
    "let": _open_let,
    "forall": _open_binder,
    "exists": _open_binder,
    "lambda": _open_binder,
    "set.comprehension": _open_binder,
    "witness": _open_binder,
    "choice": _open_binder,
    "!": lambda _parser, _word: AnnotationFrame(),
    "match": lambda _parser, _word: MatchFrame(),
}
