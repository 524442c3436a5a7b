"""What cvc5 can do beyond SMT-LIB's commands; loaded by `cvc5.py` in the child.

Many of these need an option that turns others away, or with which cvc5 takes another path: they are asked
of a fresh solver that is told the same.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

cvc5: Any = importlib.import_module("cvc5")
Kind: Any = cvc5.Kind
SHARED = hasattr(cvc5, "TermManager")  # before 1.2 no two solvers could share terms
MODES = ("LITERALS", "VALUES")


def extra(name: str, takes: list[str], gives: str = "nothing", **more: Any) -> dict[str, Any]:
    return {"name": name, "takes": takes, "gives": gives, **more}


ANY = ["sat", "unsat"]
EXTRAS = [
    # Before 1.2 it uses what is asserted: equal only where that holds.
    extra("simplify", ["term"], "equal" if SHARED else "text", weight=4),
    extra("simplify-here", ["term"], "equal-here", states=ANY, weight=3),
    extra("substitute", ["term", "input", "same"], "term", weight=2),
    extra("inspect", ["any"], "text", weight=2),
    extra("abduct", ["formula"], "abduct", states=["check_sat"], weight=0.2),
    extra("abduct-next", ["formula"], "abduct", states=["check_sat"], weight=0.1),
    extra("interpolant", ["asserted"], "interpolant", states=["unsat"], needs="plain unsat", weight=4),
    extra("interpolant-next", ["asserted"], "interpolant", states=["unsat"], needs="plain unsat", weight=1),
    extra("eliminate", ["quantified"], "equal", weight=2),
    extra("eliminate-disjunct", ["quantified"], "text", weight=1),
    extra("block-model", ["LITERALS|VALUES"], "text", states=["sat"], ends=True, weight=3),
    extra("block-values", ["term"], "blocked", states=["sat"], ends=True, weight=4),
    extra("model", [], "text", states=["sat"], weight=2),
    extra("model-core", ["input"], "text", states=["sat"], weight=1),
    extra("domain", [], "text", states=["sat"], weight=1),
    # In 1.4.2 it raises a TypeError wherever there is something to tell.
    extra("difficulty", [], "text", states=ANY, weight=0.2),
    extra("proof", [], "text", states=["unsat"], needs="plain unsat", weight=3),
    extra("timeout-core", [], "core", states=["unsat"], needs="plain unsat", weight=2),
    extra("timeout-core-assuming", ["formula"], "text", states=["check_sat"], ends=True, weight=0.3),
    extra("core-lemmas", [], "text", states=["unsat"], needs="plain unsat", weight=1),
    extra("learned", ["LEARNED"], "implied", states=ANY, weight=2),
    extra("instantiations", [], "text", states=ANY, weight=0.5),
    extra("read-back", [], "verdict", states=ANY, weight=2),
    extra("statistics", [], "nothing", states=["check_sat"], weight=0.5),
    extra("info", ["name|version|status|assertion-stack-levels"], "text", states=ANY, weight=0.5),
]
ALONE = frozenset(["simplify", "substitute", "inspect", "statistics", "info"])


def declared() -> list[dict[str, Any]]:
    """Those this release has."""
    found = []
    for each in EXTRAS:
        if each["takes"] == ["LEARNED"]:
            learned = getattr(cvc5, "LearnedLitType", None)
            each["takes"] = ["|".join(kind.name for kind in learned)] if learned is not None else ["-"]
        if SHARED or each["name"] in ALONE:
            found.append(each)
    return found


class Extras:
    """The actions, of a binding: its manager, its solver, its definitions."""

    def __init__(self, binding: Any) -> None:
        self.binding = binding
        self.calls: dict[str, Callable[..., Any]] = {
            "simplify": lambda term: binding.solver.simplify(term),  # noqa: PLW0108 - it changes with each run
            "simplify-here": lambda term: binding.solver.simplify(term, True),
            "substitute": lambda term, old, new: term.substitute(old, new),
            "inspect": lambda term: "; ".join(inspected(term)),
            "abduct": self.abduct,
            "abduct-next": lambda goal: self.abduct(goal, again=True),
            "interpolant": self.interpolant,
            "interpolant-next": lambda term: self.interpolant(term, again=True),
            "eliminate": lambda term: self.fresh([]).getQuantifierElimination(term),
            "eliminate-disjunct": lambda term: str(self.fresh([]).getQuantifierEliminationDisjunct(term)),
            "block-model": self.block_model,
            "block-values": self.block_values,
            "model": self.model,
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

    def told(self) -> list[Any]:
        return list(self.binding.solver.getAssertions())

    def fresh(self, terms: list[Any], **options: str) -> Any:
        """A solver of its own that is told these, and what is defined."""
        solver = cvc5.Solver(self.binding.manager)
        for name, value in options.items():
            solver.setOption(name.replace("_", "-"), value)
        for name in ("arrays-exp", "sets-exp"):
            solver.setOption(name, "true")
        if self.binding.logic.startswith("HO_"):
            solver.setLogic(self.binding.logic)
        for term in (*self.binding.definition_formulas(), *terms):
            solver.assertFormula(term)
        return solver

    # -- by definition -----------------------------------------------------------------------------

    def abduct(self, goal: Any, *, again: bool = False) -> str:
        """Nothing where there is none, or where definitions would have to be told."""
        if self.binding.definitions:
            return ""
        solver = self.fresh(self.told(), produce_abducts="true", incremental="true")
        found = solver.getAbduct(goal)
        if again and not found.isNull():
            found = solver.getAbductNext()
        return "" if found.isNull() else str(found)

    def interpolant(self, term: Any, *, again: bool = False) -> str:
        """Between this and all the others, which say together that it is false."""
        others = [each for each in self.told() if each != term]
        if self.binding.definitions or not others:
            return ""
        manager = self.binding.manager
        goal = others[0].notTerm()
        if len(others) > 1:
            goal = manager.mkTerm(Kind.OR, *(each.notTerm() for each in others))
        solver = self.fresh([term], produce_interpolants="true", incremental="true")
        found = solver.getInterpolant(goal)
        if again and not found.isNull():
            found = solver.getInterpolantNext()
        return "" if found.isNull() else str(found)

    def learned(self, kind: str) -> str:
        solver = self.fresh(self.told(), produce_learned_literals="true")
        solver.checkSat()
        found = solver.getLearnedLiterals(getattr(cvc5.LearnedLitType, kind))
        return self.conjunction(found)

    def conjunction(self, terms: list[Any]) -> str:
        if len(terms) < 2:
            return "".join(map(str, terms))
        return str(self.binding.manager.mkTerm(Kind.AND, *terms))

    def timeout_core(self) -> Any:
        """The terms of an unsatisfiable one, by name."""
        solver = self.fresh(self.told(), produce_unsat_cores="true", timeout_core_timeout="500")
        result, core = solver.getTimeoutCore()
        defined = {term.getId() for term in self.binding.definition_formulas()}
        return [term for term in core if term.getId() not in defined] if result.isUnsat() else ""

    def timeout_core_assuming(self, term: Any) -> str:
        solver = self.fresh(self.told(), produce_unsat_cores="true", timeout_core_timeout="500")
        result, core = solver.getTimeoutCoreAssuming(term)
        if any(each != term for each in core):
            raise ValueError(f"in the core, but not assumed: {core}")
        return str(result)

    # -- models ------------------------------------------------------------------------------------

    def block_model(self, mode: str) -> str:
        """On a level of its own, so that nothing stays."""
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
        """The value it had, then the one it has instead; nothing instead if there is no other."""
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

    def model(self) -> str:
        return str(self.binding.solver.getModel(self.binding.own_sorts, self.binding.constants))

    def domain(self) -> str:
        found = [self.binding.solver.getModelDomainElements(sort) for sort in self.binding.own_sorts]
        return "; ".join(" ".join(map(str, each)) for each in found)

    # -- why ---------------------------------------------------------------------------------------

    def difficulty(self) -> str:
        """Every formula it speaks of is one it was told."""
        solver = self.fresh(self.told(), produce_difficulty="true")
        solver.checkSat()
        told = {term.getId() for term in solver.getAssertions()}
        found = solver.getDifficulty()
        strange = [term for term in found if term.getId() not in told]
        if strange:
            raise ValueError(f"the difficulty of what was never asserted: {strange[0]}")
        return " ".join(map(str, found.values()))

    def proof(self) -> str:
        """It ends in false, and assumes only what was told; how many steps, and which rules."""
        solver = self.fresh(self.told(), produce_proofs="true")
        if not solver.checkSat().isUnsat():
            return ""
        rules: dict[str, int] = {}
        told = {term.getId() for term in solver.getAssertions()}
        for root in solver.getProof():
            inner = root
            while inner.getRule().name == "SCOPE":
                strange = [term for term in inner.getArguments() if term.getId() not in told]
                if strange:
                    raise ValueError(f"the proof assumes what was never asserted: {strange[0]}")
                (inner,) = inner.getChildren()
            if str(inner.getResult()) != "false":
                raise ValueError(f"a proof of {inner.getResult()}, not of false")
            read_proof(root, rules)
            solver.proofToString(root)
        return " ".join(f"{rule}:{count}" for rule, count in sorted(rules.items()))

    def core_lemmas(self) -> str:
        solver = self.fresh(self.told(), produce_unsat_cores="true", unsat_cores_mode="sat-proof")
        if not solver.checkSat().isUnsat():
            return ""
        return " ".join(map(str, solver.getUnsatCoreLemmas()))

    def statistics(self) -> None:
        found = self.binding.solver.getStatistics()
        for _name, _value in found:
            pass
        if SHARED:
            self.binding.manager.getStatistics()

    # -- text --------------------------------------------------------------------------------------

    def read_back(self) -> str:
        """The verdict of a solver that reads what was told as a script; "" where it has no words for it."""
        script = self.binding.script(self.told())
        if not script:
            return ""
        solver = cvc5.Solver(self.binding.manager)
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "falsum")
        symbols = parser.getSymbolManager()
        said = ""
        while not (command := parser.nextCommand()).isNull():
            said = command.invoke(solver, symbols).strip() or said
        if said not in ("sat", "unsat", "unknown"):
            raise ValueError(f"its own print is refused: {said}")
        return said


def read_proof(root: Any, rules: dict[str, int]) -> None:
    """Everything there is to read in it."""
    todo, seen = [root], set()
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        rule = str(node.getRule().name)
        rules[rule] = rules.get(rule, 0) + 1
        node.getResult()
        node.getArguments()
        if "REWRITE" in rule and rule.startswith("DSL"):
            node.getRewriteRule()
        todo.extend(node.getChildren())


# Which sort has which questions of its own.
QUESTIONS = {
    "isArray": ("getArrayIndexSort", "getArrayElementSort"),
    "isBag": ("getBagElementSort",),
    "isBitVector": ("getBitVectorSize",),
    "isFloatingPoint": ("getFloatingPointExponentSize", "getFloatingPointSignificandSize"),
    "isFunction": ("getFunctionArity", "getFunctionDomainSorts", "getFunctionCodomainSort"),
    "isSequence": ("getSequenceElementSort",),
    "isSet": ("getSetElementSort",),
    "isTuple": ("getTupleLength", "getTupleSorts"),
    "isNullable": ("getNullableElementSort",),
    "isDatatype": ("getDatatypeArity", "getDatatype"),
    "isInstantiated": ("getInstantiatedParameters",),
}
DATATYPE = (
    "getName", "getNumConstructors", "isCodatatype", "isParametric", "isRecord", "isTuple",
    "isWellFounded",
)  # fmt: skip
VALUES = {
    "isBooleanValue": "getBooleanValue", "isBitVectorValue": "getBitVectorValue",
    "isIntegerValue": "getIntegerValue", "isRealValue": "getRealValue", "isStringValue": "getStringValue",
    "isRoundingModeValue": "getRoundingModeValue", "isFloatingPointValue": "getFloatingPointValue",
    "isSetValue": "getSetValue", "isSequenceValue": "getSequenceValue", "isTupleValue": "getTupleValue",
    "isConstArray": "getConstArrayBase", "isUninterpretedSortValue": "getUninterpretedSortValue",
    "isFiniteFieldValue": "getFiniteFieldValue", "isCardinalityConstraint": "getCardinalityConstraint",
}  # fmt: skip


def inspected(term: Any) -> list[str]:
    """What can be asked about a term and its sort: all that is allowed to be asked answers."""
    found = [str(term.getKind().name)]
    if hasattr(term, "hasSymbol") and term.hasSymbol():
        found.append(str(term.getSymbol()))
    if term.hasOp():
        operator = term.getOp()
        places = range(operator.getNumIndices()) if operator.isIndexed() else range(0)
        found.append(f"{operator.getKind().name} {[str(operator[place]) for place in places]}")
    for asked, told in VALUES.items():
        if hasattr(term, asked) and getattr(term, asked)():
            found.append(f"{told} {getattr(term, told)()}")
    if term.getKind() == Kind.CONST_FLOATINGPOINT:
        found += [name for name in dir(term) if name.startswith("isFloatingPoint") and getattr(term, name)()]
    sort = term.getSort()
    for name in sorted(each for each in dir(sort) if each.startswith("is")):
        if getattr(sort, name)():
            found += [f"{asked} {getattr(sort, asked)()}" for asked in QUESTIONS.get(name, ())]
    if sort.isDatatype():
        datatype = sort.getDatatype()
        found += [f"{asked} {getattr(datatype, asked)()}" for asked in DATATYPE]
        if not datatype.isParametric():
            found.append(f"isFinite {datatype.isFinite()}")
    return [" ".join(each.split()) for each in found]
