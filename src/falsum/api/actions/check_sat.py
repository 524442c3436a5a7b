"""The checks, and the queries after one: values, models, cores, unsat assumptions."""

# ruff: noqa: ARG002 - actions share a signature
from __future__ import annotations

from random import Random
from typing import Final

from falsum.api.actions.action import SimpleAction
from falsum.api.model.mirror import Mirror, TermEntry
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.theories import kind_of

VERDICTS: Final = frozenset({"sat", "unsat", "unknown"})


class CheckAction(SimpleAction):
    """`check` or, with assumptions, `check t5 t6`."""

    name = word = "check"
    has_reply = True

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


class CheckAssumingAction(SimpleAction):
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


class GetValueAction(SimpleAction):
    """Values of terms, tab-separated in the reply."""

    name = word = "get-value"
    has_reply = True

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "sat" and mirror.has("models")

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        entries = [entry for entry in mirror.terms.values() if has_value(entry)]
        if not entries:
            return None
        chosen = rng.sample(entries, min(rng.randint(1, 3), len(entries)))
        return Line(self.word, tuple(entry.name for entry in chosen))

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


def has_value(entry: TermEntry) -> bool:
    """Whether `get-value` accepts a term."""
    return not entry.free and entry.role != "function" and kind_of(entry.sort).is_first_class


class OneShotAction(SimpleAction):
    """`one-shot t5 t6`: the verdict of a fresh solver of the same library on these formulas alone."""

    name = word = "one-shot"
    has_reply = True

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode in ("sat", "unsat") and mirror.has("one-shot")

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, tuple(dict.fromkeys(mirror.formulas_at_check)), variant=rng.randrange(1, 100))


class GetModelAction(SimpleAction):
    """The model as the library prints it, with tabs for the ends of lines."""

    name = word = "get-model"
    has_reply = True

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "sat" and mirror.has("models")


class GetCoreAction(SimpleAction):
    name = word = "get-core"
    has_reply = True

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "unsat" and mirror.has("cores")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if not reply.is_error:
            mirror.unsat_core = tuple(reply.text.split())


class GetUnsatAssumptionsAction(SimpleAction):
    name = word = "get-unsat-assumptions"
    has_reply = True

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "unsat" and bool(mirror.assumptions) and mirror.has("unsat-assumptions")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if not reply.is_error:
            mirror.failed_assumptions = tuple(reply.text.split())
