"""What of a script may be sent to a solver: as many refused as accepted, and what is recorded."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falsum.smtlib.text.command_text import split_commands
from falsum.solvers.inputs.safe_script import safe_script
from falsum.solvers.profiles import BY_PRODUCT

CHECK = "(check-sat)\n"
REFUSED = [
    '(set-option :regular-output-channel "/etc/passwd")',
    '(set-option :diagnostic-output-channel "x")',
    "(set-option :regular-output-channel stdout)",
    "(set-option :out x)",
    '(set-option :trace_file_name "t.log")',
    "(set-option :solver.smtlib2_log /home/me/.profile)",
    "(set-option :dump-to |/home/me/x|)",
    "(set-option :a ../x)",
    "(set-option :a b c)",
    "(set-option :a (b))",
    "(set-option :a b)",
    "(set-option a b)",
    "(set-option |:a| b)",
    '(; c\n set-option :regular-output-channel "/x")',
    '(set-option ; c\n :regular-output-channel ; d\n "/x")',
    "(|set-option| :a b)",
    "(SET-OPTION :a b)",
    '(include "/etc/passwd")',
    '(; c\ninclude "/etc/passwd")',
    "(declare-oracle-fun f (Int) Int |/bin/ls|)",
    '(echo "sat")',
    '( echo "a ""quoted"" ) word")',
    '(|echo| "sat")',
    "(frobnicate)",
    "(declare-const a\0b Int)",
    "(check-sat-using (using-params sat :drat.file |/x|))",
    "(check-sat-using (using-params sat :drat.file /x))",
    '(check-sat-using (using-params sat :drat.file "x"))',
    "(check-sat-using (using-params sat |:drat.file| x))",
    "(check-sat-using (using-params sat:drat.file |/x|))",
    "(check-sat-using (using-params sat:drat.file /x))",
    "(set-option:regular-output-channel x)",
    "(set-option :smt.arith.solver 2)",
    "(set-option :timeout 1.5)",
    '(check-sat-using (then (echo "unsat") smt))',
    "(check-sat-using (then (echo unsat) smt))",
    "(check-sat-using fail)",
    "(check-sat-using (fail-if is-qfbv))",
    "(check-sat-using (then fail-if-undecided smt))",
    "(check-sat-using |smt|)",
    "(check-sat-using t)",
    "(check-sat-using (t smt))",
    "(check-sat-using (then smt (! sat :name |unsat|)))",
    "(declare-tactic t smt)",
    "(apply (echo x))",
    "(assert (= a#b c))",
    "(declare-tactic t (using-params sat :drat.file |/x|))",
    "(query R :spacer.trace_file |/x|)",
    "(query R\n; c\n:spacer.trace_file ; d\n|/x|)",
    "(apply (using-params simplify :out /x))",
    "(help)",
    "()",
    "(())",
    "hello",
]
CHANGED = [
    ("(check-sat)(exit)(check-sat)", CHECK),
    ("(check-sat)(; c\nexit)(check-sat)", CHECK),
    ("(check-sat)(reset)(check-sat)", CHECK),
    ("(assert false)(reset)(check-sat)", CHECK),
    ("(check-sat)(exit)(((", CHECK),
    ("(check-sat)(assert", CHECK),
    ('(check-sat)(assert "a)', CHECK),
    ("(check-sat))(check-sat)", CHECK),
    ("(check-sat) |", CHECK),
    ('(check-sat)(;\r echo "unsat")', CHECK),
    ("(declare-const |a\\| b| Int)(check-sat)|", ""),
    ('(check-sat)(assert (= s "a\\"))', CHECK + '(assert (= s "a\\u{5c}"))\n'),
]
ACCEPTED = [
    "(set-option :produce-models true)",
    "(set-option :produce-models false)",
    "(set-option :random-seed 15)",
    "(declare-const echo1 Bool)",
    "(assert (= x #b0101 #xaF))",
    "(reset-assertions)",
    "(check-sat-using (then simplify (or-else (try-for smt 100) (repeat bit-blast) sat)))",
    "(check-sat-using (if (> num-consts 3) smt (when is-qfbv sat)))",
    "(set-info :status unsat)",
    "(assert (! (> x 1) :named a.b/c))",
]
REPRINTED = [
    ('(assert (= s "(exit)"))', '(assert (= s "(exit)"))'),
    ("(declare-const |a b| Bool)", "(declare-const |a b| Bool)"),
    ('(assert (= s "a""b(exit)"))', '(assert (= s "a""b(exit)"))'),
    ("(assert ; why\n p)", "(assert p)"),
    ("(; c\nassert p)", "(assert p)"),
]


@pytest.mark.parametrize("command", REFUSED)
def test_refused_commands_are_left_out_and_recorded(command: str) -> None:
    safe = safe_script(f"{command}\n(check-sat)")
    # A check that is left out stays as one without a text, so that no other is taken for it.
    assert "".join(f"{each.text}\n" for each in safe.commands if each.text) == CHECK
    assert safe.changes


@pytest.mark.parametrize(("script", "sent"), CHANGED)
def test_what_follows_an_end_is_left_out_and_recorded(script: str, sent: str) -> None:
    safe = safe_script(script)
    assert safe.text == sent
    assert safe.changes


@pytest.mark.parametrize("command", ACCEPTED)
def test_accepted_commands_stay_as_they_are(command: str) -> None:
    safe = safe_script(command)
    assert safe.text == f"{command}\n"
    assert not safe.changes


@pytest.mark.parametrize(("command", "text"), REPRINTED)
def test_commands_that_could_be_read_differently_are_printed_again(command: str, text: str) -> None:
    safe = safe_script(command)
    assert safe.text == f"{text}\n"
    assert not safe.changes


def test_the_options_of_one_solver_do_not_count_for_the_next() -> None:
    script = f"(set-option :smt.string_solver seq)\n{CHECK}"
    options = BY_PRODUCT["z3"].options_of("4.13.0")
    for _ in range(2):
        assert "(set-option :smt.string_solver …) left out" in safe_script(script).changes
        assert safe_script(script, options).text == script


def test_comments_and_byte_order_marks_are_not_worth_a_remark() -> None:
    safe = safe_script("\ufeff; (exit)\n (check-sat) ; (exit)\n")
    assert safe.text == CHECK
    assert not safe.changes


@given(st.text(alphabet='()"|;\\#\n\r\t abexit\0\x07é', max_size=80))
def test_what_is_sent_reads_as_the_same_commands_again(script: str) -> None:
    """Nothing a script says can make our own output ambiguous."""
    safe = safe_script(f"{script}(assert (= a {script}))")
    again = [command for command in split_commands(safe.text)[0] if command.name]
    assert [command.text for command in again] == [command.text for command in safe.commands]
    twice = safe_script(safe.text)
    assert (len(twice.commands), twice.whole) == (len(safe.commands), True)
    assert safe.text.isascii()


@given(st.text(alphabet='()"|; \nabexit', max_size=60))
def test_the_commands_make_the_script_again(script: str) -> None:
    assert "".join(command.text for command in split_commands(script)[0]) == script


def test_deep_and_long_scripts_take_linear_time() -> None:
    start = time.process_time()
    safe_script("(" * 500_000 + ")" * 500_000 + '(echo "x")')
    safe_script('"' * 300_001 + "|" * 300_001 + "(exit)")
    safe_script("(; c\nassert " + "(not " * 100_000 + "p" + ")" * 100_001)
    assert time.process_time() - start < 5.0
