"""Checks, and what can be asked after one: values, models, cores, unsat assumptions."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from random import Random
from typing import Final

from falsum.api.actions.action import Call
from falsum.api.actions.queries import Look
from falsum.api.model.mirror import Known, Mirror
from falsum.api.traces.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.sorts import BOOL

VERDICTS: Final = frozenset({"sat", "unsat", "unknown"})


class Check(Call):
    """`check` or, with assumptions, `check t5 t6`."""

    name = word = "check"
    asks = True

    def ready(self, mirror: Mirror) -> bool:
        return mirror.checks == 0 or mirror.has("incremental")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        for name in line.args:
            known = mirror.known(name)
            if known.sort is not BOOL or known.free:
                raise UsageError(f"{name} cannot be assumed")
        verdict = reply.text if reply.text in VERDICTS and not reply.is_error else "unknown"
        mirror.answered(verdict, line.args)


class CheckAssuming(Call):
    name = "check-assuming"
    word = "check"
    asks = True
    applies = False

    def ready(self, mirror: Mirror) -> bool:
        return mirror.has("assumptions") and (mirror.checks == 0 or mirror.has("incremental"))

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        formulas = mirror.formulas()
        if not formulas:
            return None
        count = min(rng.randint(1, 4), len(formulas))
        return Line("check", tuple(known.name for known in rng.sample(formulas, count)))


class GetValue(Call):
    """Values of terms, tab-separated in the reply."""

    name = word = "get-value"
    asks = True

    def ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "sat" and mirror.has("models")

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        known = [each for each in mirror.terms.values() if has_value(each)]
        if not known:
            return None
        chosen = rng.sample(known, min(rng.randint(1, 3), len(known)))
        return Line(self.word, tuple(each.name for each in chosen))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        values = reply.text.split("\t")
        if not reply.is_error and len(values) == len(line.args):
            # An empty one is a value the library does not tell: the others still count.
            for name, value in zip(line.args, values, strict=True):
                if mirror.values.get(name, value) != value:
                    mirror.revised = (name, mirror.values[name], value)
                if value:
                    mirror.values[name] = value
                    mirror.told.append((frozenset(mirror.in_force), name, value))


def has_value(known: Known) -> bool:
    return not known.free and known.role != "function" and known.sort.name != "RegLan"


class OneShot(Call):
    """`one-shot t5 t6`: the verdict of a fresh solver of the same library on these alone."""

    name = word = "one-shot"
    asks = True

    def ready(self, mirror: Mirror) -> bool:
        return mirror.mode in ("sat", "unsat") and mirror.has("one-shot")

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, tuple(dict.fromkeys(mirror.in_force)), number=rng.randrange(1, 100))


class GetModel(Look):
    """The library's own print of the model: recorded, read by nobody yet."""

    name = word = "get-model"

    def ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "sat" and mirror.has("models")


class GetCore(Call):
    name = word = "get-core"
    asks = True

    def ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "unsat" and mirror.has("cores")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if not reply.is_error:
            mirror.core = tuple(reply.text.split())


class GetUnsatAssumptions(Call):
    name = word = "get-unsat-assumptions"
    asks = True

    def ready(self, mirror: Mirror) -> bool:
        return mirror.mode == "unsat" and bool(mirror.assumed) and mirror.has("unsat-assumptions")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if not reply.is_error:
            mirror.failed = tuple(reply.text.split())
