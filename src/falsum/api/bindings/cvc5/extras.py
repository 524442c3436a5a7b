"""Actions of cvc5 beyond the commands of SMT-LIB.

Many need an option that excludes others, or that makes cvc5 solve differently. Where it is on, the solver
under test carries them out; in other runs it is a fresh solver with the same assertions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cvc5
from cvc5 import Kind

from .queries import query_term, read_proof

# Before 1.2 solvers cannot share terms.
SHARES_TERMS = hasattr(cvc5, "TermManager")


def extra(name: str, args: list[str], returns: str = "nothing", **more: Any) -> dict[str, Any]:
    return {"name": name, "args": args, "returns": returns, **more}


ANSWERED = ["sat", "unsat"]
MODEL = {"states": ["sat"], "needs": ["models"]}
BLOCKING = {"states": ["sat"], "needs": ["models", "incremental"]}
EXTRAS = [
    # Before 1.2 it uses the assertions, so the result is equal only under them.
    extra("simplify", ["term"], "equal" if SHARES_TERMS else "text", weight=4),
    extra("simplify-here", ["term"], "equal-under-assertions", states=ANSWERED, weight=3),
    extra("substitute", ["term", "input", "same-sort"], "term", weight=2),
    extra("inspect", ["any"], "text", weight=2),
    extra("abduct", ["formula"], "abduct", states=["check_sat"], weight=0.2),
    extra("abduct-here", ["formula"], "abduct", states=["check_sat"], weight=2, needs=["abducts"]),
    extra(
        "interpolant-here",
        ["formula"],
        "goal-interpolant",
        states=["check_sat"],
        weight=4,
        needs=["interpolants"],
    ),
    extra("abduct-next", ["formula"], "abduct", states=["check_sat"], weight=0.1),
    extra(
        "interpolant",
        ["asserted"],
        "interpolant",
        states=["unsat"],
        precondition="unsat assertions",
        weight=4,
    ),
    extra(
        "interpolant-next",
        ["asserted"],
        "interpolant",
        states=["unsat"],
        precondition="unsat assertions",
        weight=1,
    ),
    extra("eliminate", ["quantifier"], "equal", weight=2),
    extra("eliminate-disjunct", ["quantifier"], "text", weight=1),
    extra("block-model", ["LITERALS|VALUES"], "text", ends_check=True, weight=3, **BLOCKING),
    extra("block-values", ["term"], "other-value", ends_check=True, weight=4, **BLOCKING),
    extra("model-core", ["input"], "text", weight=1, **MODEL),
    extra("domain", [], "text", weight=1, **MODEL),
    # In 1.4.2 it raises a TypeError if there is a result.
    extra("difficulty", [], "text", states=ANSWERED, weight=0.2),
    extra("proof", [], "text", states=["unsat"], precondition="unsat assertions", weight=3),
    extra("timeout-core", [], "core", states=["unsat"], precondition="unsat assertions", weight=2),
    extra("timeout-core-assuming", ["formula"], "text", states=["check_sat"], ends_check=True, weight=0.3),
    extra("core-lemmas", [], "text", states=["unsat"], precondition="unsat assertions", weight=1),
    extra("learned", ["LEARNED"], "implied", states=ANSWERED, weight=2),
    extra("instantiations", [], "text", states=ANSWERED, weight=0.5),
    extra("read-back", [], "verdict", states=ANSWERED, weight=2),
    extra("statistics", [], "nothing", states=["check_sat"], weight=0.5),
    extra("info", ["name|version|status|assertion-stack-levels"], "text", states=ANSWERED, weight=0.5),
]
# Options of the additional solvers, which have terms of all theories.
EXPERIMENTAL = ("arrays-exp", "sets-exp", "fp-exp")
# Actions that need no second solver.
WITHOUT_SECOND_SOLVER = frozenset(["simplify", "substitute", "inspect", "statistics", "info"])


def supported_extras() -> list[dict[str, Any]]:
    """The actions of this release."""
    extras = []
    for each in EXTRAS:
        if each["args"] == ["LEARNED"]:
            literal_type = getattr(cvc5, "LearnedLitType", None)
            each["args"] = (
                ["|".join(kind.name for kind in literal_type)] if literal_type is not None else ["-"]
            )
        if SHARES_TERMS or each["name"] in WITHOUT_SECOND_SOLVER:
            extras.append(each)
    return extras


class Cvc5Extras:
    """The actions on a binding's term manager, solver and definitions."""

    def __init__(self, binding: Any) -> None:
        self.binding = binding
        self.calls: dict[str, Callable[..., Any]] = {
            "simplify": lambda term: binding.solver.simplify(term),  # noqa: PLW0108 - each run has another solver
            "simplify-here": lambda term: binding.solver.simplify(term, True),
            "substitute": lambda term, old, new: term.substitute(old, new),
            "inspect": lambda term: "; ".join(query_term(term)),
            "abduct": self.abduct,
            "abduct-next": lambda goal: self.abduct(goal, again=True),
            "abduct-here": self.abduct_here,
            "interpolant-here": self.interpolant_here,
            "interpolant": self.interpolant,
            "interpolant-next": lambda term: self.interpolant(term, again=True),
            "eliminate": lambda term: self.fresh([]).getQuantifierElimination(term),
            "eliminate-disjunct": lambda term: str(self.fresh([]).getQuantifierEliminationDisjunct(term)),
            "block-model": self.block_model,
            "block-values": self.block_values,
            "model-core": lambda term: str(binding.solver.isModelCoreSymbol(term)).lower(),
            "domain": self.domain,
            "difficulty": self.difficulty,
            "proof": self.proof,
            "timeout-core": self.timeout_core,
            "timeout-core-assuming": self.timeout_core_assuming,
            "core-lemmas": self.core_lemmas,
            "learned": self.learned,
            "instantiations": lambda: str(binding.solver.getInstantiations()),
            "read-back": self.read_back,
            "statistics": self.statistics,
            "info": lambda flag: str(binding.solver.getInfo(flag)),
        }

    def run(self, name: str, args: list[Any]) -> Any:
        return self.calls[name](*args)

    def assertions(self) -> list[Any]:
        return list(self.binding.solver.getAssertions())

    def fresh(self, terms: list[Any], **options: str) -> Any:
        """A fresh solver with these assertions and the definitions."""
        solver = cvc5.Solver(self.binding.manager)
        for name, value in options.items():
            solver.setOption(name.replace("_", "-"), value)
        for name in EXPERIMENTAL:
            if name in solver.getOptionNames():
                solver.setOption(name, "true")
        if self.binding.logic.startswith("HO_"):
            solver.setLogic(self.binding.logic)
        for term in (*self.binding.definition_formulas(), *terms):
            solver.assertFormula(term)
        return solver

    # -- formulas -----------------------------------------------------------------------------

    def abduct(self, goal: Any, *, again: bool = False) -> str:
        """An abduct; "" if there is none, or if there are definitions."""
        if self.binding.definitions:
            return ""
        solver = self.fresh(self.assertions(), produce_abducts="true", incremental="true")
        abduct = solver.getAbduct(goal)
        if again and not abduct.isNull():
            abduct = solver.getAbductNext()
        return "" if abduct.isNull() else str(abduct)

    def interpolant(self, term: Any, *, again: bool = False) -> str:
        """An interpolant of one assertion and all others; "" if there is none, or with definitions."""
        others = [each for each in self.assertions() if each != term]
        if self.binding.definitions or not others:
            return ""
        manager = self.binding.manager
        goal = others[0].notTerm()
        if len(others) > 1:
            goal = manager.mkTerm(Kind.OR, *(each.notTerm() for each in others))
        solver = self.fresh([term], produce_interpolants="true", incremental="true")
        interpolant = solver.getInterpolant(goal)
        if again and not interpolant.isNull():
            interpolant = solver.getInterpolantNext()
        return "" if interpolant.isNull() else str(interpolant)

    def abduct_here(self, goal: Any) -> str:
        """An abduct of the solver under test."""
        abduct = None if self.binding.definitions else self.binding.solver.getAbduct(goal)
        return "" if abduct is None or abduct.isNull() else str(abduct)

    def interpolant_here(self, goal: Any) -> str:
        """An interpolant of all assertions of the solver under test and a goal."""
        interpolant = None if self.binding.definitions else self.binding.solver.getInterpolant(goal)
        return "" if interpolant is None or interpolant.isNull() else str(interpolant)

    def checked(self, option: str, **more: str) -> tuple[Any, str]:
        """A solver with an option on, and its verdict on all assertions: the solver under test if it has the
        option, with "" as the verdict; otherwise a fresh one.

        An answer under assumptions says nothing about the assertions, and definitions count as assumptions
        in some explanations.
        """
        binding = self.binding
        if binding.options.get(option) == "true" and not (binding.assumptions or binding.definitions):
            return binding.solver, ""
        solver = self.fresh(self.assertions(), **{option.replace("-", "_"): "true"}, **more)
        return solver, str(solver.checkSat())

    def learned(self, kind: str) -> str:
        solver, _verdict = self.checked("produce-learned-literals")
        literals = solver.getLearnedLiterals(getattr(cvc5.LearnedLitType, kind))
        return self.conjunction(literals)

    def conjunction(self, terms: list[Any]) -> str:
        if len(terms) < 2:
            return "".join(map(str, terms))
        return str(self.binding.manager.mkTerm(Kind.AND, *terms))

    def timeout_core(self) -> Any:
        """The terms of an unsatisfiable timeout core."""
        solver = self.fresh(self.assertions(), produce_unsat_cores="true", timeout_core_timeout="500")
        result, core = solver.getTimeoutCore()
        return self.binding.without_definitions(core) if result.isUnsat() else ""

    def timeout_core_assuming(self, term: Any) -> str:
        solver = self.fresh(self.assertions(), produce_unsat_cores="true", timeout_core_timeout="500")
        result, core = solver.getTimeoutCoreAssuming(term)
        if any(each != term for each in core):
            raise ValueError(f"the core has a term that was not assumed: {core}")
        return str(result)

    # -- models ------------------------------------------------------------------------------------

    def block_model(self, mode: str) -> str:
        """The verdict after the model is blocked, on a level that is popped afterwards."""
        solver = self.binding.solver
        solver.push()
        try:
            if not solver.checkSat().isSat():
                return ""
            solver.blockModel(getattr(cvc5.BlockModelsMode, mode))
            return str(solver.checkSat())
        finally:
            solver.pop()

    def block_values(self, term: Any) -> str:
        """A term's value and, after a tab, another value once that is blocked, if there is one."""
        solver = self.binding.solver
        solver.push()
        try:
            if not solver.checkSat().isSat():
                return ""
            before = solver.getValue(term)
            solver.blockModelValues([term])
            result = solver.checkSat()
            if result.isUnknown():
                return ""
            return f"{before}\t{solver.getValue(term) if result.isSat() else ''}"
        finally:
            solver.pop()

    def domain(self) -> str:
        elements = [self.binding.solver.getModelDomainElements(sort) for sort in self.binding.declared_sorts]
        return "; ".join(" ".join(map(str, each)) for each in elements)

    # -- explanations ---------------------------------------------------------------------------------------

    def difficulty(self) -> str:
        """Difficulties; each must belong to an assertion."""
        solver, _verdict = self.checked("produce-difficulty")
        assertion_ids = {term.getId() for term in solver.getAssertions()}
        difficulty = solver.getDifficulty()
        unknown = [term for term in difficulty if term.getId() not in assertion_ids]
        if unknown:
            raise ValueError(f"difficulty of a term that was never asserted: {unknown[0]}")
        return " ".join(map(str, difficulty.values()))

    def proof(self) -> str:
        """Check that proofs derive false from nothing but assertions; return the rules with their counts."""
        solver, verdict = self.checked("produce-proofs")
        if verdict not in ("", "unsat"):
            return ""
        rules: dict[str, int] = {}
        assertion_ids = {term.getId() for term in solver.getAssertions()}
        for root in solver.getProof():
            inner = root
            while inner.getRule().name == "SCOPE":
                unknown = [term for term in inner.getArguments() if term.getId() not in assertion_ids]
                if unknown:
                    raise ValueError(f"the proof assumes a term that was never asserted: {unknown[0]}")
                (inner,) = inner.getChildren()
            if str(inner.getResult()) != "false":
                raise ValueError(f"the proof derives {inner.getResult()}, not false")
            read_proof(root, rules)
            solver.proofToString(root)
        return " ".join(f"{rule}:{count}" for rule, count in sorted(rules.items()))

    def core_lemmas(self) -> str:
        solver = self.fresh(self.assertions(), produce_unsat_cores="true", unsat_cores_mode="sat-proof")
        if not solver.checkSat().isUnsat():
            return ""
        return " ".join(map(str, solver.getUnsatCoreLemmas()))

    def statistics(self) -> None:
        statistics = self.binding.solver.getStatistics()
        for _name, _value in statistics:
            pass
        if SHARES_TERMS:
            self.binding.manager.getStatistics()

    # -- text --------------------------------------------------------------------------------------

    def read_back(self) -> str:
        """The verdict of a solver that parses the assertions; "" if not all declarations can be printed."""
        script = self.binding.declared_script(self.assertions())
        if not script:
            return ""
        solver = cvc5.Solver(self.binding.manager)
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "falsum")
        symbols = parser.getSymbolManager()
        answer = ""
        while not (command := parser.nextCommand()).isNull():
            answer = command.invoke(solver, symbols).strip() or answer
        if answer not in ("sat", "unsat", "unknown"):
            raise ValueError(f"cvc5 does not read what it prints: {answer}")
        return str(answer)
