"""Completion in shells: the scripts, and the words they offer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FALSUM = Path(sys.executable).parent / "falsum"


def falsum(*arguments: str, **variables: str) -> str:
    result = subprocess.run(
        [FALSUM, *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return result.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell: str) -> None:
    assert f"_FALSUM_COMPLETE={shell}_complete" in falsum("completion", shell)


def offered(line: str) -> list[str]:
    """What falsum offers for the last word of a command line."""
    words = line.split(" ")
    printed = falsum(_FALSUM_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    return [word.partition(",")[2] for word in printed.splitlines()]


def test_commands_options_and_names() -> None:
    assert offered("falsum re") == ["reduce", "replay", "refix", "report-bug", "report"]
    assert "--solver" in offered("falsum fuzz --so")
    assert {"z3", "cvc5"} < set(offered("falsum fuzz --solver "))
    assert any(name.startswith("z3@") for name in offered("falsum solve --solver z3@"))
    assert offered("falsum fuzz -t typefuzz+op") == ["typefuzz+opfuzz"]
    assert "triage" in offered("falsum findings t")
    assert offered("falsum findings stats --by t") == ["theory", "time"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_completes() -> None:
    """As bash itself runs it: the function that the script registers fills COMPREPLY."""
    line = 'eval "$(falsum completion bash)"; COMP_WORDS=(falsum biz); COMP_WORDS[1]=bis; COMP_CWORD=1; '
    line += '_falsum_completion falsum; printf "%s\\n" "${COMPREPLY[@]}"'
    path = f"{FALSUM.parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["bash", "--norc", "-c", line], env=os.environ | {"PATH": path}, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    assert result.stdout.split() == ["bisect"], result.stderr
