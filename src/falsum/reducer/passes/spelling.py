"""Shortens the text without changing the formulas: a smaller logic or none, short names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Final

from falsum.reducer.edits import Edit, ReplaceCommand, ReplaceScript
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.smtlib.logic_coverage import covers_script
from falsum.smtlib.logics import logic_of
from falsum.smtlib.maps.command_terms import declared_by
from falsum.smtlib.maps.script_map import ScriptMap
from falsum.smtlib.scripts import (
    Command,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    NotUnderstood,
    Plain,
    Script,
    SetLogic,
    SynthFun,
)
from falsum.smtlib.sorts import REAL, Sort
from falsum.smtlib.terms import Function, Term, Value, value
from falsum.smtlib.theories import OPERATORS, SORTS

_LOGICS: Final = (
    "UF LIA LRA NIA NRA BV S ALL QF_UF QF_BV QF_AX QF_S QF_LIA QF_LRA QF_NIA QF_NRA QF_ABV".split()
)
# With more names than this, renaming them one by one takes too long for what it saves.
_MAX_NAMES: Final = 20
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class MinimalLogic:
    """`(set-logic QF_AUFBVLIA) (assert …)` → `(assert …)`, else `(set-logic QF_BV) (assert …)`."""

    name = "minimal-logic"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, command in zip(outline.commands, outline.script.commands, strict=True):
            if not isinstance(command, SetLogic):
                continue
            rest = tuple(c for c in outline.script.commands if c is not command)
            script = _PlainReals().script(Script(rest))
            if script is not None:
                yield ReplaceScript(script)
            is_free = logic_of(command.name).is_quantifier_free
            for name in _LOGICS:
                logic = logic_of(name)
                is_shorter = len(name) < len(command.name) and is_free >= logic.is_quantifier_free
                # A maintainer takes a script that is illegal in its logic for a mistake of ours.
                if is_shorter and covers_script(logic, outline.script):
                    yield ReplaceCommand(place, (SetLogic(name),), rank=1)


class _PlainReals(ScriptMap):
    """Writes real numerals with a point: without a logic of reals, `1` is an integer."""

    def value(self, term: Value) -> Term:
        if term.sort is REAL and isinstance(term.payload, Fraction) and term.text.isdecimal():
            return value(REAL, term.payload, f"{term.text}.0")
        return term


class ShortNames:
    """`(declare-fun counter () Int) (assert (= counter 0))` → `(declare-const a Int) (assert (= a 0))`."""

    name = "short-names"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        measurer = Measurer()
        now = measurer.measure(outline.script)
        if any(isinstance(c, NotUnderstood | SynthFun) for c in outline.script.commands):
            return
        constants = Script(tuple(map(_as_constant, outline.script.commands)))
        renamed_script = _Renaming(outline).script(constants)
        for rank, script in enumerate((renamed_script, constants, *_one_by_one(outline))):
            if script is not None and measurer.measure(script) < now:
                yield ReplaceScript(script, rank)


def _one_by_one(outline: Outline) -> Iterator[Script | None]:
    """One name changed, the others kept: the predicate may depend on some of them."""
    names = list(dict.fromkeys(_given(outline)))
    if len(names) <= _MAX_NAMES:
        for name in names:
            if len(name) > 1:
                yield _Renaming(outline, name).script(outline.script)


def _as_constant(command: Command) -> Command:
    if isinstance(command, DeclareFun) and command.word == "declare-fun" and not command.function.args:
        return replace(command, word="declare-const")
    return command


class _Renaming(ScriptMap):
    """Replaces every name the script introduces by a short one that no theory uses."""

    def __init__(self, outline: Outline, only: str = "") -> None:
        super().__init__()
        self._names: dict[str, str] = {}
        words_given = dict.fromkeys(_given(outline))
        taken = {*OPERATORS, *SORTS, *(words_given if only else ())}
        # Names in the text of commands that were not parsed must keep their meaning.
        text = " ".join(c.rest for c in outline.script.commands if isinstance(c, Plain))
        fresh = (name for name in _short() if name not in taken)
        self._sorts: dict[Sort, Sort] = {}
        words = text.split()
        for name in words_given:
            kept = (only and name != only) or name in words
            self._names[name] = name.removeprefix("sort ") if kept else next(fresh)

    def variable(self, name: str) -> str:
        return self._names.get(name, name)

    def function_name(self, name: str) -> str:
        return self._names.get(name, name)

    def sort(self, sort: Sort) -> Sort:
        sort_renamed = self._sorts.get(sort)
        if sort_renamed is None:
            args = tuple(map(self.sort, sort.args))
            name = self._names.get(f"sort {sort.name}", sort.name)
            sort_renamed = self._sorts[sort] = (
                Sort(name, sort.indices, args) if not sort.is_parameter else sort
            )
        return sort_renamed

    def command(self, command: Command) -> Command | None:
        result = super().command(command)
        if isinstance(result, DeclareSort) and result.arity is not None:
            return replace(result, name=self._names.get(f"sort {result.name}", result.name))
        if isinstance(result, DeclareDatatypes):
            datatypes = tuple(d._replace(name=self._names[f"sort {d.name}"]) for d in result.datatypes)
            return replace(result, datatypes=datatypes)
        return result


def _given(outline: Outline) -> Iterator[str]:
    """The names a script introduces, in order: functions, sorts (as `sort NAME`) and bound variables."""
    for command in outline.script.commands:
        for key in declared_by(command):
            yield key.name if isinstance(key, Function) else f"sort {key}"
        if isinstance(command, DeclareDatatypes):
            for constructor in (c for d in command.datatypes for c in d.constructors):
                yield constructor.name
                yield from (name for name, _ in constructor.selectors)
    for frame in outline.frame_table:
        yield from (binder.name for binder in frame.binders)


def _short() -> Iterator[str]:
    """a, b, …, z, a1, b1, …"""
    for number in count():
        yield from (f"{letter}{number or ''}" for letter in _LETTERS)
