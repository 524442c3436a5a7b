"""`falsum solve` and `falsum solvers`, as scripts use them."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from falsum.app.commands import solve, solvers
from falsum.errors import SurroundingsError, UsageError

SCRIPT = "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (bvult x #x05))(check-sat)\n"


def says(word: str) -> str:
    return shlex.join([sys.executable, "-c", f"print({word!r})"])


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.smt2"
    file.write_text(SCRIPT)
    return str(file)


def run_solve(*arguments: str) -> Result:
    return CliRunner().invoke(solve.command, arguments, catch_exceptions=False)


def test_all_answers_as_json_lines(script: str) -> None:
    result = run_solve(script, "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line.get("solver") for line in lines] == ["z3", "cvc5", "bitwuzla", None]
    assert all(line["verdicts"] == ["sat"] for line in lines[:3])
    assert lines[-1]["word"] == "all solvers that decide answer sat"
    (check,) = lines[-1]["checks"]
    assert (check["check"], check["verdict"], check["evidence"][0]["kind"]) == (1, "sat", "model")
    assert result.exit_code == 0


FORGED = '(declare-const a Bool)(assert a)(echo "unsat")(set-option :regular-output-channel "{}")(check-sat)'


def test_raw_text_is_sent_as_it_is_and_said_to_be(script: str, tmp_path: Path) -> None:
    Path(script).write_text(FORGED.format(tmp_path / "written"))
    careful = run_solve(script, "--solver", "z3", "--json")
    assert json.loads(careful.stdout.splitlines()[0])["verdicts"] == ["sat"]
    assert not (tmp_path / "written").exists()
    raw = run_solve(script, "--solver", "z3", "--json", "--raw")
    line, agreement = map(json.loads, raw.stdout.splitlines())
    assert line["verdicts"][0] == "unsat"
    assert line["changes"] == ["sent as it is"]
    assert "checks" not in agreement
    assert "sent as it is" in raw.stderr
    assert not (tmp_path / "written").exists(), "the fence lets it write in its run directory only"


def test_raw_text_is_not_added_to(script: str) -> None:
    with pytest.raises(UsageError, match="--model and --core can add nothing"):
        run_solve(script, "--raw", "--model")


def test_a_contradiction_is_something_found(script: str) -> None:
    Path(script).write_text(
        "(declare-const x (_ BitVec 64))"
        "(assert (= (bvmul x #x9e3779b97f4a7c15) #x0123456789abcdef))(check-sat)"
    )
    result = run_solve(script, "--solver", says("sat"), "--solver", says("unsat"))
    assert result.exit_code == 1
    assert "undecided\n" in result.stdout
    assert "falsum found no evidence that decides which is right." in result.stdout


def test_a_model_tells_who_is_wrong(script: str) -> None:
    result = run_solve(script, "--solver", "z3", "--solver", says("unsat"))
    assert f"refutation unsoundness: {says('unsat')} (check 1 is sat)\n" in result.stdout
    assert "Under this model, printed by z3, every assertion evaluates to true" in result.stdout
    assert result.exit_code == 1


def test_the_judgement_as_a_json_line(script: str) -> None:
    result = run_solve(script, "--solver", "z3", "--solver", says("unsat"), "--json")
    word = json.loads(result.stdout.splitlines()[-1])
    assert (word["word"], word["truth"], word["check"]) == ("refutation unsoundness", "sat", 1)
    assert word["suspects"] == [says("unsat")]
    assert word["evidence"][0]["kind"] == "model"
    assert "(define-fun x () (_ BitVec 8)" in word["evidence"][0]["details"]


def test_a_script_without_symbols_needs_no_model(tmp_path: Path) -> None:
    file = tmp_path / "ground.smt2"
    file.write_text('(assert (str.contains "ab" "c"))(check-sat)')
    result = run_solve(str(file), "--solver", "z3", "--solver", says("sat"))
    assert f"solution unsoundness: {says('sat')} (check 1 is unsat)\n" in result.stdout
    assert result.stdout.endswith('    (str.contains "ab" "c")\n')


def test_a_crash_is_something_found(script: str) -> None:
    crash = f"{sys.executable} -c 'import os; os.abort()'"
    result = run_solve(script, "--solver", crash, "--solver", says("sat"))
    assert result.exit_code == 1
    assert "SIGABRT" in result.stdout


def test_unknown_contradicts_nobody(script: str) -> None:
    assert run_solve(script, "--solver", says("sat"), "--solver", says("unknown")).exit_code == 0


def test_models_are_shown(script: str) -> None:
    assert "define-fun x" in run_solve(script, "--solver", "bitwuzla", "--model").stdout


def prints(tmp_path: Path, text: str) -> str:
    """A program that prints this whatever it is asked."""
    program = tmp_path / "prints"
    program.write_text(f"#!/bin/sh\ncat > /dev/null\ncat <<'END'\n{text}\nEND\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("model", "text", "code"),
    [
        ("((define-fun x () (_ BitVec 8) #x01))", "the model satisfies the script: every assertion", 0),
        (
            "((define-fun x () (_ BitVec 8) #x05))",
            "the model does not satisfy the script: the assertion (bvult x #x05) evaluates to false",
            1,
        ),
        ("((define-fun x () (_ BitVec 8) (frob)))", "cannot say whether the model satisfies the script: ", 0),
    ],
)
def test_one_solver_with_a_model(script: str, tmp_path: Path, model: str, text: str, code: int) -> None:
    """The evaluator's word on the only model there is."""
    solver = prints(tmp_path, f"sat\n{model}")
    result = run_solve(script, "--solver", solver, "--model")
    assert f"{solver}: {text}" in result.stdout
    assert result.exit_code == code
    assert (f"invalid model: {solver}" in result.stdout) is (code == 1)
    assert ("sat is right. Under this model" in result.stdout) is ("satisfies the script: every" in text)
    last = json.loads(run_solve(script, "--solver", solver, "--model", "--json").stdout.splitlines()[1])
    assert last["model"] == {0: "true" if "every" in text else "cannot say", 1: "false"}[code]
    assert last["reason"]


