"""Runs a binding in a child process: reads lines of a trace, calls the binding, writes one reply per line.

Run as `python -I -S serve.py BINDING FOLDER [ARGUMENTS]`, without falsum on its path. The first line written
is the binding's capabilities as JSON. Then every line read from standard input is executed and answered with
one line: `.` for no result, `= text` for a result, `! Class message` for an exception. What the library
prints goes to standard error.

Replies `.` are buffered until another reply or the end of the batch, so that the parent is not woken up for
each. They are counted in shared memory (the file descriptor `counter_fd` of the capabilities), so that the
parent knows in which call the child crashed.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib.util
import itertools
import json
import mmap
import os
import signal
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from falsum.api.bindings.protocol import Binding, Constructor


COUNTER_BYTES = 8
COUNTER_FILE = "replies"
CHUNK_BYTES = 1 << 16
RESTART = b"restart"
COVERAGE = "GCOV_PREFIX"  # set for libraries that are built for coverage
ASKED_TO_END = 128 + signal.SIGTERM
# The packages of bindings in this process: those beside this file, and the one a user has written.
BUNDLED = "falsum_bindings"
OWN = "own_binding"


class ServedSort:
    """A sort handle: the sort's name and arguments, and the library's own object."""

    __slots__ = ("args", "indices", "name", "native")

    def __init__(
        self, name: str, indices: tuple[int, ...], args: tuple[ServedSort, ...], native: Any
    ) -> None:
        self.name = name
        self.indices = indices
        self.args = args
        self.native = native


class Session:
    """The sorts and terms made so far, and the call for each action word."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.sorts: dict[str, ServedSort] = {}
        self.terms: dict[str, Any] = {}
        self.levels: list[list[str]] = [[]]
        self.assumed: list[str] = []
        self.calls: dict[str, Callable[[list[str], list[str]], str | None]] = {
            "new": self.new,
            "delete": self.delete,
            "set-logic": lambda args, _: binding.set_logic(args[0]),
            "set-option": lambda args, _: binding.set_option(args[0], args[1]),
            "sort": self.sort,
            "declare-sort": self.declare_sort,
            "datatypes": self.datatypes,
            "codatatypes": lambda args, results: self.datatypes(args, results, binding.codatatypes),
            "template": self.template,
            "instantiate": self.instantiate,
            "const": lambda args, results: self.add_term(
                results, binding.const(self.sorts[args[0]], args[1])
            ),
            "var": lambda args, results: self.add_term(results, binding.var(self.sorts[args[0]], args[1])),
            "value": lambda args, results: self.add_term(
                results, binding.value(self.sorts[args[0]], " ".join(args[1:]))
            ),
            "special": lambda args, results: self.add_term(
                results, binding.special(self.sorts[args[0]], args[1])
            ),
            "term": self.term,
            "define": lambda args, results: self.add_term(
                results, binding.define(args[0], self.terms_named(args[1:-1]), self.terms[args[-1]])
            ),
            "assert": self.assert_,
            "check": self.check,
            "get-value": lambda args, _: "\t".join(map(binding.get_value, self.terms_named(args))),
            "get-model": lambda _args, _results: "\t".join(binding.get_model().splitlines()),
            "get-core": lambda _args, _results: self.names_of(
                binding.get_core(), self.asserted() + self.assumed
            ),
            "get-unsat-assumptions": lambda _args, _results: self.names_of(
                binding.get_unsat_assumptions(), self.assumed
            ),
            "one-shot": lambda args, _: binding.one_shot(self.terms_named(args)),
            "push": self.push,
            "pop": self.pop,
            "reset": self.reset,
            "reset-assertions": self.reset_assertions,
            "get-assertions": lambda _args, _results: self.names_of(binding.assertions(), self.asserted()),
            "get-children": lambda args, _: self.all_names_of(binding.children(self.terms[args[0]])),
            "get-sort": lambda args, _: binding.sort_of(self.terms[args[0]]),
            "print": lambda args, _: binding.print(self.terms[args[0]]),
            "extra": self.extra,
        }

    def run(self, line: str) -> str | None:
        """Execute a line and return its result as text, None for no result."""
        head, equals, rest = line.partition(" = ")
        results = head.split() if equals and are_names(head) else []
        words = (rest if results else line).split(" ")
        self.binding.variant = 0
        if words[-1][:1] == "#" and words[-1][1:].isdigit():
            self.binding.variant = int(words.pop()[1:])
        return self.calls[words[0]](words[1:], results)

    def terms_named(self, names: list[str]) -> list[Any]:
        return [self.terms[name] for name in names]

    def add_term(self, results: list[str], term: Any) -> None:
        self.terms[results[0]] = term

    def new(self, _args: list[str], _results: list[str]) -> None:
        self.sorts.clear()
        self.terms.clear()
        self.levels, self.assumed = [[]], []
        self.binding.new()

    def delete(self, _args: list[str], _results: list[str]) -> None:
        self.sorts.clear()
        self.terms.clear()
        self.binding.delete()

    def sort(self, args: list[str], results: list[str]) -> None:
        name, *rest = args
        indices = tuple(int(word) for word in rest if word.isdigit())
        parts = tuple(self.sorts[word] for word in rest if not word.isdigit())
        self.sorts[results[0]] = ServedSort(name, indices, parts, self.binding.sort(name, indices, parts))

    def declare_sort(self, args: list[str], results: list[str]) -> None:
        self.sorts[results[0]] = ServedSort(args[0], (), (), self.binding.declare_sort(args[0]))

    def datatypes(self, args: list[str], results: list[str], call: Any = None) -> None:
        """The sort of a field is a handle, or the position of a datatype that is being declared."""
        positions = {name: position for position, name in enumerate(results)}
        declared: list[tuple[str, list[Constructor]]] = []
        for word in args:
            name, _, rest = word.partition("=")
            declared.append((name, self.constructors(rest, positions)))
        sorts = (call or self.binding.datatypes)(declared)
        for (name, _), sort, key in zip(declared, sorts, results, strict=True):
            self.sorts[key] = ServedSort(name, (), (), sort)

    def constructors(self, text: str, positions: dict[str, int]) -> list[Constructor]:
        found: list[Constructor] = []
        for each in text.split("|"):
            constructor, _, listed = each.rstrip(")").partition("(")
            pairs = [pair.split(":") for pair in listed.split(",")] if listed else []
            fields = [
                (f, positions[s] if s in positions else s if s[0] == "%" else self.sorts[s]) for f, s in pairs
            ]
            found.append((constructor, list[Any](fields)))
        return found

    def template(self, args: list[str], results: list[str]) -> None:
        """A datatype with sort parameters; `%0` is the first of them."""
        constructors = self.constructors(args[2], {results[0]: 0})
        template = self.binding.template(args[0], int(args[1]), constructors)
        self.sorts[results[0]] = ServedSort(args[0], (), (), template)

    def instantiate(self, args: list[str], results: list[str]) -> None:
        template, parts = self.sorts[args[0]], tuple(self.sorts[word] for word in args[1:])
        sort = self.binding.instantiate(template.native, list(parts), f"@{results[0]}")
        self.sorts[results[0]] = ServedSort(template.name, (), parts, sort)

    def term(self, args: list[str], results: list[str]) -> None:
        operator, _, index_text = args[0].rstrip("]").partition("[")
        indices = tuple(map(int, index_text.split(","))) if index_text else ()
        sort = None
        if len(args) > 2 and args[-2] == "as":
            sort = self.sorts[args[-1]]
            del args[-2:]
        self.add_term(results, self.binding.term(operator, indices, self.terms_named(args[1:]), sort))

    def assert_(self, args: list[str], _results: list[str]) -> None:
        self.binding.assert_(self.terms[args[0]])  # noqa: PT009 - a solver's
        self.levels[-1].append(args[0])

    def asserted(self) -> list[str]:
        return [name for level in self.levels for name in level]

    def push(self, args: list[str], _results: list[str]) -> None:
        self.binding.push(int(args[0]))
        self.levels.extend([] for _ in range(int(args[0])))

    def pop(self, args: list[str], _results: list[str]) -> None:
        self.binding.pop(int(args[0]))
        del self.levels[-int(args[0]) :]

    def reset(self, _args: list[str], _results: list[str]) -> None:
        self.binding.reset()
        self.levels = [[]]

    def reset_assertions(self, _args: list[str], _results: list[str]) -> None:
        self.binding.reset_assertions()
        self.levels = [[]]

    def check(self, args: list[str], _results: list[str]) -> str:
        self.assumed = args
        return self.binding.check(self.terms_named(args))

    def names_of(self, found: list[Any], among: list[str]) -> str:
        """Return the names of terms; `?` and the printed term for one that is not `among` the names."""
        key = self.binding.key
        names = {key(self.terms[name]): name for name in reversed(among) if name in self.terms}
        return " ".join(names.get(key(each)) or f"?{one_word(self.binding.print(each))}" for each in found)

    def all_names_of(self, found: list[Any]) -> str:
        """Return all names of each term, joined by `=`; `?` for a term that no line has made."""
        key = self.binding.key
        names: dict[object, list[str]] = {}
        for name, term in self.terms.items():
            names.setdefault(key(term), []).append(name)
        return " ".join("=".join(names.get(key(each), ["?"])) for each in found)

    def extra(self, args: list[str], results: list[str]) -> str | None:
        given = [self.terms.get(word, word) for word in args[1:]]
        result = self.binding.extra(args[0], given)  # noqa: S610 - no Django here
        if isinstance(result, list):
            return self.names_of(result, self.asserted() + self.assumed)
        if not results or result is None:
            return None if result is None else str(result)
        self.add_term(results, result)
        return self.binding.print(result)


