"""What is judged is what was sent: every script arrives, byte by byte, and says what falsum reads in it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falsum.errors import FalsumError
from falsum.seeds import bundled
from falsum.smtlib import print_script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.values.strings import decode_literal, encode_literal
from falsum.solvers.hosts import host, serve
from falsum.solvers.hosts.host import Host
from falsum.solvers.inputs.harmless_names import restored
from falsum.solvers.inputs.safe_script import missing_part, safe_script
from falsum.solvers.inputs.solver_input import prepare
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.supervision.process import ProcessRunner, Program

LIMITS = Limits(seconds=30)
# A library that answers with what it has got, and a program that does the same until it is told to echo.
LIBRARY = """
import os
def answer(script, settings):
    os.write(1, script.encode("utf-8", "surrogateescape").hex().encode() + b"\\n")
"""
PROGRAM = """
import os, re, sys
if len(sys.argv) > 1:
    os.write(1, open(sys.argv[1], "rb").read().hex().encode())
    sys.exit()
text = b""
while chunk := os.read(0, 1 << 16):
    text += chunk
    if mark := re.search(rb'\\n\\(echo "(falsum-[0-9a-f]+-\\d+)"\\)\\n\\Z', text):
        os.write(1, text[len(b"(reset)\\n"):mark.start()].hex().encode() + b"\\n" + mark[1] + b"\\n")
        text = b""
