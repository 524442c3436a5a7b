"""Runs a trace through a binding and records every call of the library as Python text.

Run as `python -I -S call_recorder.py BINDING FOLDER TRACE`, without falsum on its path, like `serve.py`; the
first line of the file is the table of calls. The
library's modules and classes are replaced by proxies, which write each call as a JSON object on a line before
they make it, so that a call that crashes is recorded as well. `program.py` makes a program of the calls.
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
TERM_METHODS = frozenset(
    f"__{name}__"
    for name in (
        "add", "sub", "mul", "truediv", "mod", "neg", "invert", "and", "or", "xor", "lshift", "rshift",
        "eq", "ne", "lt", "le", "gt", "ge", "getitem",
    )
)  # fmt: skip


class Recorder:
    """Writes events to a channel; results of calls are numbered and written ⟦12⟧ until they have names."""

    def __init__(self, channel: int, folder: str) -> None:
        self.channel = channel
        self.folder = Path(folder)
        self.modules: list[ModuleType] = []
        self.count = 0
        self.is_enabled = True

    def write(self, **event: Any) -> None:
        if self.is_enabled:
            data = json.dumps(event).encode() + b"\n"
            while data:
                data = data[os.write(self.channel, data) :]

    def wrap(self, value: Any, text: str) -> Any:
        """A proxy for an object of the library; plain data and exceptions are returned as they are."""
        if type(value) in PLAIN or isinstance(value, RecordingProxy):
            return value
        if type(value) in (list, tuple):
            return type(value)(self.wrap(item, f"{text}[{index}]") for index, item in enumerate(value))
        if isinstance(value, type) and issubclass(value, BaseException):
            return value
        return RecordingProxy(self, value, text)

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
        """A class by the module that the binding imports it from; its own `__module__` may not exist."""
        for module in self.modules:
            if getattr(module, cls.__name__, None) is cls:
                return f"{module.__name__}.{cls.__name__}"
        return f"{cls.__module__}.{cls.__name__}"

    def argument_text(self, value: Any) -> str:
        """An argument as Python text."""
        if isinstance(value, RecordingProxy):
            return text_of(value)
        if isinstance(value, enum.Enum):
            return f"{self.text_of_class(type(value))}.{value.name}"
        if type(value) in PLAIN:
            return repr(value)
        if isinstance(value, list):
            return f"[{', '.join(map(self.argument_text, value))}]"
        if isinstance(value, tuple):
            return f"({''.join(f'{self.argument_text(item)}, ' for item in value).rstrip()})"
        if isinstance(value, dict):
            items = (f"{self.argument_text(key)}: {self.argument_text(item)}" for key, item in value.items())
            return f"{{{', '.join(items)}}}"
        if isinstance(value, ctypes.Array):
            return f"(ctypes.{value._type_.__name__} * {len(value)})({', '.join(map(repr, value))})"
        raise TypeError(f"cannot write {value!r} as Python text")

    def begun(self, text: str) -> int:
        """Write that a call begins; return its number."""
        self.count += 1
        self.write(call=self.count, text=text)
        return self.count

    def ended(self, number: int, kind: str, *, is_plain: bool) -> None:
        self.write(done=number, type=kind, is_plain=is_plain)

    def noted(self, text: str, kind: str) -> str:
        """Write an expression that is part of the program but not of the trace; return its name."""
        number = self.begun(text)
        self.ended(number, kind, is_plain=kind != "list")
        return f"⟦{number}⟧"

    def call(self, proxy: RecordingProxy, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        words = [self.argument_text(arg) for arg in args]
        words += [f"{key}={self.argument_text(value)}" for key, value in keywords.items()]
        number = self.begun(f"{text_of(proxy)}({', '.join(words)})")
        try:
            result = real_of(proxy)(*real_of(list(args)), **real_of(keywords))
        except Exception as error:
            self.write(done=number, type="", is_plain=True, raised=f"{type(error).__name__}: {error}")
            raise
        self.ended(number, type(result).__name__, is_plain=type(result) in PLAIN)
        return self.wrap(result, f"⟦{number}⟧")


class RecordingProxy:
    """A proxy for an object of the library that records calls of it."""

    __slots__ = ("_real", "_recorder", "_text")

    def __init__(self, recorder: Recorder, real: Any, text: str) -> None:
        self._recorder = recorder
        self._real = real
        self._text = text

    def __getattribute__(self, name: str) -> Any:
        """Term methods are the library's if looked up by name; operators in a binding's code compare."""
        if name not in TERM_METHODS:
            return object.__getattribute__(self, name)
        return self._recorder.wrap(getattr(self._real, name), f"{self._text}.{name}")

    def __getattr__(self, name: str) -> Any:
        return self._recorder.wrap(getattr(self._real, name), f"{self._text}.{name}")

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self._recorder.call(self, args, keywords)

    def __getitem__(self, key: Any) -> Any:
        return self._recorder.wrap(
            self._real[real_of(key)], f"{self._text}[{self._recorder.argument_text(key)}]"
        )

    def __iter__(self) -> Iterator[Any]:
        for index, item in enumerate(self._real):
            yield self._recorder.wrap(item, f"list({self._text})[{index}]")

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


def text_of(proxy: RecordingProxy) -> str:
    return proxy._text  # noqa: SLF001 - its public attributes are those of the object


def real_of(value: Any) -> Any:
    if isinstance(value, RecordingProxy):
        return value._real  # noqa: SLF001 - as above
    if type(value) in (list, tuple):
        return type(value)(map(real_of, value))
    if type(value) is dict:
        return {real_of(key): real_of(item) for key, item in value.items()}
    return value


def binding_modules(packages: tuple[str, ...]) -> list[ModuleType]:
    """The binding's module and all modules of its own that it has imported."""
    return [module for name, module in sys.modules.items() if name.partition(".")[0] in packages]


