"""sparrow: weaker is weaker, stronger is stronger, and the claim is what the seed's status allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest
from tests.labs import live_lab
from tests.strategies.drawn import draw
from tests.strategies.test_contract import SEEDS

from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.logics import logic_of
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.terms import App
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms
from falsum.solvers.answer import EndingKind
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request
from falsum.strategies.growth import ExpressionPool, Vocabulary
from falsum.strategies.mutant import Mutant, Seed, Strategy
from falsum.strategies.parameters import configured
from falsum.strategies.rewrite import Rewrite
from falsum.strategies.seeds import prepare
from falsum.strategies.sparrow.cnf import cnf
from falsum.strategies.sparrow.snippets import SnippetGenerator
from falsum.strategies.sparrow.strategy import Sparrow, literals

SHAPES = Seed(
    "shapes",
    """(set-logic QF_LIA)
(declare-fun p () Bool)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(assert (let ((b (< x y)) (c (= x z))) (or (and b (not c)) (let ((c (not b))) (=> c (< x y z 7))))))
(assert (ite (> x 0) (not (distinct x y z)) (xor p (<= y z))))
(assert (not (=> (>= x y) p (or (not (= z 3)) (= p (< z 4))))))
(check-sat)
""",
)
ARRAYS = Seed(
    "arrays",
    """(set-logic ALL)
(declare-datatypes ((T 0)) (((leaf) (node (key Int) (left T)))))
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun s () (Set Int))
(declare-fun q () (Seq Int))
(declare-fun t () T)
(assert (or (= a b) (select a 3) (not ((_ is node) t))))
(assert (=> (set.member 3 s) (not (seq.prefixof q (seq.unit 3)))))
(assert (distinct t leaf (node 3 t)))
(check-sat)
""",
)
OVERFLOWS = Seed(
    "overflows",
    """(set-logic QF_BV)
