"""Build: the instruments compiled into a solver, recognised in its files, and what they need to run.

`VARIABLE` overrides this recognition for solvers given by their path; `COVERAGE_VARIABLE` names the directory
in which coverage data is collected. Both are environment variables, which worker processes inherit.
"""

from __future__ import annotations

import functools
import mmap
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from falsum.errors import UsageError

VARIABLE: Final = "FALSUM_BUILD"
COVERAGE_VARIABLE: Final = "FALSUM_COVERAGE"
PLAIN_WORD: Final = "plain"
LEAKS_WORD: Final = "leaks"


class Instrument(StrEnum):
    ASAN = "asan"
    UBSAN = "ubsan"
    MSAN = "msan"
    TSAN = "tsan"
    LSAN = "lsan"
    COVERAGE = "coverage"
    AFL = "afl"


WORDS: Final = (*map(str, Instrument), LEAKS_WORD, PLAIN_WORD)
_SIGNS: Final = {
    b"__asan_init": Instrument.ASAN,
    b"__ubsan_handle_": Instrument.UBSAN,
    b"__msan_init": Instrument.MSAN,
    b"__tsan_init": Instrument.TSAN,
    b"__lsan_init": Instrument.LSAN,
    b"liblsan.so": Instrument.LSAN,
    b"__gcov_": Instrument.COVERAGE,
    b"__llvm_profile_": Instrument.COVERAGE,
    b"__afl_area_ptr\0": Instrument.AFL,
}
_ELF: Final = b"\x7fELF"
_HARMLESS: Final = frozenset({Instrument.COVERAGE, Instrument.AFL})
# What clang builds starts with files of GCC, which name themselves, too.
_COMPILERS: Final = (re.compile(rb"clang version [\d.]+"), re.compile(rb"GCC: \([^)\0]*\) [\d.]+"))
# The run-time libraries that a shared library needs and that must be loaded before everything else.
_RUNTIME: Final = re.compile(rb"lib(?:asan|tsan|ubsan|clang_rt\.[at]san-\w+)\.so(?:\.\d+)?\0")
# clang's programs contain the run-time library; its shared libraries leave it to the program that loads them.
# (That of TSan has to be part of the program.)
_CLANG_RUNTIMES: Final = {Instrument.ASAN: "asan", Instrument.UBSAN: "ubsan_standalone"}
_CLANG_FOLDERS: Final = ("lib/llvm-{major}/lib/clang", "lib/clang", "lib64/clang")
# ASan looks up `__cxa_throw` when it starts; an interpreter written in C has not loaded it by then.
_CPP_LIBRARY: Final = re.compile(rb"libstdc\+\+\.so\.6\0")
# The user's own settings of sanitizers come after ours, and win.
_KEPT: Final = re.compile(r"(?:LLVM|[ALMTUB]+SAN)_SYMBOLIZER_PATH|LD_PRELOAD|LD_LIBRARY_PATH")
_ASKS_FOR_LEAKS: Final = re.compile(r"detect_leaks=(?:1|true|yes)")
_RUN_DIRECTORY: Final = "."


@dataclass(frozen=True, slots=True)
class Build:
    """`instruments` in the order of `Instrument`; `preload` are run-time libraries that must come first;
    `compiler` as the files name it; `reports_leaks`: a leak of memory counts as a crash; `folders` hold
    shared libraries that others need.
    """

    instruments: tuple[Instrument, ...] = ()
    compiler: str = ""
    preload: tuple[str, ...] = ()
    reports_leaks: bool = False
    folders: tuple[str, ...] = ()

    @property
    def has_sanitizer(self) -> bool:
        return any(each not in _HARMLESS for each in self.instruments)

    @property
    def has_coverage(self) -> bool:
        return Instrument.COVERAGE in self.instruments

    @property
    def has_edges(self) -> bool:
        """Whether the build counts the edges that it reaches, as compiled by AFL++."""
        return Instrument.AFL in self.instruments

    @property
    def flags(self) -> str:
        """The instruments and the compiler for people and records: `asan ubsan; GCC 12.2.0`."""
        return "; ".join(part for part in (" ".join(self.instruments), self.compiler) if part)

    def environment(self, surroundings: Mapping[str, str], *, preloads: bool = False) -> dict[str, str]:
        """The environment of a program of this build, made of the surroundings and our own variables.

        `preloads`: the program is a plain interpreter that loads the build as a library.
        """
        variables = {name: value for name, value in surroundings.items() if _KEPT.fullmatch(name)}
        if self.folders:
            variables["LD_LIBRARY_PATH"] = ":".join(
                filter(None, (*self.folders, variables.get("LD_LIBRARY_PATH", "")))
            )
        if not self.has_sanitizer:
            variables.pop("LD_PRELOAD", None)
        else:
            leaks = int(self.reports_leaks)
            # An interpreter goes on with other calls: the report must end it, as a crash does.
            halt = "halt_on_error=1" if preloads else ""
            ours = {"ASAN": f"detect_leaks={leaks}", "LSAN": f"detect_leaks={leaks}",
                    "UBSAN": ":".join(filter(None, ("print_stacktrace=1", halt))), "MSAN": "",
                    "TSAN": halt}  # fmt: skip
            for tool, options in ours.items():
                from_user = surroundings.get(f"{tool}_OPTIONS", "")
                if combined := ":".join(filter(None, (options, from_user))):
                    variables[f"{tool}_OPTIONS"] = combined
            if preloads and self.preload and "LD_PRELOAD" not in variables:
                variables["LD_PRELOAD"] = " ".join(self.preload)
        if self.has_coverage:
            variables |= _coverage_environment(coverage_directory())
        return variables


