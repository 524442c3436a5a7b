"""The contract of kinds is kept by our packages, and broken by a member that knows another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import grimp
import pytest
from tests.kinds_contract import KindsContract


def check(imports: Iterable[tuple[str, str]], **options: Any) -> list[str]:
    graph = grimp.ImportGraph()
    for module in ("kinds", "kinds.one", "kinds.two", "kinds.two.part", "kinds.ground", "elsewhere"):
        graph.add_module(module)
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    contract = KindsContract("kinds", {}, {"package": "kinds", "foundation": ["ground"], **options})
    found = contract.check(graph, verbose=False)
    assert found.kept is not bool(found.metadata["chains"])
    return list(found.metadata["chains"])


@pytest.mark.parametrize(
    "imports",
    [
        (),
        (("kinds", "kinds.one"), ("kinds", "kinds.two")),
        (("kinds.one", "kinds.ground"), ("kinds.two.part", "kinds.ground")),
        (("kinds.two", "kinds.two.part"), ("kinds.one", "elsewhere"), ("kinds.two", "elsewhere")),
    ],
)
def test_a_registry_and_a_foundation_are_no_exceptions(imports: tuple[tuple[str, str], ...]) -> None:
    assert check(imports) == []


@pytest.mark.parametrize(
    ("imports", "chain"),
    [
        ((("kinds.one", "kinds.two"),), "kinds.one must not know kinds.two: kinds.one -> kinds.two"),
        (
            (("kinds.two.part", "kinds.one"),),
            "kinds.two must not know kinds.one: kinds.two.part -> kinds.one",
        ),
        (
            (("kinds.one", "elsewhere"), ("elsewhere", "kinds.two")),
            "kinds.one must not know kinds.two: kinds.one -> elsewhere -> kinds.two",
        ),
        ((("kinds.ground", "kinds.one"),), "kinds.ground must not know kinds.one: kinds.ground -> kinds.one"),
    ],
)
def test_one_member_that_knows_another_is_named(imports: tuple[tuple[str, str], ...], chain: str) -> None:
    assert check(imports) == [chain]


def test_a_foundation_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"kinds\.gone: no such module"):
        check((), foundation=["gone"])
