"""Reads operator files: the operators that mutations may use, in the notation of signatures.

    (str.replace String String String String)      a rank of a theory's operator: a restriction
    (par (A) (= A A Bool :chainable))
    ((_ extract i j) (_ BitVec m) (_ BitVec (+ (- i j) 1)) :where (<= 0 j i) :where (< i m))
    (extend (str.shuffle String Int String))       an operator that a solver has and falsum does not know

A restriction may allow what the theory's table allows, or less. Pass the operators to `read_script` to read
scripts that use the additional ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Final, NamedTuple

from falsum.errors import ScriptError, UsageError
from falsum.smtlib.operators import Operator
from falsum.smtlib.signatures import Signature, read_signature
from falsum.smtlib.sorts import Bindings, Index, Sort, compute, substitute
from falsum.smtlib.text.lexer import (
    Chunk,
    chunks,
    is_symbol,
    offset_of,
    one_line,
    place_of,
    quote,
    symbol_name,
)
from falsum.smtlib.text.sexpr import SExpr, read
from falsum.smtlib.theories import OPERATORS, SORTS

EXTENSION: Final = "Extension"
_MOST_NESTED: Final = 50
# A signature with index variables is compared with the theory's at these indices.
_SAMPLES: Final = (1, 2, 3, 5, 8)
_MOST_SAMPLES: Final = 200


class _Entry(NamedTuple):
    """A top-level expression: its start, and its tokens."""

    chunk: Chunk
    number: int
    tokens: list[str]


def read_operator_file(text: str, file: str = "") -> tuple[Operator, ...]:
    """The operators of a file, each with its ranks; raises ScriptError with line and column.

    A restricted operator of a theory has the theory's as `alias_of`: terms are made with the theory's
    operator, as the reader does.
    """
    signatures: dict[str, list[Signature]] = {}
    extensions: set[str] = set()
    for entry in _entries(text, file):
        try:
            signature, is_extension = _read_entry(entry)
        except UsageError as error:
            raise _error(str(error), text, file, entry.chunk, entry.number) from error
        same_name = signatures.setdefault(signature.name, [])
        # A row twice is one row: TypeFuzz's own file lists some for two theories.
        if signature not in same_name:
            same_name.append(signature)
        if is_extension:
            extensions.add(signature.name)
    return tuple(_operator(name, tuple(ranks), name in extensions) for name, ranks in signatures.items())


def _operator(name: str, signatures: tuple[Signature, ...], is_extension: bool) -> Operator:
    if is_extension:
        return Operator(name, EXTENSION, signatures, is_standard=False)
    table = OPERATORS[name]
    return Operator(
        name,
        table.theory,
        signatures,
        is_standard=table.is_standard,
        alias_of=table,
        meaning=table.meaning,
        literal=table.literal,
    )


def _error(message: str, text: str, file: str, chunk: Chunk, index: int) -> ScriptError:
    return ScriptError(one_line(message), *place_of(text, offset_of(text, chunk, index)), file)


def _entries(text: str, file: str) -> Iterator[_Entry]:
    """The top-level expressions of the file."""
    entry: _Entry | None = None
    depth = 0
    for chunk in chunks(text):
        for index, token in enumerate(chunk.tokens):
            if entry is None and token != "(":
                message = (
                    "expected ( at the start of a signature"
                    if token != ")"
                    else "unmatched closing parenthesis"
                )
                raise _error(message, text, file, chunk, index)
            depth += (token == "(") - (token == ")")
            if depth > _MOST_NESTED:
                raise _error("the signature is nested too deeply", text, file, chunk, index)
            if entry is None:
                entry = _Entry(chunk, index, [])
            entry.tokens.append(token)
            if not depth:
                yield entry
                entry = None
    if entry is not None:
        raise _error("the signature is never closed", text, file, entry.chunk, entry.number)


def _read_entry(entry: _Entry) -> tuple[Signature, bool]:
    expression = read(entry.tokens)[0]
    is_extension = isinstance(expression, tuple) and expression[:1] == ("extend",)
    if is_extension:
        if len(expression) != 2:
            raise UsageError("expected (extend signature)")
        expression = expression[1]
    signature = read_signature(_unquoted(expression))
    if not is_symbol(signature.name):
        raise UsageError(f"{signature.name} is not a valid operator name")
    if is_extension:
        _check_extension(signature)
    else:
        _check_restriction(signature)
    return signature, is_extension


def _unquoted(expression: SExpr) -> SExpr:
    """Names without bars, as in the tables."""
    if isinstance(expression, str):
        return symbol_name(expression)
    return tuple(map(_unquoted, expression))


def _check_extension(signature: Signature) -> None:
    if signature.name in OPERATORS:
        theory = OPERATORS[signature.name].theory
        raise UsageError(
            f"{quote(signature.name)} is already an operator of {theory}; list it without extend"
        )
    for sort in (*signature.args, signature.result):
        _check_sort(sort)


def _check_sort(sort: Sort) -> None:
    """Raises UsageError unless the sort is one of the theories' sorts."""
    if sort.is_parameter:
        return
    kind = SORTS.get(sort.name)
    if kind is None:
        raise UsageError(f"unknown sort {quote(sort.name)}")
    if not kind.fits(sort):
        raise UsageError(f"{quote(sort.name)} takes {kind.indices} indices and {kind.arity} arguments")
    numbers = tuple(index for index in sort.indices if isinstance(index, int))
    if len(numbers) == len(sort.indices):
        kind.instantiate(numbers, sort.args)
    for arg in sort.args:
        _check_sort(arg)


