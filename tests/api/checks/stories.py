"""Stories: traces with replies that a library might have given, and what the checks say of them.

No library runs here: the mirror follows the lines, the checks examine the replies, and z3 is the solver to
compare with.
"""

from __future__ import annotations

from dataclasses import dataclass

from falsum.api.actions import action_of
from falsum.api.checks import ALL, by_word
from falsum.api.model.capabilities import Capabilities, ExtraDeclaration
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Bounds
from falsum.api.reference_solvers import NoReferenceSolvers, ReferenceSolvers
from falsum.api.trace import Line, Step, read_trace

RETURNS = (
    "interpolant goal-interpolant abduct maximum minimum implied core verdict other-value equal "
    "equal-under-assertions"
).split()
CAPABILITIES = Capabilities(
    "z3",
    sorts=("Bool", "BitVec", "Int"),
    operators=tuple("not and or => xor = distinct ite bvult bvugt bvadd < > + - *".split()),
    features=tuple(
        "incremental assumptions models cores unsat-assumptions functions function-values one-shot children "
        "sort-of print quantifiers reset reset-assertions assertions".split()
    ),
    extras=tuple(ExtraDeclaration(f"give-{name}", ("term",), name) for name in RETURNS),
)
# x and y are bit-vectors of four bits, p is a Bool, i and j are integers.
BEGIN = """new
s1 = sort Bool
s2 = sort BitVec 4
s3 = sort Int
t1 = const s2 x
t2 = const s2 y
t3 = value s2 #b0101
t4 = term bvult t1 t3
t5 = term bvadd t2 t2
t6 = term = t1 t2
t7 = term bvugt t1 t3
t8 = const s1 p
t9 = const s3 i
t10 = const s3 j
t11 = value s3 3
t12 = term > t9 t11
t13 = term < t10 t9
t14 = term < t9 t11
t15 = term not t8
"""


@dataclass(frozen=True, slots=True)
class Failure:
    """The line whose reply fails a check, its kind, and the evidence."""

    line: Line
    kind: str
    evidence: str


def mirror_of(story: str, capabilities: Capabilities = CAPABILITIES) -> Mirror:
    """The state after a story, whatever the checks say."""
    mirror = Mirror(capabilities, Bounds(), ("core", "bitvectors", "ints"))
    for step in read_trace(BEGIN + story).steps:
        _apply(mirror, step)
    return mirror


def failures(story: str, references: ReferenceSolvers | None = None) -> list[Failure]:
    """What the checks say of each reply of a story."""
    mirror = Mirror(CAPABILITIES, Bounds(), ("core", "bitvectors", "ints"))
    found = []
    for step in read_trace(BEGIN + story).steps:
        _apply(mirror, step)
        for check in by_word(ALL).get(step.line.word, ()):
            failure = check.examine(mirror, step.line, step.reply, references or NoReferenceSolvers())
            if failure is not None:
                found.append(Failure(step.line, failure.kind, failure.evidence))
    return found


def follow_ups(story: str, capabilities: Capabilities = CAPABILITIES) -> list[str]:
    """The lines that the checks add after the last line of a story."""
    mirror = mirror_of(story, capabilities)
    last = read_trace(BEGIN + story).steps[-1]
    checks = by_word(ALL).get(last.line.word, ())
    return [str(line) for check in checks for line in check.follow_ups(mirror, last.line, last.reply)]


def _apply(mirror: Mirror, step: Step) -> None:
    mirror.actions += 1
    action_of(step.line).apply(mirror, step.line, step.reply)
