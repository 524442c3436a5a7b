"""Operators: one record holds all that is known about one; theories are lists of them.

A strategy, a reducer pass or the evaluator asks the record and stays blind to the theory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from falsum.smtlib.lexer import chunks
from falsum.smtlib.sexpr import read
from falsum.smtlib.signatures import Signature, read_signature
from falsum.smtlib.sorts import Index, Sort

if TYPE_CHECKING:
    from falsum.smtlib.terms import App, Head, Value

# For operators whose rank no signature can say (tuples, relations, pseudo-Booleans): the result sort or None.
Rule: TypeAlias = Callable[[tuple[Index, ...], tuple[Sort, ...]], Sort | None]
# What an operator means: the payload of an application from the payloads of the arguments; None where the
# standard leaves the point open, CannotSay where a budget ends.
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
    # An older or other name of this operator, kept for the printer: the record it is another name of.
    alias_of: Operator | None = None
    # Implicit operators (conversions solvers insert by themselves) are known but never printed.
    is_implicit: bool = False
    meaning: Meaning | None = None
    # The constant that an application to constants is: `(fp #b0 #b10 #b01)`.
    literal: Callable[[App], Value | None] | None = None
    # What z3's `(_ map f)` applies to the elements of its arguments.
    mapped: Head | None = None

    @property
    def canonical(self) -> Operator:
        return self.alias_of or self

    def rank(
        self, indices: tuple[Index, ...], sorts: tuple[Sort, ...], qualifier: Sort | None = None
    ) -> Sort | None:
        """The result sort for these indices and argument sorts; None if they are refused."""
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
        """The sorts the operator wants, for messages."""
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
    """Operators from lines of signatures; several signatures of one name make one operator."""
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
    """Further operators that are other names (key) of given ones (value)."""
    by_name = {operator.name: operator for operator in operators}
    return [
        replace(by_name[name], name=other, is_standard=False, alias_of=by_name[name])
        for other, name in names.items()
    ]


def merged(first: Iterable[Operator], second: Iterable[Operator]) -> list[Operator]:
    """Operators of both lists; what both have gets the signatures of both, the first's in front."""
    further = {operator.name: operator for operator in second}
    out = []
    for operator in first:
        extra = further.pop(operator.name, None)
        out.append(
            replace(operator, signatures=operator.signatures + extra.signatures) if extra else operator
        )
    return out + list(further.values())
