"""Runs a binding in a child process: reads lines of a trace, calls the binding, writes one reply per line.

Run as `python -I -S serve.py BINDING FOLDER [ARGUMENTS]`, without falsum on its path. The first line read
is the table of calls as JSON, by the first words of lines (`Call` in falsum); the first line written is the
binding's capabilities as JSON. Then every line read is executed and answered with one line: `.` for no
result, `= text` for a result, `! Class message` for an exception. What the library prints goes to standard
error.

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
from collections.abc import Iterator
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
    """The sorts and terms of a run, and the calls that are made for lines.

    A call, by the first word of its lines, is a method of the binding ("" for none), the kinds of its
    arguments, the kind of its result, and what becomes of the names of asserted terms: see `read_…`, `give_…`
    and `note_…`.
    """

    def __init__(self, binding: Binding, calls: dict[str, list[str]]) -> None:
        self.binding = binding
        self.sorts: dict[str, ServedSort] = {}
        self.terms: dict[str, Any] = {}
        self.levels: list[list[str]] = [[]]
        self.assumed: list[str] = []
        self.calls = {
            word: (
                method,
                [getattr(self, f"read_{kind}") for kind in takes.split()],
                getattr(self, f"give_{gives}") if gives else None,
                getattr(self, f"note_{notes}") if notes else None,
            )
            for word, (method, takes, gives, notes) in calls.items()
        }

    def run(self, line: str) -> str | None:
        """Execute a line and return its result as text, None for no result."""
        head, equals, rest = line.partition(" = ")
        results = head.split() if equals and are_names(head) else []
        words = (rest if results else line).split(" ")
        self.binding.variant = 0
        if words[-1][:1] == "#" and words[-1][1:].isdigit():
            self.binding.variant = int(words.pop()[1:])
        name, readers, give, note = self.calls[words.pop(0)]
        if note is not None:
            note(words)
        if not name:  # the library is not asked
            return None
        method, words_left, args = getattr(self.binding, name), list(words), list[Any]()
        for read in readers:
            args += read(words_left, results)
        if give is None:
            method(*args)
            return None
        result: str | None = give(method, args, words, results)
        return result

    # -- kinds of arguments: each takes its words off a line ----------------------------------------

    def read_word(self, words: list[str], _results: list[str]) -> list[Any]:
        return [words.pop(0)]

    def read_number(self, words: list[str], _results: list[str]) -> list[Any]:
        return [int(words.pop(0))]

    def read_text(self, words: list[str], _results: list[str]) -> list[Any]:
        return [" ".join(words)]

    def read_sort(self, words: list[str], _results: list[str]) -> list[Any]:
        return [self.sorts[words.pop(0)]]

    def read_shape(self, words: list[str], _results: list[str]) -> list[Any]:
        """The indices of a sort, and its sorts."""
        indices = tuple(int(word) for word in words if word.isdigit())
        return [indices, tuple(self.sorts[word] for word in words if not word.isdigit())]

    def read_instance(self, words: list[str], results: list[str]) -> list[Any]:
        """A datatype with sort parameters, the sorts for them, and a suffix for the operators."""
        template, *parts = (self.sorts[word] for word in words)
        return [template.native, parts, f"@{results[0]}"]

    def read_datatypes(self, words: list[str], results: list[str]) -> list[Any]:
        """The sort of a field is a handle, or the position of a datatype that is being declared."""
        positions = {name: position for position, name in enumerate(results)}
        pairs = [word.partition("=") for word in words]
        return [[(name, self.constructors(text, positions)) for name, _, text in pairs]]

    def read_constructors(self, words: list[str], results: list[str]) -> list[Any]:
        return [self.constructors(words.pop(0), {results[0]: 0})]

    def constructors(self, text: str, positions: dict[str, int]) -> list[Constructor]:
        constructors: list[Constructor] = []
        for each in text.split("|"):
            constructor, _, field_list = each.rstrip(")").partition("(")
            pairs = [pair.split(":") for pair in field_list.split(",")] if field_list else []
            fields = [
                (f, positions[s] if s in positions else s if s[0] == "%" else self.sorts[s]) for f, s in pairs
            ]
            constructors.append((constructor, list[Any](fields)))
        return constructors

    def read_term(self, words: list[str], _results: list[str]) -> list[Any]:
        return [self.terms[words.pop(0)]]

    def read_terms(self, words: list[str], _results: list[str]) -> list[Any]:
        return [[self.terms[word] for word in words]]

    def read_variables(self, words: list[str], _results: list[str]) -> list[Any]:
        """All terms but the last."""
        variables = [self.terms[word] for word in words[:-1]]
        del words[:-1]
        return [variables]

    def read_application(self, words: list[str], _results: list[str]) -> list[Any]:
        """An operator, its indices, its arguments, and the sort it is qualified with."""
        operator, _, text = words[0].rstrip("]").partition("[")
        indices = tuple(map(int, text.split(","))) if text else ()
        names, sort = words[1:], None
        if len(names) > 1 and names[-2] == "as":
            sort = self.sorts[names[-1]]
            del names[-2:]
        return [operator, indices, [self.terms[name] for name in names], sort]

    def read_values(self, words: list[str], _results: list[str]) -> list[Any]:
        """Terms, and words that are no names of terms."""
        return [[self.terms.get(word, word) for word in words]]

    # -- kinds of results: each makes the call -------------------------------------------------------

    def give_term(self, call: Any, args: list[Any], _words: list[str], results: list[str]) -> None:
        self.terms[results[0]] = call(*args)

    def give_sort(self, call: Any, args: list[Any], words: list[str], results: list[str]) -> None:
        """A sort with the name, or an instance of the sort with the name, of the first word."""
        name = self.sorts[words[0]].name if words[0] in self.sorts else words[0]
        indices = tuple(int(word) for word in words if word.isdigit())
        parts = tuple(self.sorts[word] for word in words[1:] if word in self.sorts)
        self.sorts[results[0]] = ServedSort(name, indices, parts, call(*args))

    def give_datatypes(self, call: Any, args: list[Any], _words: list[str], results: list[str]) -> None:
        for (name, _), sort, key in zip(args[0], call(*args), results, strict=True):
            self.sorts[key] = ServedSort(name, (), (), sort)

    def give_text(self, call: Any, args: list[Any], _words: list[str], _results: list[str]) -> str:
        return str(call(*args))

    def give_rows(self, call: Any, args: list[Any], _words: list[str], _results: list[str]) -> str:
        return "\t".join(call(*args).splitlines())

    def give_each(self, call: Any, args: list[Any], _words: list[str], _results: list[str]) -> str:
        """The result of a call for each term."""
        return "\t".join(map(call, args[0]))

    def give_asserted(self, call: Any, args: list[Any], _words: list[str], _results: list[str]) -> str:
        return self.names_of(call(*args), self.asserted())

    def give_assumed(self, call: Any, args: list[Any], _words: list[str], _results: list[str]) -> str:
        return self.names_of(call(*args), self.assumed)

    def give_formulas(self, call: Any, args: list[Any], _words: list[str], _results: list[str]) -> str:
        """Asserted or assumed terms."""
        return self.names_of(call(*args), self.asserted() + self.assumed)

    def give_terms(self, call: Any, args: list[Any], _words: list[str], _results: list[str]) -> str:
        return self.all_names_of(call(*args))

    def give_any(self, call: Any, args: list[Any], _words: list[str], results: list[str]) -> str | None:
        """A list of asserted terms, a new term, text, or nothing."""
        result = call(*args)
        if isinstance(result, list):
            return self.names_of(result, self.asserted() + self.assumed)
        if not results or result is None:
            return None if result is None else str(result)
        self.terms[results[0]] = result
        return self.binding.print(result)

    # -- the names of asserted and assumed terms ------------------------------------------------------

    def note_start(self, _words: list[str]) -> None:
        self.sorts.clear()
        self.terms.clear()
        self.levels, self.assumed = [[]], []

    def note_empty(self, _words: list[str]) -> None:
        self.levels = [[]]

    def note_open(self, words: list[str]) -> None:
        self.levels.extend([] for _ in range(int(words[0])))

    def note_close(self, words: list[str]) -> None:
        del self.levels[-int(words[0]) :]

    def note_asserted(self, words: list[str]) -> None:
        self.levels[-1].append(words[0])

    def note_assumed(self, words: list[str]) -> None:
        self.assumed = list(words)

    def asserted(self) -> list[str]:
        return [name for level in self.levels for name in level]

    def names_of(self, results: list[Any], among: list[str]) -> str:
        """Return the names of terms; `?` and the printed term for one that is not `among` the names."""
        key = self.binding.key
        names = {key(self.terms[name]): name for name in reversed(among) if name in self.terms}
        return " ".join(names.get(key(each)) or f"?{one_word(self.binding.print(each))}" for each in results)

    def all_names_of(self, results: list[Any]) -> str:
        """Return all names of each term, joined by `=`; `?` for a term that no line has made."""
        key = self.binding.key
        names: dict[object, list[str]] = {}
        for name, term in self.terms.items():
            names.setdefault(key(term), []).append(name)
        return " ".join("=".join(names.get(key(each), ["?"])) for each in results)


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
        parts = list(items)
        return zip(parts, parts[1:])  # noqa: B905, RUF007 - this is for Python 3.9

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
    calls = json.loads(first_line())
    can_fork = bool(folder)  # the program at the end of a pipe would not be copied
    capabilities = json.dumps(binding.capabilities() | {"can_fork": can_fork, "counter_fd": counter_fd})
    if not can_fork:
        return serve(binding, calls, channel, capabilities, counter, is_first=True)
    is_first = True
    while True:
        pid = os.fork()
        if pid == 0:
            os._exit(serve(binding, calls, channel, capabilities, counter, is_first=is_first))
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


def first_line() -> bytes:
    """The first line of the input; nothing else is sent before it is answered."""
    text = b""
    while not text.endswith(b"\n") and (data := os.read(0, CHUNK_BYTES)):
        text += data
    return text


def serve(
    binding: Binding,
    calls: dict[str, list[str]],
    channel: int,
    capabilities: str,
    counter: memoryview[int],
    *,
    is_first: bool,
) -> int:
    batches = incoming_lines()
    first = [] if is_first else lines_after_restart(batches)
    counter[0] = 0
    write(channel, f"\n{capabilities}\n")
    session = Session(binding, calls)
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
