"""AtlasBug: one bug of a solver product, in which releases it is, and a script that shows it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

from falsum.solvers.names import product_of, release_of
from falsum.solvers.versions import UNKNOWN, parse_version

# Of so many bugs one is held out.
_HELD_OUT: Final = 2
WRONG_VERDICTS: Final = frozenset({"refutation unsoundness", "solution unsoundness"})
INVALID_MODEL: Final = "invalid model"
# Words that say too little on their own to look for a bug: connectives, binders, commands.
_COMMON: Final = frozenset(
    "= distinct and or not => xor ite true false forall exists lambda match push check-sat-assuming "
    "check-sat-using minimize maximize assert-soft define-fun-rec define-funs-rec declare-datatypes".split()
)


class AtlasBug(msgspec.Struct, frozen=True, omit_defaults=True):
    """`kind` is what is wrong, `evidence` how that was shown, `expected` and `answer` are what is right and
    what the release says. `first`, `last` and `fixed` are releases by their full names: the oldest tested one
    that shows it, the newest that does, and the first one after it that does not ("" if all newer ones do).
    `gaps` says that releases in between do not show it.

    `operators` are operators by their present names, binders, and commands beyond assertions; `options` are
    those of the solver and of the script that it needs, as `name=value`. `engine` is the part of the solver
    that it is in, as far as options and commands tell. `signature` is the line by which findings are
    recognised; `want` is what the solver was asked for, `check` the number of the check, from 0, `message`
    how a crash ends; `strategy` has made the script that was reduced.
    """

    name: str
    kind: str
    evidence: str
    first: str
    last: str
    script: str
    signature: str
    expected: str = ""
    answer: str = ""
    fixed: str = ""
    gaps: bool = False
    theories: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    engine: str = "default"
    want: str = "verdict"
    check: int = 0
    message: str = ""
    strategy: str = ""

    @property
    def product(self) -> str:
        return product_of(self.first)

    @property
    def fixed_version(self) -> str:
        """The release without the product's name; "" if it is not fixed."""
        return self.fixed.partition("@")[2]

    @property
    def size(self) -> int:
        """Of the script, in bytes."""
        return len(self.script.encode())

    @property
    def right_answer(self) -> str:
        """What the release ought to answer, in words."""
        if self.kind == INVALID_MODEL and self.expected == "sat":
            return "sat, and a model that satisfies every assertion"
        return self.expected

    @property
    def held_out(self) -> bool:
        """Whether the bug is kept for contests, never used to tune anything; decided by its name."""
        return int(hashlib.sha256(self.name.encode()).hexdigest(), 16) % _HELD_OUT == 0

    @property
    def settings(self) -> str:
        """The options to run a release with, as they follow its name: `:a=b,c=d`, or ""."""
        own = [option.removeprefix(":") for option in self.options if option.startswith(":")]
        return f":{','.join(own)}" if own else ""

    def is_in(self, solver: str, version: str) -> bool:
        """Whether a release of a product has the bug, as far as releases were tested."""
        release = parse_version(version)
        if product_of(solver) != self.product or release is UNKNOWN or release < release_of(self.first):
            return False
        if not self.fixed or product_of(self.fixed) != self.product:
            return True
        return release < release_of(self.fixed)

    def may_show(self, words: frozenset[str], options: Iterable[str] = ()) -> bool:
        """Whether a query has all that the script of the bug has: operators, binders, commands and options.

        A bug without operators of a theory and without options is too unspecific to look for.
        """
        operators = frozenset(self.operators)
        if not (operators - _COMMON or self.options) or not words.issuperset(operators):
            return False
        return {option.removeprefix(":") for option in self.options} <= set(options)