PLAIN: Final = Build()


def coverage_directory() -> str:
    """The directory that collects coverage data; empty if there is none."""
    return os.environ.get(COVERAGE_VARIABLE, "")


def _coverage_environment(directory: str) -> dict[str, str]:
    if not directory:  # written into the directory of the run, and deleted with it
        return {"GCOV_PREFIX": _RUN_DIRECTORY, "LLVM_PROFILE_FILE": "/dev/null"}
    # Four files per program, which LLVM itself merges; gcov merges into one file per object.
    return {"GCOV_PREFIX": directory, "LLVM_PROFILE_FILE": f"{directory}/%4m.profraw"}


def build_of(files: Iterable[Path]) -> Build:
    """The build that made some files, unless the user says what it is."""
    instruments_given = _given()
    instruments_found = [_inspected(str(file), *_stamp(file)) for file in files]
    compiler = next((each.compiler for each in instruments_found if each.compiler), "")
    preload = tuple(dict.fromkeys(name for each in instruments_found for name in each.preload))
    if instruments_given is None or not instruments_given - {LEAKS_WORD}:
        instruments = {instrument for each in instruments_found for instrument in each.instruments}
    else:
        instruments = {Instrument(word) for word in instruments_given - {LEAKS_WORD, PLAIN_WORD}}
    in_order = tuple(each for each in Instrument if each in instruments)
    return Build(
        in_order, compiler, preload, instruments_given is not None and LEAKS_WORD in instruments_given
    )


def leaks_are_crashes() -> bool:
    """Whether leaks count as crashes, by `--build leaks` or the options of a sanitizer."""
    instruments = _given() or ()
    options = (os.environ.get(name, "") for name in ("ASAN_OPTIONS", "LSAN_OPTIONS"))
    return LEAKS_WORD in instruments or any(_ASKS_FOR_LEAKS.search(each) for each in options)


def check_words(text: str) -> str:
    """The words of `--build`; raises UsageError for an unknown one."""
    for word in text.split(","):
        if word not in WORDS:
            raise UsageError(f"unknown build {word!r}; choose from {', '.join(WORDS)}")
    return text


def _given() -> set[str] | None:
    text = os.environ.get(VARIABLE)
    return set(check_words(text).split(",")) if text else None


def _stamp(file: Path) -> tuple[int, int]:
    """A stamp that changes when a file is built again."""
    status = file.stat()
    return status.st_mtime_ns, status.st_size


@functools.lru_cache(maxsize=256)
def _inspected(file: str, _modified: int, size: int) -> Build:
    if size < len(_ELF):
        return PLAIN
    with Path(file).open("rb") as stream:
        if stream.read(len(_ELF)) != _ELF:
            return PLAIN
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            instruments = tuple(dict.fromkeys(each for sign, each in _SIGNS.items() if data.find(sign) >= 0))
            compiler = next(filter(None, (each.search(data) for each in _COMPILERS)), None)
            preload = [match[0] for match in [_RUNTIME.search(data)] if match]
            if preload:
                preload += [match[0] for match in [_CPP_LIBRARY.search(data)] if match]
            words = [name.rstrip(b"\0").decode() for name in preload]
            name = _compiler(compiler[0]) if compiler else ""
            return Build(instruments, name, _clang_preload(name, instruments) or tuple(words))


def _clang_preload(compiler: str, instruments: Sequence[Instrument]) -> tuple[str, ...]:
    """The path of a clang's run-time library, which is in no folder that the loader searches."""
    name, _, version = compiler.partition(" ")
    word = next((_CLANG_RUNTIMES[each] for each in instruments if each in _CLANG_RUNTIMES), "")
    if name != "clang" or not word:
        return ()
    major = version.partition(".")[0]
    # Either `linux/libclang_rt.asan-x86_64.so` or `x86_64-…/libclang_rt.asan.so`.
    files = f"{major}*/lib/*/libclang_rt.{word}*.so"
    for folder in _CLANG_FOLDERS:
        for file in sorted(Path("/usr", folder.format(major=major)).glob(files)):
            if os.uname().machine in str(file):
                return str(file), "libstdc++.so.6"
    return ()


def _compiler(text: bytes) -> str:
    name, _, version = text.decode(errors="replace").rpartition(" ")
    return f"{'GCC' if name.startswith('GCC') else 'clang'} {version}"
