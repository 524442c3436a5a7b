"""Every law is true: nothing sampled breaks it, and z3 proves it where it can.

`python -m bench.language.laws` does the same with 10,000 samples, three solvers and more instances.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.smtlib.laws.declarations import DATATYPE_LAWS, EVERY_LAW
from tests.smtlib.laws.proving import ask, scripts
from tests.smtlib.laws.sampling_laws import check
from tests.smtlib.laws.undecided import NOT_BY_Z3, UNSAID

from falsum.errors import UsageError
from falsum.smtlib.laws import Law, LawInstance, all_laws, equations, instances, match, read_laws
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.walk import free_variables

THEORIES = tuple(dict.fromkeys(law.theory for law in EVERY_LAW))


def laws_of(theory: str) -> list[Law]:
    return [law for law in EVERY_LAW if law.theory == theory]


def some_instance(law: Law) -> LawInstance:
    """Neither the smallest sizes nor the largest, where there are several."""
    found = list(instances(law, sizes={"FloatingPoint": ((2, 3),)}))
    return found[min(1, len(found) - 1)]


@pytest.mark.parametrize("theory", THEORIES)
def test_no_counterexample(theory: str) -> None:
    for law in laws_of(theory):
        found = check(law, 50, Random(law.name))
        assert not found.broken, f"{law}: {found.broken}"
        assert not found.unsaid or law.name in UNSAID, f"{law}: {found.reason}"
        assert found.held, law.name


@pytest.mark.parametrize("theory", THEORIES)
def test_z3_proves(theory: str) -> None:
    laws = [law for law in laws_of(theory) if law.name not in NOT_BY_Z3]
    said = ask("z3", [scripts(some_instance(law)) for law in laws], 10_000)
    assert {law.name: answer for law, answer in zip(laws, said, strict=True) if answer != "unsat"} == {}


def test_z3_refutes_what_is_false() -> None:
    """The question is asked the right way round."""
    false = read_laws(
        "Test",
        """
        (law a implies ((x Int) (y Int)) (<= x y) (< x y))
        (law b equivalent ((x (_ BitVec m)) (y (_ BitVec m))) (bvsub x y) (bvsub y x))
        (law c implies ((x String) (y String)) (str.suffixof x y) (str.<= x y))
        (law d implies ((x (_ FloatingPoint e s)) (y (_ FloatingPoint e s))) (= x y) (fp.leq x y))
        """,
    )
    for law in false:
        instance = list(instances(law))[-1]
        assert ask("z3", [scripts(instance)], 10_000) == ["sat"]
        assert check(law, 2_000, Random(1)).broken, law.name


def test_what_is_marked_exists() -> None:
    names = {law.name for law in EVERY_LAW}
    assert set(NOT_BY_Z3) <= names
    assert set(UNSAID) <= names
    assert all(NOT_BY_Z3.values())


def test_names_are_unique_and_laws_are_many() -> None:
    assert len({law.name for law in all_laws()}) == len(all_laws()) >= 250
    assert len({law.name for law in DATATYPE_LAWS}) == len(DATATYPE_LAWS)


@pytest.mark.parametrize("theory", THEORIES)
def test_laws_print_and_read_back(theory: str) -> None:
    for law in laws_of(theory):
        (again,) = read_laws(law.theory, str(law), prelude=law.prelude)
        assert str(again) == str(law)
        assert (again.params, again.indices) == (law.params, law.indices)


@pytest.mark.parametrize("theory", THEORIES)
def test_laws_use_what_they_bind_and_say_something(theory: str) -> None:
    for law in laws_of(theory):
        instance = some_instance(law)
        used = free_variables(instance.left) | free_variables(instance.right)
        assert used == set(instance.binders), law.name
        assert instance.left is not instance.right, law.name
        if instance.condition is not None:
            assert free_variables(instance.condition) <= used, law.name


def test_inverse_laws_are_equations() -> None:
    for law in EVERY_LAW:
        if law.kind == "inverse":
            (fused, _), *inverted = equations(some_instance(law))
            assert inverted, law.name
            assert all(subject is not fused for subject, _ in inverted), law.name
            # What is inverted is free of its own subject, except for lengths of words.
            for subject, meaning in inverted:
                assert subject not in free_variables(meaning) or ".len" in print_term(meaning), law.name


@pytest.mark.parametrize(
    "text",
    [
        "(law a equal ((x Int)) x x)",
        "(law a equivalent ((x Int)) x)",
        "(law a equivalent (x) x x)",
        "(law a equivalent ((x Int)) x x :when true)",
        "(law a equivalent ((x Int)) x x :if)",
        "(lax a equivalent ((x Int)) x x)",
    ],
)
def test_malformed_laws_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_laws("Test", text)


def test_a_law_must_relate_terms_of_one_sort() -> None:
    from falsum.errors import ScriptError

    (law,) = read_laws("Test", "(law a equivalent ((x Int)) (+ x 1) (> x 1))")
    with pytest.raises(ScriptError):
        list(instances(law))


def test_a_side_is_found_by_the_law_it_belongs_to() -> None:
    (law,) = read_laws("Test", "(law a equivalent ((x (_ BitVec m))) (bvneg x) (bvsub (_ bv 0 m) x))")
    instance = next(iter(instances(law, sizes={"BitVec": ((5,),)})))
    assert print_term(instance.right) == "(bvsub (_ bv0 5) x)"
    assert match(law, instance.right, "right") is not None