def are_names(text: str) -> bool:
    return all(word[:1] in "st" and word[1:].isdigit() for word in text.split(" "))


def one_word(text: str) -> str:
    return "_".join(text.split())


def load(file: str) -> ModuleType:
    """Import a binding.

    Packages are made up for its folder and for the folder of this file: a binding's own modules are found by
    relative imports, bundled ones as `falsum_bindings.…`, and none of them hides a library of the same name.
    """
    here, path = Path(__file__).resolve().parent, Path(file).resolve()
    add_package(BUNDLED, here)
    if path.is_relative_to(here):
        return importlib.import_module(".".join((BUNDLED, *path.relative_to(here).with_suffix("").parts)))
    add_package(OWN, path.parent)
    name = f"{OWN}.{path.stem.replace('.', '_')}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def add_package(name: str, folder: Path) -> None:
    package = types.ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package


def add_missing_parts() -> None:
    """Give Python 3.9 the two parts of the library that bindings use and that came with 3.10."""

    def pairwise(items: Any) -> Any:
        listed = list(items)
        return zip(listed, listed[1:])  # noqa: B905, RUF007 - this is for Python 3.9

    def zip_strictly(*columns: Any, strict: bool = False) -> Any:
        del strict
        return plain_zip(*columns)

    plain_zip = builtins.zip
    itertools.pairwise = pairwise  # type: ignore[misc, assignment]
    builtins.zip = zip_strictly  # type: ignore[misc, assignment]


