"""What is printed belongs to its check: with markers always, else as far as the order leaves no doubt."""

from __future__ import annotations

import pytest

from falsum.smtlib.text.sexpr import items
from falsum.smtlib.verdict import Verdict
from falsum.solvers.content import begin, end
from falsum.solvers.output import read
from falsum.solvers.profiles import BY_PRODUCT, GENERIC
from falsum.solvers.supervision.process import ProcessResult, ProcessStop

SECRET = "falsum-1234"
NONE = "no answer"
WORDS = {"-": Verdict.MISSING, "s": Verdict.SAT, "u": Verdict.UNSAT, "?": Verdict.UNKNOWN}


def marked(*regions: str) -> str:
    """What a solver prints that is given markers: at each check, and behind it after a `/`."""
    out = []
    for number, region in enumerate(regions):
        own, _, behind = region.partition("/")
        out += [begin(SECRET, number), own, end(SECRET, number), behind]
    return "".join(f"{line}\n" for line in out if line)


def verdicts(letters: str) -> tuple[Verdict, ...]:
    return tuple(WORDS[letter] for letter in letters)


PARAMETER = "(error \"line 1 column 9: unknown parameter 'foo'\")"


@pytest.mark.parametrize(
    ("text", "checks", "expected"),
    [
        (marked("sat"), 1, "s"),
        ("unsat\n" + marked("sat") + "unsat\n", 1, "s"),
        (marked("sat/unsat", "unknown/sat"), 2, "s?"),
        # No check without an answer shifts another one.
        (marked("sat", "", "unsat"), 3, "s-u"),
        (marked("timeout", "sat"), 2, "-s"),
        (marked("unknown (TIMEOUT)", "sat"), 2, "-s"),
        (marked("unknown\n(INTERRUPTED)", "sat"), 2, "-s"),
        (marked("unknown (INCOMPLETE)", "sat"), 2, "?s"),
        (marked("interrupted by timeout", "unsat", "interrupted"), 3, "-u-"),
        (marked(PARAMETER, "sat"), 2, "-s"),
        (marked("; a remark\nsat\nc statistics", "unsat"), 2, "su"),
        (marked("(a list (that ends\nunsat\n", "unsat"), 2, "-u"),
        (marked('"a string\nthat never ends', "sat"), 2, "-s"),
        (marked("sat/(model (define-fun x () Int 1", "unsat"), 2, "su"),
        # Not exactly one verdict.
        (marked("unsat\nsat", "sat"), 2, "-s"),
        (marked("sat\nsat"), 1, "-"),
        (marked("SAT", "sat.", "is sat"), 3, "---"),
        (marked("no answer"), 1, "-"),
        # What follows an error is void.
        (marked("sat", '(error "unknown constant y")', "unsat"), 3, "s--"),
        (marked('sat/(error "unknown constant y")', "unsat"), 2, "s-"),
        ('(error "unknown constant y")\n' + marked("sat"), 1, "-"),
        # It ends early, or in the middle of a marker.
        (marked("sat"), 3, "s--"),
        (marked("sat") + begin(SECRET, 1) + "\nunsat\n", 3, "su-"),
        (marked("sat") + begin(SECRET, 1)[:-1], 2, "s-"),
        (marked("sat", "unsat").replace("\n", "\r\n"), 2, "su"),
        (marked("sat", "unsat").replace("falsum", '"falsum').replace("\n", '"\n'), 2, "--"),
        (marked("sat", "sat", "unsat"), 2, "ss"),
    ],
)
def test_a_verdict_belongs_to_the_check_whose_markers_it_is_between(
    text: str, checks: int, expected: str
) -> None:
    answer = read(BY_PRODUCT["z3"], result(text), SECRET, checks)
    assert answer.verdicts == verdicts(expected)
    assert SECRET not in answer.stdout or "\n" not in text[text.rindex(SECRET) :]


def test_markers_may_be_printed_with_their_quotes() -> None:
    printed = marked("sat", "unsat")
    quoted = "".join(f'"{line}"\n' if SECRET in line else f"{line}\n" for line in printed.splitlines())
    answer = read(BY_PRODUCT["z3"], result(quoted), SECRET, 2)
    assert answer.verdicts == verdicts("su")
    assert answer.stdout == "sat\nunsat\n"