def _check_restriction(signature: Signature) -> None:
    """Raises UsageError unless the theory accepts whatever the signature accepts, with the same result."""
    operator = OPERATORS.get(signature.name)
    if operator is None:
        name = quote(signature.name)
        raise UsageError(f"unknown operator {name}; write (extend ({name} …)) if a solver has it")
    if signature in operator.signatures:
        return
    is_tried = False
    for bindings in islice(_samples(signature), _MOST_SAMPLES):
        indices = tuple(compute(index, bindings) for index in signature.indices)
        numbers = tuple(index for index in indices if index is not None)
        args = tuple(substitute(arg, bindings) for arg in signature.args)
        for sorts in (args, (*args, args[-1])) if signature.associativity else (args,):
            sort = signature.rank(numbers, sorts)
            if sort is None and sorts is args:
                # The arguments do not determine the result, as in `(par (A) (set.empty (Set A)))`.
                sort = signature.rank(numbers, sorts, substitute(signature.result, bindings))
            is_tried = is_tried or sort is not None
            ranks = (operator.rank(numbers, sorts), operator.rank(numbers, sorts, sort))
            if sort is not None and sort not in ranks:
                raise UsageError(
                    f"{signature} is not a rank of the operator; it expects {operator.expectation}"
                )
    if not is_tried:
        raise UsageError(
            f"{signature} accepts nothing; {quote(signature.name)} expects {operator.expectation}"
        )


def _samples(signature: Signature) -> Iterator[Bindings]:
    """Bindings of a signature's variables: fresh sorts for parameters, some numbers for indices."""
    variables: dict[str, None] = {}
    parameters: dict[str, Sort] = {}
    todo: list[Sort | Index] = [*signature.indices, *signature.args, signature.result, *signature.where]
    while todo:
        item = todo.pop()
        if isinstance(item, Sort):
            if item.is_parameter:
                parameters[item.name] = Sort(f"@{item.name}")
            todo += [*item.args, *item.indices]
        elif isinstance(item, str):
            variables[item] = None
        elif isinstance(item, tuple):
            todo += item[1:]
    for numbers in product(_SAMPLES, repeat=len(variables)):
        yield {**parameters, **dict(zip(variables, numbers, strict=True))}
