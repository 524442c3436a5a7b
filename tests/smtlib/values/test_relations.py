"""Relations: hand-made tables."""

from __future__ import annotations

from falsum.smtlib.values import relations

R = frozenset({(1, 2), (2, 3), (3, 3)})


def test_join() -> None:
    assert relations.join(R, frozenset({(3, 7, 8)})) == {(2, 7, 8), (3, 7, 8)}
    assert relations.join(frozenset(), R) == frozenset()


def test_product() -> None:
    assert relations.product(frozenset({(1,)}), R) == {(1, 1, 2), (1, 2, 3), (1, 3, 3)}


def test_transpose_and_identity() -> None:
    assert relations.transpose(R) == {(2, 1), (3, 2), (3, 3)}
    assert relations.identity(frozenset({(1,), (2,)})) == {(1, 1), (2, 2)}


def test_closure() -> None:
    assert relations.closure(R) == {(1, 2), (1, 3), (2, 3), (3, 3)}


def test_join_image_and_project() -> None:
    relation = frozenset({(1, 2), (1, 3), (2, 3)})
    assert relations.join_image(relation, 2) == {(1,)}
    assert relations.join_image(relation, 1) == {(1,), (2,)}
    assert relations.project(relation, [1, 0, 1]) == {(2, 1, 2), (3, 1, 3), (3, 2, 3)}


def test_budget() -> None:
    many = frozenset((i,) for i in range(1_000))
    assert isinstance(relations.product(many, many), relations.CannotSay)
