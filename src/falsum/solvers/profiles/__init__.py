"""Profile: one module per solver product; a new product is its file and one line here."""

from __future__ import annotations

from falsum.solvers.profiles import bitwuzla, boolector, cvc4, cvc5, generic, others, yices, z3
from falsum.solvers.profiles.profile import Profile

ALL: tuple[Profile, ...] = (
    z3.PROFILE,
    cvc5.PROFILE,
    bitwuzla.PROFILE,
    yices.PROFILE,
    boolector.PROFILE,
    cvc4.PROFILE,
    *others.PROFILES,
)

GENERIC = generic.PROFILE

BY_PRODUCT: dict[str, Profile] = {profile.product: profile for profile in ALL}


def profile_of_program(name: str) -> Profile:
    """The profile of a program by its file name: `z3-4.8.10` is a z3; else what holds for all."""
    for profile in ALL:
        if any(name == program or name.startswith(program + "-") for program in profile.programs):
            return profile
    return GENERIC


__all__ = ["ALL", "BY_PRODUCT", "GENERIC", "Profile", "profile_of_program"]
