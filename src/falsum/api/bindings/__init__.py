"""The bindings, one file per library; a new one joins by a line in ALL. They run in children, never in
falsum.

`protocol.py` says what a binding has, `serve.py` runs one. Solvers without a library are programs that
`pipe.py` drives through their standard input.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from falsum.api.bindings import pipe_tables
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.process import Program
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.zoo import Release

_HERE: Final = Path(__file__).parent
# Products that have a binding: the file beside this one.
ALL: Final[dict[str, str]] = {
    "bitwuzla": "bitwuzla.py",
    "z3": "z3.py",
    "cvc5": "cvc5.py",
    "boolector": "boolector.py",
    "yices": "yices.py",
}
# Products whose programs `pipe.py` knows how to talk to.
PIPED: Final = frozenset(pipe_tables.PRODUCTS)


def program_of(release: Release, file: Path | None = None, *, pipe: bool = False) -> Program:
    """The program that serves a release's library, or drives its program through a pipe where it has no
    library or `pipe` says so; `file` is another binding than the product's own.
    """
    serve = str(_HERE / "serve.py")
    start = (sys.executable, "-I", "-S", serve)
    if release.product in ALL and release.folder is not None and not pipe:
        return Program((*start, str(file or _HERE / ALL[release.product]), release.folder))
    if release.program is None:
        raise SurroundingsError(f"{release.name} has no program")
    if release.product not in PIPED:
        raise UsageError(f"{release.product} has no binding; there are {', '.join(ALL)} and cvc4")
    renamed = json.dumps(BY_PRODUCT[release.product].old_names(release.release))
    more = ("", release.product, release.release, release.program, renamed)
    return Program((*start, str(file or _HERE / "pipe.py"), *more))
