"""Names that could be misread are replaced, each by its own, and put back."""

from __future__ import annotations

import pytest
from tests.solvers.transcripts import transcripts_of

from falsum.smtlib.text.lexer import RESERVED
from falsum.smtlib.theories import OPERATORS
from falsum.solvers.inputs.harmless_names import harmless_name, has_sign, restored
from falsum.solvers.inputs.safe_script import safe_script
from falsum.solvers.profiles import ALL, GENERIC


@pytest.mark.parametrize("token", ["x", "|x y|", "|x|", "a!1", "|T@[Int]|", "falsum!a1", "k!0", "@f"])
def test_plain_names_stay(token: str) -> None:
    assert harmless_name(token) == token


@pytest.mark.parametrize(
    "token",
    [
        *("|a\nb|", "|a(b|", '|"|', "|\\|", "|;|", "é", "|é|", "UNREACHABLE", "|Fatal failure|", "Assertion"),
        *("falsum!1", "|falsum!12|", "falsum!r0123456789abcdef"),
        *("checkmodel", "|x: runtime error: y|", "AddressSanitizer", "|[error] x|"),
    ],
)
def test_other_names_are_replaced_and_put_back(token: str) -> None:
    sent = harmless_name(token)
    assert sent != token
    assert harmless_name(sent) != sent  # nobody can claim a replacement
    names = {sent: token}
    for printed in ("(define-fun {} () Int 1)", "({} x)", "|{}| 3", "x\n{}"):
        expected = printed.replace("|{}|", "{}").format(token)
        assert restored(printed.format(sent), names) == expected
    for other in (f"{sent}!1", f"{sent}a", f"x{sent}", sent[:-1]):
        assert restored(other, names) == other


def test_quotes_make_no_other_name() -> None:
    assert harmless_name("|UNREACHABLE|") == harmless_name("UNREACHABLE")


def test_no_name_of_the_language_is_replaced() -> None:
    assert not [name for name in (*OPERATORS, *RESERVED) if harmless_name(name) != name]


def test_every_text_of_a_crash_has_a_sign() -> None:
    """Otherwise a name could imitate it."""
    crashes = [
        run
        for profile in (*ALL.own, GENERIC)
        for run in transcripts_of(profile)
        if run.ending == "crashed" and run.cause not in {"signal", "exit status"}
    ]
    assert len(crashes) > 10
    assert not [run for run in crashes if not has_sign(run.stdout + run.stderr)]


def test_a_script_with_a_string_like_a_crash_is_known_to_have_it() -> None:
    assert safe_script('(assert (= s "Fatal failure within"))').has_signs
    assert not safe_script('(assert (= s "unsat"))').has_signs