def test_one_solver_that_is_not_asked_for_a_model_is_judged_by_it_all_the_same(
    script: str, tmp_path: Path
) -> None:
    wrong = prints(tmp_path, "sat\n((define-fun x () (_ BitVec 8) #xff))")
    result = run_solve(script, "--solver", wrong)
    assert f"invalid model: {wrong}" in result.stdout
    assert result.exit_code == 1


TWO_CHECKS = (
    "(declare-const x Int)(assert (> x 5))(assert (distinct x 8))(push 1)(assert (< x 3))(check-sat)(pop 1)"
    "(assert (> x 6))(check-sat)\n"
)


def test_every_check_is_looked_at(script: str) -> None:
    Path(script).write_text(TWO_CHECKS)
    result = run_solve(script, "--solver", "z3")
    assert (
        "check 1: it is not known whether unsat is right: falsum has only the solver's word." in result.stdout
    )
    assert "check 2: sat is right. Under this model, printed by z3," in result.stdout
    result = run_solve(script, "--solver", "cvc5")
    assert "check 1: unsat is confirmed. cvc5 prints a proof" in result.stdout
    result = run_solve(script, "--solver", "z3", "--solver", "cvc5")
    assert (
        "check 1: unsat is confirmed. These assertions alone are unsat according to z3, cvc5" in result.stdout
    )


CORES = "(declare-const b Bool)(declare-const x Int)(assert b)(assert (> x 5))(assert (not b))(check-sat)\n"


@pytest.mark.parametrize(
    ("core", "text", "code"),
    [
        ("(falsum!1 falsum!3)", "the core is unsat: There are 2 assignments", 0),
        ("(falsum!1 falsum!2)", "the core is not unsat: What", 1),
        ("(falsum!1 falsum!2 falsum!3)", "cannot say whether the core is unsat: the core has all", 0),
    ],
)
def test_a_core(script: str, tmp_path: Path, core: str, text: str, code: int) -> None:
    Path(script).write_text(CORES.replace("(declare-const x Int)", "(declare-const x Int)" * (code or 1)))
    if not code:
        # Only what the core names is declared, so that all assignments can be tried.
        Path(script).write_text(
            CORES.replace("(declare-const x Int)", "").replace("(> x 5)", "(or b (not b))")
        )
    solver = prints(tmp_path, f"unsat\n{core}")
    others = ("--solver", "z3") if code else ()
    result = run_solve(script, "--solver", solver, *others, "--core")
    assert f"{solver}: {text}" in result.stdout
    assert result.exit_code == code
    assert (f"wrong core: {solver}" in result.stdout) is (code == 1)


