"""Whether a new process gets what it needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from falsum.solvers.supervision.conditions import expect_good_conditions
from falsum.solvers.supervision.process import ProcessRunner

LIMITED = """
import resource
from falsum.errors import ShortageError
from falsum.solvers.supervision.conditions import expect_good_conditions
from falsum.solvers.supervision.process import ProcessRunner
resource.setrlimit(resource.{kind}, ({most}, {most}))
with ProcessRunner() as runner:
    try:
        expect_good_conditions(runner)
        print("fine")
    except ShortageError as error:
        print(error)
"""


def test_an_ordinary_machine_has_good_conditions() -> None:
    with ProcessRunner() as runner:
        expect_good_conditions(runner)


@pytest.mark.parametrize(
    ("kind", "most", "message"),
    [("RLIMIT_NOFILE", 40, "Too many open files")],
)
def test_what_is_lacking_is_a_shortage(kind: str, most: int, message: str) -> None:
    command = [sys.executable, "-c", LIMITED.format(kind=kind, most=most)]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert message in printed
