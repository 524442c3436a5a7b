"""The parameters of valfuzz: the thesis's configurations have none of the extensions."""

from __future__ import annotations

import dataclasses

import pytest

from falsum.strategies.parameters import parameters_of
from falsum.strategies.valfuzz.settings import ValFuzzSettings
from falsum.strategies.valfuzz.strategy import CONFIGURATIONS

THESIS = "skolu adomain adomaine cpog effinal leafopt multief7 noskole relc3 blenda blendb blendbleaf paper"


@pytest.mark.parametrize("name", THESIS.split())
def test_a_configuration_of_the_thesis_has_its_flags_always_and_no_extension(name: str) -> None:
    given = CONFIGURATIONS[name]
    assert (given.varied, given.compare, given.lazy) == (1.0, 1.0, True)
    shares = (given.maxsmt, given.keep, given.near, given.claimed)
    assert shares == (0.0, 0.0, 0.0, 0.0)
    assert not any((given.relax, given.wide, given.lets, given.answers, given.witnessed, given.measured))


def test_the_paper_is_its_best_blend() -> None:
    paper, blend = (parameters_of(CONFIGURATIONS[name]) for name in ("paper", "blendb"))
    assert paper == blend
    assert set(paper) < {field.name for field in dataclasses.fields(ValFuzzSettings)}