def end_on_request(_number: int, _frame: Any) -> None:
    """End as after SIGTERM, but write the coverage data first, as a library does at exit."""
    ctypes.CDLL(None).exit(ASKED_TO_END)


def main() -> int:
    file, folder = sys.argv[1:3]
    if sys.version_info < (3, 10):  # noqa: UP036 - the interpreter of a solver, not falsum's
        add_missing_parts()
    if COVERAGE in os.environ:
        signal.signal(signal.SIGTERM, end_on_request)
    channel = os.dup(1)
    os.dup2(2, 1)  # what the library prints is not a reply
    if folder:
        sys.path.insert(0, folder)
    binding = load(file).Binding()
    counter_fd = anonymous_file()
    os.truncate(counter_fd, COUNTER_BYTES)
    counter = memoryview(mmap.mmap(counter_fd, COUNTER_BYTES)).cast("Q")
    can_fork = bool(folder)  # the program at the end of a pipe would not be copied
    capabilities = json.dumps(binding.capabilities() | {"can_fork": can_fork, "counter_fd": counter_fd})
    if not can_fork:
        return serve(binding, channel, capabilities, counter, is_first=True)
    is_first = True
    while True:
        pid = os.fork()
        if pid == 0:
            os._exit(serve(binding, channel, capabilities, counter, is_first=is_first))
        status = os.waitpid(pid, 0)[1]
        if os.waitstatus_to_exitcode(status) not in (-signal.SIGTERM, ASKED_TO_END):
            return exit_like(status)
        is_first = False


def anonymous_file() -> int:
    """A new file without a name, in the directory of this run."""
    descriptor = os.open(COUNTER_FILE, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(COUNTER_FILE)  # noqa: PTH108 - as above
    return descriptor


def exit_like(status: int) -> int:
    """End this process as the one that served has ended."""
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:  # whose action cannot be set
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.waitstatus_to_exitcode(status)


def serve(
    binding: Binding, channel: int, capabilities: str, counter: memoryview[int], *, is_first: bool
) -> int:
    batches = incoming_lines()
    first = [] if is_first else lines_after_restart(batches)
    counter[0] = 0
    write(channel, f"\n{capabilities}\n")
    session = Session(binding)
    flush = ctypes.CDLL(None).fflush
    for batch in itertools.chain([first], batches):
        unsent: list[str] = []
        for line in batch:
            try:
                result = session.run(line.decode())
                unsent.append("." if result is None else f"= {result}")
            except Exception as error:  # noqa: BLE001 - whatever a library raises is its reply
                unsent.append(f"! {type(error).__name__} {error}")
                flush(None)
            counter[0] += 1
            if unsent[-1] != ".":
                send(channel, unsent)
        send(channel, unsent)
    return 0


def incoming_lines() -> Iterator[list[bytes]]:
    """Batches of whole lines, as many as have arrived."""
    rest = b""
    while data := os.read(0, CHUNK_BYTES):
        *whole, rest = (rest + data).split(b"\n")
        yield whole


def lines_after_restart(batches: Iterator[list[bytes]]) -> list[bytes]:
    """Drop the lines that were meant for the previous process, up to the line that asked for this one."""
    for batch in batches:
        if RESTART in batch:
            return batch[batch.index(RESTART) + 1 :]
    return []


def send(channel: int, replies: list[str]) -> None:
    if replies:
        write(channel, "".join(reply.replace("\n", " ") + "\n" for reply in replies))
        replies.clear()


def write(channel: int, text: str) -> None:
    data = text.encode(errors="replace")
    while data:
        data = data[os.write(channel, data) :]


if __name__ == "__main__":
    # Not sys.exit: it would destroy the library's objects in arbitrary order, and some libraries crash then.
    os._exit(main())
