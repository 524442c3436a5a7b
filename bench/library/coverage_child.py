"""Runs traces through a binding and prints the kinds of terms that were made, for `bench.library.coverage`.

Run as `python -I -S coverage_child.py SERVE BINDING FOLDER TRACES`, without falsum on its path. TRACES begins
with the table of calls. Prints JSON: the kinds made, and all kinds, public methods and functions of the
library.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

# The C functions behind the interface, and the printer.
NOT_FOR_USERS = ("z3.z3core", "z3.z3printer", "z3.z3types")
# Phrases in cvc5's documentation of kinds that do not count.
EXPERIMENTAL = "This kind is experimental"
NOT_MADE = re.compile(
    r"(?i)may not be (?:explicitly )?created|should never be (?:exposed or )?created|internally generated"
)


def load(file: str) -> Any:
    spec = importlib.util.spec_from_file_location(Path(file).stem + "_loaded", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def z3_kinds(terms: list[Any], z3: Any) -> set[int]:
    found: set[int] = set()
    todo, seen = list(terms), set()
    while todo:
        term = todo.pop()
        if not isinstance(term, z3.ExprRef) or term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_app(term):
            found.add(term.decl().kind())
        todo.extend(term.children())
    return found


def named_kinds(terms: list[Any], method: str) -> set[str]:
    """The kinds of terms and their subterms, for libraries whose terms have kinds with names."""
    found: set[str] = set()
    todo, seen = list(terms), set()
    while todo:
        term = todo.pop()
        if not hasattr(term, method):
            continue
        key = term.getId() if hasattr(term, "getId") else term.id()
        if key in seen:
            continue
        seen.add(key)
        kind = getattr(term, method)()
        found.add(kind.name if hasattr(kind, "name") else str(kind))
        if hasattr(term, "children"):
            todo.extend(term.children())
        else:
            todo.extend(term[place] for place in range(term.getNumChildren()))
    return found


def public(library: Any) -> list[str]:
    """The public functions of the library and methods of its classes."""
    names: set[str] = set()
    top = library.__name__
    for name, value in vars(library).items():
        if name.startswith("_"):
            continue
        module = str(getattr(value, "__module__", ""))
        if not module.startswith(top) or module in NOT_FOR_USERS:
            continue
        if inspect.isclass(value):
            if not issubclass(value, BaseException) and not hasattr(value, "__members__"):
                names.update(m for m in vars(value) if not m.startswith("_") and callable(getattr(value, m)))
        elif callable(value):
            names.add(name)
    return sorted(names)


def main() -> int:
    serve_file, file, folder, traces = sys.argv[1:5]
    channel = os.dup(1)
    os.dup2(2, 1)
    sys.path.insert(0, folder)
    serve = load(serve_file)
    calls, *rows = Path(traces).read_text(encoding="utf-8").splitlines()
    session = serve.Session(serve.load(file).Binding(), json.loads(calls))
    product = Path(file).parent.name
    library = importlib.import_module(product)
    made: set[Any] = set()
    for row in rows:
        if not row or row.startswith(("#", "->", "-!")):
            continue
        if row.startswith(("new", "delete")):  # both drop all terms
            made |= collect(product, session, library)
        try:
            session.run(row)
        except Exception as error:  # a call that fails does not count
            os.write(2, f"{row}: {error}\n".encode(errors="replace"))
    made |= collect(product, session, library)
    printed: dict[str, Any] = {
        "made": sorted(map(str, named(product, made))),
        "all": everything(product, library),
    }
    printed |= {"public": public(library), "apart": apart(product, library)}
    os.write(channel, json.dumps(printed).encode())
    return 0


def collect(product: str, session: Any, library: Any) -> set[Any]:
    terms = list(session.terms.values())
    if product == "z3":
        return set(z3_kinds(terms, library))
    return set(named_kinds(terms, "getKind" if product == "cvc5" else "kind"))


def named(product: str, made: set[Any]) -> set[str]:
    if product != "z3":
        return made
    consts = importlib.import_module("z3.z3consts")
    return {name for name, value in vars(consts).items() if name.startswith("Z3_OP_") and value in made}


def everything(product: str, library: Any) -> list[str]:
    if product == "z3":
        consts = importlib.import_module("z3.z3consts")
        return sorted(name for name in vars(consts) if name.startswith("Z3_OP_"))
    return sorted(kind.name for kind in library.Kind)


def apart(product: str, library: Any) -> dict[str, str]:
    """Kinds that do not count, by the library's documentation."""
    by_name: dict[str, str] = {}
    for kind in library.Kind if product == "cvc5" else ():
        printed = " ".join((kind.__doc__ or "").split())
        if EXPERIMENTAL in printed:
            by_name[kind.name] = "documented as experimental"
        elif NOT_MADE.search(printed):
            by_name[kind.name] = "documented as nothing users make"
    return by_name


if __name__ == "__main__":
    os._exit(main())
