"""The tactic terms that may be sent: those made of known combinators, tactics and probes.

A tactic may print text of the script's choosing (`echo`), or fail on purpose: only those on these lists are
sent. The lists are those of `(help-tactic)` of z3 4.8.6 to 5.4.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMBINATORS: Final = frozenset(
    "and-then then or-else par-or par-then try-for repeat if cond when using-params with !".split()
)
_OF_PROBES: Final = frozenset("> >= < <= = and or not implies => + - *".split())
_TACTICS: Final = frozenset(
    """
    ackermannize_bv add-bounds aig auflia auflira aufnira aufnra bit-blast blast-term-ite bv
    bv-divrem-bounds
    bv-slice bv1-blast bv_bound_chk bvarray2uf card2bv cofactor-term-ite collect-statistics ctx-simplify
    ctx-solver-simplify default degree-shift demodulator der diff-neq distribute-forall dom-simplify dt2bv
    elim-and elim-predicates elim-small-bv elim-term-ite elim-uncnstr elim-uncnstr2 eq2bv euf-completion
    factor ff-sat ff-simplify ff-solve ff-unique ff2bv fix-dl-var fm fold-unfold fpa2bv horn horn-simplify
    injectivity lia lia2card lia2pb lira lra macro-finder max-bv-sharing nia nla2bv nlqsat nlsat nnf
    normalize-bounds nra occf pb-preprocess pb2bv pqffd propagate-bv-bounds propagate-bv-bounds-new
    propagate-bv-bounds2
    propagate-ineqs propagate-values propagate-values2 psat psmt purify-arith qe qe-light qe-sat qe2 qe_rec
    qfaufbv qfauflia qfbv qfbv-sls qffd qffp qffpbv qffplra qfidl qflia qflra qfnia qfnra qfnra-nlsat qfuf
    qfufbv qfufbv_ackr qsat quasi-macros recover-01 reduce-args reduce-args2 reduce-bv-size
    reduce-invertible
    sat sat-preprocess simplify sine-filter skip sls-smt smt smtfd snf solve-eqs solver-subsumption
    special-relations split-clause subpaving symmetry-reduce tseitin-cnf tseitin-cnf-core ufbv ufbv-rewriter
    uflra ufnia unit-subsume-simplify
    """.split()
)
_PROBES: Final = frozenset(
    """
    ackr-bound-probe arith-avg-bw arith-avg-deg arith-max-bw arith-max-deg depth has-patterns
    has-quantifiers
    is-ilp is-lia is-lira is-lra is-nia is-nira is-nra is-pb is-propositional is-qfaufbv is-qfauflia is-qfbv
    is-qfbv-eq is-qffp is-qffpbv is-qffplra is-qflia is-qflira is-qflra is-qfnia is-qfnra is-qfufnra
    is-quasi-pb is-unbounded memory num-arith-consts num-bool-consts num-bv-consts num-consts num-exprs
    produce-model produce-proofs produce-unsat-cores size
    """.split()
)
_HEADS: Final = _COMBINATORS | _OF_PROBES
_ATOMS: Final = _TACTICS | _PROBES
_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?\Z")


def is_harmless(tokens: Sequence[str]) -> bool:
    """Whether the tokens of a tactic term are all on the lists, apart from parameters with their values."""
    before = ""
    for token in tokens:
        if before == "(":
            if token not in _HEADS and token not in _ATOMS:
                return False
        elif token in "()" or token[0] == ":" or before[:1] == ":":
            pass
        elif token not in _ATOMS and not _NUMBER.match(token):
            return False
        before = token
    return True
