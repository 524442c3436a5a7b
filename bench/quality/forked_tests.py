"""Runs tests in forks of a process that has collected them, each fork with one fault planted."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import importlib.abc
import importlib.util
import json
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.machinery import ModuleSpec
from itertools import accumulate
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import hypothesis
import pytest
from bench.quality.faults import MutatedModule

# Seconds of CPU time, since the machine may be busy. Tests that take longer are not run: they are about whole
# campaigns. All tests for one mutant: the fastest that fit.
_LONGEST = 4.0
_TOGETHER = 15.0
# A table of commands: each of its tests takes longer than that, also to find out.
_LEFT_OUT = ("tests/defects/test_every_way_in.py",)
_WAITING = 120.0
_MEMORY = 8 << 30
_OPTIONS = (
    "-q -s -p no:cacheprovider -p no:xdist -o timeout=0 -W ignore::pytest.PytestAssertRewriteWarning".split()
)
_NOT_PLANTED = 77
_CACHED = type(functools.cache(len))
_IS_FUNCTION = 0x01  # CO_OPTIMIZED: the code of a function, not of a class


@dataclass(frozen=True)
class TestedFunctions:
    """What a run without a fault shows: how long each test takes, and the tests that call each function."""

    __test__ = False
    seconds: Mapping[str, float] = field(default_factory=dict)
    tests: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def of(self, mutant: MutatedModule) -> list[str]:
        """The tests that call the function with the fault, fastest first."""
        return self._fast(self.tests.get(f"{mutant.path}:{mutant.function}", ()))

    def of_module(self, mutant: MutatedModule) -> list[str]:
        """The tests that call any function of the module, fastest first."""
        start = f"{mutant.path}:"
        return self._fast(
            {test for key, found in self.tests.items() if key.startswith(start) for test in found}
        )

    def _fast(self, tests: Collection[str]) -> list[str]:
        fast = sorted(tests, key=lambda test: (self.seconds[test], test))
        together = accumulate(self.seconds[test] for test in fast)
        return [
            test
            for test, seconds in zip(fast, together, strict=True)
            if seconds <= _TOGETHER and self.seconds[test] <= _LONGEST
        ]


def ending(work: Callable[[], int]) -> str:
    """Does work in a child: its exit status, or the name of the signal that ended it."""
    child = os.fork()
    if child == 0:
        status = 1
        with contextlib.suppress(BaseException):
            os.setsid()
            null = os.open(os.devnull, os.O_RDWR)
            for end in (0, 1, 2):
                os.dup2(null, end)
            status = work()
        os._exit(status)
    _, ended = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return signal.Signals(os.WTERMSIG(ended)).name if os.WIFSIGNALED(ended) else str(os.WEXITSTATUS(ended))


def tested_functions(tests: Sequence[str], files: Collection[str], kept: Path) -> TestedFunctions:
    """Runs the tests without a fault, but for files that have not changed since `kept` was written."""
    ended = ending(lambda: _pytest(tests, _Pilot(set(files), kept)))
    found = json.loads(kept.read_text()) if kept.exists() else {}
    if ended != "0":
        sys.exit(f"these tests fail without any fault: {found.get('failed', ended)}")
    reached: dict[str, list[str]] = {}
    for test, functions in found["functions"].items():
        for function in functions:
            reached.setdefault(function, []).append(test)
    return TestedFunctions(found["seconds"], reached)


def run_functions(
    tests: Sequence[str],
    mutants: Sequence[MutatedModule],
    tested: TestedFunctions,
    report: Callable[[MutatedModule, str], None],
) -> None:
    """Runs mutants of functions that tests call; some are `not planted` and need `run_import`."""
    ended = ending(lambda: _pytest(tests, _Loop(mutants, tested, report)))
    if ended != "0":
        sys.exit(f"the tests cannot be collected: {ended}")


def run_import(mutant: MutatedModule, tested: TestedFunctions) -> str:
    """Runs a mutant that shows only if its module is imported with the fault, and is not imported yet."""
    tests = tested.of_module(mutant)
    if not tests:
        return "survived"

    def work() -> int:
        sys.meta_path.insert(0, _Importer(mutant))
        return _pytest(sorted({test.partition("::")[0] for test in tests}), _Chosen(tests, tested))

    return _meaning(ending(work))


def _meaning(ended: str) -> str:
    known = {"0": "survived", "SIGALRM": "timeout", "SIGPROF": "timeout", str(_NOT_PLANTED): "not planted"}
    return known.get(ended, "killed")


def _pytest(tests: Sequence[str], plugin: object) -> int:
    # Examples that fail because of a fault are not kept.
    hypothesis.settings.register_profile("mutants", database=None, derandomize=True)
    hypothesis.settings.load_profile("mutants")
    left_out = [f"--ignore={path}" for path in _LEFT_OUT]
    return int(pytest.main([*tests, *left_out, *_OPTIONS], plugins=[plugin]))


class _Pilot:
    """Notes for each test how long it takes, and which functions of some files it calls."""

    def __init__(self, files: set[str], kept: Path) -> None:
        self.files, self.kept = files, kept
        self.called: set[CodeType] = set()
        self.before = json.loads(kept.read_text()) if kept.exists() else {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        digests = {item.nodeid: _digest(item.path) for item in session.items}
        known = self.before.get("digests", {})
        items = [item for item in session.items if known.get(item.nodeid) != digests[item.nodeid]]
        seconds = {each: self.before["seconds"][each] for each in digests if each in known}
        functions = {each: self.before["functions"][each] for each in digests if each in known}
        failed: list[str] = []
        for item, following in zip(items, [*items[1:], None], strict=True):
            self.called.clear()
            before = session.testsfailed
            start = _cpu_seconds()
            threading.settrace(self._trace)
            sys.settrace(self._trace)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            sys.settrace(None)
            seconds[item.nodeid] = _cpu_seconds() - start
            functions[item.nodeid] = sorted({_key(code) for code in self.called})
            if session.testsfailed > before:
                failed.append(item.nodeid)
                del digests[item.nodeid]
        found = {"seconds": seconds, "functions": functions, "digests": digests, "failed": failed}
        self.kept.write_text(json.dumps(found))
        return True

    def _trace(self, frame: FrameType, event: str, argument: object) -> None:
        del event, argument
        if frame.f_code.co_filename in self.files:
            self.called.add(frame.f_code)


def _cpu_seconds() -> float:
    """Of this process and of the children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@functools.cache
