"""Laws that z3 does not prove within ten seconds, and why; `bench.language.laws` tries them as well."""

from __future__ import annotations

from typing import Final

_DIVISIBLE: Final = "z3 5.4 does not know the standard (_ divisible n); cvc5 proves it"
_CHAIN: Final = "both solvers take str.< and str.<= with two arguments only; chainable by the standard"
_ORDER: Final = "solvers do not reason about lexicographic order and concatenation together"
_INTEGER: Final = "nonlinear or mixed arithmetic: no solver finishes; cvc5 does where its mark says so"
_FLOAT: Final = "the circuit is too large for z3 at (3, 5); Bitwuzla or cvc5 prove it"
_STRING: Final = "z3 runs out of time; cvc5 proves it"
_REPLACE: Final = "z3 does not reason about str.replace_re and str.replace_re_all"
_SETS: Final = "z3's finite sets lack the operator, or z3 runs out of time; cvc5 proves it"

NOT_BY_Z3: Final[dict[str, str]] = {
    **dict.fromkeys(
        """
        divisible-as-mod divisible-multiple divisible-neg divisible-one divisible-stronger-constant
        divisible-sum divisible-weaker-factor divisible-weaker-mod divisible-weaker-scaled
        """.split(),
        _DIVISIBLE,
    ),
    **dict.fromkeys(
        """
        str.le-chain str.le-weaker-ends str.lt-chain str.lt-weaker-ends
        """.split(),
        _CHAIN,
    ),
    **dict.fromkeys(
        """
        str.le-stronger-concat str.le-weaker-concat str.le-weaker-concat-le str.lt-characters
        str.lt-concat-same str.lt-stronger-concat str.lt-weaker-concat
        """.split(),
        _ORDER,
    ),
    **dict.fromkeys(
        """
        is-int-neg is-int-sum is-int-weaker-scaled mod-add mod-add-multiple
        """.split(),
        _INTEGER,
    ),
    **dict.fromkeys(
        """
        fp-fma-one fp-leq-weaker-add fp-to-real-eq fp-to-real-lt
        """.split(),
        _FLOAT,
    ),
    **dict.fromkeys(
        """
        seq.contains-stronger-nth seq.prefixof-as-indexof seq.replace-all-absent
        seq.replace-as-concat str.in-re-contains str.prefixof-as-indexof str.replace-all-absent
        str.replace-as-concat str.to-int-digits
        """.split(),
        _STRING,
    ),
    **dict.fromkeys(
        """
        str.replace-re-all-epsilon str.replace-re-all-none str.replace-re-all-to-re
        str.replace-re-epsilon str.replace-re-none str.replace-re-to-re
        """.split(),
        _REPLACE,
    ),
    **dict.fromkeys(
        """
        set.card-empty set.card-minus set.card-union set.insert-as-union set.insert-member
        set.is-empty-as-eq set.is-empty-stronger-subset set.is-empty-weaker-subset
        set.is-singleton-of set.is-singleton-stronger-eq set.is-singleton-weaker-not-empty
        set.member-weaker-card
        """.split(),
        _SETS,
    ),
}
# Laws that meet points the standard leaves open, where the evaluator rightly cannot say.
UNSAID: Final[frozenset[str]] = frozenset(
    ["cons.tester-as-eq", "more.tester-as-eq", "some.tester-as-eq"]  # selectors of another constructor
)
# Answers that are wrong, each looked at by hand: findings, not doubts about the law.
WRONG: Final[dict[tuple[str, str], str]] = {
    ("z3", "set.card-empty"): "z3 5.4 finds a set of integers that has no element and is not empty",
}
