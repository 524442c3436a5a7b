"""Records calls of a C library through ctypes, for `call_recorder.py`, which loads this file by its path.

Results are numbers that carry the text of the call they come from, so that a program can name them. What a
call writes to is a variable of the program: what it gets by `byref`, and an array with an attribute
`is_output`. Any other array shows where its numbers come from if it has them in an attribute `values`;
otherwise the numbers themselves are written, and no call may be left out of the program.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any


class Handle(int):
    """A number that a call has returned, with the text that stands for it in the program."""

    text: str = ""


def handle(number: int, text: str) -> Handle:
    result = Handle(number)
    result.text = text
    return result


class CArguments:
    """Writes arguments of C functions as Python text."""

    def __init__(self, recorder: Any) -> None:
        self.recorder = recorder
        # Addresses of objects of the library → the last call that returned them.
        self.pointers: dict[int, str] = {}
        # What calls write to; kept, so that no other object gets the same id.
        self.variables: dict[int, tuple[Any, str]] = {}

    def text(self, value: Any) -> str:
        if isinstance(value, Handle):
            return value.text
        if isinstance(value, ctypes.Array):
            if hasattr(value, "is_output"):
                return self.variable(value)
            if hasattr(value, "values"):
                return array_text(value, map(self.text, value.values))
            self.recorder.write(literal=True)
            return array_text(value, map(repr, value))
        if isinstance(value, ctypes.c_void_p):
            text = self.pointers.get(value.value or 0)
            return f"ctypes.c_void_p({text})" if text else "None"
        if isinstance(value, ctypes._SimpleCData):  # noqa: SLF001 - the only common base of numbers
            return f"ctypes.{type(value).__name__}({value.value!r})"
        if hasattr(value, "_obj"):  # byref
            return f"ctypes.byref({self.variable(value._obj)})"  # noqa: SLF001 - there is no other way
        return str(self.recorder.argument_text(value))

    def variable(self, value: Any) -> str:
        if id(value) not in self.variables:
            if isinstance(value, ctypes.Array):
                text = array_text(value, ())
            elif isinstance(value, ctypes._SimpleCData):  # noqa: SLF001 - as above
                text = f"ctypes.{type(value).__name__}({value.value!r})"
            else:  # a structure
                text = f"ctypes.create_string_buffer({ctypes.sizeof(value)})"
            self.variables[id(value)] = (value, self.recorder.noted(text, "variable"))
        return self.variables[id(value)][1]

    def written(self, args: tuple[Any, ...]) -> list[str]:
        """Texts of what a call has written to its arguments."""
        texts = []
        for value in (getattr(arg, "_obj", arg) for arg in args):
            if hasattr(value, "is_output"):
                texts.append(f"list({self.variable(value)})")
            elif id(value) in self.variables and isinstance(value, ctypes._SimpleCData):  # noqa: SLF001
                texts.append(f"{self.variable(value)}.value")
        return texts


def array_text(value: Any, items: Any) -> str:
    return f"(ctypes.{value._type_.__name__} * {len(value)})({', '.join(items)})"


class CFunction:
    """A function of the library."""

    def __init__(self, library: CLibrary, name: str, real: Any) -> None:
        self._library = library
        self._name = name
        self._real = real

    @property
    def restype(self) -> Any:
        return self._real.restype

    @restype.setter
    def restype(self, kind: Any) -> None:
        self._real.restype = kind
        name = "None" if kind is None else f"ctypes.{kind.__name__}"
        self._library.recorder.write(prepared=f"{self._name}.restype = {name}")

    @property
    def argtypes(self) -> Any:
        return self._real.argtypes

    @argtypes.setter
    def argtypes(self, kinds: Any) -> None:
        self._real.argtypes = kinds
        names = ", ".join(f"ctypes.{kind.__name__}" for kind in kinds)
        self._library.recorder.write(prepared=f"{self._name}.argtypes = [{names}]")

    def __call__(self, *args: Any) -> Any:
        recorder, arguments = self._library.recorder, self._library.arguments
        text = f"{self._name}({', '.join(map(arguments.text, args))})"
        number = recorder.begun(text)
        result = self._real(*args)
        is_pointer = self._real.restype is ctypes.c_void_p and result is not None
        kind = self._name.rpartition("_")[2] if is_pointer else type(result).__name__
        recorder.ended(number, kind, is_plain=True)
        for change in arguments.written(args):
            recorder.noted(change, "list" if change.startswith("list(") else "int")
        if not isinstance(result, int):
            return result
        wrapped_result = handle(result, f"⟦{number}⟧")
        if is_pointer:
            arguments.pointers[result] = wrapped_result.text
            if self._name.endswith("_string"):
                recorder.noted(f"ctypes.string_at({wrapped_result.text}).decode()", "str")
        return wrapped_result


class CLibrary(ctypes.CDLL):
    """A shared library whose functions record their calls."""

    recorder: Any = None

    def __init__(self, name: str, *args: Any, **keywords: Any) -> None:
        super().__init__(name, *args, **keywords)
        self.arguments = CArguments(self.recorder)
        self.variable = Path(name).name.partition(".so")[0].removeprefix("lib") or "library"
        self.recorder.write(loaded=name, variable=self.variable)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        function = CFunction(self, f"{self.variable}.{name}", self[name])
        setattr(self, name, function)
        return function
