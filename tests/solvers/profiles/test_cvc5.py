"""cvc5 and its relatives: one family, with licences and libraries of their own."""

from __future__ import annotations

from falsum.solvers.names import families, profile_of
from falsum.solvers.profiles.cvc5 import CVC4, GPL, PROFILE


def test_relatives_are_no_independent_witnesses() -> None:
    assert families(("cvc5", "cvc5-gpl@1.4.2", "cvc4@1.6")) == ("cvc5",)
    assert profile_of("cvc5-gpl@1.2.0") is GPL


def test_finite_fields_and_their_licence_come_with_a_product_of_its_own() -> None:
    assert GPL.claims("QF_FF")
    assert not PROFILE.claims("QF_FF")
    assert GPL.packages == ("cvc5-gpl",)
    assert not GPL.is_bundled
    assert "GPL" in GPL.licence
    assert "GPL" not in PROFILE.licence


def test_a_release_that_keeps_echoed_text_to_itself_does_not_stay_warm() -> None:
    assert CVC4.warm_arguments("1.6") is None
    assert CVC4.warm_arguments("1.8") == CVC4.interactive
    assert PROFILE.warm_arguments("1.0.3") == PROFILE.interactive
    assert PROFILE.warm_arguments("1.1.0") is None
