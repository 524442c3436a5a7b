"""Relations: hand-made tables."""

from __future__ import annotations

from falsum.smtlib.values import relations
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.relations import Relation


def rows(*listed: tuple[int, ...]) -> Relation:
    return frozenset(listed)


R = rows((1, 2), (2, 3), (3, 3))


def test_join() -> None:
    assert relations.join(R, rows((3, 7, 8))) == rows((2, 7, 8), (3, 7, 8))
    assert relations.join(frozenset(), R) == frozenset()


def test_product() -> None:
    assert relations.product(rows((1,)), R) == rows((1, 1, 2), (1, 2, 3), (1, 3, 3))


def test_transpose_and_identity() -> None:
    assert relations.transpose(R) == rows((2, 1), (3, 2), (3, 3))
    assert relations.identity(rows((1,), (2,))) == rows((1, 1), (2, 2))


def test_closure() -> None:
    assert relations.closure(R) == rows((1, 2), (1, 3), (2, 3), (3, 3))


def test_join_image_and_project() -> None:
    relation = rows((1, 2), (1, 3), (2, 3))
    assert relations.join_image(relation, 2) == rows((1,))
    assert relations.join_image(relation, 1) == rows((1,), (2,))
    assert isinstance(relations.join_image(relation, 0), CannotSay)
    assert relations.project(relation, [1, 0, 1]) == rows((2, 1, 2), (3, 1, 3), (3, 2, 3))


def test_budget() -> None:
    many = rows(*((i,) for i in range(1_000)))
    assert isinstance(relations.product(many, many), CannotSay)