def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _key(code: CodeType) -> str:
    return f"{code.co_filename}:{code.co_qualname.partition('.<locals>')[0]}"


class _Chosen:
    """Runs chosen tests in a given order, until one fails."""

    def __init__(self, tests: Sequence[str], tested: TestedFunctions) -> None:
        self.tests, self.tested = tests, tested

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:  # a module cannot be imported
            raise session.Failed
        by_name = {item.nodeid: item for item in session.items}
        items = [by_name[test] for test in self.tests if test in by_name]
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        for item, following in zip(items, [*items[1:], None], strict=True):
            # CPU time for what loops, and much more time for what waits: the machine may be busy.
            signal.setitimer(signal.ITIMER_PROF, 5 + 10 * self.tested.seconds[item.nodeid])
            signal.setitimer(signal.ITIMER_REAL, _WAITING)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                raise session.Failed
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
            signal.setitimer(timer, 0)
        return True


class _Loop:
    """Runs mutant after mutant, each in a child that has collected the tests already."""

    def __init__(
        self,
        mutants: Sequence[MutatedModule],
        tested: TestedFunctions,
        report: Callable[[MutatedModule, str], None],
    ) -> None:
        self.mutants, self.tested, self.report = mutants, tested, report
        self.functions: list[FunctionType] = []
        self.caches: list[Any] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        # Looked for once, and frozen: a child that touches all objects copies the memory of all of them.
        files = {str(mutant.path) for mutant in self.mutants}
        modules = {mutant.module for mutant in self.mutants}
        everything = gc.get_objects()
        self.functions = [
            each
            for each in everything
            if isinstance(each, FunctionType) and each.__code__.co_filename in files
        ]
        self.caches = [
            each for each in everything if isinstance(each, _CACHED) and each.__module__ in modules
        ]
        del everything
        gc.freeze()
        for mutant in self.mutants:
            self.report(mutant, _meaning(ending(functools.partial(self._run, session, mutant))))
        return True

    def _run(self, session: pytest.Session, mutant: MutatedModule) -> int:
        if not self._plant(mutant):
            return _NOT_PLANTED
        _Chosen(self.tested.of(mutant), self.tested).pytest_runtestloop(session)
        return 0

    def _plant(self, mutant: MutatedModule) -> bool:
        """Gives the function its changed code wherever it is referred to; False if that takes an import."""
        name = f"{mutant.path}:{mutant.function}"
        codes = [code for code in _function_codes(mutant.compiled()) if _key(code) == name]
        changed = {code.co_firstlineno: code for code in codes}
        for cached in self.caches:
            if cached.__module__ == mutant.module:
                cached.cache_clear()
        planted = False
        for each in self.functions:
            code = changed.get(each.__code__.co_firstlineno)
            named = f"{each.__code__.co_filename}:{each.__code__.co_qualname}"
            if code is not None and named == name:
                if code.co_freevars != each.__code__.co_freevars:  # `super()` is gone, for example
                    return False
                each.__code__ = code
                planted = True
        return planted


def _function_codes(code: CodeType) -> Iterator[CodeType]:
    """The code of functions and methods, without functions in functions."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if part.co_flags & _IS_FUNCTION:
                yield part
            else:
                yield from _function_codes(part)


class _Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with its fault."""

    def __init__(self, mutant: MutatedModule) -> None:
        self.mutant = mutant

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        del path, target
        if fullname != self.mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=str(self.mutant.path))

    def exec_module(self, module: ModuleType) -> None:
        exec(self.mutant.compiled(), module.__dict__)
