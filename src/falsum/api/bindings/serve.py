"""Runs a binding in a process of its own: a line of a trace in, a line back.

Run as `python -I -S serve.py BINDING FOLDER [MORE]`, without falsum on its path. The first line back is the
binding's capabilities as JSON. Then every line read from standard input is carried out and answered with
one line: `.` for nothing, `= text` for what was returned, `! Class message` for an exception. What the
library prints goes to standard error.

`.`s wait for the next answer that says something, or for the last line that has come: whoever reads is not
woken for each. They are counted in memory he sees too (`answered`, a file descriptor among the capabilities),
so that he knows in which call a crash came.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import mmap
import os
import signal
import sys
import types
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from falsum.api.bindings.protocol import Binding, Constructor


COUNTER = 8
CHUNK = 1 << 16


class SortHandle:
    """A sort: what it is, and the library's object."""

    __slots__ = ("args", "indices", "made", "name")

    def __init__(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...], made: Any) -> None:
        self.name = name
        self.indices = indices
        self.args = args
        self.made = made


class Session:
    """What lines have made so far, and how words become calls."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.sorts: dict[str, SortHandle] = {}
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
            "codatatypes": lambda args, made: self.datatypes(args, made, binding.codatatypes),
            "template": self.template,
            "instantiate": self.instantiate,
            "const": lambda args, made: self.keep(made, binding.const(self.sorts[args[0]], args[1])),
            "var": lambda args, made: self.keep(made, binding.var(self.sorts[args[0]], args[1])),
            "value": lambda args, made: self.keep(
                made, binding.value(self.sorts[args[0]], " ".join(args[1:]))
            ),
            "special": lambda args, made: self.keep(made, binding.special(self.sorts[args[0]], args[1])),
            "term": self.term,
            "define": lambda args, made: self.keep(
                made, binding.define(args[0], self.known(args[1:-1]), self.terms[args[-1]])
            ),
            "assert": self.assert_,
            "check": self.check,
            "get-value": lambda args, _: "\t".join(map(binding.get_value, self.known(args))),
            "get-model": lambda _a, _m: binding.get_model(),
            "get-core": lambda _a, _m: self.named(binding.get_core(), self.asserted() + self.assumed),
            "get-unsat-assumptions": lambda _a, _m: self.named(binding.get_unsat_assumptions(), self.assumed),
            "one-shot": lambda args, _: binding.one_shot(self.known(args)),
            "push": self.push,
            "pop": self.pop,
            "reset": self.reset,
            "reset-assertions": self.reset_assertions,
            "get-assertions": lambda _a, _m: self.named(binding.assertions(), self.asserted()),
            "get-children": lambda args, _: self.all_named(binding.children(self.terms[args[0]])),
            "get-sort": lambda args, _: binding.sort_of(self.terms[args[0]]),
            "print": lambda args, _: binding.print(self.terms[args[0]]),
            "extra": self.extra,
        }

    def run(self, line: str) -> str | None:
        """Carry a line out; what it returns as text, None for nothing."""
        head, equals, rest = line.partition(" = ")
        made = head.split() if equals and is_names(head) else []
        words = (rest if made else line).split(" ")
        self.binding.number = 0
        if words[-1][:1] == "#" and words[-1][1:].isdigit():
            self.binding.number = int(words.pop()[1:])
        return self.calls[words[0]](words[1:], made)

    def known(self, names: list[str]) -> list[Any]:
        return [self.terms[name] for name in names]

    def keep(self, made: list[str], thing: Any) -> None:
        self.terms[made[0]] = thing

    def new(self, _args: list[str], _made: list[str]) -> None:
        self.sorts.clear()
        self.terms.clear()
        self.levels, self.assumed = [[]], []
        self.binding.new()

    def delete(self, _args: list[str], _made: list[str]) -> None:
        self.sorts.clear()
        self.terms.clear()
        self.binding.delete()

    def sort(self, args: list[str], made: list[str]) -> None:
        name, *rest = args
        indices = tuple(int(word) for word in rest if word.isdigit())
        parts = tuple(self.sorts[word] for word in rest if not word.isdigit())
        self.sorts[made[0]] = SortHandle(name, indices, parts, self.binding.sort(name, indices, parts))

    def declare_sort(self, args: list[str], made: list[str]) -> None:
        self.sorts[made[0]] = SortHandle(args[0], (), (), self.binding.declare_sort(args[0]))

    def datatypes(self, args: list[str], made: list[str], call: Any = None) -> None:
        """Fields are handles of sorts, or the place of one being made."""
        places = {name: place for place, name in enumerate(made)}
        declared: list[tuple[str, list[Constructor]]] = []
        for word in args:
            name, _, rest = word.partition("=")
            declared.append((name, self.constructors(rest, places)))
        sorts = (call or self.binding.datatypes)(declared)
        for (name, _), sort, key in zip(declared, sorts, made, strict=True):
            self.sorts[key] = SortHandle(name, (), (), sort)

    def constructors(self, text: str, places: dict[str, int]) -> list[Constructor]:
        found: list[Constructor] = []
        for each in text.split("|"):
            constructor, _, listed = each.rstrip(")").partition("(")
            pairs = [pair.split(":") for pair in listed.split(",")] if listed else []
            fields = [
                (f, places[s] if s in places else s if s[0] == "%" else self.sorts[s]) for f, s in pairs
            ]
            found.append((constructor, list[Any](fields)))
        return found

    def template(self, args: list[str], made: list[str]) -> None:
        """A datatype with parameters is no sort yet; `%0` is its first parameter."""
        constructors = self.constructors(args[2], {made[0]: 0})
        template = self.binding.template(args[0], int(args[1]), constructors)
        self.sorts[made[0]] = SortHandle(args[0], (), (), template)

    def instantiate(self, args: list[str], made: list[str]) -> None:
        template, parts = self.sorts[args[0]], tuple(self.sorts[word] for word in args[1:])
        sort = self.binding.instantiate(template.made, list(parts), f"@{made[0]}")
        self.sorts[made[0]] = SortHandle(template.name, (), parts, sort)

    def term(self, args: list[str], made: list[str]) -> None:
        operator, _, index_text = args[0].rstrip("]").partition("[")
        indices = tuple(map(int, index_text.split(","))) if index_text else ()
        sort = None
        if len(args) > 2 and args[-2] == "as":
            sort = self.sorts[args[-1]]
            del args[-2:]
        self.keep(made, self.binding.term(operator, indices, self.known(args[1:]), sort))

    def assert_(self, args: list[str], _made: list[str]) -> None:
        self.binding.assert_(self.terms[args[0]])  # noqa: PT009 - a solver's
        self.levels[-1].append(args[0])

    def asserted(self) -> list[str]:
        return [name for level in self.levels for name in level]

    def push(self, args: list[str], _made: list[str]) -> None:
        self.binding.push(int(args[0]))
        self.levels.extend([] for _ in range(int(args[0])))

    def pop(self, args: list[str], _made: list[str]) -> None:
        self.binding.pop(int(args[0]))
        del self.levels[-int(args[0]) :]

    def reset(self, _args: list[str], _made: list[str]) -> None:
        self.binding.reset()
        self.levels = [[]]

    def reset_assertions(self, _args: list[str], _made: list[str]) -> None:
        self.binding.reset_assertions()
        self.levels = [[]]

    def check(self, args: list[str], _made: list[str]) -> str:
        self.assumed = args
        return self.binding.check(self.known(args))

    def named(self, found: list[Any], among: list[str]) -> str:
        """The names of terms a library gives back; `?` and its print for one it was never given."""
        key = self.binding.key
        names = {key(self.terms[name]): name for name in reversed(among) if name in self.terms}
        return " ".join(names.get(key(each)) or f"?{one_word(self.binding.print(each))}" for each in found)

    def all_named(self, found: list[Any]) -> str:
        """Every name of each term, `=` between them; `?` for one no line has made."""
        key = self.binding.key
        names: dict[object, list[str]] = {}
        for name, term in self.terms.items():
            names.setdefault(key(term), []).append(name)
        return " ".join("=".join(names.get(key(each), ["?"])) for each in found)

    def extra(self, args: list[str], made: list[str]) -> str | None:
        given = [self.terms.get(word, word) for word in args[1:]]
        result = self.binding.extra(args[0], given)  # noqa: S610 - no Django here
        if isinstance(result, list):
            return self.named(result, self.asserted() + self.assumed)
        if not made or result is None:
            return None if result is None else str(result)
        self.keep(made, result)
        return self.binding.print(result)


def is_names(text: str) -> bool:
    return all(word[:1] in "st" and word[1:].isdigit() for word in text.split(" "))


def one_word(text: str) -> str:
    return "_".join(text.split())


def load(file: str) -> ModuleType:
    """A binding; the files beside this one are `beside.…` to it, so that none hides a library of its name."""
    package = types.ModuleType("beside")
    package.__path__ = [str(Path(__file__).resolve().parent)]
    sys.modules["beside"] = package
    spec = importlib.util.spec_from_file_location("falsum_binding", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> int:
    file, folder = sys.argv[1:3]
    channel = os.dup(1)
    os.dup2(2, 1)  # whatever the library prints is no answer
    if folder:
        sys.path.insert(0, folder)
    binding = load(file).Binding()
    shared = os.memfd_create("answered")
    os.truncate(shared, COUNTER)
    answered = memoryview(mmap.mmap(shared, COUNTER)).cast("Q")
    forks = bool(folder)  # a program at the end of a pipe would be left behind
    hello = json.dumps(binding.hello() | {"forks": forks, "answered": shared})
    if not forks:
        return serve(binding, channel, hello, answered, is_first=True)
    is_first = True
    while True:
        pid = os.fork()
        if pid == 0:
            os._exit(serve(binding, channel, hello, answered, is_first=is_first))
        status = os.waitpid(pid, 0)[1]
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGTERM:
            return end_like(status)
        is_first = False


def end_like(status: int) -> int:
    """Go the way the one that served has gone."""
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.waitstatus_to_exitcode(status)


def serve(binding: Binding, channel: int, hello: str, answered: memoryview[int], *, is_first: bool) -> int:
    batches = incoming()
    first = [] if is_first else awaited(batches)
    answered[0] = 0
    write(channel, f"\n{hello}\n")
    session = Session(binding)
    flush = ctypes.CDLL(None).fflush
    for batch in chain([first], batches):
        unsaid: list[str] = []
        for line in batch:
            try:
                said = session.run(line.decode())
                unsaid.append("." if said is None else f"= {said}")
            except Exception as error:  # noqa: BLE001 - whatever a library raises is its answer
                unsaid.append(f"! {type(error).__name__} {error}")
                flush(None)
            answered[0] += 1
            if unsaid[-1] != ".":
                say(channel, unsaid)
        say(channel, unsaid)
    return 0


def incoming() -> Iterator[list[bytes]]:
    """Whole lines, as many as have come."""
    rest = b""
    while data := os.read(0, CHUNK):
        *whole, rest = (rest + data).split(b"\n")
        yield whole


def awaited(batches: Iterator[list[bytes]]) -> list[bytes]:
    """Leave out what was meant for the one before; what has come after the word for this one."""
    for batch in batches:
        if b"again" in batch:
            return batch[batch.index(b"again") + 1 :]
    return []


def say(channel: int, answers: list[str]) -> None:
    if answers:
        write(channel, "".join(answer.replace("\n", " ") + "\n" for answer in answers))
        answers.clear()


def write(channel: int, text: str) -> None:
    data = text.encode(errors="replace")
    while data:
        data = data[os.write(channel, data) :]


if __name__ == "__main__":
    # Not sys.exit: tearing down a library's objects in the wrong order is no answer to any line.
    os._exit(main())
