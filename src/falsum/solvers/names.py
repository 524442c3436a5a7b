"""Which solvers are independent: products that share code count as one, and so do releases of a product."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Final

from packaging.version import Version

from falsum.smtlib.verdict import Verdict
from falsum.solvers.profiles import BY_PRODUCT, GENERIC, profile_of_program
from falsum.solvers.versions import NEWEST, UNKNOWN, parse_version

_NAMED: Final = re.compile(r"(?P<product>[A-Za-z][\w-]*)(?:@(?P<release>[^:]+))?(?::.*)?\Z")


def product_of(solver: str) -> str:
    """The product of a solver: of `z3@4.8.10:a=b`, of `z3=path`, of a path or of a command line."""
    named = _NAMED.match(solver)
    if named is not None:
        return named["product"]
    product, equals, _path = solver.partition("=")
    if equals and product in BY_PRODUCT:
        return product
    program = PurePath(solver.split(maxsplit=1)[0]).name
    profile = profile_of_program(program)
    return program if profile is GENERIC else profile.product


def family_of(solver: str) -> str:
    """The product, or the one that took over its code."""
    product = product_of(solver)
    profile = BY_PRODUCT.get(product)
    return profile.successor or product if profile else product


def families(solvers: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({family_of(solver) for solver in solvers}))


def release_of(solver: str) -> Version:
    """The release in a solver's name; a name without one means the newest."""
    named = _NAMED.match(solver)
    version = parse_version(named["release"] or "") if named is not None else UNKNOWN
    return NEWEST if version is UNKNOWN else version


def is_older(one: str, other: str) -> bool:
    """Whether two solvers are releases of one product and the first is the older."""
    return product_of(one) == product_of(other) and release_of(one) < release_of(other)


def current_verdicts(verdicts: Mapping[str, Verdict | None]) -> dict[str, Verdict]:
    """For each family, the verdict of the newest of its releases that decides.

    A bug that was fixed stays in all older releases: their number is no evidence against the newest.
    """
    newest: dict[str, str] = {}
    for solver, verdict in verdicts.items():
        family = family_of(solver)
        if verdict is not None and verdict.decided:
            known = newest.get(family)
            newest[family] = solver if known is None or _age(solver) > _age(known) else known
    return {family: verdict for family, solver in newest.items() if (verdict := verdicts[solver]) is not None}


def _age(solver: str) -> tuple[bool, Version]:
    """Comparable within a family: any release of a successor is newer than its predecessor's."""
    return product_of(solver) == family_of(solver), release_of(solver)
