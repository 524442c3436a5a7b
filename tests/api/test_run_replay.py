"""Runs follow from their number; traces replay to the same, in any process, and on other libraries."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.api.conftest import Make, library_named, solver_named

from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import Line, Trace, from_lines, read_line, read_trace
from falsum.api.traces.program import trace_to_program
from falsum.api.traces.to_script import trace_to_script
from falsum.app.library.replay_trace import trace_in
from falsum.app.main import main
from falsum.errors import UsageError
from falsum.smtlib import print_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.supervision.process import ProcessRunner


def test_traces_replay_to_the_same_in_a_fresh_process(product: str, make: Make) -> None:
    first = make(product, Settings(runs_per_child=1, seconds=10))
    second = make(product, Settings(seconds=10))
    for number in range(3):
        result = first.run(number)
        if result.status is not RunStatus.TIMED_OUT:
            again = second.replay(read_trace(str(result.trace)))
            assert str(again.trace) == str(result.trace)


def test_the_same_number_makes_the_same_trace_whatever_the_hash_seed() -> None:
    def traced(seed: str) -> str:
        result = subprocess.run(
            [
                sys.executable,
                "-m",
                "falsum.app.main",
                "api",
                "-s",
                "bitwuzla",
                "--rng",
                "77",
                "--compare",
                "0",
            ],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.stdout.startswith("# falsum trace 1"), result.stderr
        return result.stdout

    assert traced("1") == traced("2")


def test_a_trace_goes_to_another_library(make: Make) -> None:
    settings = Settings(theories=("bitvectors",), options=0, seconds=10)
    words = {"new", "extra", "reset"}  # what one library alone knows, or starts anew with other options
    outcomes = map(make("bitwuzla", settings).run, range(40))
    result = next(o for o in outcomes if not words & {s.line.word for s in o.trace.steps[1:]})
    kept = [s for s in result.trace.steps if s.line.word != "set-option"]
    other = make("z3", settings).replay(Trace(tuple(kept), result.trace.header))
    assert other.status is RunStatus.DONE, other.evidence
    assert other.verdicts
    assert other.verdicts == result.verdicts


def test_lines_that_are_not_possible_any_more_are_left_out(make: Make) -> None:
    lines = [
        Line("new"),
        Line("sort", ("Bool",), ("s1",)),
        Line("const", ("s1", "p"), ("t1",)),
        Line("get-value", ("t1",)),
        Line("assert", ("t9",)),
        Line("term", ("bvadd", "t1", "t1"), ("t2",)),
        Line("pop", ("1",)),
        Line("assert", ("t1",)),
        Line("check"),
    ]
    result = make("z3").replay(from_lines(lines, {"theories": "core"}))
    assert result.status is RunStatus.DONE
    assert result.skipped == 4
    assert result.verdicts == ("sat",)


PROGRAMS = """
new
s1 = sort BitVec 8
t1 = const s1 x1
t2 = value s1 #b00000011 #1
t3 = value s1 5
t4 = term bvmul t1 t2
t5 = term = t4 t3
t6 = term bvult t1 t2
t7 = term bvadd t1 t1 t2 t3
t8 = term = t7 t1 t7
t9 = term not t8
t10 = term or t8 t9
assert t10
assert t5
check
get-value t1
push 1
assert t6
check
get-core
pop 1
check t6
check
"""


@pytest.mark.parametrize("number", ["", " #5"], ids=["plain", "by the classes' own methods"])
@pytest.mark.parametrize("name", ["bitwuzla", "z3", "cvc5", "z3@4.8.10", "cvc5@1.1.0", "boolector", "yices"])
def test_a_program_for_the_library_alone_says_the_same(name: str, number: str, make: Make) -> None:
    library_named(name)
    fuzzer = make(name)
    rows = PROGRAMS.strip().splitlines()
    lines = [read_line(row + number if " = term " in row else row) for row in rows]
    first, *rest = from_lines(lines, {"solver": name}).steps
    result = fuzzer.replay(Trace((first, *fuzzer.required_steps(()), *rest), {"solver": name}))
    assert result.status is RunStatus.DONE, result.evidence
    assert result.verdicts == ("sat", "unsat", "unsat", "sat")
    release = fuzzer.solver.release
    assert release is not None
    assert release.folder is not None
    with ProcessRunner() as runner:
        text = trace_to_program(result.trace, release, runner)
    marked = re.sub(r"^print\((.*)\)  # (?:un)?sat$", r"print('verdict', \1)", text, flags=re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-c", marked],
        env=os.environ | {"PYTHONPATH": release.folder},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{text}\n{done.stderr}"
    output = re.findall(r"^verdict (?:result\.)?(\w+)$", done.stdout.lower(), re.MULTILINE)
    numbers = {"10": "sat", "20": "unsat", "3": "sat", "4": "unsat"}  # of Boolector and yices
    output = [numbers.get(word, word) for word in output]
    assert tuple(output) == result.verdicts, f"{text}\n{done.stdout}"
    assert "import falsum" not in text


def test_a_trace_as_a_script_gets_the_same_verdicts(make: Make) -> None:
    fuzzer = make("z3", Settings(theories=("bitvectors", "arrays", "uf"), options=0))
    lab = LiveLab([solver_named("z3")], Limits(seconds=20))
    compared = 0
    with lab:
        for number in range(6):
            result = fuzzer.run(number)
            try:
                script = trace_to_script(result.trace, fuzzer.new_mirror(result.trace))
            except UsageError:
                continue
            answer = lab.ask(Request("z3", print_script(script)))
            if "unknown constant" in answer.stdout:
                continue  # z3's parser lacks operators of its library, such as the union of arrays
            assert tuple(map(str, answer.verdicts)) == result.verdicts, print_script(script)
            compared += len(result.verdicts)
    assert compared > 3


RESET = """
s1 = sort Bool
t1 = const s1 x1
set-logic QF_UF
assert t1
check
reset
assert t1
check
"""


@pytest.mark.parametrize(
    "row",
    [
        "assert", "t9 = term", "t9 = term bvadd[x] t1 t1", "extra", "extra nosuch", "t9 = extra simplify",
        "push", "push x", "sort BitVec 3", "s9 = sort BitVec", "s9 = sort BitVec x", "s9 = sort Nosuch",
        "t9 = const s1", "t9 = value s1", "get-sort", "print t8", "set-option", "t9 = define g9",
        "s9 = template D!s9", "s9 = declare-sort", "s9 = datatypes",
    ],
)  # fmt: skip
def test_a_line_that_is_none_is_left_out_whatever_is_wrong_with_it(row: str, make: Make) -> None:
    rows = ["new", "s1 = sort BitVec 4", "t1 = const s1 x1", row, "check"]
    trace = from_lines([read_line(each) for each in rows], {"theories": "core bitvectors uf datatypes"})
    result = make("z3").replay(trace)
    assert (result.status, result.skipped) == (RunStatus.DONE, 1)
    assert result.verdicts == ("sat",)


def test_a_script_has_a_logic_wherever_it_needs_one(make: Make) -> None:
    fuzzer = make("z3", Settings(options=0))
    trace = from_lines([Line("new"), *read_trace(RESET).lines])
    rows = print_script(trace_to_script(trace, fuzzer.new_mirror(trace))).split("\n")
    again = rows.index("(reset)") + 1
    assert [row for row in rows[:again] if "set-logic" in row] == ["(set-logic QF_UF)"]
    assert rows[again] == "(set-logic ALL)"


def test_a_question_for_no_values_is_no_command(make: Make) -> None:
    fuzzer = make("z3", Settings(options=0))
    trace = from_lines([Line("new"), Line("check"), Line("get-value")])
    assert "get-value" not in print_script(trace_to_script(trace, fuzzer.new_mirror(trace)))


def test_a_solvers_own_action_stands_in_the_way(make: Make) -> None:
    trace = from_lines([Line("new"), Line("extra", ("simplify",))])
    with pytest.raises(UsageError, match="SMT-LIB has no simplify"):
        trace_to_script(trace, make("bitwuzla").new_mirror(trace))


def test_replay_as_people_call_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.trace"
    file.write_text(f"# falsum trace 1\n# solver: z3{PROGRAMS}")

    def called(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main(["replay", str(file), *arguments])
        assert isinstance(left.value.code, int)
        return left.value.code, capsys.readouterr().out

    code, out = called("-s", "bitwuzla", "--json")
    assert code == 0
    assert json.loads(out)["verdicts"] == ["sat", "unsat", "unsat", "sat"]
    assert "(assert (= (bvmul x1 #b00000011) #b00000101))" in called("--smt2")[1]
    assert "import z3" in called("--python")[1]
    file.write_text("# falsum trace 1\nnew\n")
    assert called()[0] == 2


def test_a_file_that_is_no_trace_is_named(tmp_path: Path) -> None:
    file = tmp_path / "odd.trace"
    file.write_text("garbage\n")
    with pytest.raises(UsageError, match=r"odd\.trace:1:1: not a trace"):
        trace_in(str(file))
