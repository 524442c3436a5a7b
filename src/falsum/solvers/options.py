"""Option: an option of a product, as the product lists it; neutral options; random settings of options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from random import Random

_MODULE = re.compile(r"\[module\] ([^,\s]+)")
_PARAMETER = re.compile(r"    (\S+) \(([^)]+)\) ?(.*?)(?:\(default: ([^)]*)\))?$")
_FEW = 16  # a number without a range is drawn near its default
_UNLIMITED = (1 << 31) - 1


class Option(msgspec.Struct, frozen=True):
    """`kind` is bool, int, float, mode or text; `category` is common, regular, expert, self-check or unsafe.

    Unsafe options change limits, files or output: they are never drawn. A self-check makes the solver check
    its own answers.
    """

    name: str
    kind: str
    default: str
    category: str = "regular"
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None


Setting = tuple[str, str]

# Those of SMT-LIB 2.7, and of earlier versions.
STANDARD: Final = frozenset(
    "expand_definitions global_declarations interactive_mode print_success produce_assertions "
    "produce_assignments produce_interpolants produce_models produce_proofs produce_unsat_assumptions "
    "produce_unsat_cores random_seed".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class NeutralOptions:
    """The options of a product that are known to change neither the question nor the output.

    An option that changes the question (the value of a division by zero, extensional arrays, the size of the
    alphabet) makes an honest answer look wrong; one that limits the solver makes it give up; one that prints
    more lets a script forge output. None of them is sent or drawn.

    `families` matches whole names, with an underscore for every hyphen, except those that `others` matches.
    `values` are the neutral values of an option, if not all are.

    `unlisted` are options and parameters that it does not list; their values are Booleans or numbers.

    `limits` are options that can only make it give up. Audits send them, because the user relies on them.
    """

    families: re.Pattern[str]
    others: re.Pattern[str]
    values: Mapping[str, frozenset[str]] = field(default_factory=dict)
    unlisted: frozenset[str] = frozenset()
    limits: re.Pattern[str] = re.compile(r"(?!)")

    def has(self, name: str) -> bool:
        """Whether an option is neutral, by its plain name (see `plain_name`)."""
        return name in STANDARD or (
            self.families.fullmatch(name) is not None and self.others.search(name) is None
        )

    def allows(self, name: str, value: str) -> bool:
        return self.has(name) and (name not in self.values or value in self.values[name])


NONE: Final = NeutralOptions(re.compile(r"(?!)"), re.compile(r"(?!)"))


def plain_name(name: str) -> str:
    """The name in the spelling that products treat alike: some read `:Produce-Models` like
    `produce_models`.
    """
    return name.removeprefix(":").lower().replace("-", "_")


@dataclass(frozen=True, slots=True)
class DrawRules:
    """The options that may be set together: how many at most, which categories, and which never."""

    most: int
    never: re.Pattern[str]
    categories: frozenset[str] = frozenset({"common", "regular"})
    always: tuple[Setting, ...] = ()
    self_checks: re.Pattern[str] | None = None

    def classify(self, option: Option) -> Option:
        """The option, marked as a self-check, or as unsafe if it must never be drawn."""
        if self.self_checks is not None and self.self_checks.fullmatch(option.name):
            return msgspec.structs.replace(option, category="self-check")
        if self.never.search(option.name) or option.kind == "text":
            return msgspec.structs.replace(option, category="unsafe")
        return option


def only_neutral(option: Option, neutral: NeutralOptions) -> Option:
    """The option with its neutral choices; unsafe if it is not neutral itself."""
    name = plain_name(option.name)
    if not neutral.has(name):
        return msgspec.structs.replace(option, category="unsafe")
    choices = tuple(choice for choice in option.choices if neutral.allows(name, choice))
    return msgspec.structs.replace(option, choices=choices) if choices != option.choices else option


def draw(options: tuple[Option, ...], rules: DrawRules, rng: Random) -> tuple[Setting, ...]:
    """One to `most` settings that differ from the defaults, and the settings that always accompany them."""
    drawable = [
        option for option in options if option.category in rules.categories and _alternatives_exist(option)
    ]
    names = {option.name for option in options}
    settings = [setting for setting in rules.always if setting[0] in names]
    if drawable:
        choice = rng.sample(drawable, min(rng.randint(1, rules.most), len(drawable)))
        settings += [(option.name, _other_value(option, rng)) for option in choice]
    return tuple(settings)


def _alternatives_exist(option: Option) -> bool:
    if option.kind == "mode":
        return any(choice != option.default for choice in option.choices)
    return option.kind in {"bool", "int", "float"}


def _other_value(option: Option, rng: Random) -> str:
    if option.kind == "bool":
        return "false" if option.default == "true" else "true"
    if option.kind == "mode":
        return rng.choice([choice for choice in option.choices if choice != option.default])
    low, high = _range(option)
    if option.kind == "float":
        return f"{low + (high - low) * rng.random():.3f}"
    default = int(float(option.default or 0))
    near = sorted({int(low), int(high), default - 1, default + 1, default // 2, default * 2})
    values = [value for value in near if low <= value <= high and value != default]
    return str(rng.choice(values)) if values else str(int(low))


def _range(option: Option) -> tuple[float, float]:
    default = float(option.default or 0)
    low = 0.0 if option.minimum is None else option.minimum
    high = max(default * 2, low + _FEW) if option.maximum is None else option.maximum
    if option.kind == "float" and option.maximum is None:
        high = max(1.0, default)
    return low, min(high, _UNLIMITED)


def from_json(text: str, rules: DrawRules | None) -> tuple[Option, ...]:
    """The options a library host lists."""
    options = msgspec.json.decode(text, type=tuple[Option, ...])
    return tuple(rules.classify(option) if rules else option for option in options)


def from_parameters(text: str, rules: DrawRules | None) -> tuple[Option, ...]:
    """The options in a list of parameters by module (`name (type) words (default: value)`)."""
    kinds = {"bool": "bool", "unsigned int": "int", "int": "int", "double": "float"}
    module = ""
    options = []
    for line in text.splitlines():
        if header := _MODULE.match(line):
            module = header[1] + "."
        elif match := _PARAMETER.match(line):
            name, kind, words, default = match.groups()
            choices = named_choices(words) if kind in {"symbol", "string"} else ()
            option = Option(
                name=module + name,
                kind="mode" if choices else kinds.get(kind, "text"),
                default=default or "",
                choices=choices,
                minimum=0 if kind == "unsigned int" else None,
                maximum=_last_listed(words) if kinds.get(kind) == "int" else None,
            )
            options.append(rules.classify(option) if rules else option)
    return tuple(options)


def _last_listed(words: str) -> int | None:
    """`0 - geometric, 1 - luby, 2 - fixed` → 2; None if numbers are not listed from 0 on."""
    numbers = {int(number) for number in re.findall(r"(?<![\w.])(\d+) ?(?:- |= |for |\()", words)}
    last = next(number for number in range(len(numbers) + 1) if number not in numbers) - 1
    return last if last > 0 else None


def named_choices(words: str) -> tuple[str, ...]:
    """`phase selection: always_false, always_true, caching` → these three words; empty if unclear."""
    match = re.search(r":\s*((?:'?\w+'?(?:\s*\([^)]*\))?\s*[,|]\s*)+(?:or )?'?\w+'?)", words)
    if match is None:
        return ()
    plain = re.sub(r"\([^)]*\)", "", match[1])
    return tuple(word.strip().removeprefix("or ").strip("'") for word in re.split(r"[,|]", plain))
