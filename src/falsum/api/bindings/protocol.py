"""What a binding has, for whoever writes one: a class `Binding` in a file of its own, run by `serve.py`.

A binding never imports falsum: it runs in a child with the library's folder on its path and nothing else. It
is handed the library's own objects back: whatever `sort`, `const`, `value`, `term` returned. An exception
is an answer: let it through. `number` is the line's random number: use it to choose between equal calls.
"""

from __future__ import annotations

from typing import Any, Protocol


class SortHandle(Protocol):
    """A sort in a child: what it is, and the library's object (`made`)."""

    @property
    def name(self) -> str: ...

    @property
    def indices(self) -> tuple[int, ...]: ...

    @property
    def args(self) -> tuple[SortHandle, ...]: ...

    @property
    def made(self) -> Any: ...


# A constructor: its name, and its fields' names with their sorts: a handle, the place of one being made, or
# `%0` for a parameter.
Constructor = tuple[str, list[tuple[str, "SortHandle | int | str"]]]


class Binding(Protocol):
    """One library. `number` may be read in every method."""

    number: int

    def hello(self) -> dict[str, Any]:
        """The fields of `Capabilities`, as JSON can carry them."""
        ...

    def new(self) -> None:
        """A fresh solver that knows nothing of what was before; the first call of every run."""
        ...

    def delete(self) -> None:
        """Let everything go."""
        ...

    def set_logic(self, name: str) -> None: ...

    def set_option(self, name: str, value: str) -> None: ...

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        """`BitVec` `(8,)` `()`; `Array` `()` `(index, element)`; `->` with the result last."""
        ...

    def declare_sort(self, name: str) -> Any: ...

    def datatypes(self, declared: list[tuple[str, list[Constructor]]]) -> list[Any]:
        """Names and constructors, which may use each other; their sorts in order.

        Terms come as the operators `make:c` (constructor), `get:f` (selector), `is:c`, `set:f` (updater).
        """
        ...

    def codatatypes(self, declared: list[tuple[str, list[Constructor]]]) -> list[Any]:
        """As `datatypes`, of infinite values; with the feature `codatatypes`."""
        ...

    def template(self, name: str, parameters: int, constructors: list[Constructor]) -> Any:
        """A datatype with parameters, `%0` and so on in its fields; its own place is 0.

        With the feature `parametric-datatypes`.
        """
        ...

    def instantiate(self, template: Any, args: list[SortHandle], mark: str) -> Any:
        """A sort of a template; its operators end in the mark: `make:c@s7`."""
        ...

    def const(self, sort: SortHandle, name: str) -> Any:
        """A free constant, or a function if the sort is `->`."""
        ...

    def var(self, sort: SortHandle, name: str) -> Any: ...

    def value(self, sort: SortHandle, text: str) -> Any:
        """As `values.py` in falsum writes them: `#x0f`, `(fp #b0 #b… #b…)`, `-5`, `1/3`, `"a"`, `true`,
        `RNE`.
        """
        ...

    def special(self, sort: SortHandle, name: str) -> Any:
        """One of the names in `specials` of the capabilities."""
        ...

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        """An operator of the tables by its SMT-LIB name; `sort` is set where SMT-LIB writes `(as op sort)`.

        Further: `apply` (function, arguments…), `forall` and `exists` (variables…, body).
        """
        ...

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """A function by its definition, to be used with `apply`; without variables the body's equal."""
        ...

    def assert_(self, term: Any) -> None: ...

    def check(self, assumptions: list[Any]) -> str:
        """`sat`, `unsat` or `unknown`."""
        ...

    def get_value(self, term: Any) -> str:
        """In SMT-LIB; a function's as a `lambda`."""
        ...

    def get_model(self) -> str:
        """The library's own print of the model, or ""."""
        ...

    def get_core(self) -> list[Any]: ...

    def get_unsat_assumptions(self) -> list[Any]: ...

    def one_shot(self, terms: list[Any]) -> str:
        """The verdict of another, fresh solver on these terms alone."""
        ...

    def push(self, levels: int) -> None: ...

    def pop(self, levels: int) -> None: ...

    def reset(self) -> None:
        """SMT-LIB's `(reset)`: as after `new`, options included; terms stay usable."""
        ...

    def reset_assertions(self) -> None: ...

    def assertions(self) -> list[Any]: ...

    def children(self, term: Any) -> list[Any]: ...

    def sort_of(self, term: Any) -> str:
        """In SMT-LIB."""
        ...

    def print(self, term: Any) -> str:
        """In SMT-LIB."""
        ...

    def key(self, term: Any) -> object:
        """Equal for terms that are the same to the library."""
        ...

    def extra(self, name: str, args: list[Any]) -> Any:
        """A solver-specific action: terms for `term` arguments, text for others; a term, text, None, or a
        list of terms that were asserted.
        """
        ...
