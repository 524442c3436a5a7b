"""The theories that settings name: their sorts and operators, and which of them runs draw."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from falsum.api.model.guidance import THEORY, Guidance
from falsum.smtlib.theories import SORTS, theory_cache

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from falsum.api.model.capabilities import Capabilities

# Drawn only in runs of their theory: with them solvers mostly answer unknown.
_POWERS: Final = (
    "^ ** int.pow2 int.log2 int.ispow2 iand piand band div0 mod0 rem0 /0 div_total mod_total /_total"
)
_TRANSCENDENTALS: Final = "real.pi exp sin cos tan csc sec cot arcsin arccos arctan arccsc arcsec arccot sqrt"
OPERATORS_OF: Final[dict[str, frozenset[str]]] = {
    "extended-arithmetic": frozenset(f"{_POWERS} {_TRANSCENDENTALS}".split()),
}
# The theories of runs by default, and others that are drawn like them.
COMMON: Final = (
    "core", "bitvectors", "floats", "ints", "reals", "strings", "arrays", "uf", "datatypes", "quantifiers",
)  # fmt: skip
_RARE: Final = ("sequences", "sets", "bags", "tuples", "fields", "extended-arithmetic", "higher-order")
# Kept only in a share of the runs they are drawn for: solvers answer less with them, or support less.
_KEPT: Final = {"extended-arithmetic": 0.25, "higher-order": 0.4}
_FEW: Final = 3  # theories interact more if there are not many
_SHARE_OF_FEW: Final = 0.5
_MANY: Final = 10
# Theories that a rare one needs.
_COMPANIONS: Final = {
    "extended-arithmetic": ("ints", "reals"),
    "higher-order": ("uf", "sets", "sequences", "bags"),
    "tuples": ("sets", "bags"),
}
_FEATURES: Final = {name: name for name in ("datatypes", "higher-order", "quantifiers")}


@theory_cache()
def sorts_of() -> dict[str, tuple[str, ...]]:
    """The names of each theory's sorts; the keys are all theories that settings may name."""
    theories: dict[str, tuple[str, ...]] = dict.fromkeys((*COMMON, *_RARE), ())
    for kind in SORTS.values():
        if kind.family:
            theories[kind.family] = (*theories.get(kind.family, ()), kind.name)
    return theories


def rare_theories() -> tuple[str, ...]:
    """The theories that are not common."""
    return tuple(theory for theory in sorts_of() if theory not in COMMON)


def draw_theories(
    theories: Sequence[str], capabilities: Capabilities, rng: Random, guidance: Guidance | None = None
) -> tuple[str, ...]:
    """The theories of a run: a few of those allowed, or any number of them, with those that they need."""
    fitting = [each for each in theories if each != "core" and supports(capabilities, each)]
    most = _FEW if rng.random() < _SHARE_OF_FEW else _MANY
    count = rng.randint(1, min(most, len(fitting))) if fitting else 0
    choice = (guidance or Guidance()).sample(THEORY, fitting, count, rng) if fitting else []
    selection = [each for each in choice if rng.random() < _KEPT.get(each, 1.0)] or choice
    needs = set(selection)
    for rare in selection:
        companions = [each for each in _COMPANIONS.get(rare, ()) if supports(capabilities, each)]
        if len(companions) > 2:
            companions = [companions[0], rng.choice(companions[1:])]
        needs.update(companions)
    for pair in capabilities.exclusive_theories:
        if needs.issuperset(pair):
            needs.remove(rng.choice(pair))
    return ("core", *(each for each in sorts_of() if each in needs))


def supports(capabilities: Capabilities, theory: str) -> bool:
    """Whether a library has some sort, operator or feature of a theory."""
    if theory in _FEATURES and not capabilities.has(_FEATURES[theory]):
        return False
    if theory in OPERATORS_OF:
        return bool(OPERATORS_OF[theory].intersection(capabilities.operators))
    sorts = sorts_of()[theory]
    return not sorts or bool(set(sorts) & set(capabilities.sorts))


@lru_cache(maxsize=256)
def operators_in(theories: tuple[str, ...], operators: tuple[str, ...]) -> tuple[str, ...]:
    """The operators without those that belong only to other theories."""
    excluded = frozenset[str]().union(
        *(names for word, names in OPERATORS_OF.items() if word not in theories)
    )
    return tuple(name for name in operators if name not in excluded)
