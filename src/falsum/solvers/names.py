"""Product, family and release in a solver's name: products that share code are of one family."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Final, NamedTuple

from packaging.version import Version

from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.profiles import BY_PRODUCT, GENERIC, Profile, profile_of_program
from falsum.solvers.versions import NEWEST, UNKNOWN, parse_version

# `product[@release][:settings]`, and `[label=][product=]path[:settings]`.
NAME: Final = re.compile(r"(?P<product>[A-Za-z][\w-]*)(?:@(?P<release>[^:]+))?(?::(?P<settings>.*))?\Z")
_PATH: Final = re.compile(
    r"(?:(?P<label>[A-Za-z][\w-]*)=(?=[A-Za-z][\w-]*=))?(?:(?P<product>[A-Za-z][\w-]*)=)?"
    r"(?P<path>.+?)(?::(?P<settings>[A-Za-z][\w.:-]*=.*))?\Z"
)


class PathName(NamedTuple):
    """The parts of a solver's name with a path: the user's label, and the stated product."""

    label: str
    product: str
    path: str
    settings: str


def path_name(text: str) -> PathName | None:
    """The parts; a word before a path is a label if it is no product, unless the path is that of a
    binding.
    """
    parts = _PATH.match(text)
    if parts is None:
        return None
    label, product, path, settings = (parts[name] or "" for name in PathName._fields)
    if product and not label and product not in BY_PRODUCT and not path.endswith(".py"):
        label, product = product, ""
    return PathName(label, product, path, settings)


def label_of(solver: str) -> str:
    """The user's label of a build: `my` of `my=./build/z3`; "" if there is none."""
    path = None if NAME.match(solver) else path_name(first_word(solver))
    return path.label if path is not None else ""


def product_of(solver: str) -> str:
    """The product of `z3@4.8.10:a=b`, of a path, of `z3=path` or of a command line; "" of an empty name."""
    name = NAME.match(solver)
    if name is not None:
        return name["product"]
    program = first_word(solver)
    path = path_name(program)
    if path is None or path.product:
        return path.product if path is not None else ""
    file = PurePath(path.path).name
    profile = profile_of_program(file)
    return file if profile is GENERIC else profile.product


def words_of(solver: str) -> list[str]:
    """The words of a command line; UsageError where a quote is not closed."""
    try:
        return shlex.split(solver)
    except ValueError as error:
        raise UsageError(f"invalid solver {solver!r}: {str(error).lower()}") from None


def first_word(solver: str) -> str:
    """The program in a command line, without quotes."""
    try:
        return next(iter(shlex.split(solver)), "")
    except ValueError:  # an open quote; whoever resolves the name says so
        return solver.split(maxsplit=1)[0]


def profile_of(solver: str) -> Profile:
    """The profile of a solver's product; the generic one if it has none."""
    return BY_PRODUCT.get(product_of(solver), GENERIC)


def family_of(solver: str) -> str:
    """The product, or the one that took over its code."""
    product = product_of(solver)
    profile = BY_PRODUCT.get(product)
    return profile.successor or product if profile else product


def families(solvers: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({family_of(solver) for solver in solvers}))


def release_of(solver: str) -> Version:
    """The release in a solver's name; a name without one means the newest."""
    name = NAME.match(solver)
    version = parse_version(name["release"] or "") if name is not None else UNKNOWN
    return NEWEST if version is UNKNOWN else version


def is_older(one: str, other: str) -> bool:
    """Whether two solvers are releases of one product and the first is the older."""
    return product_of(one) == product_of(other) and release_of(one) < release_of(other)


def current_verdicts(verdicts: Mapping[str, Verdict | None]) -> dict[str, Verdict]:
    """For each family, the verdict of the newest of its releases that decides.

    A fixed bug stays in all older releases, so their number is no evidence against the newest.
    """
    newest: dict[str, str] = {}
    for solver, verdict in verdicts.items():
        family = family_of(solver)
        if verdict is not None and verdict.decided:
            current = newest.get(family)
            newest[family] = solver if current is None or _age(solver) > _age(current) else current
    return {family: verdict for family, solver in newest.items() if (verdict := verdicts[solver]) is not None}


def _age(solver: str) -> tuple[bool, Version]:
    """A sort key within a family: any release of a successor is newer than its predecessor's."""
    return product_of(solver) == family_of(solver), release_of(solver)
