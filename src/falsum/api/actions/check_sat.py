"""The checks, and the queries after one: values, models, cores, unsat assumptions."""

from __future__ import annotations

from random import Random
from typing import Final

from falsum.api.actions.action import Action, Call, Purpose
from falsum.api.actions.script_writer import ScriptWriter
from falsum.api.model.mirror import Mirror, TermEntry
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import Assert, CheckSat, CheckSatAssuming, DeclareFun, Plain, WithTerms
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Function, Head, app, constant
from falsum.smtlib.theories import OPERATORS, kind_of

VERDICTS: Final = frozenset({"sat", "unsat", "unknown"})


class CheckAction(Action):
    """`check` or, with assumptions, `check t5 t6`."""

    name = word = "check"
    call = Call("check", "terms", "text", "assumed")
    purpose = Purpose.QUESTION
    has_reply = is_stateful = True
    optional_from = 0

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.checks == 0 or mirror.has("incremental")

    def awaits_reply(self, mirror: Mirror, line: Line) -> bool:
        if line.args and not mirror.has("assumptions"):
            raise UsageError("the library does not take assumptions in this run")
        for name in line.args:
            entry = mirror.entry(name)
            if entry.sort is not BOOL or entry.free:
                raise UsageError(f"{name} cannot be assumed")
        return True

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        self.awaits_reply(mirror, line)
        verdict = reply.text if reply.text in VERDICTS and not reply.is_error else "unknown"
        mirror.record_verdict(verdict, line.args)

    def write(self, writer: ScriptWriter, line: Line) -> None:
        """Only literals can be assumed, so each assumption gets a constant."""
        writer.declare()
        index = writer.count
        names = [Function(f"assumed!{index}!{number}", (), BOOL) for number in range(len(line.args))]
        for name, term in zip(names, writer.terms(line.args), strict=True):
            writer.add(DeclareFun(name), Assert(app(Head(OPERATORS["="]), (constant(name), term))))
        writer.add(CheckSatAssuming(tuple(map(constant, names))) if names else CheckSat())


class CheckAssumingAction(Action):
    name = "check-assuming"
    word = "check"
    has_reply = True
    applies = False

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.has("assumptions") and (mirror.checks == 0 or mirror.has("incremental"))

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        formulas = mirror.formulas()
        if not formulas:
            return None
        count = min(rng.randint(1, 4), len(formulas))
        return Line("check", tuple(entry.name for entry in rng.sample(formulas, count)))


class GetValueAction(Action):
    """Values of terms, tab-separated in the reply."""

    name = word = "get-value"
    call = Call("get_value", "terms", "each")
    feature = "models"
    purpose = Purpose.DISPLAY
    script_option = ":produce-models"
    has_reply = True
    optional_from = 0

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "sat" and super().is_ready(mirror)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        entries = [entry for entry in mirror.terms.values() if has_value(entry)]
        if not entries:
            return None
        entries_drawn = rng.sample(entries, min(rng.randint(1, 3), len(entries)))
        return Line(self.word, tuple(entry.name for entry in entries_drawn))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        values = reply.text.split("\t")
        if not reply.is_error and len(values) == len(line.args):
            # An empty value is one that the library does not print.
            for name, value in zip(line.args, values, strict=True):
                if mirror.values.get(name, value) != value:
                    mirror.changed_value = (name, mirror.values[name], value)
                if value:
                    mirror.values[name] = value
                    mirror.past_values.append((frozenset(mirror.formulas_at_check), name, value))

    def write(self, writer: ScriptWriter, line: Line) -> None:
        if line.args:  # otherwise it is no command
            writer.add(WithTerms(self.word, ("(", *writer.terms(line.args), ")")))


def has_value(entry: TermEntry) -> bool:
    """Whether `get-value` accepts a term."""
    return not entry.free and entry.role != "function" and kind_of(entry.sort).is_first_class


class OneShotAction(Action):
    """`one-shot t5 t6`: the verdict of a fresh solver of the same library on these formulas alone."""

    name = word = feature = "one-shot"
    call = Call("one_shot", "terms", "text")
    has_reply = True
    is_portable = False

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode in ("sat", "unsat") and super().is_ready(mirror)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, tuple(dict.fromkeys(mirror.formulas_at_check)), variant=rng.randrange(1, 100))


class GetModelAction(Action):
    """The model as the library prints it, with tabs for the ends of lines."""

    name = word = "get-model"
    call = Call("get_model", gives="rows")
    feature = "models"
    purpose = Purpose.DISPLAY
    script_option = ":produce-models"
    has_reply = True

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "sat" and super().is_ready(mirror)

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(Plain(self.word))


class GetCoreAction(Action):
    name = word = "get-core"
    call = Call("get_core", gives="formulas")
    feature = "cores"
    purpose = Purpose.QUESTION
    script_option = ":produce-unsat-cores"
    has_reply = True

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "unsat" and super().is_ready(mirror)

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(Plain("get-unsat-core"))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if not reply.is_error:
            mirror.unsat_core = tuple(reply.text.split())


class GetUnsatAssumptionsAction(Action):
    name = word = "get-unsat-assumptions"
    call = Call("get_unsat_assumptions", gives="assumed")
    feature = "unsat-assumptions"
    purpose = Purpose.QUESTION
    script_option = ":produce-unsat-assumptions"
    has_reply = True

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "unsat" and bool(mirror.assumptions) and super().is_ready(mirror)

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(Plain(self.word))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if not reply.is_error:
            mirror.failed_assumptions = tuple(reply.text.split())
