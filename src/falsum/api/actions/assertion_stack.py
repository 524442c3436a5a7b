"""The actions on the assertion stack: assert, push, pop, reset, reset-assertions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from falsum.api.actions.action import Action, Call, read_number
from falsum.api.actions.script_writer import ScriptWriter
from falsum.api.model.mirror import Mirror
from falsum.api.model.random_terms import pick_rarely_used
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import Assert, Plain, Pop, Push
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Attribute, annotated

_ANY_FORMULA: Final = 0.03  # the share of assertions of any formula


class _StackAction(Action):
    """Changes the stack."""

    is_stateful = True


class AssertAction(_StackAction):
    name = word = "assert"
    call = Call("assert_", "term", notes="asserted")
    min_args = 1

    def is_ready(self, mirror: Mirror) -> bool:
        """Whether the assertions may change: not after the only check of a run, because some solvers refuse
        that.
        """
        return mirror.checks == 0 or mirror.has("incremental")

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        """Draw a formula that is not asserted yet, mostly one with symbols, since the others are true or
        false.
        """
        formulas = mirror.formulas()
        if rng.random() >= _ANY_FORMULA:
            composed = [entry for entry in mirror.formulas_with_symbols() if entry.role == "term"]
            formulas = composed or formulas
            fresh = [entry for entry in formulas if entry.term not in mirror.formulas_asserted]
            if not fresh and mirror.formulas_asserted:
                return None
            formulas = fresh or formulas
        entry = pick_rarely_used(formulas, rng)
        return Line(self.word, (entry.name,)) if entry else None

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        entry = mirror.entry(line.args[0])
        if entry.sort is not BOOL or entry.free:
            raise UsageError(f"{entry.name} cannot be asserted")
        entry.uses += 1
        mirror.end_answer()
        mirror.levels[-1].append(entry.name)
        mirror.formulas_asserted[entry.term] = None

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.declare()
        (term,) = writer.terms(line.args[:1])
        name = Attribute(":named", f"a!{writer.count}")
        writer.add(Assert(annotated(term, (name,)) if writer.names_assertions else term))


class _LevelsAction(_StackAction):
    """Adds or removes levels."""

    min_args = 1

    def shorter(self, line: Line) -> Iterator[Line]:
        if line.args != ("1",):
            yield line._replace(args=("1",))


class PushAction(_LevelsAction):
    name = word = "push"
    call = Call("push", "number", notes="open")
    feature = "incremental"

    def is_ready(self, mirror: Mirror) -> bool:
        return super().is_ready(mirror) and len(mirror.levels) <= mirror.bounds.levels

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (str(rng.choice((1, 1, 1, 2))),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.levels.extend([] for _ in range(read_number(line.args[0])))
        mirror.end_answer()

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.declare()
        writer.add(Push(int(line.args[0])))


class PopAction(_LevelsAction):
    name = word = "pop"
    call = Call("pop", "number", notes="close")

    def is_ready(self, mirror: Mirror) -> bool:
        return len(mirror.levels) > 1

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (str(rng.randint(1, len(mirror.levels) - 1)),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        levels = read_number(line.args[0])
        if not 0 < levels < len(mirror.levels):
            raise UsageError(f"cannot pop {levels} of {len(mirror.levels) - 1} levels")
        del mirror.levels[-levels:]
        mirror.end_answer()

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(Pop(int(line.args[0])))


class ResetAction(_StackAction):
    """Resets options and assertions; sorts and terms belong to the library and remain."""

    name = word = feature = "reset"
    call = Call("reset", notes="empty")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.clear_options()
        mirror.logic = ""
        mirror.levels = [[]]
        mirror.end_answer()

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(Plain(self.word))
        writer.start_again()


class ResetAssertionsAction(_StackAction):
    name = word = feature = "reset-assertions"
    call = Call("reset_assertions", notes="empty")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.levels = [[]]
        mirror.end_answer()

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(Plain(self.word))
