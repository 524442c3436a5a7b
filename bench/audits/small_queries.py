"""Small queries, every one different: pigeons that do not fit into their holes, in propositional logic."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path


def pigeons(holes: int, number: int) -> str:
    """One pigeon too many. z3 takes 14 ms for 5 holes, 18 for 6, 75 for 7, 320 for 8; 13 ms are its start."""
    places = [[f"p{number}_{pigeon}_{hole}" for hole in range(holes)] for pigeon in range(holes + 1)]
    lines = ["(set-logic QF_UF)"]
    lines += [f"(declare-const {place} Bool)" for row in places for place in row]
    lines += [f"(assert (or {' '.join(row)}))" for row in places]
    lines += [
        f"(assert (or (not {one}) (not {other})))"
        for hole in range(holes)
        for one, other in combinations([row[hole] for row in places], 2)
    ]
    return "\n".join((*lines, "(check-sat)", ""))


def write_queries(folder: Path, sizes: list[int], count: int) -> Path:
    """`count` queries, with these numbers of holes in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"{number:05}.smt2").write_text(pigeons(sizes[number % len(sizes)], number))
    return folder
