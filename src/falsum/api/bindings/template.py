"""A template for a binding of your own: it calls the C interface of a toy solver, `libtoy.so` beside it.

Runs in a child process without falsum. An exception that a method raises is the library's reply: let it pass.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

OPERATORS = ["not", "and", "or", "xor", "=>", "=", "distinct", "ite"]


class Binding:
    variant = 0  # a random number per call, to choose between equivalent calls; 0 is what users write

    def __init__(self) -> None:
        """Load the library; it stays loaded for many runs."""
        self.lib = ctypes.CDLL(str(Path(__file__).with_name("libtoy.so")))
        self.lib.toy_new.restype = ctypes.c_void_p
        self.solver: Any = None

    def capabilities(self) -> dict[str, Any]:
        """Say what the library supports; falsum calls nothing else."""
        return {
            "product": "toy",
            "version": "1.0",
            "sorts": ["Bool"],  # of SMT-LIB: Bool, Int, Real, BitVec, FloatingPoint, String, Array, ->, …
            "operators": OPERATORS,
            "features": ["incremental", "assumptions", "models"],
            "special_values": {"Bool": ["true", "false"]},
            "refusals": ["not supported"],  # messages (regular expressions) that are no findings
        }

    # -- the solver ----------------------------------------------------------------------------------

    def new(self) -> None:
        """Make a fresh solver; the first call of every run."""
        self.delete()
        self.solver = ctypes.c_void_p(self.lib.toy_new())

    def delete(self) -> None:
        if self.solver is not None:
            self.lib.toy_delete(self.solver)
        self.solver = None

    def set_option(self, name: str, value: str) -> None:
        """Only called for options that `capabilities` requires."""

    # -- sorts and terms: what is returned here comes back as argument ---------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[Any, ...]) -> Any:
        """Make a sort; its handle has `.name`, `.indices`, `.args` and, as `.native`, what is returned."""
        return name

    def const(self, sort: Any, name: str) -> Any:
        return self.lib.toy_const(self.solver)

    def value(self, sort: Any, text: str) -> Any:
        return self.term(text, (), [], None)

    def special(self, sort: Any, name: str) -> Any:
        return self.term(name, (), [], None)

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: Any) -> Any:
        """Apply an operator, by its SMT-LIB name."""
        return self.lib.toy_apply(self.solver, operator.encode(), *array(args))

    # -- assertions, checks and queries ----------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.lib.toy_assert(self.solver, term)

    def check(self, assumptions: list[Any]) -> str:
        return "sat" if self.lib.toy_check(self.solver, *array(assumptions)) else "unsat"

    def get_value(self, term: Any) -> str:
        return "true" if self.lib.toy_value(self.solver, term) else "false"

    def get_model(self) -> str:
        """Return the model as the library prints it; "" if it prints none."""
        return ""

    def push(self, levels: int) -> None:
        for _ in range(levels):
            self.lib.toy_push(self.solver)

    def pop(self, levels: int) -> None:
        for _ in range(levels):
            self.lib.toy_pop(self.solver)

    def key(self, term: Any) -> object:
        """Return something equal for terms that the library considers the same."""
        return term


def array(terms: list[Any]) -> tuple[Any, int]:
    """A C array and its length."""
    return (ctypes.c_int * len(terms))(*terms), len(terms)
