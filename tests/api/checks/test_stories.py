"""Every branch of every check: a lie that it notices, and the honest story next to it that it lets pass."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from tests.api.checks.stories import CAPABILITIES, failures, follow_ups, mirror_of
from tests.labs import live_lab

from falsum.api.checks import ALL
from falsum.api.reference_solvers import LabReferenceSolvers


@pytest.fixture(scope="module")
def z3() -> Iterator[LabReferenceSolvers]:
    with live_lab("z3", seconds=20) as lab:
        yield LabReferenceSolvers(lab)


SAT = "assert t4\nassert t6\ncheck\n-> sat\n"
UNSAT = "assert t4\nassert t7\nassert t8\ncheck\n-> unsat\n"
ASSUMED = "assert t4\ncheck t7 t8\n-> unsat\n"
# A lie, the kind of failure, the words of its evidence, and the honest story.
STORIES = {
    # models
    "a model that is none": (
        f"{SAT}get-value t1 t2\n-> #b0111\t#b0111\n",
        "model",
        "t4 is false in the model",
        f"{SAT}get-value t1 t2\n-> #b0001\t#b0001\n",
    ),
    "a model of an assumption that is none": (
        "assert t6\ncheck t4\n-> sat\nget-value t1 t2\n-> #b0111\t#b0111\n",
        "model",
        "t4 is false",
        "assert t6\ncheck t4\n-> sat\nget-value t1 t2\n-> #b0100\t#b0100\n",
    ),
    "another value": (
        f"{SAT}get-value t1 t2\n-> #b0001\t#b0001\nget-value t5\n-> #b0011\n",
        "value",
        "t5 has the value #b0011",
        f"{SAT}get-value t1 t2\n-> #b0001\t#b0001\nget-value t5\n-> #b0010\n",
    ),
    "a value that changes": (
        f"{SAT}get-value t1\n-> #b0001\nget-value t1\n-> #b0010\n",
        "revised",
        "the value of t1 was #b0001, now it is #b0010",
        f"{SAT}get-value t1\n-> #b0001\nget-value t1\n-> #x1\n",
    ),
    "a value that changes among several": (
        f"{SAT}get-value t2 t1\n-> #b0001\t#b0001\nget-value t2 t1\n-> #b0001\t#b0010\n",
        "revised",
        "the value of t1",
        f"{SAT}get-value t2 t1\n-> #b0001\t#b0001\ncheck\n-> sat\nget-value t2 t1\n-> #b0010\t#b0010\n",
    ),
    # verdicts
    "sat for unsat": (UNSAT.replace("unsat", "sat"), "verdict", "z3 answers unsat", UNSAT),
    "unsat for sat": (SAT.replace("sat", "unsat"), "verdict", "z3 answers sat", SAT),
    "unsat under assumptions": (
        "assert t4\ncheck t6\n-> unsat\n",
        "verdict",
        "z3 answers sat",
        "assert t4\ncheck t7\n-> unsat\n",
    ),
    "a second check": (
        f"{SAT}assert t7\ncheck\n-> sat\n",
        "verdict",
        "z3 answers unsat",
        f"{SAT}assert t7\ncheck\n-> unsat\n",
    ),
    "a fresh solver, sat": (
        f"{SAT}one-shot t4 t6\n-> unsat\n",
        "one-shot",
        "sat, but a fresh solver answers unsat",
        f"{SAT}one-shot t4 t6 t7\n-> unsat\n",
    ),
    "a fresh solver, sat for fewer": (
        f"{SAT}one-shot t4\n-> unsat\n",
        "one-shot",
        "sat, but",
        f"{SAT}one-shot t4\n-> sat\n",
    ),
    "a fresh solver, unsat": (
        f"{UNSAT}one-shot t4 t7 t8\n-> sat\n",
        "one-shot",
        "unsat, but a fresh solver answers sat",
        f"{UNSAT}one-shot t4 t8\n-> sat\n",
    ),
    "a fresh solver, core": (
        f"{UNSAT}get-core\n-> t4 t7\none-shot t4 t7\n-> sat\n",
        "core",
        "a fresh solver answers sat to t4 t7",
        f"{UNSAT}get-core\n-> t4 t7\none-shot t4 t8\n-> sat\n",
    ),
    "a fresh solver, assumptions": (
        f"{ASSUMED}get-unsat-assumptions\n-> t7\none-shot t4 t7\n-> sat\n",
        "assumptions",
        "a fresh solver answers sat",
        f"{ASSUMED}get-unsat-assumptions\n-> t7\none-shot t7\n-> sat\n",
    ),
    # cores
    "a core that is sat": (
        f"{UNSAT}get-core\n-> t4 t8\n",
        "core",
        "z3 answers sat to t4 t8",
        f"{UNSAT}get-core\n-> t4 t7\n",
    ),
    "an empty core": (f"{UNSAT}get-core\n-> \n", "core", "the empty core", f"{UNSAT}get-core\n-> t7 t4\n"),
    "a core of something else": (
        f"{UNSAT}get-core\n-> t4 t7 t6\n",
        "core",
        "t6 in the core was never asserted",
        f"{UNSAT}get-core\n-> t4 t7 t8\n",
    ),
    "a core without the assumptions it needs": (
        "assert t4\nassert t8\ncheck t7\n-> unsat\nget-core\n-> t8\n",
        "core",
        "z3 answers sat to t8 t7",
        "assert t4\nassert t8\ncheck t7\n-> unsat\nget-core\n-> t4\n",
    ),
    "assumptions that are sat": (
        f"{ASSUMED}get-unsat-assumptions\n-> t8\n",
        "assumptions",
        "z3 answers sat to t4 t8",
        f"{ASSUMED}get-unsat-assumptions\n-> t7\n",
    ),
    "assumptions that were not assumed": (
        f"{ASSUMED}get-unsat-assumptions\n-> t7 t6\n",
        "assumptions",
        "t6 was not assumed",
        f"{ASSUMED}get-unsat-assumptions\n-> t8 t7\n",
    ),
    # terms
    "a sort": (
        "get-sort t1\n-> (_ BitVec 5)\n",
        "sort",
        "not (_ BitVec 4)",
        "get-sort t1\n-> (_ BitVec 4)\n",
    ),
    "no sort": ("get-sort t1\n-> (frob\n", "sort", "unreadable sort", "get-sort t12\n-> Bool\n"),
    "a child": ("get-children t4\n-> t2\n", "children", "t2 is not a subterm", "get-children t4\n-> t1 t3\n"),
    "a child of a constant": (
        "get-children t1\n-> t2\n",
        "children",
        "t2 is not",
        "get-children t1\n-> t2 t9\n",
    ),
    "a child that is a value, which has several forms": (
        "get-children t6\n-> t9\n",
        "children",
        "t9 is not a subterm",
        "get-children t6\n-> t3 t1\n",
    ),
    "a child after the function": (
        "get-children t4\n-> bvult t1 t2\n",
        "children",
        "t2 is not a subterm",
        "get-children t4\n-> bvult t1 t3\n",
    ),
    "a printed term": (
        "print t4\n-> (bvule x #b0101)\n",
        "print",
        "z3 can distinguish it",
        "print t4\n-> (not (bvule #b0101 x))\n",
    ),
    "a printed term of another sort": (
        "print t4\n-> #b0101\n",
        "print",
        "not Bool",
        "print t4\n-> (bvult x #b0101)\n",
    ),
    "a term that is said to be equal": (
        "t20 = extra give-equal t5\n-> (bvadd y x)\n",
        "equal",
        "z3 can distinguish it",
        "t20 = extra give-equal t5\n-> (bvmul #b0010 y)\n",
    ),
    # results of extras, by definition
    "an interpolant that does not follow": (
        "assert t12\nassert t14\ncheck\n-> unsat\nextra give-interpolant t12\n-> (> i 7)\n",
        "interpolant",
        "the first part does not imply it",
        "assert t12\nassert t14\ncheck\n-> unsat\nextra give-interpolant t12\n-> (> i 3)\n",
    ),
    "an interpolant that refutes nothing": (
        "assert t12\nassert t14\ncheck\n-> unsat\nextra give-interpolant t12\n-> (> i 1)\n",
        "interpolant",
        "it is satisfiable with the second part",
        "assert t12\nassert t14\ncheck\n-> unsat\nextra give-interpolant t12\n-> (> i 2)\n",
    ),
    "an interpolant with a symbol of its own": (
        (
            "assert t12\nassert t13\nassert t14\ncheck\n-> unsat\nextra give-interpolant t12 t13\n"
            "-> (and (> i 3) (= j j))\n"
        ),
        "interpolant",
        "j is not a common symbol",
        "assert t12\nassert t13\nassert t14\ncheck\n-> unsat\nextra give-interpolant t12 t13\n-> (> i 3)\n",
    ),
    "an abduct that is inconsistent": (
        "assert t12\nextra give-abduct t13\n-> (< i 2)\n",
        "abduct",
        "it contradicts what is asserted",
        "assert t12\nextra give-abduct t13\n-> (< j 2)\n",
    ),
    "an abduct that implies nothing": (
        "assert t12\nextra give-abduct t13\n-> (< j 9)\n",
        "abduct",
        "the goal does not follow",
        "assert t12\nextra give-abduct t13\n-> (= (+ j 1) i)\n",
    ),
    "a maximum that is too small": (
        "assert t14\ncheck\n-> sat\nextra give-maximum t9\n-> 1\n",
        "optimum",
        "1: there is a better value",
        "assert t14\ncheck\n-> sat\nextra give-maximum t9\n-> 2\n",
    ),
    "a maximum that is too large": (
        "assert t14\ncheck\n-> sat\nextra give-maximum t9\n-> 3\n",
        "optimum",
        "3: the value is not possible",
        "assert t4\ncheck\n-> sat\nextra give-maximum t1\n-> #b0100\n",
    ),
    "a minimum that is too large": (
        "assert t12\ncheck\n-> sat\nextra give-minimum t9\n-> 5\n",
        "optimum",
        "5: there is a better value",
        "assert t12\ncheck\n-> sat\nextra give-minimum t9\n-> 4\n",
    ),
    "a minimum that is too small": (
        "assert t7\ncheck\n-> sat\nextra give-minimum t1\n-> #b0101\n",
        "optimum",
        "is not possible",
        "assert t7\ncheck\n-> sat\nextra give-minimum t1\n-> #b0110\n",
    ),
    "what does not follow": (
        "assert t12\nextra give-implied t9\n-> (> i 4)\n",
        "implied",
        "does not follow from the assertions",
        "assert t12\nextra give-implied t9\n-> (> i 2)\n",
    ),
    "what is not equal under the assertions": (
        "assert t6\nextra give-equal-under-assertions t1\n-> (bvadd y #b0001)\n",
        "equal",
        "(bvadd y #b0001) and t1: they differ",
        "assert t6\nextra give-equal-under-assertions t1\n-> y\n",
    ),
    "what has another sort": (
        "assert t6\nextra give-equal-under-assertions t1\n-> i\n",
        "equal",
        "not (_ BitVec 4)",
        "assert t6\nextra give-equal-under-assertions t1\n-> x\n",
    ),
    # answers of extras
    "a copy that answers unsat": (
        f"{SAT}extra give-verdict t1\n-> unsat\n",
        "again",
        "the check answers sat, give-verdict answers unsat",
        f"{SAT}extra give-verdict t1\n-> sat\n",
    ),
    "a copy that answers sat": (
        f"{UNSAT}extra give-verdict t1\n-> sat\n",
        "again",
        "the check answers unsat, give-verdict answers sat",
        f"{UNSAT}extra give-verdict t1\n-> unknown\n",
    ),
    "an interpolant of a goal that is too weak": (
        f"{SAT}extra give-goal-interpolant t4\n-> true\n",
        "interpolant",
        "it is satisfiable with the second part",
        "assert t4\ncheck\n-> sat\nextra give-goal-interpolant t4\n-> (bvult x #b0101)\n",
    ),
    "a core of an extra": (
        f"{UNSAT}extra give-core t1\n-> t4 t8\n",
        "core",
        "z3 answers sat: not a core: t4 t8",
        f"{UNSAT}extra give-core t1\n-> t4 t7\n",
    ),
    "a core of an extra with something else": (
        f"{UNSAT}extra give-core t1\n-> t4 t6\n",
        "core",
        "t6 in the give-core was never asserted",
        f"{UNSAT}extra give-core t1\n-> t8 t4 t7\n",
    ),
    "the value that was blocked": (
        f"{SAT}extra give-other-value t1\n-> #b0001\t#b0001\n",
        "blocked",
        "t1 still has the blocked value",
        f"{SAT}extra give-other-value t1\n-> #b0001\t#b0010\n",
    ),
    "another value that is not possible": (
        f"{SAT}extra give-other-value t1\n-> #b0001\t#b0111\n",
        "blocked",
        "#b0111 is a possible value",
        f"{SAT}extra give-other-value t1\n-> #b0001\t#b0000\n",
    ),
    "no other value": (
        f"{SAT}extra give-other-value t1\n-> #b0001\t\n",
        "blocked",
        "#b0001 is the only value",
        "assert t8\ncheck\n-> sat\nextra give-other-value t8\n-> true\t\n",
    ),
    # history
    "unsat, but sat before": (
        "assert t4\ncheck\n-> sat\ncheck\n-> unsat\n",
        "history",
        "unsat now, sat before with the same formulas or more: t4",
        "assert t4\ncheck\n-> sat\nassert t7\ncheck\n-> unsat\n",
    ),
    "unsat with fewer": (
        "push 1\nassert t4\nassert t6\ncheck\n-> sat\npop 1\nassert t4\ncheck\n-> unsat\n",
        "history",
        "unsat now, sat before with the same formulas or more: t4 t6",
        "push 1\nassert t4\nassert t6\ncheck\n-> sat\npop 1\nassert t4\ncheck\n-> sat\n",
    ),
    "sat, but unsat before": (
        "push 1\nassert t4\nassert t7\ncheck\n-> unsat\nassert t8\ncheck\n-> sat\n",
        "history",
        "sat now, unsat before with the same formulas or fewer: t4 t7",
        "push 1\nassert t4\nassert t7\ncheck\n-> unsat\npop 1\nassert t8\ncheck\n-> sat\n",
    ),
    "sat, but unsat before the last one": (
        "check t4 t7\n-> unsat\ncheck t8\n-> sat\ncheck t4 t7 t8\n-> sat\n",
        "history",
        "sat now, unsat before",
        "check t4 t7\n-> unsat\ncheck t8\n-> sat\ncheck t4 t8\n-> sat\n",
    ),
    "a value it may not have": (
        f"{SAT}get-value t1\n-> #b0001\nt20 = value s2 #b0001\nt21 = term = t1 t20\ncheck t21\n-> unsat\n",
        "value",
        "unsat if t1 has the value #b0001 it had in the model",
        f"{SAT}get-value t1\n-> #b0001\nt20 = value s2 #b0111\nt21 = term = t1 t20\ncheck t21\n-> unsat\n",
    ),
    "a value it may not have under an assumption": (
        (
            "assert t6\ncheck t4\n-> sat\nget-value t1\n-> #b0001\n"
            "t20 = value s2 #b0001\nt21 = term = t1 t20\ncheck t4 t21\n-> unsat\n"
        ),
        "value",
        "unsat if t1 has the value",
        (
            "assert t6\ncheck t4\n-> sat\nget-value t1\n-> #b0001\n"
            "t20 = value s2 #b0001\nt21 = term = t1 t20\ncheck t7 t21\n-> unsat\n"
        ),
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_a_lie_is_noticed_and_the_honest_story_is_not(name: str, z3: LabReferenceSolvers) -> None:
    lie, kind, words, honest = STORIES[name]
    noticed = [each for each in failures(lie, z3) if each.kind == kind]
    assert noticed, failures(lie, z3)
    assert words in noticed[0].evidence
    assert failures(honest, z3) == []


def test_every_check_has_a_lie() -> None:
    kinds = {kind for _lie, kind, _words, _honest in STORIES.values()}
    assert {check.name for check in ALL} <= kinds


@pytest.mark.parametrize("name", STORIES)
def test_errors_and_what_is_not_known_are_no_lies(name: str, z3: LabReferenceSolvers) -> None:
    """The last reply as an error, and as a word that is no verdict, value or term."""
    lines = STORIES[name][0].splitlines()
    assert lines[-1].startswith("-> ")
    has_names = lines[-2].startswith(("get-sort", "get-core", "get-unsat", "extra give-core"))
    for reply in ("-! RuntimeError: not now", *(() if has_names else ("-> unknown",))):
        assert failures("\n".join([*lines[:-1], reply]), z3) == []


P_IS_TRUE = "check\n-> sat\nget-value t8\n-> true\n"
HONEST = {
    "two levels at once": (f"assert t8\npush 2\nassert t4\nassert t7\ncheck\n-> unsat\npop 2\n{P_IS_TRUE}"),
    "one level of two": (
        f"push 1\nassert t7\nassert t8\npush 1\nassert t4\ncheck\n-> unsat\npop 1\n{P_IS_TRUE}"
    ),
    "two levels, one by one": (
        "push 2\nassert t4\npop 1\nassert t7\ncheck\n-> sat\nget-value t1\n-> #b0111\npop 1\ncheck\n-> sat\n"
    ),
    "three levels, two of them": (
        f"push 1\nassert t8\npush 2\nassert t15\ncheck\n-> unsat\npop 2\n{P_IS_TRUE}"
    ),
    "all is forgotten": "assert t4\nassert t7\ncheck\n-> unsat\nreset-assertions\nassert t7\ncheck\n-> sat\n",
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_library_is_believed_whatever_it_pushes_and_pops(
    name: str, z3: LabReferenceSolvers
) -> None:
    assert failures(HONEST[name], z3) == []


def test_a_pop_that_is_done_by_halves_is_noticed(z3: LabReferenceSolvers) -> None:
    """A library that pops one level of two still has the contradiction of the other."""
    lie = "assert t8\npush 1\nassert t4\npush 1\nassert t7\ncheck\n-> unsat\npop 2\ncheck\n-> unsat\n"
    assert [each.kind for each in failures(lie, z3)] == ["verdict"]
    assert mirror_of(lie).asserted == ("t8",)
    assert mirror_of("push 2\nassert t8\npop 1\n").levels == [[], []]


def without(feature: str) -> list[str]:
    kept = tuple(each for each in CAPABILITIES.features if each != feature)
    return follow_ups(f"{SAT}", msgspec.structs.replace(CAPABILITIES, features=kept))


def test_after_sat_the_values_of_all_inputs_are_fetched() -> None:
    assert follow_ups(SAT)[0] == "get-value t1 t2"
    assert "get-value t1 t2" not in without("models")
    assert follow_ups(SAT.replace("-> sat", "-> unknown")) == []
    assert follow_ups("check\n-> sat\n") == []


def test_after_unsat_the_core_is_fetched_once() -> None:
    assert follow_ups(UNSAT) == ["get-core"]
    assert follow_ups(f"{UNSAT}check\n-> unsat\n") == []
    assert follow_ups("assert t15\ncheck\n-> unsat\n") == []
    assert follow_ups(f"{UNSAT}get-core\n-> t4 t7\n") == ["one-shot t4 t7"]
    assert follow_ups(f"{ASSUMED}get-unsat-assumptions\n-> t7\n") == ["one-shot t4 t7"]
    assert follow_ups("assert t4\ncheck t7\n-> unsat\nget-core\n-> t4\n") == ["one-shot t4 t7"]


@pytest.mark.parametrize(("last", "due"), [("get-value t1\n-> #b0001\n", 9), ("check\n-> sat\n", 3)])
def test_a_value_is_assumed_now_and_then(last: str, due: int) -> None:
    """At once for some values, and again when the same formulas are checked later."""
    times = []
    for pause in range(18):
        story = f"{SAT}get-value t1\n-> #b0001\n" + "print t1\n-> x\n" * pause + last
        made = [line for line in follow_ups(story) if "get-value" not in line]
        if mirror_of(story).actions % due:
            assert made == []
        else:
            assert [line.split(" = ", 1)[-1] for line in made] == [
                "value s2 #b0001",
                "term = t1 t16",
                "check t16",
            ]
            times.append(pause)
    assert len(times) == 18 // due
    assert "check" not in " ".join(follow_ups(f"{SAT}get-value t1\n-! Error: no\n"))
