"""Solver: one release with its settings, by its name, and the programs that run it cold and warm."""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.text.script_modes import MODES
from falsum.solvers import options
from falsum.solvers.builds.paths import absolute_program, release_at, shared_libraries
from falsum.solvers.inputs.safe_script import safe_script
from falsum.solvers.inputs.solver_input import prepare
from falsum.solvers.instruments.build import Build, build_of
from falsum.solvers.limits import Limits
from falsum.solvers.names import NAME, PathName, path_name, words_of
from falsum.solvers.profiles import BY_PRODUCT, GENERIC, Profile, help_text, profile_of_program
from falsum.solvers.request import Want
from falsum.solvers.supervision.process import Program
from falsum.solvers.zoo import Origin, Release, Zoo
from falsum.trust import distrust, names_a_product, trusted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from falsum.solvers.answer import Exchange
    from falsum.solvers.inputs.solver_input import SolverInput
    from falsum.solvers.options import Option, Setting
    from falsum.solvers.supervision.process import ProcessRunner

# The setting that says how a solver is asked; all others are options of its own.
MODE = "script"
_HOSTS = Path(__file__).with_name("hosts")
_NAMED_PATH = re.compile(r"[A-Za-z][\w-]*=")


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

    @property
    def build(self) -> Build:
        return self.release.build if self.release else build_of([Path(self.command[0])])

    def binaries(self) -> list[Path]:
        """The files of a solver: its program, or the shared libraries beside its module or binding."""
        release = self.served_release
        if release.program is not None:
            return [Path(release.program)]
        return shared_libraries([Path(release.folder)] if release.folder else [])

    @property
    def served_release(self) -> Release:
        """The release of a solver; for a command line, the program alone."""
        if self.release is not None:
            return self.release
        return Release(self.profile.product, "", Origin.FILE, program=self.command[0], build=self.build)

    def prepare(self, script: str, want: Want = Want.VERDICT, limit: str = "") -> SolverInput:
        """The script as this solver gets it."""
        solver_input = prepare(script, self.profile, self.version, want, self.mode)
        return solver_input.limited(limit) if limit else solver_input

    @property
    def mode(self) -> str:
        """The script mode of a solver, or "" for unchanged scripts."""
        return dict(self.settings).get(MODE, "")

    def asks_differently(self, script: str) -> bool:
        """Whether its mode changes a script: not every script can be rewritten in every mode."""
        plain = prepare(script, self.profile, self.version)
        return self.prepare(script).slotted != plain.slotted

    @property
    def own_settings(self) -> tuple[Setting, ...]:
        """The settings that it gets itself."""
        return tuple(setting for setting in self.settings if setting[0] != MODE)

    def left_out_of(self, script: str) -> tuple[str, ...]:
        """The parts of a script that this solver never gets, because they are not understood or may do
        harm.
        """
        return safe_script(script, self.profile.options_of(self.version)).left_out

    def cold_program(self, solver_input: SolverInput) -> Program:
        """The program that answers one script, in the file that is its last argument."""
        if self.command:
            return self._built(self.command)
        if self._program:
            extra = self.profile.incremental_arguments if solver_input.incremental else ()
            extra += (self.profile.synthesis_arguments or ()) if solver_input.is_synthesis else ()
            return self._built((self._program, *self.profile.arguments, *extra, *self._flags()))
        return self._library("once", *self._plain_settings())

    def warm_program(self, solver_input: SolverInput) -> Program | None:
        """The program that answers script after script; None if this input needs a process of its own."""
        if self.command or not solver_input.allows_warm:
            return None
        if self._program:
            arguments = self.profile.warm_arguments(self.version)
            if arguments is None:
                return None
            extra = self.profile.incremental_arguments if solver_input.incremental else ()
            program = self._built((self._program, *arguments, *extra, *self._flags()))
            return replace(program, tires=self.profile.tires)
        return self._library("stay", *self._plain_settings())

    def completed(self, exchange: Exchange) -> Exchange:
        """An exchange with its text and command line, as a fresh process gets them."""
        request = exchange.request
        solver_input = self.prepare(request.script, request.want, request.limit)
        command = self.cold_program(solver_input).argv
        return replace(exchange, posed=solver_input.text, command=command, version=self.version)

    @property
    def is_library(self) -> bool:
        return not self.command and self._program is None

    def with_settings(self, settings: tuple[Setting, ...]) -> Solver:
        """The same release with these settings instead of its own."""
        plain = self.name.removesuffix(f":{_listed(self.settings)}") if self.settings else self.name
        name = f"{plain}:{_listed(settings)}" if settings else plain
        return replace(self, name=name, settings=settings)

    def seeded(self, number: int) -> Solver:
        """The same solver with another random seed; itself if the product has none."""
        names = self.profile.seed_options
        settings = tuple(setting for setting in self.settings if setting[0] not in names)
        return self.with_settings((*settings, *((name, str(number)) for name in names)))

    def options(self, runner: ProcessRunner) -> tuple[Option, ...]:
        """The options that the solver lists itself; empty if it lists none."""
        rules = self.profile.draw_rules
        limits = Limits(seconds=20.0)
        known_options: tuple[Option, ...] = ()
        if self.is_library:
            result = runner.run(self._library("options"), limits)
            known_options = options.from_json(result.stdout.decode(), rules)
        elif self._program and self.profile.parameters_arguments:
            program = self._built((self._program, *self.profile.parameters_arguments))
            result = runner.run(program, limits)
            known_options = options.from_parameters(result.stdout.decode(errors="replace"), rules)
        elif self._program and self.profile.help_arguments:
            known_options = tuple(self._options_in_help(runner, limits))
        return tuple(options.only_neutral(option, self.profile.neutral_options) for option in known_options)

    def _options_in_help(self, runner: ProcessRunner, limits: Limits) -> Iterator[Option]:
        assert self._program is not None
        output = runner.run(self._built((self._program, *self.profile.help_arguments)), limits)
        text = output.stdout.decode(errors="replace")
        help_program = self._built((self._program, *(self.profile.interactive or ())))
        answer = runner.run(help_program, limits, help_text.defaults_script(text).encode())
        defaults = help_text.defaults_in(answer.stdout.decode(errors="replace"), text)
        return help_text.options_in(text, defaults, self.profile.draw_rules)

    @property
    def _program(self) -> str | None:
        return self.release.program if self.release else None

    def _library(self, *arguments: str) -> Program:
        if self.release is not None and self.release.binding is not None:
            raise UsageError(
                f"{self.name} is a binding, which makes calls and reads no scripts; use: falsum api"
            )
        if self.release is None or self.release.folder is None or self.profile.library is None:
            raise SurroundingsError(f"{self.name} cannot be run: it is neither a program nor a library")
        if not self.profile.parses_scripts(self.version):
            raise SurroundingsError(
                f"the library of {self.release.name} cannot parse SMT-LIB; "
                f"use release {self.profile.first_parsing_release} or later"
            )
        serve, library = _HOSTS / "serve.py", _HOSTS / self.profile.library
        python = self.release.python or sys.executable
        argv = (python, "-I", "-S", str(serve), str(library), self.release.folder, *arguments)
        return Program.of_build(argv, self.release.build, preloads=True)

    def _built(self, argv: tuple[str, ...]) -> Program:
        return Program.of_build(argv, self.build)

    def _flags(self) -> tuple[str, ...]:
        return tuple(self.profile.flag(name, value) for name, value in self.own_settings)

    def _plain_settings(self) -> tuple[str, ...]:
        return tuple(f"{name}={value}" for name, value in self.own_settings)