@pytest.mark.parametrize(
    ("text", "status", "stopped", "checks", "expected"),
    [
        ("sat\n", 0, "", 1, "s"),
        ("sat\nunsat\nunsat\n", 0, "", 3, "suu"),
        ("warning: x\nsat\nwarning: y\nunsat\n", 0, "", 2, "su"),
        # Too many or too few, and nothing tells which is whose.
        ("sat\nunsat\nunsat\n", 0, "", 2, "--"),
        ("sat\nunsat\n", 0, "", 3, "---"),
        # There is a sign of the check without an answer: what comes before it is sure.
        ("sat\ntimeout\nunsat\n", 0, "", 3, "s--"),
        ("timeout\nunsat\n", 0, "", 2, "--"),
        ("unknown (TIMEOUT)\nunsat\n", 0, "", 2, "-u"),
        ('sat\n(error "no such parameter")\nunsat\n', 0, "", 3, "s--"),
        # It was stopped, or died, in the middle.
        ("sat\nunsat\n", -9, "time", 3, "su-"),
        ("sat\n", -11, "", 2, "s-"),
        ("", -9, "time", 2, "--"),
    ],
)
def test_without_markers_the_order_counts_where_it_leaves_no_doubt(
    text: str, status: int, stopped: str, checks: int, expected: str
) -> None:
    outcome = ProcessResult(status, ProcessStop(stopped), text.encode(), b"", 0.1, 0.1)
    assert read(GENERIC, outcome, SECRET, checks).verdicts == verdicts(expected)
    if status == 0:  # a program with markers that does not print them
        assert read(BY_PRODUCT["z3"], outcome, SECRET, checks).verdicts == verdicts(expected)


@pytest.mark.parametrize("text", ["unsat\n", "", f"unsat\n{begin(SECRET, 0)}\n"])
def test_what_dies_before_its_first_marker_has_said_nothing(text: str) -> None:
    outcome = ProcessResult(-11, ProcessStop.NONE, text.encode(), b"", 0.1, 0.1)
    assert read(BY_PRODUCT["z3"], outcome, SECRET, 2).verdicts == verdicts("--")


MODEL = "((define-fun x () Int 1))"
OTHER = "((define-fun x () Int 2))"


NO_MODEL = '(error "model is not available")'


@pytest.mark.parametrize(
    ("checks", "requested", "model", "core"),
    [
        (["sat"], MODEL, MODEL, None),
        (["sat"], f"{MODEL}\n(heap x)", f"{MODEL}\n(heap x)", None),
        ([f"sat/{MODEL}", "sat"], OTHER, OTHER, None),
        (["unsat"], "(a b)", None, "(a b)"),
        (["unsat"], "sat\n(a b)", None, "(a b)"),
        # Of an earlier check, or none, or another command.
        ([f"sat/{MODEL}", "sat"], "", None, None),
        (["unsat/(a b)", "unsat"], "", None, None),
        ([f"sat/{MODEL}"], "", None, None),
        ([f"sat/{MODEL}"], NO_MODEL, None, None),
        (["unsat/(a b)"], NO_MODEL, None, None),
        ([f"sat\n{MODEL}"], "", None, None),
        # Of the wrong kind, or to no answer.
        (["unsat"], MODEL, None, None),
        (["sat"], "(a b)", None, None),
        (["timeout"], MODEL, None, None),
        ([MODEL], MODEL, None, None),
        (["sat", ""], MODEL, None, None),
        (["unsat"], "x (a b", None, None),
    ],
)
@pytest.mark.parametrize("behind", ["", f"{OTHER}\n(c)\n(heap c)"], ids=["", "more behind it"])
def test_models_and_cores_stand_between_the_markers_of_their_request(
    checks: list[str], requested: str, behind: str, model: str | None, core: str | None
) -> None:
    """Whatever commands of the script print."""
    number = len(checks)
    request = f"{begin(SECRET, number)}\n{requested}\n{end(SECRET, number)}\n{behind}\n"
    answer = read(BY_PRODUCT["z3"], result(marked(*checks) + request), SECRET, number)
    assert (answer.model, answer.core) == (model, core)
    assert requested in answer.printed[-1]
    assert behind in answer.printed[-1]


def test_without_markers_they_are_those_behind_the_last_check() -> None:
    assert read(GENERIC, result(f"sat\n{MODEL}\nsat\n{OTHER}\n"), "", 2).model == OTHER
    assert read(GENERIC, result(f"sat\n{MODEL}\n{OTHER}\n"), "", 1).model == MODEL
    assert read(GENERIC, result("unsat\n(a b)\n(c)\n"), "", 1).core == "(a b)"
    assert read(GENERIC, result(f"sat\n{MODEL}\nsat\n"), "", 2).model is None


def test_what_is_printed_behind_a_check_is_kept_with_it() -> None:
    answer = read(BY_PRODUCT["z3"], result(marked("sat", "unsat/(a)", "unsat/(b)")), SECRET, 3)
    assert [text.strip() for text in answer.printed] == ["", "(a)", "(b)"]
    plain = read(GENERIC, result("unsat\n(a)\nsat\nunsat\n(b)\n"), "", 3)
    assert plain.printed == ("(a)", "", "(b)")


def test_a_list_that_never_ends_is_not_given() -> None:
    assert list(items('sat\n(\n (define-fun x () String "a')) == ["sat"]
    assert list(items("sat (a (b)) unsat\n)) sat")) == ["sat", "(a (b))", "unsat", ")) sat"]


def result(text: str) -> ProcessResult:
    return ProcessResult(0, ProcessStop.NONE, text.encode(), b"", 0.1, 0.1)
