"""Capabilities: what one release of a library can do, as its binding tells when its child starts."""

from __future__ import annotations

import msgspec


class Extra(msgspec.Struct, frozen=True):
    """A solver-specific action, declared by a binding as data.

    `takes`: kinds of arguments, drawn in order: `term` (closed), `any` (whatever it is), `formula` (closed,
    Bool), `input`, `asserted`, `quantity` (a number), `quantified` (a formula that is a quantifier), `value`,
    `same` (a term of the sort of the argument before), `number` (0 to 3), or a word with bars between choices
    (`a|b`). `gives`: `nothing`, `text` (anything, only recorded), `equal` (a term equal to the first
    argument, printed in SMT-LIB), `equal-here` (as long as what is asserted holds), `term` (a new term,
    printed in SMT-LIB); checked by definition, "" for none: `interpolant` (of the asserted and the rest),
    `abduct` (for the argument), `optimum` and `least` (the argument's largest and smallest value), `implied`
    (a formula that follows from what is asserted), `core` (names of asserted terms that are unsat), `verdict`
    (on what is asserted, once more), `blocked` (a value of the argument and, after a tab, another one, or
    nothing if there is none). `states` are the model's states it belongs to, `needs` a precondition of the
    model; `ends`: the last answer is over after it.
    """

    name: str
    takes: tuple[str, ...] = ()
    gives: str = "nothing"
    states: tuple[str, ...] = ("create_terms",)
    needs: str = ""
    weight: float = 1.0
    ends: bool = False


class Change(msgspec.Struct, frozen=True):
    """A transition of the model a binding wants otherwise; weight 0 removes it, an unknown one is added."""

    state: str
    action: str
    to: str = ""
    weight: float = 0.0


class Capabilities(msgspec.Struct, frozen=True):
    """All the parent knows about a library.

    `features` are words: `incremental`, `assumptions`, `models`, `cores`, `unsat-assumptions`, `functions`,
    `declared-sorts`, `quantifiers`, `logic`, `reset`, `reset-assertions`, `assertions`, `children`,
    `sort-of`, `print`, `one-shot`, `datatypes`, `updaters` (of their fields), `codatatypes`,
    `parametric-datatypes`, `function-values`, `higher-order` (functions are terms, with a logic `HO_…`),
    `nested-arrays` (arrays of arrays), `array-indices` (arrays indexed by arrays), `flat-functions`
    (functions and binders take and give no arrays, and no array depends on variables), `bind-once` (a
    variable belongs to one binder for ever).
    `constant_arguments`: operators → places that must hold a value. `required`: options every run sets, with
    their values; `unwanted`: options never drawn. `refusals`: regular expressions of messages by which the
    library says that it does not take something, which is no finding; `remarks`: the same for what it prints
    while it goes on and answers. `forks`: a fresh process can be had from the one that was started;
    `answered`: the file descriptor there of the number of lines answered.
    """

    product: str
    version: str = ""
    sorts: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    specials: dict[str, tuple[str, ...]] = {}
    float_formats: tuple[tuple[int, int], ...] = ((3, 5), (5, 11), (8, 24))
    constant_arguments: dict[str, tuple[int, ...]] = {}
    required: tuple[tuple[str, str], ...] = ()
    unwanted: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    extras: tuple[Extra, ...] = ()
    changes: tuple[Change, ...] = ()
    forks: bool = False
    answered: int = -1

    def has(self, feature: str) -> bool:
        return feature in self.features


def read_capabilities(text: str) -> Capabilities:
    """What a child says first."""
    return msgspec.json.decode(text, type=Capabilities)
