"""Bindings of solver libraries, a package each; a new one joins by a line in ALL or as a plug-in. They run in
child processes, never in falsum itself.

`protocol.py` lists the methods of a binding, `serve.py` runs one. `pipe/` drives a solver that has no library
through its program's standard input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from falsum.api.bindings.pipe import products
from falsum.errors import SurroundingsError, UsageError
from falsum.plugins import Registry, instance_of
from falsum.solvers import profiles
from falsum.solvers.supervision.process import Program
from falsum.solvers.zoo import Release

_HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class BindingFile:
    """The file with the binding of a product's library."""

    product: str
    file: Path


ALL: Final[Registry[BindingFile]] = Registry(
    "bindings",
    (
        BindingFile("bitwuzla", _HERE / "bitwuzla" / "binding.py"),
        BindingFile("z3", _HERE / "z3" / "binding.py"),
        BindingFile("cvc5", _HERE / "cvc5" / "binding.py"),
        BindingFile("boolector", _HERE / "boolector" / "binding.py"),
        BindingFile("yices", _HERE / "yices" / "binding.py"),
    ),
    instance_of(BindingFile),
    key="product",
)
BY_PRODUCT: Final[Mapping[str, BindingFile]] = ALL.by_name
# Products whose program can be driven through a pipe.
PIPED: Final = frozenset(products.PRODUCTS)


def serving_program(release: Release, file: Path | None = None, *, pipe: bool = False) -> Program:
    """The command that serves a release to a parent process.

    It serves the library, or drives the solver's program through a pipe if there is no library or if `pipe`
    is set. `file` replaces the product's binding.
    """
    start = (sys.executable, "-I", "-S", str(_HERE / "serve.py"))
    if release.product in BY_PRODUCT and release.folder is not None and not pipe:
        return Program((*start, str(file or BY_PRODUCT[release.product].file), release.folder))
    if release.program is None:
        raise SurroundingsError(f"{release.name} has no program")
    if release.product not in PIPED:
        known = ", ".join(dict.fromkeys((*BY_PRODUCT, *sorted(PIPED))))
        raise UsageError(f"no binding for {release.product}; there are bindings for {known}")
    old_names = json.dumps(profiles.BY_PRODUCT[release.product].old_names(release.version))
    arguments = ("", release.product, release.version, release.program, old_names)
    return Program((*start, str(file or _HERE / "pipe" / "binding.py"), *arguments))
