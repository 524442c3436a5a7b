"""Capabilities: what one release of a library supports, as its binding declares when its child starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec

from falsum.errors import UsageError
from falsum.smtlib.theories import OPERATORS
from falsum.solvers.options import Option


class ExtraDeclaration(msgspec.Struct, frozen=True):
    """A solver-specific action, declared by a binding as data.

    `args`: kinds of arguments, drawn in order: `term` (without free variables), `any` (any term or function),
    `formula` (closed, Bool), `input`, `asserted`, `numeric`, `quantifier`, `value`, `same-sort` (a term of
    the sort of the previous argument), `number` (0 to 3), or a choice of words (`a|b`).

    `returns`: `nothing`, `text` (only recorded), `equal` (a term equal to the first argument, printed in
    SMT-LIB), `equal-under-assertions`, `term` (a new term, printed in SMT-LIB). Results that a check compares
    with their definition, "" for none: `interpolant` (of the arguments and the other assertions),
    `goal-interpolant` (of all assertions and the argument, which they imply), `abduct`
    (for the argument), `maximum` and `minimum` (of the argument), `implied` (a formula that follows from the
    assertions), `core` (asserted terms that are unsat), `verdict` (on the assertions), `other-value` (a value
    of the argument and, after a tab, another one, if there is any).

    `states` are the states of the state machine with this action, `precondition` is one of its preconditions,
    `needs` lists features without which it is not called, and `ends_check` says that the last answer no
    longer holds afterwards.
    """

    name: str
    args: tuple[str, ...] = ()
    returns: str = "nothing"
    states: tuple[str, ...] = ("create_terms",)
    precondition: str = ""
    needs: tuple[str, ...] = ()
    weight: float = 1.0
    ends_check: bool = False


class TransitionChange(msgspec.Struct, frozen=True):
    """A change of the state machine by a binding: adds or reweights a transition; weight 0 removes it.

    A state that is not there yet is added. `precondition`, if given, is the one of the state.
    """

    state: str
    action: str
    to: str = ""
    weight: float = 0.0
    precondition: str = ""


class FeatureOption(msgspec.Struct, frozen=True):
    """An option that a feature needs: the feature is there only in runs in which the option is on.

    `share` is the share of runs that switch it on; `is_default` says that it is on unless it is switched off;
    it is left alone in runs without the `theory`, if there is one, and is off where one of `unless` is on.
    """

    feature: str
    option: str
    share: float = 0.5
    on: str = "true"
    off: str = "false"
    is_default: bool = False
    theory: str = ""
    unless: tuple[str, ...] = ()

    def is_on(self, options: Mapping[str, str]) -> bool:
        """Whether the feature is there with these options set."""
        return options[self.option] == self.on if self.option in options else self.is_default


class Restriction(msgspec.Struct, frozen=True):
    """What a library does not have while an option has a value."""

    option: str
    value: str
    sorts: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    features: tuple[str, ...] = ()


class Capabilities(msgspec.Struct, frozen=True):
    """All the parent knows about a library.

    `features`: `incremental`, `assumptions`, `models`, `cores`, `unsat-assumptions`, `functions`,
    `declared-sorts`, `quantifiers`, `logic`, `reset`, `reset-assertions`, `assertions`, `children`,
    `sort-of`, `print`, `one-shot`, `datatypes`, `updaters` (of fields), `codatatypes`,
    `parametric-datatypes`, `function-values`, `higher-order` (functions are terms, in logics `HO_…`),
    `set-comprehensions`,
    `nested-arrays` (arrays of arrays), `array-indices` (arrays indexed by arrays), `flat-functions`
    (functions and binders have no array arguments or results, and no array depends on variables), `bind-once`
    (a variable has only one binder), `all-floats` (formats other than `float_formats`); and whatever extras
    need.

    `constant_arguments`: operator → positions that must hold a value. `float_formats`: exponent and
    significand of the only formats it has, empty for any. `options`: those that may be drawn, of a library
    that is not asked for them in another way; `required_options`: set in every run;
    `feature_options`: options that features need; `restrictions`: what options switch off;
    `exclusive_theories`: pairs that no run has both of;
    `excluded_options`: never drawn; `late_option_errors`: some options are refused only by the first check.
    `refusals`: regular expressions of error messages about something that is not supported, which is not a
    finding; `refusal_warnings`: the same for warnings that come with an answer. `can_fork`: the child can
    start a fresh process cheaply; `counter_fd`: its file descriptor with the number of lines answered.
    """

    product: str
    version: str = ""
    sorts: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    special_values: dict[str, tuple[str, ...]] = {}
    float_formats: tuple[tuple[int, int], ...] = ()
    constant_arguments: dict[str, tuple[int, ...]] = {}
    required_options: tuple[tuple[str, str], ...] = ()
    feature_options: tuple[FeatureOption, ...] = ()
    options: tuple[Option, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    exclusive_theories: tuple[tuple[str, str], ...] = ()
    excluded_options: tuple[str, ...] = ()
    late_option_errors: bool = False
    refusals: tuple[str, ...] = ()
    refusal_warnings: tuple[str, ...] = ()
    extras: tuple[ExtraDeclaration, ...] = ()
    transitions: tuple[TransitionChange, ...] = ()
    can_fork: bool = False
    counter_fd: int = -1

    def has(self, feature: str) -> bool:
        return feature in self.features

    def features_with(self, options: Mapping[str, str]) -> frozenset[str]:
        """The features that are there with these options set."""
        missing = {each.feature for each in self.feature_options if not each.is_on(options)}
        return frozenset(self.features) - missing

    def with_options(self, options: Mapping[str, str]) -> Capabilities:
        """What is left of sorts, operators and features with these options set."""
        restrictions = [each for each in self.restrictions if options.get(each.option) == each.value]
        if not restrictions:
            return self
        absent = {name for each in restrictions for name in (*each.sorts, *each.operators, *each.features)}
        return msgspec.structs.replace(
            self,
            sorts=tuple(name for name in self.sorts if name not in absent),
            operators=tuple(name for name in self.operators if name not in absent),
            features=tuple(name for name in self.features if name not in absent),
        )

    def without_operators(self, patterns: Sequence[str]) -> Capabilities:
        """Without the operators whose names match a pattern; raises UsageError for one that matches none."""
        unknown = [one for one in patterns if not any(fnmatchcase(name, one) for name in OPERATORS)]
        if unknown:
            raise UsageError(f"without_operators: no operator is called {unknown[0]}")
        kept = (name for name in self.operators if not any(fnmatchcase(name, one) for one in patterns))
        return msgspec.structs.replace(self, operators=tuple(kept)) if patterns else self


def read_capabilities(text: str) -> Capabilities:
    """Decode the first line of a child."""
    return msgspec.json.decode(text, type=Capabilities)
