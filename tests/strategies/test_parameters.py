"""Strategies with other parameters: settings, named configurations, and errors that say what to do."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from tests.strategies.drawn import draw

from falsum.errors import UsageError
from falsum.smtlib.syntax.operator_files import read_operator_file
from falsum.strategies import (
    ALL,
    BY_NAME,
    Seed,
    Strategy,
    configurations_of,
    configured,
    find_strategy,
    parameters_of,
    with_operators,
)

SEED = Seed(
    "s",
    "(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)"
    "(assert (< (+ x 1) y))(assert (or (= x 3) (> y 10)))(check-sat)",
)


def found(name: str) -> Strategy:
    return find_strategy(name, BY_NAME)


def test_settings_change_parameters_and_the_name() -> None:
    strategy = found("valfuzz:cpog=true,multief=3")
    assert strategy.name == "valfuzz:cpog=true,multief=3"
    values = {name: one.default for name, one in parameters_of(strategy).items()}
    assert values["cpog"] is True
    assert values["multief"] == 3
    assert values["relc"] == parameters_of(BY_NAME["valfuzz"])["relc"].default


def test_later_settings_win_and_configurations_are_settings() -> None:
    values = parameters_of(found("valfuzz:blendb,multief=2,relc=1,relc=5"))
    assert values["adomain"].default is True
    assert values["multief"].default == 2
    assert values["relc"].default == 5
    assert values["keep"].default == 0
    assert parameters_of(found("sparrow:pst"))["rules"].default == ("pst",)
    assert parameters_of(found("sparrow:rules=lpi/pst"))["rules"].default == ("lpi", "pst")


def test_parts_of_a_composition_have_their_own() -> None:
    assert found("typefuzz:chain=1+opfuzz:most=1").name == "typefuzz:chain=1+opfuzz:most=1"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("valfuz", "unknown strategy 'valfuz'; did you mean valfuzz?"),
        ("valfuzz:cpg=true", "valfuzz has no parameter or configuration 'cpg'; did you mean cpog?"),
        ("valfuzz:blendc", "did you mean blendb?"),
        ("valfuzz:cpog=yes", "valfuzz: cpog must be true or false, not 'yes'"),
        ("valfuzz:multief=many", "valfuzz: multief must be a whole number, not 'many'"),
        ("valfuzz:multief=0", "valfuzz: multief must be at least 1, not 0"),
        ("valfuzz:keep=1.5", "valfuzz: keep must be at most 1, not 1.5"),
        ("valfuzz:name=x", "valfuzz has no parameter or configuration 'name'"),
        ("sparrow:form=cfn", "sparrow: form must be one of place, cnf, either, not 'cfn'; did you mean cnf?"),
        ("opfuzz:", "'opfuzz:': a parameter or configuration must follow the colon"),
        ("typefuzz+opfuz", "unknown strategy 'opfuz'; did you mean opfuzz?"),
    ],
)
def test_wrong_names_and_values_are_errors_with_a_suggestion(name: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        found(name)
    assert message in str(raised.value)


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_every_parameter_is_explained_and_every_configuration_works(strategy: Strategy) -> None:
    for one in parameters_of(strategy).values():
        assert one.meaning, one.name
        assert one.read(one.default_text) == one.default
    for name in configurations_of(strategy):
        assert found(f"{strategy.name}:{name}").name == f"{strategy.name}:{name}"


def test_operator_files_restrict_typefuzz_and_opfuzz() -> None:
    operators = read_operator_file("(+ Int Int Int)(<= Int Int Bool)(>= Int Int Bool)")
    for mutant in draw(with_operators(found("typefuzz:chain=1,bare=0,widened=0"), operators), [SEED], 1, 100):
        new = mutant.lineage[0].rpartition(" -> ")[2]
        assert new.split()[0] in ("(+", "(<=", "(>=")
    for mutant in draw(with_operators(found("opfuzz"), operators), [SEED], 1, 100):
        assert all(line.rpartition(" -> ")[2] in ("+", "<=", ">=") for line in mutant.lineage)
    both = with_operators(found("typefuzz+opfuzz"), operators)
    assert all(part.operators == operators for part in both.parts)  # type: ignore[attr-defined]
    assert with_operators(found("storm"), operators) is BY_NAME["storm"]


@pytest.mark.parametrize("name", ["opfuzz", "fuzzchick"])
def test_a_chain_builds_on_the_mutant_before(name: str) -> None:
    made = draw(found(f"{name}:chain=5"), [SEED], 2, 20)
    lengths = [len(mutant.lineage) for mutant in made]
    assert max(lengths) >= 5
    for before, mutant in pairwise(made):
        if len(mutant.lineage) > len(before.lineage):
            assert mutant.lineage[: len(before.lineage)] == before.lineage
    assert all(len(mutant.lineage) == 1 for mutant in draw(found("fuzzchick"), [SEED], 2, 20))


PLUGIN = """{future}
from dataclasses import dataclass

from falsum.strategies import Mutant
from falsum.strategies.parameters import parameter, share


@dataclass(frozen=True)
class Mine:
    name: str = "mine"
    arity: int = 1
    number: int = parameter(1, "a number", least=1)
    part: float = share(0.5, "a share")
    flag: bool = False
    word: str = "a"
    words: tuple[str, ...] = ("a", "b")
    other: object = None
    quoted: "int" = 3

    def mutants(self, seeds, rng, lab):
        yield Mutant(seeds[0].text)
"""


@pytest.mark.parametrize("future", ["", "from __future__ import annotations"])
def test_parameters_do_not_depend_on_how_annotations_are_kept(future: str) -> None:
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(PLUGIN.format(future=future), "mine.py", "exec", dont_inherit=True), names)
    strategy = names["Mine"]()
    assert list(parameters_of(strategy)) == ["number", "part", "flag", "word", "words", "quoted"]
    changed = configured(strategy, ["number=3", "flag=true", "words=c/d", "quoted=4"])
    assert (changed.number, changed.flag, changed.words, changed.quoted) == (3, True, ("c", "d"), 4)
    with pytest.raises(UsageError, match="at least 1"):
        configured(strategy, ["number=0"])
