"""Separation logic, an extension of cvc5."""

from __future__ import annotations

from falsum.smtlib.operators import table
from falsum.smtlib.theories.theory import Theory

_OPERATORS = table(
    "Separation",
    """
    (sep Bool Bool Bool :left-assoc) (wand Bool Bool Bool)
    (par (A B) (pto A B Bool))
    (sep.emp Bool) (par (A) (sep.nil A))
    """,
    is_standard=False,
)

THEORY = Theory("Separation", (), tuple(_OPERATORS))
