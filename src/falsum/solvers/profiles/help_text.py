"""Options as described by a help text, for a product without another list of them: cvc4."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from falsum.solvers.options import DrawRules, Option

# `--name=N | -n N` and what it means, on one line or on more that are indented further.
_ENTRY: Final = re.compile(r"(?m)^  --([a-z][A-Za-z0-9-]*)(?:=(\S+))?(.*(?:\n {6}.*)*)")
_NO_VALUE: Final = ("unsupported", "(error")
_KINDS: Final = {"N": "int", "P": "float", "MODE": "mode"}


def options_in(text: str, defaults: Mapping[str, str], rules: DrawRules | None) -> Iterator[Option]:
    """The options in a help text, with those for experts marked, and with the defaults that the product
    reports.
    """
    for name, argument, words in _ENTRY.findall(text):
        kind = _KINDS.get(argument, "text") if argument else "bool"
        category = "expert" if "EXPERTS" in " ".join(words.split()) else "regular"
        if name in defaults:
            option = Option(name, kind, defaults[name], category)
            yield rules.classify(option) if rules else option


def names_in(text: str) -> list[str]:
    return [name for name, _argument, _words in _ENTRY.findall(text)]


def defaults_script(text: str) -> str:
    """A script that asks for the value of every option in a help text, each after a line with its name."""
    return "".join(f'(echo "{name}")\n(get-option :{name})\n' for name in names_in(text))


def defaults_in(output: str, text: str) -> dict[str, str]:
    """The values in the answer to that script; options without a value are left out."""
    names = set(names_in(text))
    lines = [line.strip().strip('"') for line in output.splitlines()]
    return {
        name: value
        for name, value in pairwise(lines)
        if name in names and value not in names and not value.startswith(_NO_VALUE)
    }
