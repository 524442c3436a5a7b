"""RunOptions: draws the options of runs: those that features need, and random ones that are not refused.

A run must not depend on earlier runs, so nothing is learned from them. Instead the options of a run are tried
out before it begins, on the smallest check there is, and others are drawn for those that the library refuses;
what it refuses on its own is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from falsum.api.model.guidance import OPTION, Guidance
from falsum.errors import UsageError
from falsum.solvers.options import DrawRules, draw

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities
    from falsum.api.model.settings import Settings
    from falsum.solvers.options import Option, Setting
    from falsum.solvers.solver import Solver

# The categories of options in each class that settings name.
CLASSES: Final[Mapping[str, frozenset[str]]] = {
    "regular": frozenset({"common", "regular"}),
    "expert": frozenset({"expert"}),
    "self-check": frozenset({"self-check"}),
    "safe": frozenset({"common", "regular"}),
}
SAFE: Final = "safe"  # with the options that restrict the library to what its developers call safe
# Options that must not be drawn have been excluded before.
_ONE: Final = DrawRules(most=1, never=re.compile(r"(?!)"), categories=frozenset().union(*CLASSES.values()))
_ATTEMPTS: Final = 4
# Tries options in a logic; returns the message by which the library refuses them, or "".
Refusal: TypeAlias = "Callable[[tuple[Setting, ...], str], str]"


class DrawnOptions(NamedTuple):
    """The options of a run: those that it needs, and random ones."""

    required: tuple[Setting, ...]
    drawn: tuple[Setting, ...] = ()


class RunOptions:
    """Draws options for one library."""

    def __init__(
        self, solver: Solver, settings: Settings, capabilities: Capabilities, refusal: Refusal
    ) -> None:
        for name in settings.option_classes:
            if name not in CLASSES:
                raise UsageError(f"unknown class of options {name!r}; the classes are {', '.join(CLASSES)}")
        self._solver = solver
        self._settings = settings
        self._capabilities = capabilities
        self._refusal = refusal
        self._refused: dict[tuple[tuple[Setting, ...], str], bool] = {}
        if solver.settings and (message := refusal(solver.settings, "")):
            settings_text = ", ".join(f"{name}={value}" for name, value in solver.settings)
            raise UsageError(f"{solver.name} refuses {settings_text}: {message}")

    def draw(
        self,
        theories: tuple[str, ...],
        drawable: Callable[[], tuple[Option, ...]],
        rng: Random,
        guidance: Guidance | None = None,
    ) -> DrawnOptions:
        """The options of a run."""
        logic = "HO_ALL" if "higher-order" in theories else ""
        required = self.required(theories, rng)
        if rng.random() >= self._settings.options:
            return DrawnOptions(required)
        if SAFE in self._settings.option_classes:
            logic = ""  # safe mode has no higher order: such a run gets other theories
            required = self._safe(required)
        count = rng.randint(1, self._settings.max_options)
        settings: tuple[Setting, ...] = ()
        for _ in range(_ATTEMPTS):
            taken = {name for name, _ in (*required, *settings)}
            extra = _random_settings(count - len(settings), taken, drawable(), rng, guidance or Guidance())
            settings = self._accepted(required, settings, extra, logic)
            if len(settings) == count:
                break
        return DrawnOptions(required, settings)

    def required(self, theories: tuple[str, ...], rng: Random | None = None) -> tuple[Setting, ...]:
        """Options of the solver's name, required ones, and those of features: drawn, or all without `rng`."""
        own = self._solver.settings
        names = {name for name, _ in own}
        defaults = [each for each in self._capabilities.required_options if each[0] not in names]
        settings: list[Setting] = []
        taken = set[str]()  # options of features that are on
        for each in self._capabilities.feature_options:
            if each.option in names or each.theory not in ("", *theories):
                continue
            names.add(each.option)  # several features may need it
            is_on = (rng is None or rng.random() < each.share) and taken.isdisjoint(each.unless)
            taken.update([each.option] if is_on else [])
            if is_on != each.is_default:
                settings.append((each.option, each.on if is_on else each.off))
        return (*own, *defaults, *settings)

    def _safe(self, required: tuple[Setting, ...]) -> tuple[Setting, ...]:
        """Required options in safe mode: without those that are refused there, alone or beside the others."""
        rules = self._solver.profile.draw_rules
        always = rules.always if rules is not None else ()
        if self._is_refused(always, ""):  # an older release
            return required
        settings = always
        for each in required:  # some go with safe mode, but not with each other
            if not self._is_refused((*settings, each), ""):
                settings = (*settings, each)
        return settings

    def _accepted(
        self,
        required: tuple[Setting, ...],
        settings: tuple[Setting, ...],
        additions: tuple[Setting, ...],
        logic: str,
    ) -> tuple[Setting, ...]:
        """The settings accepted so far, with those of `additions` that the library accepts as well."""
        if not self._refusal((*required, *settings, *additions), logic):
            return (*settings, *additions)
        for each in additions:
            if not self._is_refused((each,), "") and not self._refusal((*required, *settings, each), logic):
                settings = (*settings, each)
        return settings

    def _is_refused(self, settings: tuple[Setting, ...], logic: str) -> bool:
        """Whether the library refuses settings; for settings that are tried often."""
        key = (settings, logic)
        if key not in self._refused:
            self._refused[key] = bool(self._refusal(*key))
        return self._refused[key]


def _random_settings(
    count: int, taken: set[str], drawable: tuple[Option, ...], rng: Random, guidance: Guidance
) -> tuple[Setting, ...]:
    """A limited number of settings, each of another option."""
    settings: dict[str, str] = {}
    for _ in range(count if drawable else 0):
        option = guidance.choice(OPTION, drawable, (one.name for one in drawable), rng)
        for name, value in draw((option,), _ONE, rng):
            if name not in taken:
                settings.setdefault(name, value)
    return tuple(settings.items())