def install_proxies(module: ModuleType, recorder: Recorder) -> None:
    """Replace the library's modules and classes in a module of the binding by proxies."""
    names = list(vars(module).items())
    for name, value in names:
        if isinstance(value, ModuleType) and recorder.is_of_library(value):
            recorder.modules.append(value)
            recorder.write(imported=value.__name__)
            setattr(module, name, recorder.wrap(value, value.__name__))
    for name, value in names:
        if isinstance(value, type) and recorder.is_of_library(value):
            setattr(module, name, recorder.wrap(value, recorder.text_of_class(value)))


def file_beside(name: str, *folders: str) -> Any:
    """A module of falsum, loaded by its path: falsum itself may not be there."""
    path = Path(__file__).parent.joinpath(*folders, f"{name}.py")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules[name] = module
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def run_line(session: Any, recorder: Recorder, row: str, handles: type) -> None:
    """Execute a line of the trace, and record the names of its results."""
    recorder.write(line=row)
    try:
        session.run(row)
    except Exception as error:  # noqa: BLE001 - whatever a library raises is its reply
        recorder.write(raised=f"{type(error).__name__}: {error}")
        return
    head, equals, _rest = row.partition(" = ")
    for name in head.split() if equals else ():
        term = session.terms.get(name)
        if term is None and name in session.sorts:
            term = session.sorts[name].native
        if isinstance(term, RecordingProxy):
            recorder.write(made=name, text=text_of(term))
        elif isinstance(term, handles):
            recorder.write(made=name, text=getattr(term, "text", ""))


def main() -> int:
    file, folder, trace = sys.argv[1:4]
    channel = os.dup(1)
    os.dup2(2, 1)  # what the library prints is not an event
    sys.path.insert(0, folder)
    serve: Any = file_beside("serve", "..", "bindings")
    c_calls = file_beside("c_calls")
    module = serve.load(file)
    recorder = Recorder(channel, folder)
    for each in binding_modules((serve.BUNDLED, serve.OWN)):
        install_proxies(each, recorder)
    # Python modules have loaded what they need by now; a binding of a C library loads it when it is made.
    c_calls.CLibrary.recorder = recorder
    ctypes.CDLL = c_calls.CLibrary  # type: ignore[misc]

    class Session(serve.Session):  # type: ignore[misc]
        """A session that does not record the calls that look up names."""

        def names_of(self, call_list: list[Any], among: list[str]) -> str:
            recorder.is_enabled = False
            try:
                return str(super().names_of(call_list, among))
            finally:
                recorder.is_enabled = True

    calls, *rows = Path(trace).read_text(encoding="utf-8").splitlines()
    session = Session(module.Binding(), json.loads(calls))
    for row in rows:
        if row and not row.startswith(("#", "->", "-!")):
            run_line(session, recorder, row, c_calls.Handle)
    return 0


if __name__ == "__main__":
    os._exit(main())
