"""Statistics of solvers: how a warm solver prints them, and their values in buckets."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# Hosts of libraries whose parser does not know it answer it themselves.
QUESTION: Final = "(get-info :all-statistics)"
# `:conflicts 12`, `(sat-conflicts 12)`, `("sat::conflicts" 12)`, `sat::conflicts = 12`. Solvers print
# 20 kB of them: a name is tried once, as a whole.
_STATISTIC: Final = re.compile(r'(?<![\w.:-])[:"]?([A-Za-z][\w.:-]*+)"?\s*=?\s+([0-9]+)(?:\.[0-9]+)?\b')
_NOT_BEHAVIOUR: Final = re.compile(r"(?i)time|memory|second|alloc|rlimit|rusage|resourceUnits|ResourceCalls")


def buckets(output: str) -> frozenset[str]:
    """The statistics in a solver's output, each with the number of binary digits of its value."""
    return frozenset(
        f"{name} {int(value).bit_length()}"
        for name, value in _STATISTIC.findall(output)
        if _is_behaviour(name)
    )


@lru_cache(1 << 14)
def _is_behaviour(name: str) -> bool:
    """Whether a counter tells what a solver did rather than its effort; products have some hundred
    counters.
    """
    return _NOT_BEHAVIOUR.search(name) is None


def question(secret: str) -> str:
    """The commands that are added to a script to get the statistics, after a line that marks their
    beginning.
    """
    return f'(echo "{_mark(secret)}")\n{QUESTION}'


def split(output: bytes, secret: str) -> tuple[bytes, str]:
    """The output without the statistics at its end, and the statistics; "" if there are none."""
    answer, answer_text, statistics = output.rpartition(_mark(secret).encode())
    if not answer_text:
        return output, ""
    return answer.removesuffix(b'"'), statistics.decode(errors="replace")


def _mark(secret: str) -> str:
    return f"{secret} statistics"
