"""Actions of z3 beyond the commands of SMT-LIB."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .library import core, inner, z3
from .queries import query_model, query_term

ANSWERED = ["sat", "unsat"]
ELIMINATION_TACTICS = ("qe", "qe2", "qe_rec")
# Limits of the additional solvers that actions start: resources for about a tenth of a second, so that a
# replay stops at the same point, and a time limit in milliseconds.
RESOURCES = 100_000
TIMEOUT = 1000


def limit(solver: Any) -> None:
    solver.set(timeout=TIMEOUT, rlimit=RESOURCES)


def extra(name: str, args: list[str], returns: str = "nothing", **more: Any) -> dict[str, Any]:
    return {"name": name, "args": args, "returns": returns, **more}


EXTRAS = [
    extra("simplify", ["term"], "equal", weight=4),
    extra(
        "simplify-so", ["term", "som|mul_to_power|pull_cheap_ite|sort_sums|blast_distinct|elim_ite"], "equal"
    ),
    extra("substitute", ["term", "input", "same-sort"], "term", weight=2),
    extra("inspect", ["any"], "text", weight=2),
    extra("model", [], "text", states=["sat"], weight=3),
    extra("translate", ["term"], "text", weight=0.1),
    extra("maximum", ["numeric"], "maximum", states=["sat"], weight=4),
    extra("minimum", ["numeric"], "minimum", states=["sat"], weight=4),
    extra("soft", ["formula", "formula"], "text", states=["sat"], weight=2),
    extra("lexicographic", ["numeric", "numeric"], "maximum", states=["sat"], weight=2),
    extra("eliminate", ["quantifier"], "equal", weight=3),
    extra("eliminate-lite", ["quantifier"], "equal", weight=2),
    extra(
        "consequences",
        ["formula", "input", "input"],
        "implied",
        states=["check_sat"],
        ends_check=True,
        weight=1,
    ),
    extra("proof", [], "text", states=["unsat"], precondition="unsat assertions", weight=2),
    # Rare, because each makes another context; in 5.4 translating a solver takes most of a second, and the
    # solver loses its model.
    extra("clone", [], "verdict", states=ANSWERED, ends_check=True, weight=0.03),
    extra("copy", [], "verdict", states=ANSWERED, ends_check=True, weight=0.03),
    extra("read-back", [], "verdict", states=ANSWERED, weight=1.5),
    extra("cubes", [], "verdict", states=ANSWERED, ends_check=True, weight=0.03),
    extra("learned", [], "text", states=ANSWERED, weight=1),
    extra("statistics", [], "nothing", states=["check_sat"], weight=0.5),
    extra("to-smt2", [], "text", states=["assert"], weight=0.5),
    extra("dimacs", [], "text", states=["assert"], weight=0.2),
    extra("reason-unknown", [], "text", states=["check_sat"], weight=0.2),
]


class Z3Extras:
    """The actions on a binding's context and solver."""

    def __init__(self, binding: Any) -> None:
        self.binding = binding
        self.calls: dict[str, Callable[..., Any]] = {
            "simplify": lambda term: z3.simplify(term),  # noqa: PLW0108 - the call recorder replaces `z3`
            "simplify-so": lambda term, option: z3.simplify(term, **{option: True}),
            "substitute": lambda term, old, new: z3.substitute(term, (old, new)),
            "inspect": lambda term: "; ".join(query_term(term)),
            "model": lambda: "; ".join(query_model(binding.solver.model())),
            "translate": lambda term: term.translate(z3.Context()).sexpr(),
            "maximum": lambda term: self.optimum(term, "maximize"),
            "minimum": lambda term: self.optimum(term, "minimize"),
            "soft": self.soft,
            "lexicographic": self.lexicographic,
            "eliminate": self.eliminate,
            "eliminate-lite": self.eliminate_lite,
            "consequences": self.consequences,
            "proof": self.proof,
            "clone": self.clone,
            "copy": self.copy,
            "read-back": self.read_back,
            "cubes": self.cubes,
            "learned": self.learned,
            "statistics": self.statistics,
            "to-smt2": lambda: binding.solver.to_smt2(),  # noqa: PLW0108 - the solver changes
            "dimacs": self.dimacs,
            "reason-unknown": lambda: binding.solver.reason_unknown(),  # noqa: PLW0108 - as above
        }

    def run(self, name: str, args: list[Any]) -> Any:
        return self.calls[name](*args)

    def assertions(self) -> list[Any]:
        """The assertions without the names they are tracked by."""
        assertions = list(self.binding.solver.assertions())
        return [each.arg(1) for each in assertions] if self.binding.is_tracking else assertions

    # -- optima ------------------------------------------------------------------------------------

    def optimize(self) -> Any:
        optimizer = z3.Optimize(ctx=self.binding.context)
        limit(optimizer)
        optimizer.add(*self.assertions())
        return optimizer

    def optimum(self, term: Any, direction: str) -> str:
        """The largest or smallest value of a term; "" if there is none or z3 does not find it."""
        optimize = self.optimize()
        goal = getattr(optimize, direction)(term)
        if str(optimize.check()) != "sat":
            return ""
        value = goal.upper() if direction == "maximize" else goal.lower()
        return self.value_text(value, term)

    def value_text(self, value: Any, term: Any) -> str:
        if not (z3.is_int_value(value) or z3.is_rational_value(value) or z3.is_bv_value(value)):
            return ""  # unbounded, or a supremum that is not attained
        if z3.is_bv(term) and not z3.is_bv_value(value):
            value = z3.BitVecVal(value.as_long(), term.size(), ctx=self.binding.context)
        return str(value.sexpr())

    def lexicographic(self, first: Any, second: Any) -> str:
        """The maximum of the first of two objectives, which takes priority over the second."""
        optimize = self.optimize()
        optimize.set(priority="lex")
        goal = optimize.maximize(first)
        optimize.minimize(second)
        if str(optimize.check()) != "sat":
            return ""
        optimize.objectives()
        return self.value_text(goal.value(), first)

    def soft(self, first: Any, second: Any) -> str:
        """The verdict with two weighted soft assertions; the optimal model must satisfy the hard ones."""
        optimize = self.optimize()
        optimize.add_soft(first, 1)
        optimize.add_soft(second, 2, "other")
        verdict = str(optimize.check())
        if verdict != "sat":
            return verdict
        model = optimize.model()
        false = [term for term in self.assertions() if z3.is_false(model.eval(term, model_completion=True))]
        if false:
            raise ValueError(f"the optimal model falsifies {false[0].sexpr()}")
        return verdict

    # -- quantifiers -------------------------------------------------------------------------------

    def eliminate(self, term: Any) -> Any:
        name = ELIMINATION_TACTICS[self.binding.variant % len(ELIMINATION_TACTICS)]
        if name not in z3.tactics(self.binding.context):
            name = "qe"
        return z3.Tactic(name, ctx=self.binding.context)(term).as_expr()

    def eliminate_lite(self, term: Any) -> Any:
        """Eliminate quantifiers without a tactic; variables that remain are quantified again."""
        if not z3.is_quantifier(term):  # z3 may have simplified it
            return term
        names = [z3.FreshConst(term.var_sort(index), "falsum") for index in range(term.num_vars())]
        body = z3.substitute_vars(term.body(), *reversed(names))
        is_exists = z3.is_quantifier(term) and not term.is_forall()
        variables = z3.AstVector(ctx=self.binding.context)
        for name in names:
            variables.push(name)
        inside = body if is_exists else z3.Not(body)
        vector = core.Z3_qe_lite(self.binding.ref, variables.vector, inside.as_ast())
        result = inner._to_expr_ref(vector, self.binding.context)  # noqa: SLF001 - as z3's own modules do
        if len(variables):
            result = z3.Exists(list(variables), result)
        return result if is_exists else z3.Not(result)

    # -- solvers -----------------------------------------------------------------------------------

    def consequences(self, assumed: Any, *formulas: Any) -> str:
        """The conjunction of the consequences."""
        solver = self.binding.solver
        limit(solver)
        try:
            verdict, implied = solver.consequences([assumed], list(formulas))
        finally:
            solver.set(timeout=4294967295, rlimit=0)
        if str(verdict) != "sat" or not implied:
            return ""
        return str(z3.And(*implied).sexpr())

    def proof(self) -> str:
        """Check that a proof derives false from nothing but assertions; return its number of steps."""
        context = z3.Context("proof", "true")
        solver = z3.Solver(ctx=context)
        assertions = [term.translate(context) for term in self.assertions()]
        solver.add(*assertions)
        limit(solver)
        if str(solver.check()) != "unsat":
            return ""
        root = solver.proof()
        if not z3.is_false(root.arg(root.num_args() - 1)):
            raise ValueError("the proof does not derive false")
        assertion_ids = {term.get_id() for term in assertions}
        rules: dict[str, int] = {}
        todo, seen = [root], set()
        while todo:
            node = todo.pop()
            if node.get_id() in seen or not z3.is_app(node):
                continue
            seen.add(node.get_id())
            rules[node.decl().name()] = rules.get(node.decl().name(), 0) + 1
            if node.decl().kind() == z3.Z3_OP_PR_ASSERTED and node.arg(0).get_id() not in assertion_ids:
                raise ValueError(f"the proof uses an assertion that was never made: {node.arg(0).sexpr()}")
            todo.extend(node.children())
        return str(len(seen))

    def clone(self) -> str:
        """The verdict of a copy of the solver in another context."""
        copied = self.binding.solver.translate(z3.Context())
        limit(copied)
        return str(copied.check())

    def copy(self) -> str:
        copied = self.binding.solver.__copy__()
        limit(copied)
        return str(copied.check())

    def read_back(self) -> str:
        """The verdict of a solver that parses what this one prints."""
        solver = z3.Solver(ctx=z3.Context())
        limit(solver)
        printer = z3.Solver(ctx=self.binding.context)
        printer.add(*self.assertions())
        solver.from_string(printer.to_smt2())
        return str(solver.check())

    def cubes(self) -> str:
        """The verdict by cubes, which cover all cases: sat if one is, unsat if none is."""
        solver = self.binding.solver.translate(self.binding.context)
        limit(solver)
        verdicts = set()
        for count, cube in enumerate(solver.cube()):
            if count == 8:
                return ""
            fresh = z3.Solver(ctx=self.binding.context)
            limit(fresh)
            fresh.add(*self.assertions(), *cube)
            verdicts.add(str(fresh.check()))
        if "sat" in verdicts:
            return "sat"
        return "" if "unknown" in verdicts else "unsat"

    def learned(self) -> str:
        """Numbers of learned literals; "" for a solver made from tactics, for which z3 raises."""
        solver = self.binding.solver
        try:
            counts = [len(solver.units()), len(solver.non_units()), len(solver.trail()), solver.num_scopes()]
        except z3.Z3Exception:
            return ""
        return " ".join(map(str, counts))

    def statistics(self) -> None:
        statistics = self.binding.solver.statistics()
        for name in statistics.keys():  # noqa: SIM118 - not a dictionary
            statistics.get_key_value(name)

    def dimacs(self) -> str:
        """The assertions in DIMACS; "" if they are not propositional, for which z3 raises."""
        try:
            return str(self.binding.solver.dimacs())
        except z3.Z3Exception:
            return ""
