"""Solver: one release with its settings, by its name, and the programs that run it cold and warm."""

from __future__ import annotations

import difflib
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from falsum.errors import SurroundingsError, UsageError
from falsum.solvers import options
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT, GENERIC, Profile, profile_of_program
from falsum.solvers.request import Want
from falsum.solvers.solver_input import prepare
from falsum.solvers.supervision.process import Program
from falsum.solvers.zoo import Origin, Release, Zoo, version_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from falsum.solvers.options import Option, Setting
    from falsum.solvers.solver_input import SolverInput
    from falsum.solvers.supervision.process import ProcessRunner

_HOSTS = Path(__file__).with_name("hosts")
_NAME = re.compile(r"(?P<product>[A-Za-z][\w-]*)(?:@(?P<release>[^:]+))?(?::(?P<settings>.*))?\Z")
# The same without paths and command lines; the values of settings are plain words.
_RECEIVED = re.compile(r"[A-Za-z][\w-]*(@[\w.+-]+)?(:[\w.:=,+-]*)?")


@dataclass(frozen=True, slots=True)
class Solver:
    """`command` is set for a solver given as a command line, `release` for all others."""

    name: str
    profile: Profile
    release: Release | None = None
    command: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()

    @property
    def version(self) -> str:
        return self.release.version if self.release else ""

    def prepare(self, script: str, want: Want = Want.VERDICT) -> SolverInput:
        """The script as this solver gets it."""
        return prepare(script, self.profile, self.version, want)

    def cold_program(self, given: SolverInput) -> Program:
        """The program that answers one script, in the file that is its last argument."""
        if self.command:
            return Program(self.command)
        if self._program:
            extra = self.profile.incremental_arguments if given.incremental else ()
            return Program((self._program, *self.profile.arguments, *extra, *self._flags()))
        return self._library("once", *self._plain_settings())

    def warm_program(self, given: SolverInput) -> Program | None:
        """The program that answers script after script; None if this input needs a process of its own."""
        if self.command or not given.allows_warm:
            return None
        if self._program:
            arguments = self.profile.warm_arguments(self.version)
            if arguments is None:
                return None
            extra = self.profile.incremental_arguments if given.incremental else ()
            return Program((self._program, *arguments, *extra, *self._flags()))
        return self._library("stay", *self._plain_settings())

    @property
    def is_library(self) -> bool:
        return not self.command and self._program is None

    def with_settings(self, settings: tuple[Setting, ...]) -> Solver:
        """The same release with these settings instead of its own."""
        plain = self.name.partition(":")[0]
        listed = ",".join(f"{name}={value}" for name, value in settings)
        name = f"{plain}:{listed}" if settings else plain
        return Solver(name, self.profile, self.release, self.command, settings)

    def seeded(self, number: int) -> Solver:
        """The same solver with another random seed; itself if the product has none."""
        names = self.profile.seed_options
        kept = tuple(setting for setting in self.settings if setting[0] not in names)
        return self.with_settings((*kept, *((name, str(number)) for name in names)))

    def options(self, runner: ProcessRunner) -> tuple[Option, ...]:
        """The options it lists itself; empty if it lists none."""
        rules = self.profile.draw_rules
        limits = Limits(seconds=20.0)
        if self.is_library:
            result = runner.run(self._library("options"), limits)
            return options.from_json(result.stdout.decode(), rules)
        if self._program and self.profile.parameters_arguments:
            program = Program((self._program, *self.profile.parameters_arguments))
            result = runner.run(program, limits)
            return options.from_parameters(result.stdout.decode(errors="replace"), rules)
        return ()

    @property
    def _program(self) -> str | None:
        return self.release.program if self.release else None

    def _library(self, *arguments: str) -> Program:
        if self.release is None or self.release.folder is None or self.profile.library is None:
            raise SurroundingsError(f"{self.name} cannot be run: it is neither a program nor a library")
        if not self.profile.parses_scripts(self.version):
            raise SurroundingsError(
                f"the library of {self.release.name} cannot parse SMT-LIB; "
                f"use release {self.profile.first_parsing_release} or later"
            )
        serve, library = _HOSTS / "serve.py", _HOSTS / self.profile.library
        return Program(
            (sys.executable, "-I", "-S", str(serve), str(library), self.release.folder, *arguments)
        )

    def _flags(self) -> tuple[str, ...]:
        template = self.profile.option_template
        return tuple(template.format(name=name, value=value) for name, value in self.settings)

    def _plain_settings(self) -> tuple[str, ...]:
        return tuple(f"{name}={value}" for name, value in self.settings)


def resolve(name: str, zoo: Zoo) -> Solver:
    """The solver a name means: `product[@release][:option=value,…]`, a path, or a command line."""
    if len(words := shlex.split(name)) > 1:
        return _from_command(name, words)
    if "/" in name:
        return _from_path(name)
    return _from_product(name, zoo)


def resolve_received(name: str, zoo: Zoo, named: Collection[str] = ()) -> Solver:
    """The solver that a finding or a trace names: a product, or what the user has named as well.

    Files may come from others, so they cannot make falsum run a program, nor give a solver a path.
    """
    if name in named:
        return resolve(name, zoo)
    if not _RECEIVED.fullmatch(name):
        raise UsageError(
            f"{name!r} is not the name of a product, and programs that a file names are not run; "
            "to run it, name it with --solver"
        )
    return _from_product(name, zoo)


def _from_command(name: str, words: list[str]) -> Solver:
    program = _absolute(words[0])
    return Solver(name, profile_of_program(Path(program).name), command=(program, *words[1:]))


def _from_path(name: str) -> Solver:
    program = _absolute(name)
    profile = profile_of_program(Path(program).name)
    version = version_of(profile, program) if profile.product != GENERIC.product else ""
    return Solver(name, profile, Release(profile.product, version, Origin.FILE, program=program))


def _absolute(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise SurroundingsError(f"program not found: {program}")
    return str(Path(found).absolute())


def _from_product(name: str, zoo: Zoo) -> Solver:
    parts = _NAME.match(name)
    product = parts["product"] if parts else name
    if parts is None or product not in BY_PRODUCT:
        near = difflib.get_close_matches(product, BY_PRODUCT, 1)
        hint = f"; did you mean {near[0]}?" if near else f"; choose one of {', '.join(BY_PRODUCT)}"
        raise UsageError(f"unknown solver {product!r}{hint}")
    wanted = parts["release"] or ""
    release = zoo.find(product, wanted)
    if release is None:
        asked = f"{product}@{wanted}" if wanted else product
        installable = BY_PRODUCT[product].packages and wanted != "system"
        hint = f"; install it with: falsum solvers add {asked}" if installable else ""
        raise SurroundingsError(f"{asked} is not installed{hint}")
    settings = _settings(parts["settings"] or "")
    return Solver(name, BY_PRODUCT[product], release, settings=settings)


def _settings(text: str) -> tuple[Setting, ...]:
    settings = []
    for word in filter(None, text.split(",")):
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise UsageError(f"invalid option {word!r} of a solver; use name=value")
        settings.append((name, value))
    return tuple(settings)
