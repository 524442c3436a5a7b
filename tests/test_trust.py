"""Names that received files may use."""

from __future__ import annotations

import pytest

from falsum import trust


@pytest.mark.parametrize("name", ["z3", "z3@4.8.7", "cvc5@1.1.0:strings-exp=true,seed=-1", "z3:smt.x=2.5"])
def test_products_are_named(name: str) -> None:
    assert trust.names_a_product(name)


@pytest.mark.parametrize(
    "name",
    ["./z3", "/bin/z3", "z3 -x", "z3=/x", "z3:log=/x", "z3:log=../x", "z3@../x", "z3\n", "", "-z3", "$z3"],
)
def test_programs_and_paths_are_not(name: str) -> None:
    assert not trust.names_a_product(name)


def test_trust_adds_up_and_is_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(trust.VARIABLE, raising=False)
    assert not trust.trusted()
    monkeypatch.setenv(trust.VARIABLE, "a b")
    trust.trust(["./z3"])
    assert trust.trusted() == {"a b", "./z3"}