(declare-fun v () (_ BitVec 4))
(declare-fun w () (_ BitVec 4))
(assert (or (bvuaddo v w) (not (bvsmulo v #x3)) (bvnego w)))
(assert (not (bvsle v w)))
(assert (bvuge (bvmul v w) #x2))
(check-sat)
""",
)
WORDS = Seed(
    "words",
    """(set-logic QF_SLIA)
(declare-fun x () String)
(declare-fun y () String)
(assert (not (str.prefixof x y)))
(assert (or (str.contains x y) (not (str.suffixof y "ab")) (str.in_re x (re.+ (str.to_re "a")))))
(assert (str.<= x y))
(check-sat)
""",
)
ALL_SEEDS = [*SEEDS, SHAPES, ARRAYS, OVERFLOWS, WORDS]


def laid(seed: Seed) -> tuple[Layout, Script]:
    script = prepare(seed.script)
    assert script is not None
    return Layout.of(script), script


def texts(seed: Seed) -> dict[str, bool]:
    layout, script = laid(seed)
    return {layout.text[l.start : l.end]: l.positive for l in literals(layout, script)}


def of(formula: str) -> dict[str, bool]:
    return texts(Seed("one", f"(declare-fun p () Bool)(declare-fun q () Bool)(assert {formula})(check-sat)"))


PARAMETRIC = """(set-logic ALL)
(declare-datatypes ((Tree 1) (TreeList 1)) ((par (X) ((node (value X) (children (TreeList X)))))
  (par (Y) ((empty) (insert (head (Tree Y)) (tail (TreeList Y)))))))
(declare-fun x () (Tree Int))
(declare-fun y () (Tree Int))
(declare-sort U 0)
(declare-fun a () (Tree U))
(declare-fun b () (Tree U))
(assert (distinct x y))
(assert (= (value x) 5))
(assert ((_ is insert) (children y)))
(assert (distinct a b))
(assert ((_ is insert) (children a)))
(check-sat)
"""


def test_polarity_of_literals() -> None:
    assert of("(=> p q)") == {"p": False, "q": True}
    assert of("(not (and p (not q)))") == {"p": False, "(not q)": False}
    assert of("(ite p q true)") == {"q": True}
    assert of("(xor p q)") == {"(xor p q)": True}
    assert of("(= p (not q))") == {"(= p (not q))": True}
    assert of("(exists ((p Bool)) (=> p q))") == {"p": False, "q": True}


def test_a_let_hands_on_the_polarity_of_its_uses() -> None:
    assert of("(let ((r (= p q))) (not r))") == {"(= p q)": False, "(not r)": True}
    assert of("(let ((r (= p q))) (and r (not r)))") == {"r": True, "(not r)": True}
    # The inner r is another one, and the outer is not used at all.
    assert of("(let ((r (= p q))) (let ((r p)) (not r)))")["p"] is False


def test_a_name_used_elsewhere_is_not_touched() -> None:
    assert of("(! (= p q) :named n)") == {"(= p q)": True}
    used = Seed("one", "(declare-fun p () Bool)(assert (and (! p :named n) p))(assert (not n))(check-sat)")
    assert texts(used) == {"p": True, "(not n)": True}


def saying(word: str) -> Callable[[str], str]:
    return lambda _: word


def pairs(seed: Seed, strategy: Sparrow, count: int) -> Iterator[tuple[bool, Script, Script]]:
    """Mutants with what they come from, in the same form; whether the mutant is to be weaker."""
    _, script = laid(seed)
    start = script if strategy.form == "place" else cnf(script)
    assert start is not None
    for weaker in (True, False):
        lab = FakeLab({"s": saying("sat" if weaker else "unsat")})
        for mutant in draw(strategy, [seed], 8, count, lab):
            yield weaker, start, read_script(mutant.text)


def test_a_script_that_uses_names_of_terms_has_no_cnf() -> None:
    assert [seed.name for seed in ALL_SEEDS if cnf(laid(seed)[1]) is None] == ["binders"]


@pytest.mark.parametrize(
    ("seed", "form"),
    [
        (seed, form)
        for seed in ALL_SEEDS
        for form in ("place", "cnf")
        if (seed.name, form) != ("binders", "cnf")
    ],
    ids=lambda given: given.name if isinstance(given, Seed) else given,
)
def test_every_mutant_is_weaker_or_stronger(seed: Seed, form: str) -> None:
    """Under random models: a seed that holds makes a weaker mutant hold, a stronger mutant makes the seed."""
    checks = 0
    # Quantifiers take the evaluator long.
    count = 8 if seed.name == "binders" else 30
    for number, (weaker, start, mutant) in enumerate(pairs(seed, Sparrow(form=form), count)):
        for sample in range(2):
            model = random_model(mutant, Random(f"{number}:{sample}"))
            before, after = truths(start, model, 1000), truths(mutant, model, 1000)
            assert len(before) == len(after)
            for premise, conclusion in zip(before, after, strict=True):
                first, second = (premise, conclusion) if weaker else (conclusion, premise)
                assert not (first is True and second is False), print_script(mutant)
                checks += first is True and second is True
    assert checks


@pytest.mark.parametrize("rules", [("pst",), ("lpi",)], ids=["pst", "lpi"])
def test_one_kind_of_rule_alone(rules: tuple[str, ...]) -> None:
    for mutant in draw(Sparrow(rules=rules), [SHAPES], 2, 30):
        assert all(("injection" in line) is (rules == ("lpi",)) for line in mutant.lineage)


def mutants(seed: Seed, *verdicts: str, count: int = 40) -> list[Mutant]:
    lab = FakeLab({f"s{n}": saying(word) for n, word in enumerate(verdicts)})
    return draw(Sparrow(), [seed], 4, count, lab)


def test_the_claim_is_the_seeds_status() -> None:
    for word in ("sat", "unsat"):
        assert {m.claim.verdicts for m in mutants(SHAPES, word, word) if m.claim} == {(Verdict(word),)}
    assert all(m.claim is None for m in mutants(SHAPES, "unknown", "unknown"))
    assert all(m.claim is None for m in mutants(SHAPES, "sat", "unsat"))
    assert {m.claim.verdicts for m in mutants(SHAPES, "unknown", "sat") if m.claim} == {(Verdict.SAT,)}


def test_two_solvers_are_enough() -> None:
    lab = FakeLab(dict.fromkeys("abc", lambda _: "sat"))
    next(Sparrow().mutants([SHAPES], Random(1), lab))
    assert [solver for solver, _ in lab.asked] == ["a", "b"]


def test_of_several_checks_each_keeps_its_own_verdict(z3: LiveLab) -> None:
    seed = Seed(
        "two", "(declare-fun x () Int)(push 1)(assert (> x 3))(check-sat)(pop 1)(assert (< x x))(check-sat)"
    )
    claims = [m.claim for m in draw(Sparrow(), [seed], 3, 40, z3)]
    assert {claim.verdicts for claim in claims if claim} == {(Verdict.SAT, None), (None, Verdict.UNSAT)}


def test_a_linear_seed_stays_linear() -> None:
    logic = logic_of("QF_LIA")
    for mutant in draw(Sparrow(), [SHAPES], 6, 150):
        for term in read_script(mutant.text).assertions:
            for part in subterms(term):
                if isinstance(part, App) and isinstance(part.head.symbol, Operator):
                    assert logic.allows(part.head.symbol, part.args), mutant.text


def test_mutations_can_be_taken_back_one_by_one() -> None:
    layout, _ = laid(SHAPES)
    for mutant in draw(Sparrow(form="place"), [SHAPES], 9, 30):
        text = mutant.text
        for line in reversed(mutant.lineage):
            change = line.split(": ", 1)[1].rsplit(" by ", 1)[0]
            old, new = change.split(" -> ")
            assert new in text
            text = text.replace(new, old, 1)
        kept = [line for line in text.splitlines(keepends=True) if not line.startswith("(declare-fun new!")]
        assert "".join(kept) == layout.text


@pytest.mark.parametrize("seed", ALL_SEEDS, ids=lambda s: s.name)
def test_snippets_for_every_theory_of_the_seed(seed: Seed) -> None:
    layout, script = laid(seed)
    pool = ExpressionPool(layout, script)
    snippets = SnippetGenerator(script, pool, Vocabulary(layout, script))
    scope = pool.scope_at(layout, 0)
    made = [s for s in (snippets.make(scope, Random(n)) for n in range(300)) if s]
    assert len(made) > 100
    for command in script.commands:
        name = getattr(getattr(command, "function", None), "name", "")
        if name and command.__class__.__name__ == "DeclareFun":
            assert any(name in s.text.replace("(", " ").replace(")", " ").split() for s in made), name


def test_instances_of_a_datatype_with_parameters_stay_those_of_the_seed() -> None:
    """z3 takes a constructor for ambiguous once there is a term of another instance, be it a constant."""
    seed = Seed("seed", PARAMETRIC)
    made = list(islice(Sparrow(tactics=0.0).mutants([seed], Random(7), None), 60))
    with live_lab("z3", seconds=5) as lab:
        made += list(islice(Sparrow(tactics=0.0).mutants([seed], Random(7), lab), 60))
        assert lab.ask(Request("z3", PARAMETRIC)).verdict is Verdict.SAT
        rejected = [m for m in made if lab.ask(Request("z3", m.text)).ending.kind is EndingKind.REJECTED]
    # What is left is a law that makes a tester an equality with its constructor.
    assert all("tester-stronger-eq" in " ".join(mutant.lineage) for mutant in rejected)
    assert len(rejected) < 6
    assert any("(declare-fun new!" in mutant.text for mutant in made)


@pytest.fixture(scope="module")
def z3() -> Iterator[LiveLab]:
    with live_lab("z3", seconds=2) as lab:
        yield lab


@pytest.mark.parametrize("seed", [SHAPES, OVERFLOWS, *SEEDS[2:]], ids=lambda s: s.name)
def test_cnf_keeps_the_verdict(seed: Seed, z3: LiveLab) -> None:
    _, script = laid(seed)
    for negated in (False, True):
        given = script
        if negated:
            last = f"(assert (not (and true {' '.join(assertion_texts(script))})))\n(check-sat)"
            kept = [c for c in script.commands if c.__class__.__name__ in ("SetLogic", "DeclareFun")]
            given = read_script(print_script(Script(tuple(kept))) + last)
        clauses = cnf(given)
        assert clauses is not None
        asked = [z3.ask(Request("z3", print_script(s))).verdicts for s in (given, clauses)]
        assert asked[0] == asked[1]
        assert asked[0]


def assertion_texts(script: Script) -> list[str]:
    return [line[8:-1] for line in print_script(script).splitlines() if line.startswith("(assert ")]


def test_cnf_is_linear() -> None:
    """Deep and shared formulas: lets become definitions, connectives variables; no recursion."""

    def size_of(depth: int) -> int:
        lets = "".join(f"(let ((v{n + 1} (and (or v{n} p) (= v{n} q) (< x {n})))) " for n in range(depth))
        declared = "(declare-fun p () Bool)(declare-fun q () Bool)(declare-fun x () Int)"
        text = f"{declared}(assert (let ((v0 p)) {lets}"
        script = cnf(read_script(f"{text}v{depth}{')' * (depth + 2)}(check-sat)"))
        assert script is not None
        return len(print_script(script))

    assert size_of(600) < 2.3 * size_of(300)


def test_claims_hold_for_real_solvers(z3: LiveLab) -> None:
    decided = 0
    for seed in (SHAPES, OVERFLOWS, WORDS):
        for mutant in draw(Sparrow(), [seed], 11, 15, z3):
            assert mutant.claim is not None
            for said, truth in zip(
                z3.ask(Request("z3", mutant.text)).verdicts, mutant.claim.verdicts, strict=False
            ):
                assert truth is not None
                assert not said.contradicts(truth)
                decided += said.decided
    assert decided > 30


ABSTRACT = Seed(
    "abstract",
    "(set-logic QF_AX)(declare-sort Index 0)(declare-sort Element 0)"
    "(declare-const a (Array Index Element))(declare-const i Index)(declare-const e Element)"
    "(assert (= (store a i e) a))(assert (not (= (select a i) e)))(check-sat)",
)


@pytest.mark.parametrize("strategy", [Sparrow(), Rewrite()], ids=["sparrow", "rewrite"])
def test_no_names_of_a_model_in_scripts(strategy: Strategy) -> None:
    """Values of declared sorts have no names that a solver knows."""
    lab = FakeLab({"z3": lambda _script: "unsat", "cvc5": lambda _script: "unsat"})
    made = draw(strategy, [ABSTRACT], 2, 60, lab)
    assert len(made) == 60
    assert not [mutant.text for mutant in made if "@" in mutant.text or "!val!" in mutant.text]


def test_soft_assertions_objectives_and_tactics_are_kept() -> None:
    text = """(declare-fun x () Int)(declare-fun y () Int)(assert (< x y))(assert-soft (> x 0) :weight 2)
(minimize x)(check-sat)(simplify (+ x 1))(check-sat-using smt)
"""
    lab = FakeLab({"s": lambda _: "sat"})
    mutants = draw(Sparrow(), [Seed("soft", text)], 1, 5, lab)
    assert mutants
    for mutant in mutants:
        assert all(word in mutant.text for word in ("(assert-soft ", "(minimize x)", "(check-sat-using smt)"))
        assert mutant.claim is not None
        assert len(mutant.claim.verdicts) == 2


def test_the_paper_changes_up_to_five_literals_of_the_cnf() -> None:
    text = "(set-logic QF_LIA)(declare-fun x () Int)" + "".join(
        f"(assert (or (< x {n}) (> (* 2 x) {n})))" for n in range(20)
    )
    seed = Seed("clauses", f"{text}(check-sat)")
    edits = [len(m.lineage) for m in draw(configured(Sparrow(), ["paper"]), [seed], 1, 200)]
    assert set(edits) == {1, 2, 3, 4, 5}


def test_tactics_are_a_dimension_of_mutants(z3: LiveLab) -> None:
    mutants = draw(Sparrow(tactics=1.0), [SHAPES], 1, 40, z3)
    assert all("(check-sat-using " in mutant.text for mutant in mutants)
    assert all(mutant.lineage[-1].startswith("sparrow: checks with ") for mutant in mutants)
    assert len({mutant.lineage[-1] for mutant in mutants}) > 10
    for mutant in mutants:
        assert mutant.claim is not None
        (claimed,) = mutant.claim.verdicts
        (verdict,) = z3.ask(Request("z3", mutant.text)).verdicts
        assert claimed is not None
        assert not verdict.contradicts(claimed), mutant.text
