"""Runs a trace through a binding and tells every call of the library it makes, as Python text.

Run as `python -I -S call_recorder.py BINDING FOLDER TRACE`, without falsum on its path, as `serve.py` is.
What the binding has of the library is replaced by stand-ins that write each call down before making it, one
JSON object a line, so that a crash is after the call that caused it. `program.py` makes a program of them.
"""

from __future__ import annotations

import ctypes
import enum
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

PLAIN = (type(None), bool, int, float, str, bytes)
# Methods that make terms, though every Python object has some of them.
MAKING = frozenset(
    f"__{name}__"
    for name in (
        "add", "sub", "mul", "truediv", "mod", "neg", "invert", "and", "or", "xor", "lshift", "rshift",
        "eq", "ne", "lt", "le", "gt", "ge", "getitem",
    )
)  # fmt: skip


class Recorder:
    """Writes calls to a channel; results are numbered and written ⟦12⟧ until they have names."""

    def __init__(self, channel: int, folder: str) -> None:
        self.channel = channel
        self.folder = Path(folder)
        self.modules: list[ModuleType] = []
        self.count = 0
        self.is_on = True

    def tell(self, **what: Any) -> None:
        if self.is_on:
            data = json.dumps(what).encode() + b"\n"
            while data:
                data = data[os.write(self.channel, data) :]

    def wrapped(self, value: Any, text: str) -> Any:
        """A stand-in for what is the library's; plain data and exceptions are what they are."""
        if type(value) in PLAIN or isinstance(value, Thing):
            return value
        if type(value) in (list, tuple):
            return type(value)(self.wrapped(item, f"{text}[{place}]") for place, item in enumerate(value))
        if isinstance(value, type) and issubclass(value, BaseException):
            return value
        return Thing(self, value, text)

    def is_of_library(self, value: Any) -> bool:
        """Whether a module or class is imported from the library's folder, by its own name.

        The folder may be a whole site-packages, with falsum and the binding in it: those are loaded by other
        names than their files have there.
        """
        name = str(value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None))
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is None or not Path(file).is_relative_to(self.folder):
            return False
        top = Path(file).relative_to(self.folder).parts[0]
        return top.partition(".")[0] == name.partition(".")[0]

    def text_of_class(self, cls: type) -> str:
        """By the module the binding has it from: where a class says it is from may be nowhere to be found."""
        for module in self.modules:
            if getattr(module, cls.__name__, None) is cls:
                return f"{module.__name__}.{cls.__name__}"
        return f"{cls.__module__}.{cls.__name__}"

    def written(self, value: Any) -> str:
        """An argument as Python text."""
        if isinstance(value, Thing):
            return text_of(value)
        if isinstance(value, enum.Enum):
            return f"{self.text_of_class(type(value))}.{value.name}"
        if type(value) in PLAIN:
            return repr(value)
        if isinstance(value, list):
            return f"[{', '.join(map(self.written, value))}]"
        if isinstance(value, tuple):
            return f"({''.join(f'{self.written(item)}, ' for item in value).rstrip()})"
        if isinstance(value, dict):
            items = (f"{self.written(key)}: {self.written(item)}" for key, item in value.items())
            return f"{{{', '.join(items)}}}"
        if isinstance(value, ctypes.Array):
            return f"(ctypes.{value._type_.__name__} * {len(value)})({', '.join(map(repr, value))})"
        raise TypeError(f"no text for {value!r}")

    def called(self, thing: Thing, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        words = [*map(self.written, args), *(f"{key}={self.written(value)}" for key, value in named.items())]
        self.count += 1
        number = self.count
        self.tell(call=number, text=f"{text_of(thing)}({', '.join(words)})")
        try:
            result = real_of(thing)(*real_of(list(args)), **real_of(named))
        except Exception as error:
            self.tell(done=number, type="", is_plain=True, raised=f"{type(error).__name__}: {error}")
            raise
        self.tell(done=number, type=type(result).__name__, is_plain=type(result) in PLAIN)
        return self.wrapped(result, f"⟦{number}⟧")


class Thing:
    """Stands in for something of the library."""

    __slots__ = ("_real", "_recorder", "_text")

    def __init__(self, recorder: Recorder, real: Any, text: str) -> None:
        self._recorder = recorder
        self._real = real
        self._text = text

    def __getattribute__(self, name: str) -> Any:
        """Asked for by name it is the library's method; `==` written in a binding compares, see below."""
        if name not in MAKING:
            return object.__getattribute__(self, name)
        return self._recorder.wrapped(getattr(self._real, name), f"{self._text}.{name}")

    def __getattr__(self, name: str) -> Any:
        return self._recorder.wrapped(getattr(self._real, name), f"{self._text}.{name}")

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._recorder.called(self, args, named)

    def __getitem__(self, key: Any) -> Any:
        return self._recorder.wrapped(
            self._real[real_of(key)], f"{self._text}[{self._recorder.written(key)}]"
        )

    def __iter__(self) -> Iterator[Any]:
        for place, item in enumerate(self._real):
            yield self._recorder.wrapped(item, f"list({self._text})[{place}]")

    def __instancecheck__(self, other: Any) -> bool:
        return isinstance(real_of(other), self._real)

    def __eq__(self, other: object) -> bool:
        return bool(self._real == real_of(other))

    def __hash__(self) -> int:
        return hash(self._real)

    def __dir__(self) -> list[str]:
        return dir(self._real)

    def __len__(self) -> int:
        return len(self._real)

    def __bool__(self) -> bool:
        return bool(self._real)

    def __index__(self) -> int:
        return int(self._real)

    def __str__(self) -> str:
        return str(self._real)

    def __repr__(self) -> str:
        return repr(self._real)


def text_of(thing: Thing) -> str:
    return thing._text  # noqa: SLF001 - a stand-in's attributes are its thing's


def real_of(value: Any) -> Any:
    if isinstance(value, Thing):
        return value._real  # noqa: SLF001 - as above
    if type(value) in (list, tuple):
        return type(value)(map(real_of, value))
    if type(value) is dict:
        return {real_of(key): real_of(item) for key, item in value.items()}
    return value


def binding_modules(packages: tuple[str, ...]) -> list[ModuleType]:
    """The binding's module and all modules of its own that it has imported."""
    return [module for name, module in sys.modules.items() if name.partition(".")[0] in packages]


def stand_in(module: ModuleType, recorder: Recorder) -> None:
    """Replace the library's modules and classes among a module's names by recording ones."""
    names = list(vars(module).items())
    for name, value in names:
        if isinstance(value, ModuleType) and recorder.is_of_library(value):
            recorder.modules.append(value)
            recorder.tell(imported=value.__name__)
            setattr(module, name, recorder.wrapped(value, value.__name__))
    for name, value in names:
        if isinstance(value, type) and recorder.is_of_library(value):
            setattr(module, name, recorder.wrapped(value, recorder.text_of_class(value)))


def play(session: Any, recorder: Recorder, row: str) -> None:
    """One line of the trace."""
    recorder.tell(line=row)
    try:
        session.run(row)
    except Exception as error:  # noqa: BLE001 - whatever a library raises is its answer
        recorder.tell(raised=f"{type(error).__name__}: {error}")
        return
    head, equals, _rest = row.partition(" = ")
    for name in head.split() if equals else ():
        made = session.terms.get(name)
        if made is None and name in session.sorts:
            made = session.sorts[name].native
        if isinstance(made, Thing):
            recorder.tell(made=name, text=text_of(made))


def main() -> int:
    file, folder, trace = sys.argv[1:4]
    channel = os.dup(1)
    os.dup2(2, 1)  # whatever the library prints is no call
    sys.path.insert(0, folder)
    place = importlib.util.spec_from_file_location(
        "serve", Path(__file__).parent.parent / "bindings" / "serve.py"
    )
    serve: Any = importlib.util.module_from_spec(place)  # type: ignore[arg-type]
    place.loader.exec_module(serve)  # type: ignore[union-attr]
    module = serve.load(file)
    recorder = Recorder(channel, folder)
    for each in binding_modules((serve.BUNDLED, serve.OWN)):
        stand_in(each, recorder)

    class Session(serve.Session):  # type: ignore[misc]
        """What names are found by is nobody's business."""

        def names_of(self, found: list[Any], among: list[str]) -> str:
            recorder.is_on = False
            try:
                return str(super().names_of(found, among))
            finally:
                recorder.is_on = True

    session = Session(module.Binding())
    for row in Path(trace).read_text(encoding="utf-8").splitlines():
        if row and not row.startswith(("#", "->", "-!")):
            play(session, recorder, row)
    return 0


if __name__ == "__main__":
    os._exit(main())
