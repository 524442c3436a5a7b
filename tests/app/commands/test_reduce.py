"""`falsum reduce`, as scripts use it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.campaign.places import liar

from falsum.app.commands import reduce
from falsum.errors import ScriptError, SurroundingsError, UsageError

SCRIPT = """
(set-logic QF_NIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (> (+ x y) 3))
(assert (= (div x y) 2))
(check-sat)
"""
CODE = "import sys; sys.exit(7 if '(div ' in open(sys.argv[1]).read() else 0)"
COMMAND = shlex.join([sys.executable, "-S", "-c", CODE])


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.smt2"
    file.write_text(SCRIPT)
    return str(file)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(reduce.command, arguments, catch_exceptions=False)


def test_a_command_is_kept(script: str) -> None:
    result = run(script, "--command", COMMAND)
    assert result.exit_code == 0
    assert result.stdout == "(assert (= (div 0 0) 0))\n"
    assert "bytes in" in result.stderr


def test_json_and_out(script: str, tmp_path: Path) -> None:
    result = run(script, "--command", COMMAND, "--json", "--out", "small.smt2", "--jobs", "2")
    line = json.loads(result.stdout)
    assert line["text"] == (tmp_path / "small.smt2").read_text()
    assert line["stop"] == "smallest"
    assert line["is_confirmed"]
    assert {one["name"] for one in line["passes"]} >= {"drop-commands"}


def test_solvers_are_kept(script: str) -> None:
    says = [shlex.join([sys.executable, "-c", f"print({word!r})"]) for word in ("sat", "unsat")]
    result = run(script, "--solver", says[0], "--solver", says[1], "--tests", "8")
    assert result.exit_code == 0
    assert "keeping refutation unsoundness" in result.stderr
    assert len(result.stdout) < len(SCRIPT)


def test_of_several_solvers_the_one_that_is_wrong_is_kept(script: str) -> None:
    """The others, which must go on accepting the script, are not suspected."""
    result = run(script, "--solver", liar("honest"), "--solver", liar("abort", "(div "), "--tests", "6")
    assert result.exit_code == 0
    (line,) = [line for line in result.stderr.splitlines() if "keeping" in line]
    assert line.startswith(f"falsum: keeping crash: {liar('abort', '(div ')} (assertion: ")
    assert "(div " in result.stdout


def test_a_script_nobody_takes_is_refused(script: str) -> None:
    with pytest.raises(UsageError, match="no solver accepts the script"):
        run(script, "--solver", shlex.join([sys.executable, "-c", "print('(error \"unknown logic\")')"]))


def test_a_model_of_what_is_left_after_a_reset_is_valid(script: str) -> None:
    """Assertions from before `(reset-assertions)` are gone, so z3's model need not satisfy them."""
    Path(script).write_text(
        "(set-option :global-declarations true)(declare-const x Int)(assert (= x 7))(check-sat)"
        "(reset-assertions)(assert (= x 3))(check-sat)"
    )
    result = run(script, "--solver", "z3", "--tests", "8")
    assert "keeping answers: z3 answers sat" in result.stderr


# Answers sat to every check if the script uses x, which is 0 at the first one, and right at the others.
SLOPPY = """
import sys
checks = 0
text = open(sys.argv[1]).read()
knows = " x)" in text and "false" not in text
for line in text.replace(")(", ")\\n(").splitlines():
    if line.startswith("(echo"):
        print(line.split(chr(34))[1])
    elif line.startswith("(check-sat"):
        checks += 1
        print("sat" if knows else "unsat")
    elif line.startswith("(get-model") and knows:
        print("((define-fun x () Int %s))" % {1: "0", 2: "8"}.get(checks, "(- 9)"))
"""
INCREMENTAL = """(declare-const x Int)(declare-const y Int)
(assert (> (abs x) 5))(assert (or (= y 3) (= y y)))(check-sat)
(push 1)(assert (> x 7))(check-sat)(pop 1)
(assert (< x 0))(check-sat)
"""


