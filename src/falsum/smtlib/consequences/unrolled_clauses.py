"""Unrolling: derivations from Horn clauses up to a depth, as a script without quantifiers.

Each node stands for an atom that is derived: a Boolean constant, with constants for the arguments. A node
implies that one of the clauses derives it from nodes below it, so a model of the script is a derivation, and
every node that is true in it is a fact that follows from the clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from falsum.smtlib import Script
from falsum.smtlib.consequences.clauses import Clause, together
from falsum.smtlib.consequences.invariants import front_of
from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.scripts import Assert, CheckSat, Command, DeclareFun
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.substitution import substitute
from falsum.smtlib.terms import App, Function, Head, Term, Var, app, constant
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.theories.core import FALSE, equation
from falsum.smtlib.values.cannot_say import CannotSay

# An unrolling with more uses of clauses is not made.
MOST_USES: Final = 600
_OR: Final = Head(OPERATORS["or"])
_IMPLIES: Final = Head(OPERATORS["=>"])


class Node(NamedTuple):
    """An atom that may be derived: `holds` says that it is, with at most `depth` steps below it."""

    holds: App
    head: Head
    args: tuple[App, ...]
    depth: int


class Unrolling(NamedTuple):
    """`script` is satisfiable exactly if there is a derivation of the depth, with these nodes."""

    script: Script
    nodes: tuple[Node, ...]

    def facts(self, model: Model) -> Iterator[App]:
        """The atoms that a model of the script derives."""
        for node in self.nodes:
            if payload_of(node.holds, model) is not True:
                continue
            values = [_value(arg, model) for arg in node.args]
            args = [value for value in values if value is not None]
            if len(args) == len(values):
                yield app(node.head, args)


def unrolled(
    flat: Script, clauses: Sequence[Clause], depth: int, goal: Function | None = None
) -> Unrolling | None:
    """The derivations of *false*, or of any fact about a predicate; None if there are too many."""
    unroller = _Unroller(clauses, depth)
    if goal is None:
        root = unroller.uses((), [clause for clause in clauses if clause.head is None], depth)
    else:
        root = unroller.node(Head(goal), depth).holds
    return unroller.result(flat, root) if unroller.expand() else None


class _Unroller:
    def __init__(self, clauses: Sequence[Clause], depth: int) -> None:
        self.by_head: dict[Head, list[Clause]] = {}
        for clause in clauses:
            if clause.head is not None:
                self.by_head.setdefault(clause.head.head, []).append(clause)
        # On a path each level has one node, so nodes of one level can be shared.
        self.is_linear = all(len(clause.atoms) <= 1 for clause in clauses)
        self.depth = depth
        self.shared: dict[tuple[Head, int], Node] = {}
        self.nodes: list[Node] = []
        self.declared: list[Command] = []
        self.asserted: list[Command] = []
        self.names = 0
        self.used = 0

    def constant(self, sort: Sort) -> App:
        self.names += 1
        function = Function(f"c!{self.names}", (), sort)
        self.declared.append(DeclareFun(function))
        return constant(function)

    def node(self, head: Head, depth: int) -> Node:
        if self.is_linear and (head, depth) in self.shared:
            return self.shared[head, depth]
        assert isinstance(head.symbol, Function)
        node = Node(self.constant(BOOL), head, tuple(map(self.constant, head.symbol.args)), depth)
        self.shared[head, depth] = node
        self.nodes.append(node)
        return node

    def expand(self) -> bool:
        """Says of each node how it is derived; False if there are too many."""
        place = 0
        while place < len(self.nodes) and self.used <= MOST_USES:
            node = self.nodes[place]
            derived = self.uses(node.args, self.by_head.get(node.head, ()), node.depth)
            self.asserted.append(Assert(app(_IMPLIES, (node.holds, derived))))
            place += 1
        return self.used <= MOST_USES

    def uses(self, args: Sequence[Term], clauses: Sequence[Clause], depth: int) -> Term:
        """That one of some clauses derives an atom with these arguments, or *false*."""
        uses = [self.use(args, clause, depth) for clause in clauses if depth > 0 or not clause.atoms]
        return app(_OR, uses) if len(uses) > 1 else uses[0] if uses else FALSE

    def use(self, args: Sequence[Term], clause: Clause, depth: int) -> Term:
        self.used += 1
        by: dict[Var, Term] = {v: self.constant(v.sort) for v in clause.variables}
        head_args = clause.head.args if clause.head is not None else ()
        parts = [equation(arg, substitute(own, by)) for arg, own in zip(args, head_args, strict=True)]
        parts += [substitute(constraint, by) for constraint in clause.constraints]
        for atom in clause.atoms:
            if self.used > MOST_USES:
                break
            node = self.node(atom.head, depth - 1)
            parts.append(node.holds)
            parts += [
                equation(arg, substitute(own, by)) for arg, own in zip(node.args, atom.args, strict=True)
            ]
        return together(parts)

    def result(self, flat: Script, root: Term) -> Unrolling:
        commands = (*front_of(flat).commands, *self.declared, Assert(root), *self.asserted, CheckSat())
        return Unrolling(Script(commands), tuple(self.nodes))


def _value(term: Term, model: Model) -> Term | None:
    payload = payload_of(term, model)
    return None if isinstance(payload, CannotSay) else value_term(term.sort, payload, model.datatypes)
