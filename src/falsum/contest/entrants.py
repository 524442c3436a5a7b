"""Entrants of a contest: how each fuzzer is started, and where it puts its reports.

A command line has `{seeds}` (a folder of scripts; `{files}` are its files one by one), `{solvers}` (two
command lines with a semicolon between, as yinyang takes them; `{tested}` and `{reference}` are their names
for falsum), `{out}` (an empty folder), `{seconds}` (of CPU time), `{rng}` and `{python}` (falsum's own).
"""

from __future__ import annotations

import shlex
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from falsum.errors import SurroundingsError, UsageError
from falsum.strategies import BY_NAME

_FALSUM: Final = (
    "{python} -c 'from falsum.app.main import main; main()' fuzz {files}"
    " -s {tested} -s {reference} -j 1 --no-triage --timeout 2s --rng {rng} --out {out}/store"
)
_FINDINGS: Final = "store/findings/*/script.smt2"
_YINYANG: Final = '{program} -i 30 -t 2 -n -b {{out}} -s {{out}}/scratch "{{solvers}}" {{files}}'
_BOUND: Final = ("seeds", "files", "solvers", "tested", "reference", "out", "seconds", "rng", "python")


class Entrant(msgspec.Struct, frozen=True):
    """A fuzzer; `reports` is a pattern below `{out}` for the scripts that it believes to show a bug.

    If it ends before its time, it is started again, up to `starts` times.
    """

    name: str
    command: str
    reports: str = "**/*.smt2"
    starts: int = 20

    def arguments(self, values: Mapping[str, str], files: Iterable[str]) -> list[str]:
        """The words of the command line; raises UsageError for an unknown placeholder."""
        words: list[str] = []
        for word in shlex.split(self.command):
            if word == "{files}":
                words += files
                continue
            try:
                words.append(word.format_map(values))
            except (KeyError, IndexError, ValueError) as error:
                raise UsageError(
                    f"{self.name}: {word!r} in its command line: {error}; there are {{{'}, {'.join(_BOUND)}}}"
                ) from error
        return words


def falsum_fuzzer(name: str, options: str) -> Entrant:
    return Entrant(name, f"{_FALSUM} {options}", _FINDINGS, starts=1)


def own_fuzzers() -> dict[str, Entrant]:
    """Falsum as a whole, each strategy alone, and scripts made at random."""
    alone = "--schedule even --no-engines"
    fuzzers = [falsum_fuzzer("falsum", "--schedule learn --engines")]
    fuzzers += [falsum_fuzzer(name, f"{alone} -t {name}") for name in BY_NAME]
    fuzzers.append(falsum_fuzzer("random", f"{alone} -t generate"))
    return {fuzzer.name: fuzzer for fuzzer in fuzzers}


def yinyang_fuzzers(folder: Path) -> dict[str, Entrant]:
    """The three tools of yinyang, whose programs are in a folder."""
    fuzzers = {}
    for name, program in (("opfuzz", "opfuzz"), ("typefuzz", "typefuzz"), ("fusion", "yinyang -o sat")):
        tool = folder.absolute() / program.split()[0]
        if shutil.which(tool) is None:
            raise SurroundingsError(f"{tool} is not there; install yinyang in an environment of its own")
        words = " ".join([shlex.quote(str(tool)), *program.split()[1:]])
        fuzzers[f"yinyang-{name}"] = Entrant(f"yinyang-{name}", _YINYANG.format(program=words), "*.smt2")
    return fuzzers


def read_fuzzers(file: Path) -> dict[str, Entrant]:
    """Fuzzers in `[fuzzers.NAME]` tables with `command`, and optionally `reports` and `starts`."""
    try:
        tables: Any = tomllib.loads(file.read_text(encoding="utf-8")).get("fuzzers", {})
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {error}") from error
    fuzzers = {}
    for name, table in tables.items():
        try:
            fuzzers[name] = msgspec.convert({"name": name, **table}, Entrant)
        except (msgspec.ValidationError, TypeError) as error:
            raise UsageError(f"{file}: fuzzers.{name}: {error}") from error
    return fuzzers
