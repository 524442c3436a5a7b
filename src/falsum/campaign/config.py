"""Config: the settings in `falsum.toml`; unknown keys are errors, with a suggestion."""

from __future__ import annotations

import difflib
import os
import shlex
import stat
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec

from falsum.api.model.settings import Settings
from falsum.campaign.executors.clusters import ClusterTable
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.limits import Limits
from falsum.solvers.names import NAME
from falsum.solvers.profiles import ALL
from falsum.strategies import BY_NAME, find_strategy
from falsum.trust import names_a_product, trusted

FILE_NAME: Final = "falsum.toml"
# The solvers that are asked by default.
DEFAULT_SOLVERS: Final = tuple(profile.product for profile in ALL.own if profile.is_bundled)


class LimitsTable(msgspec.Struct, frozen=True):
    """`[limits]`: seconds of wall time, seconds of CPU time, megabytes of memory and of output."""

    seconds: float = 10.0
    cpu: float | None = None
    memory: int = 2048
    output: int = 4


class Config(msgspec.Struct, frozen=True):
    """`options` has a table per product, applied to every solver of that product without its own.

    `strategies` has a table per strategy with its parameters; those given with `--strategy` come after them.
    """

    solvers: tuple[str, ...] = DEFAULT_SOLVERS
    limits: LimitsTable = LimitsTable()
    options: dict[str, dict[str, str | int | float | bool]] = {}
    strategies: dict[str, dict[str, str | int | float | bool | list[str]]] = {}
    api: Settings = Settings()
    clusters: dict[str, ClusterTable] = {}

    def limits_with(self, seconds: float | None = None, memory: int | None = None) -> Limits:
        """The limits, with flags taking precedence over the file."""
        table = self.limits
        limits = Limits(
            seconds=table.seconds if seconds is None else seconds,
            cpu=table.cpu if seconds is None else None,
            memory=table.memory if memory is None else memory,
            output=table.output,
        )
        if limits.seconds <= 0 or limits.memory <= 0 or limits.output <= 0 or (limits.cpu or 1) <= 0:
            raise UsageError("limits are positive numbers")
        return limits

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs and paths in the configuration, which could make falsum run and write anything."""
        names = (*self.solvers_with(), *self.api.compare_with)
        clusters = (f"clusters.{name}" for name in self.clusters)
        return tuple(dict.fromkeys((*(name for name in names if not names_a_product(name)), *clusters)))

    def solvers_with(self, names: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The names of the solvers, those of the command line before those of the file, each with the options
        of its product.
        """
        return tuple(self._with_options(name) for name in names or self.solvers)

    def strategies_with(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names of the strategies, each with the parameters of the file before its own."""
        return tuple(dict.fromkeys("+".join(map(self._with_parameters, name.split("+"))) for name in names))

    def _with_parameters(self, part: str) -> str:
        name, _, parameters = part.partition(":")
        settings = [f"{key}={_written(value)}" for key, value in self.strategies.get(name, {}).items()]
        both = ",".join([*settings, *filter(None, [parameters])])
        return f"{name}:{both}" if settings else part

    def _with_options(self, name: str) -> str:
        parts = NAME.match(name)
        if parts is None or parts["settings"] is not None or parts["product"] not in self.options:
            return name
        settings = self.options[parts["product"]].items()
        return f"{name}:{','.join(f'{option}={_written(value)}' for option, value in settings)}"


def read(path: Path | None = None) -> Config:
    """The configuration in a file, or in `falsum.toml` here; all defaults if there is none."""
    file = path or Path(FILE_NAME)
    if path is None and not file.exists():
        return Config()
    try:
        if not file.is_file() and file.exists():
            raise UsageError(f"{file}: not a regular file")
        table = tomllib.loads(file.read_text())
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {error}") from error
    _name_wrong_keys(file, table, Config, "")
    try:
        config = msgspec.convert(table, Config)
    except msgspec.ValidationError as error:
        raise UsageError(f"{file}: {error}") from error
    for name in config.strategies:
        try:
            find_strategy(config.strategies_with((name,))[0], BY_NAME)
        except UsageError as error:
            raise UsageError(f"{file}: [strategies.{name}]: {error}") from None
    programs = [name for name in config.programs if name not in trusted()]
    if programs and (why := _distrust(file)):
        options = " ".join(f"--trust {shlex.quote(name)}" for name in programs)
        raise UsageError(f"{file} names programs but {why}; if you trust it: {options}")
    return config


def _distrust(file: Path) -> str:
    """Why somebody else may have written a file; "" if only the user can."""
    status = file.stat()
    if status.st_uid != os.getuid():
        return "belongs to another user"
    return "everybody may write it" if status.st_mode & stat.S_IWOTH else ""


def _name_wrong_keys(file: Path, table: dict[str, Any], shape: type[msgspec.Struct], place: str) -> None:
    fields = {field.name: field.type for field in msgspec.structs.fields(shape)}
    for key, value in table.items():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, 1)
            hint = f"did you mean {place}{near[0]}?" if near else f"known are {', '.join(fields)}"
            raise UsageError(f"{file}: unknown key {place}{key}; {hint}")
        inner = fields[key]
        if isinstance(value, dict) and isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            _name_wrong_keys(file, value, inner, f"{place}{key}.")


def _written(value: str | float | list[str]) -> str:
    if isinstance(value, list):
        return "/".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
