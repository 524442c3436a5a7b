"""→ Profile. One module per solver product; a new product is its file and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from falsum.plugins import Registry, instance_of
from falsum.solvers.profiles import bitwuzla, boolector, cvc5, generic, yices, z3
from falsum.solvers.profiles.profile import Profile

ALL: Registry[Profile] = Registry(
    "profiles",
    (
        z3.PROFILE,
        cvc5.PROFILE,
        bitwuzla.PROFILE,
        yices.PROFILE,
        boolector.PROFILE,
        cvc5.CVC4,
        cvc5.GPL,
        *generic.PRODUCTS,
    ),
    instance_of(Profile),
    key="product",
)

GENERIC = generic.PROFILE

BY_PRODUCT: Mapping[str, Profile] = ALL.by_name


def profile_of_program(name: str) -> Profile:
    """The profile of a program by its file name: `z3-4.8.10` is z3; the generic one if none fits."""
    for profile in ALL:
        if any(name == program or name.startswith(program + "-") for program in profile.programs):
            return profile
    return GENERIC


__all__ = ["ALL", "BY_PRODUCT", "GENERIC", "Profile", "profile_of_program"]
