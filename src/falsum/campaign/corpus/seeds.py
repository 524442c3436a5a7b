"""CorpusSeed: a seed with what can be said of it without a solver; two are alike if only names differ."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from falsum.campaign.fuzz.seed_files import SeedError, SeedFile
from falsum.campaign.fuzz.seed_profile import unusable, with_check
from falsum.defects.identity.signature import operators_of
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.models.model import declared_functions
from falsum.strategies.mutant import Seed

_STATUS: Final = re.compile(r"\(\s*set-info\s+:status\s+(sat|unsat|unknown)\s*\)")
_INFO: Final = re.compile(
    r"\(\s*set-info\s[^()|\"]*\)|\(\s*set-info\s+:[\w-]+\s+(?:\|[^|]*\||\"[^\"]*\")\s*\)"
)
_COMMENT: Final = re.compile(r";[^\n]*")
_WORD: Final = re.compile(r"\|[^|]*\||\"(?:[^\"]|\"\")*\"|[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class CorpusSeed:
    """`unusable` says why it is of no use as a seed, or nothing; then the rest is empty."""

    file: SeedFile
    text: str
    unusable: str = ""
    status: str = ""
    operators: tuple[str, ...] = ()
    structure: str = ""


def described(files: Iterable[SeedFile]) -> Iterator[CorpusSeed]:
    """What is known of each seed."""
    for file in files:
        try:
            text = file.text()
        except SeedError as error:
            yield CorpusSeed(file, "", f"unreadable: {error}")
            continue
        why = unusable(Seed(file.name, with_check(text)))
        if why.startswith("unreadable"):
            yield CorpusSeed(file, text, why)
            continue
        _theories, operators = operators_of(read_script(text).assertions)
        status = _STATUS.findall(text)
        yield CorpusSeed(
            file, text, why, status[-1] if status else "unknown", tuple(operators), structure_of(text)
        )


def structure_of(text: str) -> str:
    """A digest that is the same for scripts that differ in names, comments, information and layout only."""
    try:
        names = [function.name for function in declared_functions(read_script(text))]
    except FalsumError:
        return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]
    numbers = {name: f"!{number}" for number, name in enumerate(dict.fromkeys(names))}
    plain = _INFO.sub("", _COMMENT.sub("", text))
    words = (numbers.get(word.strip("|"), word) for word in _WORD.findall(plain))
    return hashlib.sha256(" ".join(words).encode(errors="surrogateescape")).hexdigest()[:16]
