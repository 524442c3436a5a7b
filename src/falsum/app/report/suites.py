"""Suites: tests in the forms of solvers' own test suites.

cvc5    `; EXPECT:` and `; COMMAND-LINE:` before the script (test/regress/cli)
z3      the script and `NAME.expected.out` (z3test)
yices   the script, `NAME.smt2.gold` and `NAME.smt2.options` (tests/regress)
plain   the script with `:status`, for any runner
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from falsum.errors import ScriptError
from falsum.printable import on_one_line
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.scripts import (
    CheckSat,
    CheckSatAssuming,
    Command,
    Plain,
    SetInfo,
    SetLogic,
    WithTerms,
)
from falsum.solvers.options import Setting


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A test: `verdicts` are the right ones of all checks, `settings` options of the solver, `about` is a
    remark; `checks_models` makes the solver check its own models.
    """

    name: str
    script: str
    verdicts: tuple[str, ...]
    settings: tuple[Setting, ...] = ()
    about: str = ""
    checks_models: bool = False


def _cvc5(test: SuiteTest) -> Iterator[tuple[str, str]]:
    flags = [f"--{name}={value}" for name, value in test.settings]
    flags += ["--check-models"] if test.checks_models else []
    lines = [f"; COMMAND-LINE: {' '.join(flags)}"] if flags else []
    lines += [f"; EXPECT: {verdict}" for verdict in test.verdicts]
    yield f"{test.name}.smt2", "\n".join([*lines, _remark(test), with_logic(test.script)])


def _z3(test: SuiteTest) -> Iterator[tuple[str, str]]:
    settings = (*test.settings, *((("model_validate", "true"),) if test.checks_models else ()))
    options = "".join(f"(set-option :{name} {value})\n" for name, value in settings)
    yield f"{test.name}.smt2", f"{_remark(test)}\n{options}{test.script}"
    yield f"{test.name}.expected.out", "".join(f"{verdict}\n" for verdict in test.verdicts)


def _yices(test: SuiteTest) -> Iterator[tuple[str, str]]:
    yield f"{test.name}.smt2", f"{_remark(test)}\n{with_logic(test.script)}"
    yield f"{test.name}.smt2.gold", "".join(f"{verdict}\n" for verdict in test.verdicts)
    if test.settings:
        yield f"{test.name}.smt2.options", " ".join(f"--{n}={v}" for n, v in test.settings) + "\n"


def _plain(test: SuiteTest) -> Iterator[tuple[str, str]]:
    options = "".join(f"; option: {name}={value}\n" for name, value in test.settings)
    yield f"{test.name}.smt2", f"{_remark(test)}\n{options}{with_status(test.script, test.verdicts)}"


PLAIN: Final = "plain"
FORMS: Final[Mapping[str, Callable[[SuiteTest], Iterator[tuple[str, str]]]]] = {
    "cvc5": _cvc5, "z3": _z3, "yices": _yices, PLAIN: _plain,
}  # fmt: skip
# Products whose test suites have a form of their own; the others take the plain one.
FORM_OF: Final = {"cvc5": "cvc5", "cvc4": "cvc5", "z3": "z3", "yices": "yices"}


def write_test(test: SuiteTest, form: str, to: Path) -> list[Path]:
    """The files of a test, written into a folder."""
    files = []
    for name, text in FORMS[form](test):
        (to / name).write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
        files.append(to / name)
    return files


def _is_check(command: Command) -> bool:
    return isinstance(command, CheckSat | CheckSatAssuming) or (
        isinstance(command, Plain | WithTerms) and command.word == "check-sat-using"
    )


def _remark(test: SuiteTest) -> str:
    return f"; {on_one_line(test.about or test.name)}"


def with_logic(text: str) -> str:
    """The script with a logic first, which some test runners require."""
    try:
        commands = read_script(text).commands
    except ScriptError:
        return text
    if any(isinstance(command, SetLogic) for command in commands):
        return text
    return f"(set-logic ALL)\n{text}"


def with_status(text: str, verdicts: tuple[str, ...]) -> str:
    """The script with `:status` before each check whose verdict is known."""
    try:
        commands = read_script(text).commands
    except ScriptError:
        return text
    result: list[Command] = []
    verdicts_left = iter(verdicts)
    for command in commands:
        if _is_check(command) and (verdict := next(verdicts_left, "")):
            result.append(SetInfo(":status", verdict))
        if not (isinstance(command, SetInfo) and command.keyword == ":status"):
            result.append(command)
    return print_script(Script(tuple(result)))
