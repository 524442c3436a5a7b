"""Operator: all that is known about an operator; theories are lists of operators.

Strategies, reduction passes and the evaluator ask the record and need not know the theory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from falsum.smtlib.signatures import Signature, read_signature
from falsum.smtlib.sorts import Index, Sort
from falsum.smtlib.text.lexer import chunks
from falsum.smtlib.text.sexpr import read

if TYPE_CHECKING:
    from falsum.smtlib.terms import App, Head, Value

# The result sort of an operator that no signature describes (tuples, relations, pseudo-Booleans), or None.
Rule: TypeAlias = Callable[[tuple[Index, ...], tuple[Sort, ...]], Sort | None]
# The semantics of an operator: the payload of an application from the payloads of its arguments; None where
# the standard leaves the value open, CannotSay where it would cost too much.
Meaning: TypeAlias = "Callable[[App, Sequence[Any]], object]"


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """All that is known about an operator of a theory."""

    name: str
    theory: str
    signatures: tuple[Signature, ...] = ()
    rule: Rule | None = None
    wants: str = ""
    is_standard: bool = True
    # The operator that this one is another name of; the printer writes the name that was read.
    alias_of: Operator | None = None
    # Conversions that solvers insert implicitly; they are not printed.
    is_implicit: bool = False
    meaning: Meaning | None = None
    # The constant that an application to constants denotes, as in `(fp #b0 #b10 #b01)`.
    literal: Callable[[App], Value | None] | None = None
    # The function that z3's `(_ map f)` applies pointwise and cvc5's `(_ nullable.lift f)` unless null.
    mapped: Head | None = None

    @property
    def canonical(self) -> Operator:
        return self.alias_of or self

    def rank(
        self, indices: tuple[Index, ...], sorts: tuple[Sort, ...], qualifier: Sort | None = None
    ) -> Sort | None:
        """The result sort for these indices and argument sorts, or None."""
        for signature in self.signatures:
            result = signature.rank(indices, sorts, qualifier)
            if result is not None:
                return result
        if self.rule is None:
            return None
        result = self.rule(indices, sorts)
        return result if qualifier is None or qualifier is result else None

    @property
    def expectation(self) -> str:
        """The ranks of the operator, for messages."""
        return self.wants or " or ".join(map(str, self.signatures))

    def __repr__(self) -> str:
        return f"Operator<{self.name}>"


def table(
    theory: str,
    text: str,
    meanings: dict[str, Meaning] | None = None,
    *,
    is_standard: bool = True,
) -> list[Operator]:
    """Operators from a list of signatures; signatures with the same name make one operator."""
    meanings = meanings or {}
    grouped: dict[str, list[Signature]] = {}
    for expression in read(token for chunk in chunks(text) for token in chunk.tokens):
        signature = replace(read_signature(expression), is_standard=is_standard)
        grouped.setdefault(signature.name, []).append(signature)
    return [
        Operator(
            name,
            theory,
            tuple(signatures),
            is_standard=is_standard,
            meaning=meanings.get(name),
        )
        for name, signatures in grouped.items()
    ]


def aliases(operators: Iterable[Operator], names: dict[str, str]) -> list[Operator]:
    """Operators that are other names (keys) of given ones (values)."""
    by_name = {operator.name: operator for operator in operators}
    return [
        replace(by_name[name], name=other, is_standard=False, alias_of=by_name[name])
        for other, name in names.items()
    ]


def merged(first: Iterable[Operator], second: Iterable[Operator]) -> list[Operator]:
    """The operators of both lists; one that is in both has the signatures of both, the first's first."""
    further = {operator.name: operator for operator in second}
    out = []
    for operator in first:
        extra = further.pop(operator.name, None)
        out.append(
            replace(operator, signatures=operator.signatures + extra.signatures) if extra else operator
        )
    return out + list(further.values())
