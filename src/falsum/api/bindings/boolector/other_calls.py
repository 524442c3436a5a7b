"""Further functions of Boolector, in terms that are equivalent to those that users would make."""

from __future__ import annotations

from typing import Any


def other_node(solver: Any, operator: str, nodes: list[Any], sort: tuple[Any, ...]) -> Any:
    """An equivalent node; None if there is no other call."""
    if operator == "bvnot":
        return solver.Dec(solver.Neg(nodes[0]))  # ~x is -x - 1
    if operator == "bvneg":
        return solver.Inc(solver.Not(nodes[0]))
    if operator == "bvadd" and len(nodes) == 2:
        return solver.Dec(solver.Add(solver.Inc(nodes[0]), nodes[1]))
    if operator == "bvsub":
        return solver.Inc(solver.Add(nodes[0], solver.Not(nodes[1])))
    if operator == "bvxor" and len(nodes) == 2 and sort[1] == 1:
        return solver.Redxor(solver.Concat(*nodes))
    return None