def test_an_invalid_model_of_an_earlier_check_is_kept(script: str, tmp_path: Path) -> None:
    program = tmp_path / "sloppy.py"
    program.write_text(SLOPPY)
    solver = shlex.join([sys.executable, "-S", str(program)])
    Path(script).write_text(INCREMENTAL)
    result = run(script, "--solver", solver)
    assert result.exit_code == 0
    assert "falsum: the model of check 1 is invalid; later checks are left out" in result.stderr
    assert "keeping invalid model" in result.stderr
    assert result.stdout.count("(check-sat)") == 1
    assert " x)" in result.stdout
    assert result.stdout.endswith("(check-sat)\n(get-model)\n")
    assert "(or " not in result.stdout
    # Every model it prints is right now, but not that of what is asserted at the second check, asked alone.
    Path(script).write_text(INCREMENTAL.replace("(> (abs x) 5)", "(< (abs x) 90)"))
    alone = run(script, "--solver", solver)
    assert "keeping invalid model" in alone.stderr
    assert "(push" not in alone.stdout
    assert alone.stdout.endswith("(check-sat)\n(get-model)\n")


def test_what_is_slow_stays_slow(script: str) -> None:
    result = run(script, "--solver", liar("slow", "(div "), "--slower-than", "0.1s", "--tests", "25")
    assert result.exit_code == 0
    assert "keeping slow: " in result.stderr
    assert "answers no answer" not in result.stderr
    assert "(div " in result.stdout
    assert len(result.stdout) < len(SCRIPT)


def test_what_is_not_slow_is_refused(script: str) -> None:
    with pytest.raises(UsageError, match="does not show the defect now"):
        run(script, "--solver", liar("honest"), "--slower-than", "30s")
    with pytest.raises(UsageError, match="--slower-than requires --solver"):
        run(script, "--command", COMMAND, "--slower-than", "1s")


def test_a_budget_ends_it(script: str) -> None:
    result = run(script, "--command", COMMAND, "--tests", "2")
    assert "test limit reached" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--solver", "z3", "--command", "true"),
        ("--solver", "z3", "--match-out", "x"),
        ("--command", ""),
    ],
)
def test_wrong_use(script: str, arguments: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run(script, *arguments)


@pytest.mark.usefixtures("script")
def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError):
        run("missing.smt2", "--command", COMMAND)
    (tmp_path / "wrong.smt2").write_text("(assert 1)")
    with pytest.raises(ScriptError):
        run("wrong.smt2", "--command", COMMAND)


def test_a_missing_directory_is_made_before_any_work(script: str, tmp_path: Path) -> None:
    """Once the result was lost when it could not be written at the end."""
    assert run(script, "--command", COMMAND, "--out", "not/there/small.smt2").exit_code == 0
    assert (tmp_path / "not/there/small.smt2").read_text() == "(assert (= (div 0 0) 0))\n"
    with pytest.raises(SurroundingsError, match=r"a\.smt2/small\.smt2: (Not a directory|File exists)"):
        run(script, "--command", "touch tested", "--out", "a.smt2/small.smt2")
    with pytest.raises(UsageError, match="not is a directory; --out names a file"):
        run(script, "--command", "touch tested", "--out", "not")
    assert not Path("tested").exists()


def test_a_result_that_cannot_be_written_is_printed(script: str, tmp_path: Path) -> None:
    """The directory disappears while the script is reduced."""
    line = shlex.join([sys.executable, "-S", "-c", f"import shutil; shutil.rmtree('gone', True); {CODE}"])
    result = run(script, "--command", line, "--out", "gone/small.smt2")
    assert result.stdout == "(assert (= (div 0 0) 0))\n"
    assert (
        "gone/small.smt2: No such file or directory; the result follows on standard output" in result.stderr
    )


@pytest.mark.parametrize(("command", "status"), [("no-such-program", 127), ("./a.smt2", 126)])
def test_a_command_that_cannot_be_run_is_refused(script: str, command: str, status: int) -> None:
    """Its status once was what had to stay, and every script was reduced to nothing."""
    with pytest.raises(UsageError, match=rf"the command cannot be run \(status {status}\): "):
        run(script, "--command", command)


def test_durations_as_everywhere(script: str) -> None:
    assert run(script, "--command", COMMAND, "--for", "1m", "--timeout", "10s").exit_code == 0
