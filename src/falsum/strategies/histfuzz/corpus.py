"""Corpus: the scripts that atoms are taken from, and the operators that occur together in them.

Scripts are read when they are drawn, and then cached, so a corpus may be of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final, Self

from falsum.atlas.collection import atlas
from falsum.seeds import bundled
from falsum.smtlib.logics import Logic, logic_of
from falsum.strategies.histfuzz.atoms import MinedScript, mined, mined_for
from falsum.strategies.histfuzz.corpus_index import CorpusIndex, index_of, index_of_folder, script_text

_DRAWS: Final = 12


class Corpus:
    """The scripts of an index; `text` gives the text of one by its name there."""

    def __init__(self, index: CorpusIndex, text: Callable[[str], str]) -> None:
        self._index = index
        self._text = text

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """A corpus of scripts that are given by their texts."""
        numbered = {str(number): text for number, text in enumerate(texts)}
        return cls(index_of(numbered.items()), numbered.__getitem__)

    def association(self, premise: frozenset[str], operators: frozenset[str]) -> float:
        """How well operators go with those of the premise, from 0 to 1: the mean, over the operators, of the
        best rule for each.
        """
        rules = [self._index.rules[one] for one in premise if one in self._index.rules]
        best = [max((each.get(other, 0.0) for each in rules), default=0.0) for other in operators]
        return sum(best) / len(best) if best else 0.0

    def draw(self, logic: Logic, rng: Random) -> MinedScript | None:
        """A random script whose atoms may stand in a script of a logic; None if none is found.

        Of a script that names no logic those atoms are taken that are allowed.
        """
        scripts = self._index.scripts
        logics = [name for name in scripts if not name or _fits(logic_of(name), logic)]
        if not logics:
            return None
        weights = [len(scripts[name]) for name in logics]
        for _ in range(_DRAWS):
            chosen = rng.choices(logics, weights)[0]
            text = self._text(rng.choice(scripts[chosen]))
            script = mined(text) if chosen else mined_for(text, logic.name)
            if script is not None:
                return script
        return None


def _fits(donor: Logic, logic: Logic) -> bool:
    """Whether a logic allows everything that scripts of another one may have."""
    if logic.theories is None and not logic.is_unknown:
        return True
    if donor.theories is None or not donor.needs <= logic.needs:
        return False
    return donor.is_linear or not logic.is_linear


@lru_cache(8)
def corpus_at(folder: str) -> Corpus:
    """The corpus in a folder, or the default one ("")."""
    if not folder:
        return Corpus.of(default_texts())
    where = Path(folder)
    return Corpus(index_of_folder(where), lambda name: script_text(where / name))


def default_texts() -> tuple[str, ...]:
    """The bundled seeds, and what once showed bugs: scripts of the atlas, but for those kept for contests."""
    seeds = (entry.read_text(encoding="utf-8") for entry in bundled())
    return (*seeds, *(bug.script for bug in atlas() if not bug.held_out))
