"""What all commands of the bench share: descriptions, plug-ins, and what they say of wrong input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from falsum import plugins
from falsum.errors import FalsumError

# Arguments that are scripts or directories of them, other files and directories of input, a list of known
# bugs, or pages of findings; what a command writes is called otherwise.
_SCRIPTS: Final = frozenset(["CORPUS", "SEEDS", "TRIGGERS", "SCRIPTS"])
_FILES: Final = frozenset(["SEED", "CASES", "PREDICATE", "PROGRAM", "OLD", "NEW"])
_DIRECTORIES: Final = frozenset(["BUILD", "YINYANG_BIN", "STORE", "PAIRS", "CHECKOUT"])
_KNOWN_BUGS: Final = "KNOWN_BUGS"
_LIST: Final = "bugs.tsv"
_FINDINGS: Final = "FINDINGS"
INPUT: Final = _SCRIPTS | _FILES | _DIRECTORIES | {_KNOWN_BUGS, _FINDINGS}
OUTPUT: Final = frozenset(["DIRECTORY", "DIR", "FILE", "TABLE"])


class CommandParser(argparse.ArgumentParser):
    """A parser that adds plug-ins, and refuses input that is not there."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        given = super().parse_args(args, namespace)
        sys.excepthook = _show
        plugins.add_files(given.plugin)
        for action in self._chosen(given):
            value = getattr(given, action.dest, None)
            for path in value if isinstance(value, list) else [value]:
                if isinstance(path, Path) and (wrong := _wrong(str(action.metavar), path)):
                    self.error(wrong)
        return given

    def _chosen(self, args: argparse.Namespace) -> Iterable[argparse.Action]:
        """The arguments of this command and of the subcommand that is given."""
        for action in self._actions:
            yield action
            if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - there is no public way
                chosen = action.choices.get(getattr(args, action.dest, ""))
                yield from chosen._actions if chosen is not None else ()  # noqa: SLF001


def command_parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """A parser for `python -m module`, described by the module's docstring."""
    made = CommandParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "--plugin", action="append", default=[], metavar="FILE", help="use the plug-ins in a Python file"
    )
    return made


def _wrong(kind: str, path: Path) -> str:
    """What is wrong with input; "" if nothing is."""
    wrong = ""
    if kind == _KNOWN_BUGS and not (path / _LIST).is_file():
        wrong = f"{path / _LIST} is not there; bench/known_bugs.py says what it holds"
    elif kind in INPUT and not path.exists():
        wrong = f"{path} is not there"
    elif kind in _SCRIPTS and path.is_dir() and next(path.rglob("*.smt2*"), None) is None:
        wrong = f"no scripts (.smt2) in {path}"
    elif kind in _FILES and not path.is_file():
        wrong = f"{path} is no file"
    elif kind in _DIRECTORIES and not path.is_dir():
        wrong = f"{path} is no directory"
    elif kind == _FINDINGS and next(path.glob("*-*.md"), None) is None:
        wrong = f"no pages of findings (.md) in {path}"
    return wrong and f"{kind}: {wrong}"


def _show(kind: type[BaseException], error: BaseException, place: TracebackType | None) -> None:
    """Errors that falsum raises on purpose say what is wrong; a traceback would not help."""
    if isinstance(error, FalsumError):
        print(f"bench: {error}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, place)
