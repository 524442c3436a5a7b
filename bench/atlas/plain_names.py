"""Plain names: what a script declares and binds is called x1, x2, …; sorts are called S1, S2, …"""

from __future__ import annotations

from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.scripts import DeclareSort, DefineSort, Script
from falsum.smtlib.terms import Term
from falsum.smtlib.theories import OPERATORS, SORTS
from falsum.smtlib.walk import binders_at, children, subterms
from falsum.strategies.fusion.join import rename
from falsum.strategies.seeds import names_declared_by

_TESTER = "is-"


def with_plain_names(text: str) -> str:
    """The same script with other names; as it is if it cannot be read."""
    try:
        script = read_script(text)
    except FalsumError:
        return text
    names: dict[str, str] = {}
    sorts = 0
    for command in script.commands:
        is_sort = isinstance(command, DeclareSort | DefineSort)
        for name in names_declared_by(command):
            if name in names or name in OPERATORS or name in SORTS or name.startswith(_TESTER):
                continue
            sorts += is_sort
            names[name] = f"S{sorts}" if is_sort else f"x{len(names) + 1 - sorts}"
    for name in _bound(script):
        if name not in names and name not in OPERATORS:
            names[name] = f"x{len(names) + 1 - sorts}"
    testers = {f"{_TESTER}{old}": f"{_TESTER}{new}" for old, new in names.items()}
    return rename(text, names | testers)


def _bound(script: Script) -> list[str]:
    by_name: dict[str, None] = {}
    terms: tuple[Term, ...] = script.assertions
    for term in terms:
        for part in subterms(term):
            for slot in range(len(children(part))):
                by_name.update((binder.name, None) for binder in binders_at(part, slot))
    return list(by_name)
