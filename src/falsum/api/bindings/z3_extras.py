"""What z3 can do beyond SMT-LIB's commands; loaded by `z3.py` in the child."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

z3: Any = importlib.import_module("z3")
inner: Any = importlib.import_module("z3.z3")
core: Any = importlib.import_module("z3.z3core")

asking: Any = importlib.import_module("beside.z3_queries")

ANY = ["sat", "unsat"]
ELIMINATING = ("qe", "qe2", "qe_rec")
# For what is asked beside a run, which shall come to its own end: by effort, so that a replay comes as far;
# a tenth of a second or so.
EFFORT = 100_000
TIMEOUT = 1000


def limit(asked: Any) -> None:
    asked.set(timeout=TIMEOUT, rlimit=EFFORT)


def extra(name: str, takes: list[str], gives: str = "nothing", **more: Any) -> dict[str, Any]:
    return {"name": name, "takes": takes, "gives": gives, **more}


EXTRAS = [
    extra("simplify", ["term"], "equal", weight=4),
    extra(
        "simplify-so", ["term", "som|mul_to_power|pull_cheap_ite|sort_sums|blast_distinct|elim_ite"], "equal"
    ),
    extra("substitute", ["term", "input", "same"], "term", weight=2),
    extra("inspect", ["any"], "text", weight=2),
    extra("model", [], "text", states=["sat"], weight=3),
    extra("translate", ["term"], "text", weight=0.1),
    extra("maximum", ["quantity"], "optimum", states=["sat"], weight=4),
    extra("minimum", ["quantity"], "least", states=["sat"], weight=4),
    extra("soft", ["formula", "formula"], "text", states=["sat"], weight=2),
    extra("lexicographic", ["quantity", "quantity"], "optimum", states=["sat"], weight=2),
    extra("eliminate", ["quantified"], "equal", weight=3),
    extra("eliminate-lite", ["quantified"], "equal", weight=2),
    extra(
        "consequences", ["formula", "input", "input"], "implied", states=["check_sat"], ends=True, weight=1
    ),
    extra("proof", [], "text", states=["unsat"], needs="plain unsat", weight=2),
    # A context more for each of them takes its time. The first two rarely: translating a solver takes z3 5.4
    # most of a second, however little it knows, and costs it its model.
    extra("clone", [], "verdict", states=ANY, ends=True, weight=0.02),
    extra("copy", [], "verdict", states=ANY, ends=True, weight=0.01),
    extra("read-back", [], "verdict", states=ANY, weight=1.5),
    extra("cubes", [], "verdict", states=ANY, ends=True, weight=0.01),
    extra("learned", [], "text", states=ANY, weight=1),
    extra("statistics", [], "nothing", states=["check_sat"], weight=0.5),
    extra("to-smt2", [], "text", states=["assert"], weight=0.5),
    extra("dimacs", [], "text", states=["assert"], weight=0.2),
    extra("reason-unknown", [], "text", states=["check_sat"], weight=0.2),
]


class Extras:
    """The actions, of a binding: its context, its solver."""

    def __init__(self, binding: Any) -> None:
        self.binding = binding
        self.calls: dict[str, Callable[..., Any]] = {
            "simplify": lambda term: z3.simplify(term),  # noqa: PLW0108 - a stand-in may take its place
            "simplify-so": lambda term, option: z3.simplify(term, **{option: True}),
            "substitute": lambda term, old, new: z3.substitute(term, (old, new)),
            "inspect": lambda term: "; ".join(asking.inspected(term)),
            "model": lambda: "; ".join(asking.of_model(binding.solver.model())),
            "translate": lambda term: term.translate(z3.Context()).sexpr(),
            "maximum": lambda term: self.best(term, "maximize"),
            "minimum": lambda term: self.best(term, "minimize"),
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

    def told(self) -> list[Any]:
        """Tracked ones without the names they are tracked by."""
        found = list(self.binding.solver.assertions())
        return [each.arg(1) for each in found] if self.binding.tracks else found

    # -- optima ------------------------------------------------------------------------------------

    def optimize(self) -> Any:
        made = z3.Optimize(ctx=self.binding.context)
        limit(made)
        made.add(*self.told())
        return made

    def best(self, term: Any, direction: str) -> str:
        """The largest or smallest value of a term; "" if there is none or z3 does not find it."""
        optimize = self.optimize()
        goal = getattr(optimize, direction)(term)
        if str(optimize.check()) != "sat":
            return ""
        value = goal.upper() if direction == "maximize" else goal.lower()
        return self.value_text(value, term)

    def value_text(self, value: Any, term: Any) -> str:
        if not (z3.is_int_value(value) or z3.is_rational_value(value) or z3.is_bv_value(value)):
            return ""  # unbounded, or approached only
        if z3.is_bv(term) and not z3.is_bv_value(value):
            value = z3.BitVecVal(value.as_long(), term.size(), ctx=self.binding.context)
        return str(value.sexpr())

    def lexicographic(self, first: Any, second: Any) -> str:
        """The first of two objectives is as large as can be, whatever the second."""
        optimize = self.optimize()
        optimize.set(priority="lex")
        goal = optimize.maximize(first)
        optimize.minimize(second)
        if str(optimize.check()) != "sat":
            return ""
        optimize.objectives()
        return self.value_text(goal.value(), first)

    def soft(self, first: Any, second: Any) -> str:
        """A model of what must hold in which one wish more than the other counts."""
        optimize = self.optimize()
        optimize.add_soft(first, 1)
        optimize.add_soft(second, 2, "other")
        verdict = str(optimize.check())
        if verdict != "sat":
            return verdict
        model = optimize.model()
        false = [term for term in self.told() if z3.is_false(model.eval(term, model_completion=True))]
        if false:
            raise ValueError(f"the optimal model falsifies {false[0].sexpr()}")
        return verdict

    # -- quantifiers -------------------------------------------------------------------------------

    def eliminate(self, term: Any) -> Any:
        name = ELIMINATING[self.binding.number % len(ELIMINATING)]
        if name not in z3.tactics(self.binding.context):
            name = "qe"
        return z3.Tactic(name, ctx=self.binding.context)(term).as_expr()

    def eliminate_lite(self, term: Any) -> Any:
        """No tactic: what is left is bound again."""
        if not z3.is_quantifier(term):  # z3 may have made something simpler of it
            return term
        names = [z3.FreshConst(term.var_sort(place), "falsum") for place in range(term.num_vars())]
        body = z3.substitute_vars(term.body(), *reversed(names))
        is_exists = z3.is_quantifier(term) and not term.is_forall()
        left = z3.AstVector(ctx=self.binding.context)
        for name in names:
            left.push(name)
        inside = body if is_exists else z3.Not(body)
        found = core.Z3_qe_lite(self.binding.ref, left.vector, inside.as_ast())
        done = inner._to_expr_ref(found, self.binding.context)  # noqa: SLF001 - as z3's own modules do
        if len(left):
            done = z3.Exists(list(left), done)
        return done if is_exists else z3.Not(done)

    # -- solvers -----------------------------------------------------------------------------------

    def consequences(self, assumed: Any, *wanted: Any) -> str:
        """All of them in one formula."""
        solver = self.binding.solver
        limit(solver)
        try:
            verdict, found = solver.consequences([assumed], list(wanted))
        finally:
            solver.set(timeout=4294967295, rlimit=0)
        if str(verdict) != "sat" or not found:
            return ""
        return str(z3.And(*found).sexpr())

    def proof(self) -> str:
        """In a context that keeps proofs: it ends in false, and asserts only what was told."""
        context = z3.Context("proof", "true")
        solver = z3.Solver(ctx=context)
        told = [term.translate(context) for term in self.told()]
        solver.add(*told)
        limit(solver)
        if str(solver.check()) != "unsat":
            return ""
        root = solver.proof()
        if not z3.is_false(root.arg(root.num_args() - 1)):
            raise ValueError("the proof does not end in false")
        known = {term.get_id() for term in told}
        rules: dict[str, int] = {}
        todo, seen = [root], set()
        while todo:
            node = todo.pop()
            if node.get_id() in seen or not z3.is_app(node):
                continue
            seen.add(node.get_id())
            rules[node.decl().name()] = rules.get(node.decl().name(), 0) + 1
            if node.decl().kind() == z3.Z3_OP_PR_ASSERTED and node.arg(0).get_id() not in known:
                raise ValueError(f"asserted in the proof alone: {node.arg(0).sexpr()}")
            todo.extend(node.children())
        return str(len(seen))

    def clone(self) -> str:
        """In another context."""
        copied = self.binding.solver.translate(z3.Context())
        limit(copied)
        return str(copied.check())

    def copy(self) -> str:
        copied = self.binding.solver.__copy__()
        limit(copied)
        return str(copied.check())

    def read_back(self) -> str:
        """The verdict of a solver that reads what this one prints."""
        solver = z3.Solver(ctx=z3.Context())
        limit(solver)
        printer = z3.Solver(ctx=self.binding.context)
        printer.add(*self.told())
        solver.from_string(printer.to_smt2())
        return str(solver.check())

    def cubes(self) -> str:
        """Cases that together are everything: sat if one of them is, unsat if none is."""
        solver = self.binding.solver.translate(self.binding.context)
        limit(solver)
        verdicts = set()
        for count, cube in enumerate(solver.cube()):
            if count == 8:
                return ""
            fresh = z3.Solver(ctx=self.binding.context)
            limit(fresh)
            fresh.add(*self.told(), *cube)
            verdicts.add(str(fresh.check()))
        if "sat" in verdicts:
            return "sat"
        return "" if "unknown" in verdicts else "unsat"

    def learned(self) -> str:
        """Of solvers made of tactics there is nothing to tell, which z3 says by an exception."""
        solver = self.binding.solver
        try:
            found = [len(solver.units()), len(solver.non_units()), len(solver.trail()), solver.num_scopes()]
        except z3.Z3Exception:
            return ""
        return " ".join(map(str, found))

    def statistics(self) -> None:
        found = self.binding.solver.statistics()
        for name in found.keys():  # noqa: SIM118 - no dictionary
            found.get_key_value(name)

    def dimacs(self) -> str:
        """Of formulas that are no clauses it is an error, which z3 says."""
        try:
            return str(self.binding.solver.dimacs())
        except z3.Z3Exception:
            return ""
