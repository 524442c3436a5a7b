"""Extras, and the checks of their results: wrong results fail, correct ones do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.api.conftest import Make

from falsum.api.model.settings import Settings
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import Line, from_lines, read_trace

Plant = Callable[[str, str], Path]
COMMON_LINES = """
s1 = sort Bool
s2 = sort BitVec 4
t1 = const s2 x
t2 = const s2 y
t3 = value s2 #b0101
t4 = term bvult t1 t3
t5 = term bvadd t2 t2
t6 = term = t1 t2
t7 = term bvugt t1 t3
assert t4
assert t6
"""


def run_lines(
    make: Make, product: str, rest: str, binding: Path | None = None, others: str = ""
) -> RunResult:
    """Execute the common lines and others, on a library or on one with a fault."""
    fuzzer = make(product, Settings(seconds=20), binding, others)
    lines = [
        Line("new"),
        *(step.line for step in fuzzer.required_steps(())),
        *read_trace(COMMON_LINES + rest).lines,
    ]
    return fuzzer.replay(from_lines(lines, {"theories": "core bitvectors datatypes ints quantifiers"}))


WRONG_RESULTS = {
    "a child from elsewhere": (
        "bitwuzla",
        (
            "def term(self, operator, indices, args, sort):\n"
            "    made = super().term(operator, indices, args, sort)\n"
            "    self.strange = made if operator == 'bvadd' else self.strange\n    return made\n"
            "strange = None\ndef children(self, term):\n    return [self.strange]"
        ),
        "get-children t6\n",
        "children",
    ),
    "another verdict after pop": (
        "bitwuzla",
        (
            "seen = 0\ndef check(self, assumptions):\n    self.seen += 1\n"
            "    return super().check(assumptions) if self.seen < 2 else 'unsat'"
        ),
        "check\npush 1\npop 1\ncheck\n",
        "history",
    ),
    "a value it may not have": (
        "bitwuzla",
        "def check(self, assumptions):\n    return 'unsat' if assumptions else super().check(assumptions)",
        "check\nget-value t5\npush 1\npop 1\ncheck\nt8 = value s2 #b{}\nt9 = term = t5 t8\ncheck t9\n",
        "value",
    ),
    "its own print means something else": (
        "bitwuzla",
        "def extra(self, name, args):\n    return 'unsat'",
        "check\nextra read-back 2\n",
        "again",
    ),
    "a clone that thinks otherwise": (
        "z3",
        "def extra(self, name, args):\n    return 'unsat'",
        "check\nextra clone\n",
        "again",
    ),
    "cubes that say otherwise, unsat": (
        "z3",
        "def extra(self, name, args):\n    return 'sat'",
        "assert t7\ncheck\nextra cubes\n",
        "again",
    ),
    "a value that was ruled out": (
        "cvc5",
        "def extra(self, name, args):\n    return '#b0000\\t#b0000'",
        "check\nextra block-values t1\n",
        "blocked",
    ),
    "no other value": (
        "cvc5",
        "def extra(self, name, args):\n    return '#b0000\\t'",
        "check\nextra block-values t1\n",
        "blocked",
    ),
    "a core that is none": (
        "cvc5",
        "def extra(self, name, args):\n    return self.solver.getAssertions()[:1]",
        "assert t7\ncheck\nextra timeout-core\n",
        "core",
    ),
    "what does not follow": (
        "cvc5",
        "def extra(self, name, args):\n    return '(= x #b0000)'",
        "check\nextra learned INPUT\n",
        "implied",
    ),
    "not equal here": (
        "cvc5",
        "def extra(self, name, args):\n    return '(bvult x #b0000)'",
        "check\nextra simplify-here t4\n",
        "equal",
    ),
    "a smaller one": (
        "z3",
        "def extra(self, name, args):\n    return '#b0001'",
        "check\nextra minimum t1\n",
        "optimum",
    ),
}


@pytest.mark.parametrize("fault", WRONG_RESULTS)
def test_wrong_results_fail_a_check_and_correct_ones_do_not(fault: str, make: Make, plant: Plant) -> None:
    product, body, rest, check = WRONG_RESULTS[fault]
    others = "bitwuzla" if product != "bitwuzla" else ""
    if "{}" in rest:
        correct = run_lines(make, product, "check\nget-value t5\n")
        rest = rest.format(correct.trace.steps[-1].reply.text.removeprefix("#b"))
    correct = run_lines(make, product, rest, others=others)
    assert correct.status is RunStatus.DONE, correct.evidence
    wrong = run_lines(make, product, rest, plant(product, body), others)
    assert wrong.status is RunStatus.CHECK_FAILED, wrong.trace
    assert wrong.kind == check


EXTRAS_OF_PRODUCTS = {
    "bitwuzla": (
        "extra inspect t3\nt8 = extra substitute t5 t2 t1\ncheck\nextra read-back 10\nextra option-infos\n"
        "assert t7\ncheck\nextra interpolant t4\nextra interpolants t4 t6\nextra core-back 16\n"
    ),
    "z3": (
        "extra inspect t3\nt8 = extra simplify-so t5 som\ncheck\nextra clone\nextra copy\nextra read-back\n"
        "extra maximum t1\nextra minimum t5\nextra soft t4 t6\nextra lexicographic t1 t5\nextra learned\n"
        "extra consequences t4 t1 t2\nassert t7\ncheck\nextra proof\nextra clone\n"
    ),
    "cvc5": (
        "extra inspect t3\ncheck\nextra simplify-here t4\nextra block-values t1\ncheck\n"
        "extra block-model VALUES\ncheck\nextra block-model LITERALS\ncheck\nget-model\n"
        "extra model-core t1\nextra read-back\n"
        "extra learned INPUT\nextra abduct t6\nassert t7\ncheck\nextra proof\nextra timeout-core\n"
        "extra core-lemmas\nextra interpolant t4\nextra interpolant-next t4\nextra read-back\n"
    ),
}


@pytest.mark.parametrize("product", EXTRAS_OF_PRODUCTS)
def test_every_action_answers(product: str, make: Make) -> None:
    result = run_lines(make, product, EXTRAS_OF_PRODUCTS[product], others="z3" if product != "z3" else "cvc5")
    assert result.status is RunStatus.DONE, f"{result.trace.steps[-1]} {result.evidence}"
    assert result.skipped == 0
    said = {step.line.args[0]: step.reply.text for step in result.trace.steps if step.line.word == "extra"}
    silent = {name for name, text in said.items() if not text}
    assert silent <= {"learned", "abduct", "interpolants", "consequences", "interpolant-next"}


ELIMINATION = """
s3 = sort Int
t8 = const s3 a
t9 = var s3 v
t10 = term < t8 t9
t11 = term < t9 t8
t12 = term and t10 t11
t13 = term exists t9 t12
t14 = extra eliminate t13
t15 = extra eliminate-lite t13
assert t14
check
"""


@pytest.mark.parametrize("product", ["z3", "cvc5"])
def test_quantifiers_are_eliminated(product: str, make: Make) -> None:
    rest = ELIMINATION if product == "z3" else ELIMINATION.replace("t15 = extra eliminate-lite t13\n", "")
    result = run_lines(make, product, rest, others="cvc5" if product == "z3" else "z3")
    assert result.status is RunStatus.DONE, result.evidence
    assert result.verdicts == ("unsat",)


TEMPLATE = """
s5 = template D!s5 2 c5a(f5a0:%0)|c5b(f5b0:%1,f5b1:s5)
s6 = instantiate s5 s1 s2
t8 = const s6 l
t9 = term get:f5b0@s6 t8
t10 = term make:c5b@s6 t9 t8
t11 = term is:c5a@s6 t8
t12 = term is:c5a@s6 t8 #1
t13 = term = t9 t1
t14 = term set:f5b0@s6 t8 t1
t15 = term = t14 t8
get-sort t10
assert t11
assert t13
check
assert t15
check
t16 = term not t12
assert t16
check
"""


@pytest.mark.parametrize("product", ["z3", "cvc5"])
def test_datatypes_with_parameters(product: str, make: Make) -> None:
    result = run_lines(make, product, TEMPLATE, others="cvc5" if product == "z3" else "z3")
    assert result.status is RunStatus.DONE, result.evidence
    assert result.skipped == 0
    assert result.verdicts == ("sat", "sat", "unsat")
    said = {str(step.line): step.reply.text for step in result.trace.steps}
    assert said["get-sort t10"] == "(D!s5 Bool (_ BitVec 4))"


CODATATYPE = """
s5 = codatatypes D!s5=c5a(f5a0:s2,f5a1:s5)
t8 = const s5 l
t9 = term make:c5a t1 t8
t10 = term = t8 t9
assert t10
check
"""


def test_codatatypes_have_infinite_values(make: Make) -> None:
    """A stream equal to itself one further; of a datatype there would be no such value."""
    assert run_lines(make, "cvc5", CODATATYPE).verdicts == ("sat",)
    as_datatype = run_lines(make, "cvc5", CODATATYPE.replace("codatatypes", "datatypes"))
    assert as_datatype.skipped > 0


def test_definitions_are_no_foreign_part_of_a_timeout_core(make: Make) -> None:
    lines = (
        "new\ns1 = sort Bool\nt1 = var s1 v\nt2 = term not t1\nt3 = define g t1 t2\nt4 = term apply t3 t1\n"
        "t5 = term forall t1 t4\nassert t5\nextra timeout-core\n"
    )
    ran = make("cvc5").replay(read_trace(f"# falsum trace 1\n# solver: cvc5\n{lines}"))
    assert ran.status is RunStatus.DONE, ran.evidence
