"""Bindings of solver libraries, a package each; a new one joins by a line in ALL or as a plug-in. They run in
child processes, never in falsum itself.

`protocol.py` lists the methods of a binding, `template.py` is one to start from, `serve.py` runs one. `pipe/`
drives a solver that has no library through its program's standard input.
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
from falsum.smtlib.logics import logic_of
from falsum.solvers import profiles
from falsum.solvers.supervision.process import Program
from falsum.solvers.zoo import Release

_HERE: Final = Path(__file__).parent
# Where users start who write a binding.
TEMPLATE: Final = _HERE / "template.py"


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


@dataclass(frozen=True, slots=True)
class PipeUse:
    """How the program of an unknown product is used: its arguments, theories and logic."""

    arguments: tuple[str, ...] = ()
    theories: tuple[str, ...] = ()
    logic: str = ""


def serving_program(
    release: Release, file: Path | None = None, *, pipe: bool = False, use: PipeUse | None = None
) -> Program:
    """The command that serves a release to a parent process.

    It serves the library, or drives the solver's program through a pipe if there is no library or if `pipe`
    is set; `use` is for programs that no table describes. `file` replaces the product's binding.
    """
    start = (release.python or sys.executable, "-I", "-S", str(_HERE / "serve.py"))
    file = Path(release.binding) if release.binding and file is None else file
    has_binding = release.product in BY_PRODUCT or file is not None
    if has_binding and release.folder is not None and not pipe:
        argv = (*start, str(file or BY_PRODUCT[release.product].file), release.folder)
        return Program.of_build(argv, release.build, preloads=True)
    if release.program is None:
        raise SurroundingsError(f"{release.name} has no program")
    if release.product in PIPED and not (use and (use.arguments or use.logic)):
        old_names = json.dumps(profiles.BY_PRODUCT[release.product].old_names(release.version))
        piped, more = "binding.py", [old_names]
    elif pipe:
        use_text = json.dumps(_told(release, use or PipeUse()))
        piped, more = "any_program.py", ["{}", use_text]
    else:
        readable = ", ".join(dict.fromkeys((*BY_PRODUCT, *sorted(PIPED))))
        raise UsageError(
            f"no binding for {release.product}; there are bindings for {readable}; "
            "use --pipe for any other program, or --binding for a library of your own"
        )
    about = ("", release.product, release.version, release.program, *more)
    return Program.of_build((*start, str(file or _HERE / "pipe" / piped), *about), release.build)


def _told(release: Release, use: PipeUse) -> dict[str, object]:
    """The arguments of the binding for unknown programs; the theories come from the use, the logic, or the
    profile.
    """
    profile = profiles.BY_PRODUCT.get(release.product, profiles.GENERIC)
    needs = logic_of(use.logic).needs if use.logic else frozenset()
    theories = use.theories or tuple(sorted(needs)) or tuple(sorted(profile.theories))
    if not theories:
        raise UsageError(
            f"nothing is known about {release.program}: say what it decides, "
            "for example with --logic QF_BV, or with --theory"
        )
    arguments = use.arguments or profile.interactive or ()
    return {"arguments": list(arguments), "theories": list(theories), "logic": use.logic}
