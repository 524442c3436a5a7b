"""The actions for solver-specific calls, which bindings declare as data."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from falsum.api.actions.action import Action, Call, Purpose
from falsum.api.actions.script_writer import ScriptWriter
from falsum.api.model.mirror import Mirror, TermEntry
from falsum.api.model.printed_terms import read_term
from falsum.api.model.random_terms import pick_rarely_used
from falsum.api.model.state_machine import PRECONDITIONS
from falsum.api.trace import Line, Reply
from falsum.errors import ScriptError, UsageError
from falsum.smtlib.terms import Quantifier
from falsum.smtlib.theories import kind_of
from falsum.smtlib.walk import size

# Results that do not affect the mirror and do not depend on the assertions.
_WITHOUT_EFFECT: Final = frozenset(["nothing", "text", "equal"])
# Results of extras that have no effect on the solver.
_ONLY_ASKS: Final = frozenset(["equal", "term", "text", "verdict"])
_ANSWERS: Final = frozenset(["sat", "unsat"])


class ExtraAction(Action):
    """Applies lines of all extras: `t9 = extra simplify-term t5`."""

    name = word = "extra"
    call = Call("extra", "word values", "any")
    purpose = Purpose.DISPLAY
    min_args = 1
    has_reply = True
    is_portable = False

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        """Draw nothing: `NamedExtraAction` draws the lines."""
        return None

    def awaits_reply(self, mirror: Mirror, line: Line) -> bool:
        extra = mirror.extras.get(line.args[0])
        if extra is None or len(line.args) <= len(extra.args):
            raise UsageError(f"unknown extra, or too few arguments: {line}")
        return extra.returns not in _WITHOUT_EFFECT

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        extra = mirror.extras.get(line.args[0])
        if extra is None or reply.is_error:
            return
        if extra.ends_check:
            mirror.end_answer()
        if not line.results:
            return
        if extra.returns == "equal":
            # If it is not equal after all, later answers that depend on it show it.
            first = mirror.entry(line.args[1])
            entry = replace(
                first, name=line.results[0], role="term", uses=0, is_rewritten=True, function=None
            )
            mirror.add(entry)
        elif extra.returns == "term":
            try:
                term = read_term(reply.text, mirror)
            except ScriptError:  # it has operators that falsum does not know
                return
            term_entry = TermEntry(line.results[0], term, "term", nodes=size(term), is_rewritten=True)
            mirror.add(replace(term_entry, has_symbol=True))

    def write(self, writer: ScriptWriter, line: Line) -> None:
        """Leave out what has no effect on the solver; raises UsageError for the rest."""
        if writer.extras[line.args[0]].returns not in _ONLY_ASKS:
            raise UsageError(f"SMT-LIB has no {line.args[0]}, as in the line: {line}")


class NamedExtraAction(Action):
    """Draws lines of one extra."""

    word = "extra"
    has_reply = True
    applies = False

    def __init__(self, extra: str) -> None:
        self.extra = extra

    def is_ready(self, mirror: Mirror) -> bool:
        extra = mirror.extras.get(self.extra)
        if extra is None or not mirror.features.issuperset(extra.needs):
            return False
        if not PRECONDITIONS[extra.precondition](mirror):
            return False
        # Extras of the states `sat` and `unsat` need the answer.
        return mirror.mode in extra.states or not _ANSWERS.issuperset(extra.states)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        extra = mirror.extras[self.extra]
        args: list[str] = []
        for kind in extra.args:
            arg = _argument(kind, args, mirror, rng)
            if arg is None:
                return None
            args.append(arg)
        results = (mirror.next_term(),) if extra.returns in ("equal", "term") else ()
        return Line(self.word, (self.extra, *args), results, rng.randrange(1, 100))


def _argument(kind: str, before: list[str], mirror: Mirror, rng: Random) -> str | None:
    if kind == "number":
        return str(rng.randrange(4))
    if "|" in kind:
        return rng.choice(kind.split("|"))
    entry = pick_rarely_used(_candidates(kind, before, mirror), rng)
    return entry.name if entry is not None else None


def _candidates(kind: str, before: list[str], mirror: Mirror) -> list[TermEntry]:
    closed = [entry for entry in mirror.terms.values() if not entry.free and entry.role != "function"]
    if kind == "any":
        return list(mirror.terms.values())
    if kind == "term":
        return [entry for entry in closed if kind_of(entry.sort).is_first_class]
    if kind == "formula":
        return mirror.formulas()
    if kind in ("input", "value"):
        return [entry for entry in closed if entry.role == kind]
    if kind == "numeric":
        return [entry for entry in closed if kind_of(entry.sort).order is not None]
    if kind == "quantifier":
        # A rewritten quantifier is one in the mirror only.
        return [k for k in mirror.formulas() if isinstance(k.term, Quantifier) and not k.is_rewritten]
    if kind == "asserted":
        return [mirror.entry(name) for name in mirror.asserted]
    if kind == "same-sort":
        return [entry for entry in closed if entry.sort is mirror.entry(before[-1]).sort]
    raise UsageError(f"unknown kind of argument {kind!r}")
