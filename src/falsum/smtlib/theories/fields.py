"""Finite fields and separation logic: cvc5's."""

from __future__ import annotations

from falsum.smtlib.operators import Theory, table
from falsum.smtlib.theories.meanings import of_width
from falsum.smtlib.values import finite_fields

_F = "(_ FiniteField p)"

_FIELDS = table(
    "FiniteFields",
    f"""
    (ff.add {_F} {_F} {_F} :left-assoc) (ff.mul {_F} {_F} {_F} :left-assoc)
    (ff.bitsum {_F} {_F} {_F} :many)
    (ff.neg {_F} {_F})
    """,
    {
        "ff.add": of_width(finite_fields.add),
        "ff.mul": of_width(finite_fields.mul),
        "ff.bitsum": of_width(finite_fields.bitsum),
        "ff.neg": of_width(finite_fields.neg),
    },
    is_standard=False,
)
_SEPARATION = table(
    "Separation",
    """
    (sep Bool Bool Bool :left-assoc) (wand Bool Bool Bool)
    (par (A B) (pto A B Bool))
    (sep.emp Bool) (par (A) (sep.nil A))
    """,
    is_standard=False,
)

THEORY = Theory("FiniteFields", {"FiniteField": (1, 0)}, (*_FIELDS, *_SEPARATION))