def resolve(name: str, zoo: Zoo) -> Solver:
    """The solver that a name means.

    `product[@release][:option=value,…]`, a path, `product=path` for a path whose name does not tell the
    product, or a command line.
    """
    if len(words := words_of(name)) > 1:
        return _from_command(name, words)
    if words and ("/" in words[0] or _NAMED_PATH.match(words[0])):
        return _from_path(name, words[0])
    return _from_product(name, zoo)


def resolve_received(name: str, zoo: Zoo, trusted_names: Collection[str] = ()) -> Solver:
    """The solver that a finding or a trace names: a product, or a program that the user has named or trusts.

    Files may come from others, so they can neither make falsum run a program nor give a solver a path.
    """
    if name in trusted_names or name in trusted():
        return resolve(name, zoo)
    if not names_a_product(name):
        raise UsageError(
            f"{name!r} {distrust(name)}; if you trust it: --trust {shlex.quote(name)}; "
            "or choose another with --solver"
        )
    return _from_product(name, zoo)


def _from_command(name: str, words: list[str]) -> Solver:
    parts = path_name(words[0]) if _NAMED_PATH.match(words[0]) else None
    if parts is None:
        return Solver(
            name, profile_of_program(Path(words[0]).name), command=(absolute_program(words[0]), *words[1:])
        )
    return Solver(name, _profile_at(parts), command=(absolute_program(parts.path), *words[1:]))


