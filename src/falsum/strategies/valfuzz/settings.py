"""ValFuzzSettings: the parameters of valfuzz, and the configurations of the thesis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from falsum.strategies.parameters import parameter, share
from falsum.strategies.valfuzz.meta_formula import Refinements

_BASIC: Final = (
    "adomain=false,multief=1,relc=0,maxsmt=0,keep=0,near=0,claimed=0,relax=false,wide=false,lets=false,"
    "lazy=true,compare=1,answers=false,witnessed=false,varied=1,evaluated=0"
)
_BLEND_B: Final = f"{_BASIC},adomain=true,relc=3,multief=7"


@dataclass(frozen=True, slots=True)
class ValFuzzSettings:
    """The parameters of valfuzz: the refinements of the thesis by their names, and extensions.

    `multief` constraints are enforced at once, `relc` constants are related. `drawn` is "" for coercion,
    "uniform" for the random baseline of the thesis, "corners" for one biased to corner cases. Extensions:
    `models` is the number of models per enforcement; `maxsmt` the share of enforcements with soft constraints
    for corner cases; `keep` the share of those that change only one to three constants, `near` that of those
    with constants near the seed's, `claimed` that of those with the skeleton asserted, too; `relax` enforces
    a target alone if it conflicts with others; `lazy` skips targets that a model has shown already; `wide`
    adds abstract domains for more sorts; `lets` ties the variables of lets to their values. A share
    `compare` of the enforcements are mutants as well, and the skeleton is; with `answers` each solver's model
    of such an enforcement gives a value mutant. Solvers get one of `numbers` random seeds and a time limit of
    `seconds`. Falsum's own evaluator tries a share `evaluated` of the other enforcements before a solver,
    with local search over `evaluations` models at most for each of `samples` assignments. `witnessed` claims
    sat for a value mutant that the model of its enforcement satisfies; `measured` finds out which values
    monitors take in models of value mutants.

    At most `watched` sub-expressions have monitors, none with more than `largest` subterms; an enforcement
    with longer monitors than `longest` characters has those alone that are enforced. Lineages say so.
    """

    # The configurations of Table V of the thesis, a stronger random baseline, and the extensions.
    configurations: ClassVar[Mapping[str, str]] = {
        "rbase": f"{_BASIC},drawn=uniform",
        "rcorner": f"{_BASIC},drawn=corners",
        "skolu": _BASIC,
        "adomain": f"{_BASIC},adomain=true",
        "adomaine": f"{_BASIC},adomaine=true",
        "cpog": f"{_BASIC},cpog=true",
        "effinal": f"{_BASIC},effinal=true",
        "leafopt": f"{_BASIC},leafopt=true",
        "multief7": f"{_BASIC},multief=7",
        "noskole": f"{_BASIC},skolu=false,noskole=true",
        "relc3": f"{_BASIC},relc=3",
        "blenda": f"{_BASIC},adomain=true,cpog=true",
        "blendb": _BLEND_B,
        "blendbleaf": f"{_BLEND_B},leafopt=true",
        "sampling3": f"{_BLEND_B},models=3",
        "maxsmt": f"{_BLEND_B},maxsmt=1",
        "keep": f"{_BLEND_B},keep=1",
        "paper": _BLEND_B,
        "default": "",
    }

    name: str = "valfuzz"
    arity: int = 1
    adomain: bool = parameter(True, "monitors for the abstract domains of the seed's variables (ADOMAIN)")
    adomaine: bool = parameter(False, "the same for all sub-expressions (ADOMAINE)")
    cpog: bool = parameter(False, "one meta-formula with the skeleton asserted, one with it negated (CPOG)")
    effinal: bool = parameter(False, "what was enforced is asserted in the value mutant, too (EFFINAL)")
    leafopt: bool = parameter(False, "monitors only for innermost Boolean sub-expressions (LEAFOPT)")
    multief: int = parameter(7, "constraints enforced at once (MULTIEF)", least=1)
    skolu: bool = parameter(True, "universal quantifiers are skolemised, else copied (SKOLU)")
    noskole: bool = parameter(False, "existential quantifiers are copied, else skolemised (NOSKOLE)")
    relc: int = parameter(3, "holes between which relations are monitored (RELC)")
    drawn: str = parameter("", "random constants instead of coercion", choices=("", "uniform", "corners"))
    models: int = parameter(1, "models with different constants per enforcement", least=1)
    maxsmt: float = share(0.2, "share of enforcements with soft constraints for corner cases")
    keep: float = share(0.5, "share of enforcements that change only one to three constants")
    near: float = share(0.3, "share of enforcements with constants near the seed's, not zero or empty")
    claimed: float = share(0.3, "share of enforcements with the skeleton asserted: value mutants are sat")
    relax: bool = parameter(True, "a target that conflicts with other constraints is enforced alone")
    lazy: bool = parameter(False, "targets that a model has shown already are not enforced")
    wide: bool = parameter(True, "abstract domains for bit-vectors and sequences, too")
    compare: float = share(0.3, "share of enforcements that are mutants, too; with 0 the skeleton is none")
    answers: bool = parameter(
        True, "each solver's model of an enforcement that is a mutant has its constants"
    )
    numbers: int = parameter(100, "random seeds given to solvers; 0 for none")
    lets: bool = parameter(True, "variables of lets are tied to their values, else free")
    witnessed: bool = parameter(True, "value mutants that a model satisfies are claimed sat")
    measured: bool = parameter(False, "a solver is asked which values monitors have in value mutants")
    varied: float = share(0.5, "share of solver calls with random seeds and options that change models")
    evaluated: float = share(
        0.5, "share of enforcements that falsum's evaluator tries to solve before a solver is asked"
    )
    evaluations: int = parameter(200, "models that the evaluator tries for an assignment, at most", least=1)
    samples: int = parameter(3, "assignments of the evaluator for an enforcement, at most", least=1)
    watched: int = parameter(200, "sub-expressions with monitors, at most", least=1)
    largest: int = parameter(2000, "subterms of a sub-expression with a monitor, at most", least=1)
    longest: int = parameter(
        65_536, "characters of an enforcement's monitors, at most: beyond it has only those enforced"
    )
    seconds: float = parameter(
        1.0, "time limit of a solver call, in seconds; campaigns allow 1 unless it is more"
    )

    @property
    def refinements(self) -> Refinements:
        return Refinements(
            self.adomain,
            self.adomaine,
            self.cpog,
            self.leafopt,
            self.skolu,
            self.noskole,
            self.relc,
            self.wide,
            self.lets,
            self.watched,
            self.largest,
            self.longest,
        )
