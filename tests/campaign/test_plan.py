"""Plans: kept in the store, read again, and continued only to another end."""

from __future__ import annotations

import json

import pytest

from falsum.api.model.settings import Settings
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.library.plan import LibraryPlan
from falsum.errors import UsageError

FUZZ = FuzzPlan(
    seeds=(), solvers=("z3", "cvc5"), strategies=("opfuzz",), rng=3, timeout=10.0, memory=2048, count=20
)
LIBRARY = LibraryPlan(solvers=(("z3", ("cvc5",)),), settings=Settings(compare=0.5), first=7, seconds=60.0)


@pytest.mark.parametrize("plan", [FUZZ, LIBRARY], ids=["scripts", "libraries"])
def test_a_plan_comes_back_from_the_store(plan: FuzzPlan | LibraryPlan) -> None:
    assert type(plan).read(json.loads(json.dumps(plan.plain()))) == plan


def test_only_the_end_may_change() -> None:
    assert FUZZ.resumed({"rng": None, "count": None, "seconds": None}) == FUZZ
    assert FUZZ.resumed({"rng": 3, "solvers": ("z3", "cvc5")}) == FUZZ
    longer = FUZZ.resumed({"seconds": 60.0, "count": None})
    assert (longer.count, longer.seconds, longer.solvers) == (None, 60.0, FUZZ.solvers)
    # A time limit is for what is to come, a count for the whole campaign.
    assert FUZZ.resumed({"seconds": 60.0}, 500.0).seconds == 560.0
    assert FUZZ.resumed({"count": 50}, 500.0).count == 50
    with pytest.raises(UsageError, match="cannot change solvers: the campaign has z3, cvc5, not z3"):
        FUZZ.resumed({"solvers": ("z3",)})
    with pytest.raises(UsageError, match=r"cannot change seeds: the campaign has none, not a\.smt2"):
        FUZZ.resumed({"seeds": ("a.smt2",)})


def test_settings_of_libraries_stay() -> None:
    assert LIBRARY.resumed({"compare": 0.5, "solvers": ["z3"], "rng": 7, "count": 9}).count == 9
    for given in ({"compare": 0.1}, {"rng": 8}, {"solvers": ["cvc5"]}, {"theories": ["floats"]}):
        with pytest.raises(UsageError, match="cannot change"):
            LIBRARY.resumed(given)