def _from_path(name: str, unquoted: str) -> Solver:
    parts = path_name(unquoted)
    if parts is None or Path(unquoted).exists():
        parts = PathName("", "", unquoted, "")
    profile = _profile_at(parts)
    return Solver(name, profile, release_at(profile, parts.path), settings=_settings(parts.settings))


def _profile_at(parts: PathName) -> Profile:
    """The profile of the stated product, or of the program's name."""
    label, product, path, _settings = parts
    if product and product not in BY_PRODUCT and path.endswith(".py"):
        return replace(GENERIC, product=product)
    if product:
        return _profile(product)
    label_part = f"{label}=" if label else ""
    if Path(path).is_dir():
        raise UsageError(f"{path} is a directory: say which product it is: {label_part}PRODUCT={path}")
    profile = profile_of_program(Path(path).name)
    if label and profile is GENERIC:
        near = difflib.get_close_matches(label, BY_PRODUCT, 1)
        hint = f", or did you mean {near[0]}={path}?" if near else ""
        raise UsageError(f"{label} is no product; say which one it is: {label}=PRODUCT={path}{hint}")
    return profile


def _profile(product: str) -> Profile:
    if product not in BY_PRODUCT:
        near = difflib.get_close_matches(product, BY_PRODUCT, 1)
        hint = f"; did you mean {near[0]}?" if near else f"; choose one of {', '.join(BY_PRODUCT)}"
        raise UsageError(f"unknown solver {product!r}{hint}")
    return BY_PRODUCT[product]


def _from_product(name: str, zoo: Zoo) -> Solver:
    parts = NAME.match(name)
    if parts is None:
        raise UsageError(f"unknown solver {name!r}; choose one of {', '.join(BY_PRODUCT)}")
    product = _profile(parts["product"]).product
    release_name = parts["release"] or ""
    release = zoo.find(product, release_name)
    if release is None:
        full_name = f"{product}@{release_name}" if release_name else product
        installable = BY_PRODUCT[product].packages and release_name != "system"
        hint = f"; install it with: falsum solvers add {full_name}" if installable else ""
        raise SurroundingsError(f"{full_name} is not installed{hint}")
    settings = _settings(parts["settings"] or "")
    return Solver(name, BY_PRODUCT[product], release, settings=settings)


def _listed(settings: tuple[Setting, ...]) -> str:
    return ",".join(f"{name}={value}" for name, value in settings)


def _settings(text: str) -> tuple[Setting, ...]:
    settings = []
    for word in filter(None, text.split(",")):
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise UsageError(f"invalid option {word!r} of a solver; use name=value")
        if name == MODE and value not in MODES:
            raise UsageError(f"invalid mode {word!r}; use {MODE}= with one of {', '.join(MODES)}")
        settings.append((name, value))
    return tuple(settings)