def test_the_core_of_a_real_solver(script: str) -> None:
    Path(script).write_text(CORES)
    assert "cvc5: the core is unsat: cvc5 prints a proof" in run_solve(script, "-s", "cvc5", "--core").stdout
    assert (
        "z3: cannot say whether the core is unsat: z3 answers unsat to these assertions alone"
        in run_solve(script, "-s", "z3", "--core").stdout
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(declare-const x Int)\n(assert (> x 1)\n", "a.smt2:3:1: the script ends inside a command"),
        ("(declare-const x Int)\n(assert (> y 1))\n(check-sat)\n", "a.smt2:2:12: unknown symbol y\n"),
        ("(declare-const x Int)\n(assert (> x 1))\n", "a.smt2: no (check-sat), so the solvers are asked"),
        ("", "a.smt2: no (check-sat)"),
    ],
)
def test_a_script_that_is_wrong_or_asks_nothing(script: str, text: str, said: str) -> None:
    """It once was "no solver decides", and exit code 0."""
    Path(script).write_text(text)
    with pytest.raises(UsageError) as refused:
        run_solve(script, "--solver", "z3")
    assert said in str(refused.value)
    if "no (check-sat)" not in said:
        assert f"then: falsum check {script}" in str(refused.value)


def test_what_solvers_read_and_falsum_does_not_is_compared(script: str) -> None:
    Path(script).write_text("(declare-const x Int)\n(assert (frobnicate x))\n(check-sat)\n")
    result = run_solve(script, "--solver", says("sat"))
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "all solvers that decide answer sat")
    assert "a.smt2:2:10: unknown" in result.stderr
    assert "compared but not judged" in result.stderr
    assert run_solve(script, "--solver", says("sat"), "--solver", says("unsat")).exit_code == 1


def test_nobody_is_blamed_for_what_a_blocked_model_excludes(script: str) -> None:
    start = (
        "(set-option :produce-models true)\n(set-logic ALL)\n(declare-const x Bool)\n(assert x)\n(check-sat)"
    )
    Path(script).write_text(f"{start}\n(block-model :literals)\n(check-sat)\n")
    result = run_solve(script, "--solver", "cvc5", "--solver", "z3")
    assert result.exit_code == 0
    assert result.stdout.startswith("cvc5  sat unsat")
    assert "unsoundness" not in result.stdout


def test_nobody_is_blamed_for_an_alphabet_of_its_own(script: str) -> None:
    every = '(re.* (re.range "\\u{0}" "\\u{FF}"))'
    Path(script).write_text(
        f"(set-option :encoding ascii)(declare-const x String)(assert (not (str.in_re x {every})))(check-sat)"
    )
    result = run_solve(script, "--solver", "z3", "--solver", "cvc5")
    assert (result.exit_code, result.stdout.splitlines()[2]) == (0, "all solvers that decide answer sat")
    assert "z3: (set-option :encoding …) left out" in result.stderr


def test_a_solver_that_answers_nothing(script: str) -> None:
    result = run_solve(script, "--solver", says("hello"))
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (3, "no solver answers")
    assert "falsum solvers doctor" in result.stderr
    assert run_solve(script, "--solver", says("unknown")).exit_code == 0


def test_the_file_names_the_solvers(script: str) -> None:
    Path("falsum.toml").write_text('solvers = ["bitwuzla"]\n')
    result = run_solve(script)
    assert result.stdout.startswith("bitwuzla  sat")


def test_wrong_use_and_broken_surroundings(script: str) -> None:
    with pytest.raises(UsageError):
        run_solve(script, "--solver", "z4")
    with pytest.raises(SurroundingsError):
        run_solve("nope.smt2")


def test_solvers_list_and_doctor_as_json() -> None:
    listed = CliRunner().invoke(solvers.command, ["list", "--json"], catch_exceptions=False)
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    assert {"z3", "cvc5", "bitwuzla"} <= {row["product"] for row in rows}
    examined = CliRunner().invoke(solvers.command, ["doctor", "bitwuzla", "--json"], catch_exceptions=False)
    (checkup,) = [json.loads(line) for line in examined.stdout.splitlines()]
    assert checkup["healthy"]
    assert checkup["works"]["models"]
    assert examined.exit_code == 0


def test_adding_nonsense_is_refused() -> None:
    with pytest.raises(UsageError, match="choose one of"):
        CliRunner().invoke(solvers.command, ["add", "frob@1"], catch_exceptions=False)
    with pytest.raises(UsageError, match="options cannot be given here"):
        CliRunner().invoke(solvers.command, ["add", "z3@4.8:a=b"], catch_exceptions=False)


