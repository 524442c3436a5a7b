"""Solver-specific actions, as bindings declare them: one action for all of them."""

from __future__ import annotations

from random import Random
from typing import Final

from falsum.api.actions.action import Call
from falsum.api.library_output import read_term
from falsum.api.model.mirror import Known, Mirror
from falsum.api.model.random_terms import pick
from falsum.api.model.state_machine import NEEDS
from falsum.api.traces.trace import Line, Reply
from falsum.errors import ScriptError, UsageError
from falsum.smtlib.terms import Quantifier
from falsum.smtlib.walk import size

# Whatever is answered, the mirror becomes the same, and what is asserted does not matter.
_SAME_TO_US: Final = frozenset(["nothing", "text", "equal"])
_ANSWERS: Final = frozenset(["sat", "unsat"])


class Solvers(Call):
    """Applies the lines of all of them: `t9 = extra simplify-term t5`."""

    name = word = "extra"
    takes = 1
    asks = True

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        """Drawn by name, through `Extra`."""
        del mirror, rng
        return None

    def waits(self, mirror: Mirror, line: Line) -> bool:
        declared = mirror.extras.get(line.args[0])
        if declared is None or len(line.args) <= len(declared.args):
            raise UsageError(f"there is no such action here: {line}")
        return declared.returns not in _SAME_TO_US

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        declared = mirror.extras.get(line.args[0])
        if declared is None or reply.is_error:
            return
        if declared.ends_check:
            mirror.changed()
        if not line.made:
            return
        if declared.returns == "equal":
            # If it is not equal after all, every later answer that uses it is evidence.
            first = mirror.known(line.args[1])
            made = Known(line.made[0], first.term, "term", first.free, first.depth, first.nodes)
            made.is_rewritten = True
            mirror.add(made)
        elif declared.returns == "term":
            try:
                term = read_term(reply.text, mirror)
            except ScriptError:  # operators of its own: nothing we could use
                return
            mirror.add(Known(line.made[0], term, "term", nodes=size(term), is_rewritten=True))


class Extra(Call):
    """One of them, to be drawn."""

    word = "extra"
    asks = True
    applies = False

    def __init__(self, which: str) -> None:
        self.which = which

    def ready(self, mirror: Mirror) -> bool:
        declared = mirror.extras.get(self.which)
        if declared is None or not NEEDS[declared.precondition](mirror):
            return False
        # What is asked about an answer is asked while it holds.
        return mirror.mode in declared.states or not _ANSWERS.issuperset(declared.states)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        declared = mirror.extras[self.which]
        args: list[str] = []
        for kind in declared.args:
            arg = _argument(kind, args, mirror, rng)
            if arg is None:
                return None
            args.append(arg)
        made = (mirror.next_term(),) if declared.returns in ("equal", "term") else ()
        return Line(self.word, (self.which, *args), made, rng.randrange(1, 100))


def _argument(kind: str, before: list[str], mirror: Mirror, rng: Random) -> str | None:
    if kind == "number":
        return str(rng.randrange(4))
    if "|" in kind:
        return rng.choice(kind.split("|"))
    known = pick(_candidates(kind, before, mirror), rng)
    return known.name if known is not None else None


def _candidates(kind: str, before: list[str], mirror: Mirror) -> list[Known]:
    closed = [known for known in mirror.terms.values() if not known.free and known.role != "function"]
    if kind == "any":
        return list(mirror.terms.values())
    if kind == "term":
        return [known for known in closed if known.sort.name != "RegLan"]
    if kind == "formula":
        return mirror.formulas()
    if kind in ("input", "value"):
        return [known for known in closed if known.role == kind]
    if kind == "numeric":
        return [known for known in closed if known.sort.name in ("Int", "Real", "BitVec")]
    if kind == "quantifier":
        # What was rewritten is a quantifier in our picture only.
        return [k for k in mirror.formulas() if isinstance(k.term, Quantifier) and not k.is_rewritten]
    if kind == "asserted":
        return [mirror.known(name) for name in mirror.asserted]
    if kind == "same-sort":
        return [known for known in closed if known.sort is mirror.known(before[-1]).sort]
    raise UsageError(f"no argument of an action is a {kind}")
