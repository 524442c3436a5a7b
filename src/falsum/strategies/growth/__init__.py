"""→ terms. Picks and makes terms for the places of a seed: expressions, operators, laws, constants."""

from __future__ import annotations

from falsum.strategies.growth.allowed import Vocabulary
from falsum.strategies.growth.expressions import ExpressionPool, PlaceScope
from falsum.strategies.growth.functions import functions_of
from falsum.strategies.growth.grammar import Constants, Grammar, TermTemplate, VariablePlace, grammar_of
from falsum.strategies.growth.law_application import LawApplier, LawChoices
from falsum.strategies.growth.literals import NO_VALUE, constants_of, literal, random_constant
from falsum.strategies.growth.productions import (
    Production,
    portable_operators,
    portable_signatures,
    productions_of,
    random_application,
)
from falsum.strategies.growth.same_rank import OperatorPlace, operator_places
from falsum.strategies.growth.small_edits import SmallEdits
from falsum.strategies.growth.theme import Theme, declarations
from falsum.strategies.growth.triviality import Triviality

__all__ = [
    "NO_VALUE",
    "Constants",
    "ExpressionPool",
    "Grammar",
    "LawApplier",
    "LawChoices",
    "OperatorPlace",
    "PlaceScope",
    "Production",
    "SmallEdits",
    "TermTemplate",
    "Theme",
    "Triviality",
    "VariablePlace",
    "Vocabulary",
    "constants_of",
    "declarations",
    "functions_of",
    "grammar_of",
    "literal",
    "operator_places",
    "portable_operators",
    "portable_signatures",
    "productions_of",
    "random_application",
    "random_constant",
]
