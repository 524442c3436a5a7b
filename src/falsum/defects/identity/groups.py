"""Groups: findings that are probably one bug; the leader of a group is reported for all of it.

Equal signatures are one bug. Crashes are compared by their messages and frames. Within one defect and
product, findings whose reduced scripts have nearly the same operators are taken for one as well, by weighted
Jaccard similarity of the operator multisets; operators that solvers rewrite into each other count as one.
Connectives and equations weigh little; options a finding needs weigh much, since they select another engine,
and so do lets, which reduction leaves only where they are needed. A finding is compared with the leader of a
group only, because similarity is not transitive. Findings fixed in different releases are different bugs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final

from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect
from falsum.defects.identity.fingerprint import LET, Fingerprint
from falsum.smtlib.theories import OPERATORS
from falsum.solvers.messages import has_frames, same_place

# Chosen by hand. Too low hides one bug behind another; too high only shows one twice, which is better.
SAME: Final = 0.6
# An undecided finding may be the same bug as one with a wrong verdict.
_WRONG: Final = frozenset(WRONG_VERDICTS.values())
# A wrong *sat* comes with a wrong model; which of the two is reported depends on who else was asked. One
# wrong rewriting may also make a wrong *unsat*, but that needs scripts that are more alike.
_WRONG_SAT: Final = frozenset({Defect.SOLUTION_UNSOUNDNESS, Defect.INVALID_MODEL})
_OTHER_WAY: Final = 0.8
_GRAVITY: Final = {str(defect): number for number, defect in enumerate(Defect)}
_CORE_WEIGHT: Final = 0.25
# Nearly every script compares something.
_ORDER_WEIGHT: Final = 0.5
_OPTION_WEIGHT: Final = 2.0
# Operators of which solvers make one another before they solve anything.
_ORDERS: Final = (
    "< <= > >=",
    "bvult bvule bvugt bvuge",
    "bvslt bvsle bvsgt bvsge",
    "fp.lt fp.leq fp.gt fp.geq",
    "str.< str.<=",
)
_KINDRED: Final = tuple(
    frozenset(names.split())
    for names in (
        *_ORDERS,
        "= distinct fp.eq",
        "+ -",
        "/ div mod rem divisible",
        "bvudiv bvurem bvsdiv bvsrem bvsmod",
        "bvshl bvlshr bvashr",
        "str.prefixof str.suffixof",
        "seq.prefixof seq.suffixof",
        "set.subset set.inter set.union set.minus",
    )
)
_KIN: Final = {name: min(names) for names in _KINDRED for name in names}
_MAX_WEIGHTS: Final = 1 << 14
_WEIGHTS: Final = {name: _ORDER_WEIGHT for names in _ORDERS for name in names.split()}


@dataclass(frozen=True, slots=True)
class Member:
    """A finding to be grouped: its name, its fingerprint, the size of its reduced script.

    `span` says in which releases it was fixed, in any fixed notation; "" if that is not known.
    """

    name: str
    fingerprint: Fingerprint
    size: int
    span: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Findings taken for one bug, the leader (of the gravest defect, with the smallest script) first."""

    members: tuple[Member, ...]

    @property
    def leader(self) -> Member:
        return self.members[0]


def grouped(members: Iterable[Member], threshold: float = SAME) -> tuple[Group, ...]:
    """The groups, by the size of their leaders; the order of the members makes no difference."""
    groups: list[_Candidates] = []
    # Findings of different products are never one bug.
    by_product: dict[str, list[_Candidates]] = {}
    for member in sorted(members, key=lambda m: (m.size, m.fingerprint.signature, m.name)):
        near = by_product.setdefault(member.fingerprint.product, [])
        best, most = None, 0.0
        for group in near:
            if (closeness := group.closeness(member)) > most:
                best, most = group, closeness
        if best is not None and most >= threshold:
            best.add(member)
        else:
            groups.append(_Candidates(member))
            near.append(groups[-1])
    return tuple(Group(tuple(sorted(group.members, key=_gravity))) for group in groups)


class _Candidates:
    """A group in the making, its first member at the beginning."""

    def __init__(self, first: Member) -> None:
        self.members = [first]
        self._spans = {first.span} - {""}

    def add(self, member: Member) -> None:
        self.members.append(member)
        self._spans |= {member.span} - {""}

    def closeness(self, member: Member) -> float:
        """Similarity to the first member; 0 if a member was fixed in other releases."""
        if member.span and self._spans and self._spans != {member.span}:
            return 0.0
        return similarity(member.fingerprint, self.members[0].fingerprint)


def _gravity(member: Member) -> tuple[int, int, str]:
    return _GRAVITY.get(member.fingerprint.defect, len(_GRAVITY)), member.size, member.name


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """From 0 (certainly two bugs) to 1 (the same signature)."""
    alike = _defects_alike(one.defect, other.defect) if one.product == other.product else 0.0
    if not alike or one == other:
        return alike
    if one.place or other.place:
        if has_frames(one.place) and has_frames(other.place):
            return float(same_place(one.place, other.place))
        if one.place != other.place:
            return _words_in_common(one.place, other.place)
    if one.theories and other.theories and not any(theory in other.theories for theory in one.theories):
        return 0.0
    return alike * _weighted_jaccard(_weights(one), _weights(other))


def _defects_alike(one: str, other: str) -> float:
    """How alike scripts with two defects must be for one bug: 1 if the defects are alike, otherwise less."""
    if one == other or {one, other} == _WRONG_SAT:
        return 1.0
    if Defect.UNDECIDED in (one, other):
        return float(bool({one, other} & _WRONG))
    return _OTHER_WAY if {one, other} <= _WRONG | _WRONG_SAT else 0.0


def _words_in_common(one: str, other: str) -> float:
    first, second = set(one.split()), set(other.split())
    return len(first & second) / len(first | second)


@lru_cache(_MAX_WEIGHTS)
def _weights(fingerprint: Fingerprint) -> Mapping[str, float]:
    """Operators weighted by the square root of their counts: a hundred additions mean little more than
    ten.
    """
    counts: Counter[str] = Counter()
    for name, count in fingerprint.operators:
        counts[_KIN.get(name, name)] += count
    weights = {name: _weight(name) * sqrt(count) for name, count in counts.items()}
    weights.update(dict.fromkeys(weights.keys() & {LET}, _OPTION_WEIGHT))
    weights.update(dict.fromkeys(fingerprint.options, _OPTION_WEIGHT))
    return weights


def _weight(name: str) -> float:
    operator = OPERATORS.get(name)
    if name in _WEIGHTS:
        return _WEIGHTS[name]
    return _CORE_WEIGHT if operator is not None and operator.theory == "Core" else 1.0


def _weighted_jaccard(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    names = dict.fromkeys((*one, *other))
    most = sum(max(one.get(name, 0.0), other.get(name, 0.0)) for name in names)
    least = sum(min(one.get(name, 0.0), other.get(name, 0.0)) for name in names)
    return least / most if most else 1.0
