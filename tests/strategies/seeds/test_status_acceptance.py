"""What the first solver rejects is not built upon."""

from __future__ import annotations

from tests.strategies.drawn import draw

from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab
from falsum.strategies import BY_NAME, Seed, find_strategy
from falsum.strategies.seeds import is_accepted

SEED = Seed("s", "(set-logic QF_LIA)(declare-fun x () Int)(assert (< x (+ x 3)))(assert (= x 1))(check-sat)")


def lab(*, rejects: bool) -> FakeLab:
    kind = EndingKind.REJECTED if rejects else EndingKind.TIMED_OUT
    return FakeLab({"first": lambda _text: Answer((), Ending(kind)), "second": lambda _text: "sat"})


def test_only_a_rejection_counts() -> None:
    assert is_accepted(SEED.text, None)
    assert is_accepted(SEED.text, lab(rejects=False))
    assert not is_accepted(SEED.text, lab(rejects=True))


def test_chains_end_where_the_solver_rejects() -> None:
    strategy = find_strategy("fuzzchick:chain=5", BY_NAME)
    assert max(len(m.lineage) for m in draw(strategy, [SEED], 1, 20, lab(rejects=False))) == 5
    assert max(len(m.lineage) for m in draw(strategy, [SEED], 1, 20, lab(rejects=True))) == 1
