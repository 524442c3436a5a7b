"""The bindings, one file per library; a new one joins by a line in ALL. They run in children, never in
falsum.

`protocol.py` says what a binding has, `serve.py` runs one. Solvers without a library are programs that
`pipe.py` drives through their standard input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from falsum.api.bindings import pipe_tables
from falsum.errors import SurroundingsError, UsageError
from falsum.plugins import Registry, instance_of
from falsum.solvers import profiles
from falsum.solvers.process import Program
from falsum.solvers.zoo import Release

_HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class BindingFile:
    """Where the binding of a product's library is; only children run it."""

    product: str
    file: Path


ALL: Final[Registry[BindingFile]] = Registry(
    "bindings",
    (
        BindingFile("bitwuzla", _HERE / "bitwuzla.py"),
        BindingFile("z3", _HERE / "z3.py"),
        BindingFile("cvc5", _HERE / "cvc5.py"),
        BindingFile("boolector", _HERE / "boolector.py"),
        BindingFile("yices", _HERE / "yices.py"),
    ),
    instance_of(BindingFile),
    key="product",
)
BY_PRODUCT: Final[Mapping[str, BindingFile]] = ALL.by_name
# Products whose programs `pipe.py` knows how to talk to.
PIPED: Final = frozenset(pipe_tables.PRODUCTS)


def program_of(release: Release, file: Path | None = None, *, pipe: bool = False) -> Program:
    """The program that serves a release's library, or drives its program through a pipe where it has no
    library or `pipe` says so; `file` is another binding than the product's own.
    """
    serve = str(_HERE / "serve.py")
    start = (sys.executable, "-I", "-S", serve)
    if release.product in BY_PRODUCT and release.folder is not None and not pipe:
        return Program((*start, str(file or BY_PRODUCT[release.product].file), release.folder))
    if release.program is None:
        raise SurroundingsError(f"{release.name} has no program")
    if release.product not in PIPED:
        raise UsageError(f"{release.product} has no binding; there are {', '.join(BY_PRODUCT)} and cvc4")
    renamed = json.dumps(profiles.BY_PRODUCT[release.product].old_names(release.release))
    more = ("", release.product, release.release, release.program, renamed)
    return Program((*start, str(file or _HERE / "pipe.py"), *more))
