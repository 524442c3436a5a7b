"""ClaimAction: a line that states what is known of formulas, by the status of a script or by a strategy."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from falsum.api.actions.action import Action, Call
from falsum.api.trace import Line, Reply
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import SetInfo

if TYPE_CHECKING:
    from random import Random

    from falsum.api.actions.script_writer import ScriptWriter
    from falsum.api.model.mirror import Mirror

_DIGITS = 16


class ClaimAction(Action):
    """`claim sat 5f3a… t5 t6`: these formulas together are sat; the digest is that of their text.

    The library is not called. If the formulas have changed, as in a smaller trace, the claim no longer
    applies.
    """

    name = word = "claim"
    call = Call("")
    min_args = 2

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        """Draw nothing: the lines come from scripts."""
        return None

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        verdict, digest, *names = line.args
        if digest == _digest(mirror, names):
            mirror.claims.append((frozenset(names), verdict))

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.declare()
        writer.add(SetInfo(":status", line.args[0]))


def claim_line(mirror: Mirror, verdict: str) -> Line:
    """The claim that the formulas asserted now have a verdict."""
    names = tuple(dict.fromkeys(mirror.asserted))
    return Line("claim", (verdict, _digest(mirror, names), *names))


def _digest(mirror: Mirror, names: tuple[str, ...] | list[str]) -> str:
    text = "\n".join(print_term(mirror.entry(name).term) for name in names)
    return sha256(text.encode()).hexdigest()[:_DIGITS]
