"""Corpus: the scripts that atoms are taken from, by logic, and which operators occur together in them.

Only the text of a script is looked at to begin with; it is read when it is drawn, and then remembered. So a
corpus may be of any size.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Final

from falsum.errors import SurroundingsError
from falsum.seeds import bundled
from falsum.smtlib.logics import Logic, logic_of
from falsum.strategies.histfuzz.atoms import MinedScript, mined

_LOGIC: Final = re.compile(r"\(\s*set-logic\s+([A-Za-z_0-9+]+)\s*\)")
_OPERATOR: Final = re.compile(r"\(\s*(?:\(\s*_\s+)?([^\s()|\";:]+)")
_COMMANDS: Final = frozenset(
    "set-logic set-info set-option assert check-sat declare-fun declare-const define-fun exit push pop _ as "
    "let and or not => xor ite = distinct forall exists get-model".split()
)
_MAX_LENGTH: Final = 1 << 16
# A corpus is sampled for its rules: pairs of operators of so many scripts are counted.
_MAX_COUNTED: Final = 4000
_MAX_OPERATORS: Final = 60
_DRAWS: Final = 12


class Corpus:
    """Scripts by the name of their logic; `rules` say how likely an operator is, given another one."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_logic: dict[str, list[str]] = {}
        alone: Counter[str] = Counter()
        together: Counter[tuple[str, str]] = Counter()
        for number, text in enumerate(texts):
            found = _LOGIC.search(text)
            self._by_logic.setdefault(found[1] if found else "", []).append(text)
            if number < _MAX_COUNTED:
                operators = sorted(operators_in(text))[:_MAX_OPERATORS]
                alone.update(operators)
                together.update(permutations(operators, 2))
        self._rules = {pair: count / alone[pair[0]] for pair, count in together.items()}

    def association(self, given: frozenset[str], operators: frozenset[str]) -> float:
        """How well operators go with those that are given, from 0 to 1: the mean of each one's best rule."""
        best = [
            max((self._rules.get((one, other), 0.0) for one in given), default=0.0) for other in operators
        ]
        return sum(best) / len(best) if best else 0.0

    def draw(self, logic: Logic, rng: Random) -> MinedScript | None:
        """A random script whose atoms may stand in a script of a logic; None if none is found."""
        names = [name for name in self._by_logic if _fits(logic_of(name), logic)]
        if not names:
            return None
        weights = [len(self._by_logic[name]) for name in names]
        for _ in range(_DRAWS):
            texts = self._by_logic[rng.choices(names, weights)[0]]
            found = mined(rng.choice(texts))
            if found is not None:
                return found
        return None


def operators_in(text: str) -> frozenset[str]:
    """The words that are applied in a script, connectives and commands aside."""
    return frozenset(_OPERATOR.findall(text)) - _COMMANDS


def _fits(donor: Logic, logic: Logic) -> bool:
    """Whether everything a script of a logic may have is allowed in another logic."""
    if logic.theories is None and not logic.is_unknown:
        return True
    if donor.theories is None or not donor.needs <= logic.needs:
        return False
    return donor.is_linear or not logic.is_linear


@lru_cache(8)
def corpus_at(folder: str) -> Corpus:
    """The corpus in a folder, or the bundled seeds ("")."""
    return Corpus(_texts(folder))


def _texts(folder: str) -> Iterator[str]:
    if not folder:
        yield from (entry.read_text(encoding="utf-8") for entry in bundled())
        return
    for path in sorted(Path(folder).rglob("*.smt2*")):
        if path.is_file() and path.name.endswith((".smt2", ".smt2.gz")):
            text = _read(path)
            if text:
                yield text


def _read(path: Path) -> str:
    """The text of a script; nothing if it is too long, or not UTF-8."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = file.read(_MAX_LENGTH + 1)
        return data.decode() if len(data) <= _MAX_LENGTH else ""
    except (UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile):
        return ""
    except OSError as error:
        raise SurroundingsError(f"{path}: cannot be read: {error.strerror}") from error
