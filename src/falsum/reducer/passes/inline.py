"""Inlines `let` bindings and definitions."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Compound, Edit, Hoist, ReplaceCommand, ReplaceScript, ReplaceTerm, Unbind
from falsum.reducer.measure import LET_BINDING, NAME, Measurer
from falsum.reducer.outline import Outline
from falsum.smtlib.maps.command_terms import terms_of, with_terms
from falsum.smtlib.scripts import DeclareFun, DefineFun, DefineFunsRec, Script
from falsum.smtlib.substitution import substitute, symbols_in
from falsum.smtlib.terms import App, Let, Term
from falsum.smtlib.walk import transform


class InlineLets:
    """`(let ((x (f y))) (= x 0))` → `(= (f y) 0)`, where that makes the measure smaller."""

    name = "inline-lets"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, node in enumerate(outline.nodes):
            if not isinstance(node, Let):
                continue
            for binder, part in zip(node.binders, outline.parts(place), strict=False):
                uses = len(outline.uses.get((place, binder.name), ()))
                weight = outline.weights[part]
                if uses and uses * (weight - NAME) < weight + LET_BINDING:
                    yield Unbind(place, binder, rank=min(uses, 2))
                elif not uses and len(node.binders) == 1:
                    yield from _moved_into_body(outline, place, part)


class InlineDefinitions:
    """`(define-fun f ((x Int)) Int (+ x 1)) (assert (= (f 0) 1))` → `(assert (= (+ 0 1) 1))`.

    Where inlining makes the script larger, the definition may become a declaration:
    `(declare-fun f (Int) Int)`.
    """

    name = "inline-definitions"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        measurer = Measurer()
        weight = measurer.weight(outline.script)
        for place, command in zip(outline.commands, outline.script.commands, strict=True):
            if isinstance(command, DefineFun):
                if not command.word.endswith("rec") and command.word != "define":
                    inlined = _inlined(outline, command)
                    if inlined is not None and measurer.weight(inlined) < weight:
                        yield ReplaceScript(inlined)
                if len(command.binders) == len(command.function.args):
                    yield ReplaceCommand(place, (_declared(command),), rank=-1)
            elif isinstance(command, DefineFunsRec):
                yield ReplaceCommand(
                    place, tuple(DeclareFun(function) for function in command.functions), rank=-1
                )


def _moved_into_body(outline: Outline, place: int, bound: int) -> Iterator[Edit]:
    """`(let ((x (f y))) (= 0 1))` → `(= (f y) 1)`: an unused value replaces a leaf of the body."""
    body, new = outline.end(bound), outline.term(bound)
    for leaf in range(body, outline.end(place)):
        in_scope = outline.frames[leaf] == outline.frames[body]
        if outline.is_leaf(leaf) and in_scope and outline.term(leaf).sort is new.sort:
            yield Compound((Hoist(place, body), ReplaceTerm(leaf, new)), rank=3)
            return


def _declared(command: DefineFun) -> DeclareFun:
    return DeclareFun(command.function, "declare-fun" if command.binders else "declare-const")


def _inlined(outline: Outline, definition: DefineFun) -> Script | None:
    """The script without the definition; None if a bound variable would capture a symbol of the body."""
    function, binders, body = definition.function, definition.binders, definition.body
    own = {binder.name for binder in binders}
    if not (symbols_in(body) - own).isdisjoint(outline.bound_names):
        return None

    def change(term: Term) -> Term | None:
        if isinstance(term, App) and term.head.symbol is function and len(term.args) == len(binders):
            return substitute(body, dict(zip(binders, term.args, strict=True)))
        return None

    commands = (command for command in outline.script.commands if command is not definition)
    return Script(tuple(with_terms(c, [transform(term, change) for term in terms_of(c)]) for c in commands))
