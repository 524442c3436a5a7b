"""An action is one class: no other module of the room knows its word."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import falsum.api
from falsum.api.actions import ALL, BY_WORD
from falsum.api.actions.action import Action
from falsum.api.bindings.protocol import Binding
from falsum.api.bindings.serve import Session
from falsum.api.model.capabilities import Capabilities
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Bounds
from falsum.api.trace import read_line, read_trace
from falsum.api.traces.to_script import trace_to_script
from falsum.smtlib import print_script
from falsum.smtlib.sorts import Sort

ROOM = Path(str(falsum.api.__file__)).parent
# What runs, replays, prints, reduces and cross-replays lines of any action.
GENERAL = [
    "bindings/serve.py",
    "child.py",
    "cross_replay.py",
    *(f"traces/{file.name}" for file in (ROOM / "traces").glob("*.py") if file.stem != "from_script"),
]
EXCEPTIONS = {
    ("traces/to_script.py", "set-option"),  # a script sets the options that its commands need
    ("traces/passes.py", "value"),  # a value stands for a term
    ("traces/passes.py", "term"),  # the role of a term
    ("cross_replay.py", "check"),  # verdicts are compared
}


def test_general_modules_name_no_action() -> None:
    named = {
        (file, node.value)
        for file in GENERAL
        for node in ast.walk(ast.parse((ROOM / file).read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in BY_WORD
    }
    assert {(file, str(word)) for file, word in named} == EXCEPTIONS


@pytest.mark.parametrize("action", [each for each in ALL if each.applies], ids=lambda each: each.word)
def test_the_child_can_carry_out_every_call(action: Action) -> None:
    method, takes, gives, notes = action.call
    assert not method or hasattr(Binding, method)
    for kind in takes.split():
        assert hasattr(Session, f"read_{kind}")
    assert not gives or hasattr(Session, f"give_{gives}")
    assert not notes or hasattr(Session, f"note_{notes}")


CAPABILITIES = Capabilities(
    "z3",
    sorts=("Bool", "BitVec", "->"),
    operators=("not", "and", "bvult", "extract"),
    features=(
        "incremental", "assumptions", "models", "cores", "unsat-assumptions", "assertions", "logic", "reset",
        "reset-assertions", "functions", "print",
    ),
)  # fmt: skip
START = "new\ns1 = sort Bool\nt1 = const s1 p\n"


SCRIPTS = """
set-logic QF_BV; assert t1
  (set-logic QF_BV) (declare-fun p () Bool) (assert p)
assert t1; check; -> sat
  (set-logic ALL) (declare-fun p () Bool) (assert p) (check-sat)
push 2; assert t1; pop 1
  (set-logic ALL) (declare-fun p () Bool) (push 2) (assert p) (pop 1)
check t1; -> unsat; get-unsat-assumptions; -> t1
  (set-option :produce-unsat-assumptions true) (set-logic ALL) (declare-fun p () Bool)
  (declare-fun assumed!3!0 () Bool) (assert (= assumed!3!0 p)) (check-sat-assuming (assumed!3!0))
  (get-unsat-assumptions)
assert t1; check; -> unsat; get-core; -> t1
  (set-option :produce-unsat-cores true) (set-logic ALL) (declare-fun p () Bool)
  (assert (! p :named a!3)) (check-sat) (get-unsat-core)
assert t1; check; -> sat; get-value t1; -> true; get-model; reset; assert t1; reset-assertions
  (set-option :produce-models true) (set-logic ALL) (declare-fun p () Bool) (assert p) (check-sat)
  (get-value (p)) (get-model) (reset) (set-option :produce-models true) (set-logic ALL)
  (declare-fun p () Bool) (assert p) (reset-assertions)
assert t1; get-assertions; print t1
  (set-option :produce-assertions true) (set-logic ALL) (declare-fun p () Bool) (assert p) (get-assertions)
"""


@pytest.mark.parametrize("case", SCRIPTS.strip().replace("\n ", " ").splitlines())
def test_actions_write_their_commands(case: str) -> None:
    lines, _, commands = case.partition("  (")
    mirror = Mirror(CAPABILITIES, Bounds(), ("core", "bitvectors", "uf"))
    script = trace_to_script(read_trace(START + lines.replace("; ", "\n")), mirror)
    assert print_script(script).split() == f"({commands}".split()


@pytest.mark.parametrize(
    ("line", "simpler"),
    [
        ("s2 = sort BitVec 8 #7", "BitVec 1|BitVec 2|BitVec 3|BitVec 4|BitVec 8"),
        ("t2 = value s2 #b11", "s2 0|s2 1|s2 3"),
        ("t2 = term extract[3,1] t1 #3", "extract[3,1] t1|extract[0,1] t1|extract[1,1] t1|extract[3,0] t1"),
        ("push 2", ""),
    ],
)
def test_actions_make_their_lines_simpler(line: str, simpler: str) -> None:
    mirror = Mirror(CAPABILITIES, Bounds(), ("core", "bitvectors", "uf"))
    mirror.add_sort("s2", Sort("BitVec", (2,)))
    read = read_line(line)
    proposals = [" ".join(each.args[-2:]) for each in BY_WORD[read.word].simpler(read, mirror)]
    assert sorted(proposals) == sorted(filter(None, simpler.split("|")))


@pytest.mark.parametrize(
    ("line", "count"),
    [("check t1 t2", 2), ("t3 = term and t1 t2", 0), ("t4 = term and t1 t2 t3", 3), ("pop 2", 1)],
)
def test_actions_make_their_lines_shorter(line: str, count: int) -> None:
    read = read_line(line)
    assert len(list(BY_WORD[read.word].shorter(read))) == count
