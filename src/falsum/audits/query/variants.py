"""Variants of a query that mean the same: assertions and declarations in another order, other names.

They are made from the text without parsing it: queries may use extensions of one product.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from random import Random
from typing import Final

from falsum.smtlib.text.command_text import CommandText, split_commands
from falsum.smtlib.text.lexer import RESERVED
from falsum.smtlib.theories import NAMED_VALUES, OPERATORS, SORTS

_TOKEN: Final = re.compile(r'("(?:[^"]|"")*+"|;[^\n]*+)|(\|[^|]*+\||[^\s()"|;]++)')
_LIST_HEAD: Final = re.compile(r"\(\s*(\|[^|]*+\||[^\s()\"|;]++)")
_NAMED: Final = re.compile(r":named\s+(\|[^|]*+\||[^\s()\"|;]++)")
_DECLARED: Final = re.compile(r"\(\s*[a-z-]+\s+\(?\s*(\|[^|]*+\||[^\s()\"|;]++)")
_CONSTANTS: Final = frozenset({"declare-fun", "declare-const"})
_DATATYPES: Final = frozenset({"declare-datatypes", "declare-datatype"})
# Their words are not symbols.
_NOT_SYMBOLS: Final = frozenset({"set-option", "set-info", "set-logic", "get-info", "get-option", "echo"})
_TESTER: Final = "is-"


class Rewriting(StrEnum):
    """What a variant changes."""

    ORDER = "order"
    NAMES = "names"
    SEED = "seed"
    ALL = "all three"


def variant(text: str, kind: Rewriting, rng: Random) -> str:
    """A variant of a query; random seeds are set by the caller."""
    if kind in (Rewriting.ORDER, Rewriting.ALL):
        text = shuffled(text, rng)
    if kind in (Rewriting.NAMES, Rewriting.ALL):
        text = renamed(text, rng)
    return text


def shuffled(text: str, rng: Random) -> str:
    """The query with assertions in another order, declarations in front of them.

    Assertions keep their order in a scope where one uses a name that another gives to a term.
    """
    uses = Counter(word for _other, word in _TOKEN.findall(text) if word) if ":named" in text else Counter()
    parts: list[str] = []
    run: list[CommandText] = []
    for command in split_commands(text)[0]:
        if command.name == "assert" or command.name.startswith(("declare-", "define-")):
            run.append(command)
        elif command.name:
            parts += [each.text for each in _shuffled_run(run, uses, rng)]
            parts.append(command.text)
            run = []
    parts += [each.text for each in _shuffled_run(run, uses, rng)]
    return "\n".join(parts) + "\n"


def _shuffled_run(run: list[CommandText], uses: Counter[str], rng: Random) -> list[CommandText]:
    assertions = [each for each in run if each.name == "assert"]
    declarations = [each for each in run if each.name != "assert"]
    names = [name for each in assertions for name in _NAMED.findall(each.text)]
    if any(uses[name] > 1 for name in names):
        return run
    rng.shuffle(assertions)
    return [*_shuffled_declarations(declarations, rng), *assertions]


def _shuffled_declarations(declarations: list[CommandText], rng: Random) -> Iterator[CommandText]:
    """Adjacent declarations of constants and functions in another order; they do not depend on each other."""
    row: list[CommandText] = []
    for each in [*declarations, None]:
        if each is not None and each.name in _CONSTANTS:
            row.append(each)
            continue
        rng.shuffle(row)
        yield from row
        row = []
        if each is not None:
            yield each


def renamed(text: str, rng: Random) -> str:
    """The query with all declared names replaced consistently."""
    commands = split_commands(text)[0]
    words_used = {_bare(word) for word in {word for _other, word in _TOKEN.findall(text)} if word}
    own_names = dict.fromkeys(name for each in commands for name in _declared(each))
    names: dict[str, str] = {}
    fresh = words_used | set(OPERATORS)
    for name in own_names:
        if name in OPERATORS or name in SORTS or name in NAMED_VALUES or name in RESERVED:
            continue
        while (new := f"n{rng.getrandbits(32):08x}") in fresh:
            pass
        fresh.add(new)
        names[name] = new
    for tester in words_used - set(names):
        if tester.startswith(_TESTER) and tester.removeprefix(_TESTER) in names:
            names[tester] = _TESTER + names[tester.removeprefix(_TESTER)]
    new_words = names | {f"|{name}|": new for name, new in names.items()}

    def new_word(match: re.Match[str]) -> str:
        return new_words.get(match[0], match[0])

    return "".join(
        each.text if each.name in _NOT_SYMBOLS else _TOKEN.sub(new_word, each.text) for each in commands
    )


def _declared(command: CommandText) -> Iterator[str]:
    """The names that a command declares, without bars."""
    if command.name in _DATATYPES:
        heads = _LIST_HEAD.findall(command.text)[1:]
        first = _DECLARED.match(command.text)
        yield from map(_bare, heads if first is None else [first[1], *heads])
    elif command.name.startswith(("declare-", "define-")):
        match = _DECLARED.match(command.text)
        if match is not None:
            yield _bare(match[1])


def _bare(word: str) -> str:
    return word[1:-1] if word.startswith("|") else word
