"""Generated Horn clauses: a fact, rules and a query, over the sorts of many logics."""

from __future__ import annotations

from tests.strategies.drawn import draw

from falsum.smtlib import read_script
from falsum.smtlib.consequences.clauses import clauses_of
from falsum.smtlib.fragments.horn import is_horn
from falsum.smtlib.scripts import DeclareFun
from falsum.strategies.generate import Generate


def test_clauses_are_horn_and_lead_from_facts_to_queries() -> None:
    scripts = [
        read_script(m.text) for m in draw(Generate(logics=("HORN",), assertions=6, per_theme=1), (), 1, 120)
    ]
    sorts: set[str] = set()
    atoms: set[int] = set()
    for script in scripts:
        assert script.logic == "HORN"
        assert is_horn(script)
        assert 3 <= len(script.assertions) <= 6
        clauses = clauses_of(script)
        assert clauses
        assert not clauses[0].atoms
        assert clauses[0].head is not None
        assert clauses[-1].head is None
        atoms |= {len(clause.atoms) for clause in clauses}
        functions = [c.function for c in script.commands if isinstance(c, DeclareFun)]
        sorts |= {sort.name for function in functions for sort in function.args}
    assert {"Int", "Real", "BitVec"} <= sorts
    assert atoms == {0, 1, 2}
