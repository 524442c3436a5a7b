"""Lines of a lineage: what was replaced by what, at which place of the seed."""

from __future__ import annotations

from typing import Final

from falsum.smtlib import print_term
from falsum.smtlib.terms import Term

_LONGEST = 80

# How the last line of a lineage begins if the strategy has other parameters than the default ones.
PARAMETERS: Final = "parameters: "


def replacement(what: str, old: Term, new: Term) -> str:
    """A line for a term that was replaced; `what` names the strategy and the place."""
    return f"{what}: {abbreviated(old)} -> {abbreviated(new)}"


def abbreviated(term: Term) -> str:
    """The text of a term, cut if it is long."""
    text = print_term(term)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