def test_removing_releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FALSUM_ZOO", str(tmp_path))
    for release in ("2.6.4", "2.6.5"):
        folder = tmp_path / "yices" / release / "bin"
        folder.mkdir(parents=True)
        (folder / "yices-smt2").touch()

    def remove(name: str) -> Result:
        return CliRunner().invoke(solvers.command, ["remove", name], catch_exceptions=False)

    with pytest.raises(UsageError, match=r"ambiguous; choose one of yices@2\.6\.4, yices@2\.6\.5"):
        remove("yices")
    with pytest.raises(UsageError, match=r"yices@9 was not installed by falsum solvers add; installed: "):
        remove("yices@9")
    with pytest.raises(UsageError, match="unknown product 'nonsense'"):
        remove("nonsense@1")
    assert remove("yices@2.6.4").output == "removed yices@2.6.4\n"
    assert [folder.name for folder in (tmp_path / "yices").iterdir()] == ["2.6.5"]


SYNTHESIS = """(set-logic LIA)(synth-fun f ((x Int)) Int)(declare-var x Int)
(constraint (= (f x) (+ x 1)))(check-synth)
"""
WRONG_SOLUTION = "((define-fun f ((x Int)) Int (+ x 2)))"


def test_solutions_of_synthesis_problems_are_checked(script: str, tmp_path: Path) -> None:
    Path(script).write_text(SYNTHESIS)
    right = run_solve(script, "--solver", "cvc5", "--solver", "z3")
    assert right.exit_code == 0
    assert "cvc5: the solution satisfies the constraints: cvc5, z3 answer unsat" in right.stdout
    liar = tmp_path / "liar"
    liar.write_text(f"#!/bin/sh\necho '{WRONG_SOLUTION}'\n")
    liar.chmod(0o755)
    wrong = run_solve(script, "--solver", f"cvc5={liar}", "--solver", "z3", "--json")
    assert wrong.exit_code == 1
    solved, assessed = map(json.loads, wrong.stdout.splitlines())
    assert solved["solution"] == WRONG_SOLUTION
    assert assessed["solution"] == "false"
    with pytest.raises(UsageError, match="synthesis problem"):
        run_solve(script, "--solver", "z3")


def test_infeasible_is_wrong_if_there_is_a_solution(script: str, tmp_path: Path) -> None:
    Path(script).write_text(SYNTHESIS)
    liar = tmp_path / "liar"
    liar.write_text("#!/bin/sh\necho infeasible\n")
    liar.chmod(0o755)
    both = run_solve(script, "--solver", f"cvc5={liar}", "--solver", "cvc5", "--solver", "z3")
    assert both.exit_code == 1
    assert "there is a solution" in both.stdout
    alone = run_solve(script, "--solver", f"cvc5={liar}")
    assert alone.exit_code == 0
    assert "infeasible" in alone.stdout


RESTRICTED = SYNTHESIS.replace("Int)) Int)", "Int)) Int ((S Int)) ((S Int (x 1 (+ S S)))))")


@pytest.mark.parametrize(
    ("body", "text", "code"),
    [
        ("(+ x 1)", "the solution follows the grammar: S gives it", 0),
        ("(let ((y 1)) (+ y x))", "the solution follows the grammar: S gives it", 0),
        ("(- x (- 1))", "the solution does not follow the grammar: no rule of the grammar gives (- 1)", 1),
        (
            "(+ (* 1 x) 1)",
            "the solution does not follow the grammar: no rule of the grammar gives (* 1 x)",
            1,
        ),
        ("(+ x 0 1)", "the solution does not follow the grammar: no rule of the grammar gives 0", 1),
    ],
)
def test_a_right_solution_must_follow_its_grammar(
    script: str, tmp_path: Path, body: str, text: str, code: int
) -> None:
    Path(script).write_text(RESTRICTED)
    liar = tmp_path / "liar"
    liar.write_text(f"#!/bin/sh\necho '((define-fun f ((x Int)) Int {body}))'\n")
    liar.chmod(0o755)
    found = run_solve(script, "--solver", f"cvc5={liar}", "--solver", "z3")
    assert "the solution satisfies the constraints" in found.stdout
    assert text in found.stdout
    assert found.exit_code == code


