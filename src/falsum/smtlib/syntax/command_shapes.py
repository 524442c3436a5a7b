"""Commands that contain terms among other text: each has a shape that says where the terms are.

    t   one term                     ts  terms up to a keyword or the end
    (t) a list of terms              w   a symbol or any other S-expression, kept as text
What follows the shape is kept as text.
"""

from __future__ import annotations

from typing import Final

from falsum.smtlib.scripts import Command, WithTerms
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.terms import Term
from falsum.smtlib.text.lexer import token_text

SHAPES: Final[dict[str, tuple[str, ...]]] = {
    "get-value": ("(t)",),
    "simplify": ("t",),
    "eval": ("t",),
    "display": ("t",),
    "minimize": ("t",),
    "maximize": ("t",),
    "assert-soft": ("t",),
    "get-qe": ("t",),
    "get-qe-disjunct": ("t",),
    "get-abduct": ("w", "t"),
    "get-interpolant": ("w", "t"),
    "get-interpolants": ("ts",),
    "compute-interpolant": ("ts",),
    "get-consequences": ("(t)", "(t)"),
    "get-timeout-core-assuming": ("(t)",),
    "check-sat-assuming-model": ("(t)", "(t)"),
    "constraint": ("t",),
    "assume": ("t",),
    "query": ("t",),
    "rule": ("t",),
    "declare-pool": ("w", "w", "(t)"),
    "labels": (),
    "apply": (),
    "check-sat-using": (),
    "dbg-lt": (),
}


def read(parser: Parser, word: str, shape: tuple[str, ...]) -> Command:
    """Reads from after the command's name to the parenthesis that closes it."""
    out: list[str | Term] = []
    token = parser.next()
    for part in shape:
        if token == ")":
            parser.fail(f"{word} needs more arguments")
        if part == "t":
            out.append(parser.term(token))
        elif part == "w":
            out.append(parser.verbatim(token))
        elif part == "ts":
            while token != ")" and token[0] != ":":
                out.append(parser.term(token))
                token = parser.next()
            break
        else:
            if token != "(":
                parser.fail(f"expected (, found {token_text(token)}")
            out.append("(")
            while (token := parser.next()) != ")":
                out.append(parser.term(token))
            out.append(")")
        token = parser.next()
    while token != ")":
        out.append(parser.verbatim(token))
        token = parser.next()
    return WithTerms(word, tuple(out))
