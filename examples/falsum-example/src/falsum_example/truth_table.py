"""truth-table: a solver for propositional logic that tries all assignments. It knows nothing of falsum."""

from __future__ import annotations

import re
import sys
from itertools import pairwise, product
from pathlib import Path
from typing import Final

VERSION: Final = "0.1.0"
_TOKEN: Final = re.compile(r';[^\n]*|[()]|"[^"]*"|\|[^|]*\||[^\s()";|]+')
_IGNORED: Final = ("set-logic", "set-option", "set-info", "exit")
_MAX_SYMBOLS: Final = 16

Expression = str | list["Expression"]
Assignment = dict[str, bool]


class UnsupportedError(Exception):
    """A command or term that this solver does not know."""


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"truth-table {VERSION}\n")
        return 0
    try:
        run(read(Path(sys.argv[1]).read_text(encoding="utf-8")))
    except UnsupportedError as error:
        sys.stdout.write(f'(error "unsupported: {error}")\n')
        return 1
    return 0


def read(text: str) -> list[Expression]:
    stack: list[list[Expression]] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        elif not token.startswith(";"):
            stack[-1].append(token)
    return stack[0]


def run(commands: list[Expression]) -> None:
    symbols: list[str] = []
    assertions: list[Expression] = []
    found: Assignment | None = None
    for command in commands:
        match command:
            case ["declare-const", str(name), "Bool"] | ["declare-fun", str(name), [], "Bool"]:
                symbols.append(name)
            case ["assert", term]:
                assertions.append(term)
            case ["check-sat"]:
                found = solve(symbols, assertions)
                sys.stdout.write("unsat\n" if found is None else "sat\n")
            case ["get-model"] if found is not None:
                lines = [f"(define-fun {name} () Bool {str(value).lower()})" for name, value in found.items()]
                sys.stdout.write("({})\n".format("\n".join(lines)))
            case ["get-model"]:
                sys.stdout.write('(error "model is not available")\n')
            case [str(word), *_] if word in _IGNORED:
                pass
            case _:
                raise UnsupportedError(command[0] if isinstance(command, list) else command)


def solve(symbols: list[str], assertions: list[Expression]) -> Assignment | None:
    """An assignment that satisfies all assertions; None if there is none."""
    if len(symbols) > _MAX_SYMBOLS:
        raise UnsupportedError(f"more than {_MAX_SYMBOLS} symbols")
    for values in product((False, True), repeat=len(symbols)):
        assignment = dict(zip(symbols, values, strict=True))
        if all(truth(term, assignment) for term in assertions):
            return assignment
    return None


def truth(term: Expression, values: Assignment) -> bool:
    match term:
        case "true" | "false":
            return term == "true"
        case str(name) if name in values:
            return values[name]
        case ["ite", condition, then, otherwise]:
            return truth(then if truth(condition, values) else otherwise, values)
        case [str(operator), *arguments]:
            return combined(operator, [truth(argument, values) for argument in arguments])
        case _:
            raise UnsupportedError(term)


def combined(operator: str, values: list[bool]) -> bool:
    match operator:
        case "not":
            return not values[0]
        case "and":
            return all(values)
        case "or":
            return any(values)
        case "=>":
            return values[-1] or not all(values[:-1])
        case "xor":
            return sum(values) % 2 == 1
        case "=":
            return all(left == right for left, right in pairwise(values))
        case "distinct":
            return len(values) <= 2 and values[0] != values[-1]
        case _:
            raise UnsupportedError(operator)


if __name__ == "__main__":
    sys.exit(main())