"""

_STRING = re.compile(r'"(?:[^"]|"")*"')
_IGNORED = re.compile(r"^\(set-(?:option|info) .*\n", re.MULTILINE)
ODD_NAMES = [
    *(
        "a\\b",
        "\\",
        "a b",
        "a\nb",
        "a\rb",
        "a\r\nb",
        "a\tb",
        "\n",
        "",
        " ",
        "a\x07b",
        "a\x7fb",
        "a\x1bb",
        "a\x85b",
    ),
    *(
        "é",
        "a\u2028b",
        "日本",
        "\U0001f600",
        "x\u00a0y",
        "a(b",
        ")",
        '"',
        "a;b",
        "a'b",
        "#b0",
        "0",
        ":a",
        "let",
        "_",
    ),
    *("sat", "unsat", "\nunsat\n", "(error x)", "Fatal failure within x", "UNREACHABLE"),
    *("falsum!1", "falsum!r0123456789abcdef"),
]
ODD_STRINGS = [
    *("é", "日本", "\U0001f600", "a\nb", "a\rb", "a\r\nb", "a\tb", "a\x7fb", "\x01", "\x85", "\u2028"),
    *("\\", "a\\", '""', "\\u{41}", "\\x41", "\\u", "\\u{1é}", "|", ";", "(", "unsat", "Fatal failure"),
]


def with_name(name: str) -> str:
    declared = f"(declare-const |{name}| Bool)(declare-const |{name}2| Bool)"
    return f"{declared}(assert (and |{name}| (not |{name}2|)))(check-sat)"


def with_string(value: str) -> str:
    return f'(declare-const s String)(assert (= s "{value}"))(assert (> (str.len s) 0))(check-sat)'


SCRIPTS = [
    *[seed.read_text(encoding="utf-8") for seed in bundled()],
    *map(with_name, ODD_NAMES),
    *map(with_string, ODD_STRINGS),
    "(declare-const é Bool)(assert (not é))(check-sat)",
    "(declare-const x Bool)\r\n(assert x)\r(check-sat)\r\n",
    "(assert false) ; a comment\r(check-sat)\n(check-sat)",
    "(declare-const |a| Bool)(assert a)(push 1)(assert (not |a|))(check-sat)(pop 1)(check-sat)",
    "(assert (! true :named |a\nb|))(check-sat)",
]


def said(text: str) -> list[str]:
    """What is in force at each check of a script, strings in one spelling and without options."""
    return [
        _IGNORED.sub("", _STRING.sub(_spelled, print_script(flat)))
        for flat in at_each_check(read_script(text))
    ]


def _spelled(literal: re.Match[str]) -> str:
    return encode_literal(decode_literal(literal[0][1:-1]))


def asserts_the_same(script: str, sent: str, names: dict[str, str]) -> None:
    assert said(restored(sent, names)) == said(script)


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_is_sent_says_what_is_read(script: str) -> None:
    try:
        read_script(script)
    except FalsumError:
        return
    safe = safe_script(script)
    assert safe.text.isascii()
    if safe.whole:
        asserts_the_same(script, safe.text, dict(safe.names))


@given(st.text(st.characters(exclude_characters="|", exclude_categories=()), max_size=12))
def test_whatever_a_name_is_the_script_arrives_whole_or_is_refused(name: str) -> None:
    script = with_name(name)
    safe = safe_script(script)
    assert safe.whole
    asserts_the_same(script, safe.text, dict(safe.names))


@given(st.text(st.characters(exclude_characters='"', exclude_categories=()), max_size=12))
def test_whatever_a_string_is_the_script_arrives_whole_or_is_refused(value: str) -> None:
    script = with_string(value)
    safe = safe_script(script)
    assert safe.whole == (not missing_part(script))
    assert safe.whole or any(0xD800 <= ord(each) <= 0xDFFF or ord(each) > 0x2FFFF for each in value)
    if safe.whole:
        asserts_the_same(script, safe.text, dict(safe.names))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hosts")
    (made / "library.py").write_text(LIBRARY)
    (made / "program.py").write_text(PROGRAM)
    return made


@pytest.fixture(scope="module")
def runner() -> Iterator[ProcessRunner]:
    with ProcessRunner() as made:
        yield made


@pytest.mark.parametrize("is_library", [True, False], ids=["library", "program"])
def test_every_byte_arrives(runner: ProcessRunner, folder: Path, is_library: bool) -> None:
    """Warm, and every tenth script cold."""
    python = (sys.executable, "-I", "-S")
    serving = (*python, str(Path(serve.__file__)), str(folder / "library.py"), str(folder))
    program = (*python, str(folder / "program.py"))
    warm = Host(runner, Program((*serving, "stay") if is_library else program), LIMITS, library=is_library)
    cold = Program((*serving, "once") if is_library else program)
    for number, script in enumerate(SCRIPTS):
        given_ = prepare(script, BY_PRODUCT["z3"], "5.4.0")
        text = given_.marked("falsum-secret")
        assert bytes.fromhex(warm.ask(text).stdout.decode().strip()).decode() == text
        if number % 10 == 0:
            arrived = runner.run(cold, LIMITS, text.encode()).stdout
            assert bytes.fromhex(arrived.decode().strip()).decode() == text
    warm.close()


def test_the_host_and_its_owner_agree_on_the_status_of_a_library_that_cannot_be_loaded() -> None:
    assert host.cannot_load(serve.CANNOT_LOAD, b"")
    assert not host.cannot_load(1, b"Fatal Python error: Segmentation fault\n")


@pytest.mark.parametrize(
    "command",
    [
        "(frobnicate)",
        '(include "x")',
        "(declare-oracle-fun f (Int) Int |/bin/ls|)",
        "(assert (= a#b c))",
        "(assert (! true :UNREACHABLE x))",
        '(assert (= s "\udc80"))',
        "(assert a\0b)",
        ")",
        "hello",
    ],
)
def test_what_may_matter_and_cannot_be_sent_is_said(command: str) -> None:
    assert missing_part(f"{command}(check-sat)")
    assert not safe_script(f"{command}(check-sat)").whole
    assert not missing_part(f"{command}(reset)(check-sat)") or command[0] != "("
    assert not missing_part(f"(check-sat)(exit){command}")


@pytest.mark.parametrize(
    "command",
    [
        '(echo "x")',
        "(set-info :source |x|)",
        "(set-option :timeout 3)",
        "(help)",
        "(get-option |:x|)",
        "; x",
        "",
    ],
)
def test_what_matters_to_no_answer_may_be_left_out(command: str) -> None:
    assert not missing_part(f"{command}\n(check-sat)")