def test_infeasible_is_wrong_only_if_a_solution_follows_the_grammar(script: str, tmp_path: Path) -> None:
    liar = tmp_path / "liar"
    liar.write_text("#!/bin/sh\necho infeasible\n")
    liar.chmod(0o755)
    Path(script).write_text(RESTRICTED)
    wrong = run_solve(script, "--solver", f"cvc5={liar}", "--solver", "cvc5", "--solver", "z3")
    assert "there is a solution" in wrong.stdout
    assert wrong.exit_code == 1
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho '((define-fun f ((x Int)) Int (+ x 1)))'\n")
    other.chmod(0o755)
    # Nobody knows how to write x + 1 without a number, or says so in a way that falsum can check.
    for grammar in ("((S Int)) ((S Int (x (+ S S))))", "((S Int (x 1 (+ S S))))"):
        Path(script).write_text(SYNTHESIS.replace("Int)) Int)", f"Int)) Int {grammar})"))
        said = run_solve(script, "--solver", f"cvc5={liar}", "--solver", f"cvc5={other}", "--solver", "z3")
        assert "there is a solution" not in said.stdout


OPTIMISATION = """(declare-const b (_ BitVec 4))(assert (bvult b #x9))(maximize b)(check-sat)
"""


def test_optima_are_assessed(script: str, tmp_path: Path) -> None:
    Path(script).write_text(OPTIMISATION)
    right = run_solve(script, "--solver", "z3")
    assert right.exit_code == 0
    assert "z3: the optimum is right: its model attains 8, and nothing is better" in right.stdout
    Path(script).write_text("(declare-const x Int)(assert (< x 5))(maximize x)(check-sat)\n")
    unproved = run_solve(script, "--solver", "z3", "--json")
    assert unproved.exit_code == 0
    assessed = [json.loads(line) for line in unproved.stdout.splitlines() if "optimum" in line]
    assert [each["optimum"] for each in assessed] == ["cannot say"]
    liar = tmp_path / "liar"
    # Right for the script by which falsum tries whether it optimises.
    liar.write_text(
        "#!/bin/sh\nfor file; do :; done\n"
        'case $(cat "$file") in *"(< x 3)"*) x=2 ;; *"(< x 5)"*) x=3 ;; esac\n'
        'echo sat; echo "(objectives (x $x))"; echo "((define-fun x () Int $x))"\n'
    )
    liar.chmod(0o755)
    wrong = run_solve(script, "--solver", str(liar), "--solver", "z3")
    assert wrong.exit_code == 1
    assert f"{liar}: the optimum is wrong: gives 3 as the optimum of x, but" in wrong.stdout
    assert "z3: cannot say whether the optimum is right: gives 4 as the optimum of x, but" in wrong.stdout


@pytest.mark.parametrize(("status", "code"), [("unsat", 1), ("sat", 0), ("unknown", 0)])
def test_a_status_that_all_solvers_contradict_is_said(script: str, status: str, code: int) -> None:
    Path(script).write_text(f"(set-info :status {status}){SCRIPT}")
    said = f"the script says that check 1 is {status}, but all solvers that decide answer sat"
    result = run_solve(script)
    assert result.exit_code == code
    assert (said in result.stdout) is bool(code)
    result = run_solve(script, "--json")
    assert result.exit_code == code
    last = json.loads(result.stdout.splitlines()[-1])
    assert (last.get("status"), last.get("check")) == (("unsat", 1) if code else (None, None))


def test_checks_whose_models_are_not_looked_at_are_named(script: str) -> None:
    Path(script).write_text("(declare-const x Int)(assert (> x 0))" + "(check-sat)" * 14)
    assert "Models of checks 12 to 13 were not looked at." in run_solve(script, "-s", "z3").stderr
    Path(script).write_text("(declare-const x Int)(assert (> x 0))" + "(check-sat)" * 12)
    assert "not looked at" not in run_solve(script, "-s", "z3").stderr


def test_checks_that_the_time_was_too_short_for_are_said(script: str) -> None:
    """In text as in JSON; they are not called undecided, or known from one solver alone."""
    Path(script).write_text("(declare-const x Int)(assert (> x 0))" + "(check-sat)" * 1002)
    result = run_solve(script, "--solver", "z3", "--for", "0.001s")
    late = "The time was over before there was evidence for checks 1 to 1000."
    assert f"falsum: {late}" in result.stderr
    assert "only the solver's word" not in result.stdout
    last = json.loads(
        run_solve(script, "--solver", "z3", "--for", "0.001s", "--json").stdout.splitlines()[-1]
    )
    assert late in last["remarks"]
    assert any("Checks 1001 to 1002 were not looked at." in remark for remark in last["remarks"])
    assert any("--for gives more" in remark for remark in last["remarks"])
