"""Parameters of strategies: names, defaults and meanings, and strategies with other values.

A strategy is a dataclass; its fields are its parameters. Named configurations are settings that go together.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from falsum.errors import UsageError
from falsum.smtlib.operators import Operator
from falsum.strategies.mutant import Strategy

_T = TypeVar("_T")
_S = TypeVar("_S", bound=Strategy)
_OWN: Final = frozenset(["name", "arity"])
# Types of parameters that can be given as text.
_TYPES: Final = frozenset(["int", "float", "bool", "str", "tuple[str, ...]"])
_QUOTES: Final = "'\""


class Parameter(NamedTuple):
    """A parameter; `choices` are the words allowed, all if empty; numbers are from `least` to `greatest`."""

    name: str
    default: Any
    meaning: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = 0
    greatest: float | None = None

    @property
    def default_text(self) -> str:
        if isinstance(self.default, tuple):
            return "/".join(self.default)
        return str(self.default).lower() if isinstance(self.default, bool) else str(self.default)

    def read(self, text: str) -> object:
        """A value given as text; raises UsageError with what is allowed."""
        if isinstance(self.default, bool):
            if text not in ("true", "false"):
                raise UsageError(f"{self.name} must be true or false, not {text!r}")
            return text == "true"
        if isinstance(self.default, tuple):
            return tuple(map(self._word, text.replace("/", ",").split(","))) if text else ()
        if isinstance(self.default, str):
            return self._word(text)
        return self._number(text)

    def _word(self, text: str) -> str:
        if self.choices and text not in self.choices:
            words = ", ".join(word for word in self.choices if word)
            raise UsageError(f"{self.name} must be one of {words}, not {text!r}{hint(text, self.choices)}")
        return text

    def _number(self, text: str) -> float:
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        try:
            value: float = type(self.default)(text)
        except ValueError:
            raise UsageError(f"{self.name} must be {kind}, not {text!r}") from None
        if not (self.least is None or value >= self.least):
            raise UsageError(f"{self.name} must be at least {self.least:g}, not {text}")
        if not (self.greatest is None or value <= self.greatest):
            raise UsageError(f"{self.name} must be at most {self.greatest:g}, not {text}")
        return value


def parameter(default: _T, meaning: str, *, choices: Sequence[str] = (), least: float | None = 0) -> _T:
    """A field of a strategy: its default, its meaning, the allowed words, the least number."""
    metadata = {"meaning": meaning, "choices": tuple(choices), "least": least}
    field: _T = dataclasses.field(default=default, metadata=metadata)
    return field


def share(default: float, meaning: str) -> float:
    """A field of a strategy that is a probability, or a share of something."""
    field: float = dataclasses.field(default=default, metadata={"meaning": meaning, "greatest": 1})
    return field


def parameters_of(strategy: Strategy) -> dict[str, Parameter]:
    """The parameters of a strategy that can be given as text, by name."""
    return {
        field.name: Parameter(field.name, getattr(strategy, field.name), **field.metadata)
        for field in _fields(strategy)
        if field.name not in _OWN and _type_text(field) in _TYPES
    }


def _type_text(field: dataclasses.Field[Any]) -> str:
    """The type of a field as it is written: as text with `from __future__ import annotations` alone."""
    if isinstance(field.type, str):
        return field.type.strip(_QUOTES)
    return field.type.__name__ if field.type in (int, float, bool, str) else str(field.type)


def _fields(strategy: Strategy) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(strategy) if dataclasses.is_dataclass(strategy) else ()


def configurations_of(strategy: Strategy) -> Mapping[str, str]:
    """The named configurations of a strategy, as settings."""
    configurations: Mapping[str, str] = getattr(strategy, "configurations", {})
    return configurations


def configured(strategy: _S, settings: Iterable[str]) -> _S:
    """The strategy with settings `NAME=VALUE` or names of configurations, applied in order.

    The settings become part of its name, which is recorded with each mutant.
    """
    parameters, configurations = parameters_of(strategy), configurations_of(strategy)
    texts = list(settings)
    changes: dict[str, Any] = {}
    for setting in texts:
        if "=" not in setting and setting in configurations:
            parts = configurations[setting].split(",")
        elif "=" in setting:
            parts = [setting]
        else:
            raise UsageError(_unknown(strategy, setting, parameters, configurations))
        for part in filter(None, parts):
            name, _, text = part.partition("=")
            if name not in parameters:
                raise UsageError(_unknown(strategy, name, parameters, configurations))
            try:
                changes[name] = parameters[name].read(text)
            except UsageError as error:
                raise UsageError(f"{strategy.name}: {error}") from None
    if not changes and not texts:
        return strategy
    changes["name"] = f"{strategy.name}:{','.join(setting.replace(',', '/') for setting in texts)}"
    return dataclasses.replace(strategy, **changes)  # type: ignore[type-var]  # it has fields, as just seen


def solver_seconds(strategy: Strategy) -> float:
    """The time limit for a solver call in the parameters of a strategy, or of a part of it; 0 for none."""
    parts = getattr(strategy, "parts", ()) or (strategy,)
    return max(float(getattr(part, "seconds", 0.0)) for part in parts)


def with_operators(strategy: _S, operators: tuple[Operator, ...]) -> _S:
    """The strategy, restricted to the operators of an operator file if it uses operators."""
    parts = getattr(strategy, "parts", ())
    if not operators:
        return strategy
    if parts:
        changed_parts = tuple(with_operators(part, operators) for part in parts)
        return dataclasses.replace(strategy, parts=changed_parts)  # type: ignore[type-var]  # a composed one
    if "operators" not in {field.name for field in _fields(strategy)}:
        return strategy
    return dataclasses.replace(strategy, operators=operators)  # type: ignore[type-var]  # as just seen


def hint(word: str, words: Iterable[str]) -> str:
    """A suggestion for an unknown word; "" if none is similar."""
    near = difflib.get_close_matches(word, [name for name in words if name], 1)
    return f"; did you mean {near[0]}?" if near else ""


def _unknown(strategy: Strategy, name: str, words: Iterable[str], configurations: Iterable[str]) -> str:
    names = [*words, *configurations]
    if not names:
        return f"{strategy.name} has no parameters"
    what = "parameter or configuration" if list(configurations) else "parameter"
    near = hint(name, names) or f"; it has {', '.join(names)}"
    return f"{strategy.name} has no {what} {name!r}{near}"
