"""A predicate from a command: how it ended and spoke on the first script stays."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from falsum.campaign.triage.command_predicate import CommandPredicate
from falsum.errors import UsageError
from falsum.solvers.limits import Limits

LIMITS = Limits(seconds=20.0)
SCRIPT = "(declare-fun y () Int)(assert (= (* y 2) (div 6 1)))(check-sat)"


def command_predicate(code: str, tmp_path: Path, **more: str) -> CommandPredicate:
    line = shlex.join([sys.executable, "-c", code])
    return CommandPredicate(
        line + more.pop("after", ""),
        SCRIPT,
        directory=str(tmp_path),
        env={"HELLO": "1"},
        limits=LIMITS,
        **more,
    )


READ = "import sys; text = open(sys.argv[1]).read(); "


def test_the_exit_status_stays(tmp_path: Path) -> None:
    with command_predicate(READ + "sys.exit(3 if 'div' in text else 0)", tmp_path) as kept:
        assert kept.wanted.status == 3
        assert kept("(div)")
        assert not kept("(mod)")
        assert kept.cpu > 0


def test_output_must_match(tmp_path: Path) -> None:
    code = READ + "print('div' in text); print('* y' in text, file=sys.stderr)"
    with command_predicate(code, tmp_path, match_out="True", match_err="^T") as kept:
        assert kept("(div (* y))")
        assert not kept("(div)")
        assert not kept("(* y)")


def test_the_file_may_stand_anywhere_and_the_directory_is_the_caller_s(tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    found = "os.path.exists('here') and sys.argv[2] == 'x' and 'HELLO' in os.environ"
    code = f"import os, sys; sys.exit(4 * ({found}))"
    with command_predicate(code, tmp_path, after=" {} x") as kept:
        assert kept.wanted.status == 4


@pytest.mark.parametrize("pattern", ["nothing like this", "("])
def test_a_pattern_that_does_not_match_is_refused(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(UsageError):
        command_predicate("pass", tmp_path, match_out=pattern)
