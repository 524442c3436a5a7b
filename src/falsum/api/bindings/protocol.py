"""The methods of a binding: a class `Binding` in a file of its own, run by `serve.py`.

A binding never imports falsum: it runs in a child process with the library's folder on its path and nothing
else. Files in the same folder are imported relatively (`from . import terms`), bundled bindings as
`falsum_bindings.<product>.binding`. A binding gets back the library's own objects: whatever `sort`, `const`,
`value`, `term` returned. An exception is an answer too: let it pass. `variant` is a random number that comes
with each call: use it to choose between equivalent calls of the library, and let 0 be what users write.
"""

from __future__ import annotations

from typing import Any, Protocol


class SortHandle(Protocol):
    """A sort in the child process: its name and arguments, and the library's own object (`native`)."""

    @property
    def name(self) -> str: ...

    @property
    def indices(self) -> tuple[int, ...]: ...

    @property
    def args(self) -> tuple[SortHandle, ...]: ...

    @property
    def native(self) -> Any: ...


# A constructor: its name and its fields, each with a sort: a handle, the position of a datatype that is being
# declared, or a sort parameter such as `%0`.
Constructor = tuple[str, list[tuple[str, "SortHandle | int | str"]]]


class Binding(Protocol):
    """The calls of one library. `variant` may be read in every method."""

    variant: int

    def capabilities(self) -> dict[str, Any]:
        """Return the fields of `Capabilities`, as JSON can carry them."""
        ...

    def new(self) -> None:
        """Start a fresh solver without sorts, terms or assertions; the first call of every run."""
        ...

    def delete(self) -> None:
        """Release the solver and all terms."""
        ...

    def set_logic(self, name: str) -> None: ...

    def set_option(self, name: str, value: str) -> None: ...

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        """Make a sort: `BitVec` `(8,)` `()`; `Array` `()` `(index, element)`; `->` with the result last."""
        ...

    def declare_sort(self, name: str) -> Any: ...

    def datatypes(self, declarations: list[tuple[str, list[Constructor]]]) -> list[Any]:
        """Declare datatypes, possibly mutually recursive, and return their sorts in order.

        Their terms are made by the operators `make:c` (constructor), `get:f` (selector), `is:c` (tester) and
        `set:f` (updater).
        """
        ...

    def codatatypes(self, declarations: list[tuple[str, list[Constructor]]]) -> list[Any]:
        """Declare codatatypes; needs the feature `codatatypes`."""
        ...

    def template(self, name: str, parameters: int, constructors: list[Constructor]) -> Any:
        """Declare a datatype with sort parameters, `%0` and so on in its fields; its own position is 0.

        Needs the feature `parametric-datatypes`.
        """
        ...

    def instantiate(self, template: Any, args: list[SortHandle], suffix: str) -> Any:
        """Instantiate a parametric datatype; its operators end in the suffix: `make:c@s7`."""
        ...

    def const(self, sort: SortHandle, name: str) -> Any:
        """Declare a constant, or a function if the sort is `->`."""
        ...

    def var(self, sort: SortHandle, name: str) -> Any:
        """Make a variable that a quantifier or a definition will bind."""
        ...

    def value(self, sort: SortHandle, text: str) -> Any:
        """Make a value: `#x0f`, `(fp #b0 #b… #b…)`, `-5`, `1/3`, `"a"`, `true`, `RNE`."""
        ...

    def special(self, sort: SortHandle, name: str) -> Any:
        """Make one of the values named in `special_values` of the capabilities."""
        ...

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        """Apply an operator, given by its SMT-LIB name; `sort` is set where SMT-LIB writes `(as op sort)`.

        Other operators: `apply` (function, arguments…), `forall` and `exists` (variables…, body),
        `set.comprehension` (variables…, formula, element).
        """
        ...

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """Define a function for use with `apply`."""
        ...

    def assert_(self, term: Any) -> None: ...

    def check(self, assumptions: list[Any]) -> str:
        """Return `sat`, `unsat` or `unknown`."""
        ...

    def get_value(self, term: Any) -> str:
        """Return a term's value in SMT-LIB, a function's as a `lambda`; "" if the library has none."""
        ...

    def get_model(self) -> str:
        """Return the model as the library prints it, or its values as `(define-fun x () S value)`; or ""."""
        ...

    def get_core(self) -> list[Any]: ...

    def get_unsat_assumptions(self) -> list[Any]: ...

    def one_shot(self, terms: list[Any]) -> str:
        """Return the verdict of another, fresh solver on these terms alone."""
        ...

    def push(self, levels: int) -> None: ...

    def pop(self, levels: int) -> None: ...

    def reset(self) -> None:
        """As SMT-LIB's `(reset)`: back to the state after `new`, options included; terms stay usable."""
        ...

    def reset_assertions(self) -> None: ...

    def assertions(self) -> list[Any]: ...

    def children(self, term: Any) -> list[Any]: ...

    def sort_of(self, term: Any) -> str:
        """Return a term's sort in SMT-LIB."""
        ...

    def print(self, term: Any) -> str:
        """Return a term in SMT-LIB."""
        ...

    def key(self, term: Any) -> object:
        """Return a key that is equal for terms the library considers the same."""
        ...

    def extra(self, name: str, args: list[Any]) -> Any:
        """Carry out a solver-specific action declared in the capabilities.

        Arguments are terms, or text for words and numbers. The result is a term, text, None, or a list of
        asserted terms.
        """
        ...
