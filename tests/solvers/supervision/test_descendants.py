"""The descendants of a process are found, measured and ended, whichever way the kernel lists them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from falsum.solvers.supervision import descendants

# A child that starts a child of its own and says its number.
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
print(child.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def family() -> Iterator[tuple[int, int]]:
    """A child and a grandchild, which end with the test."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        yield child.pid, int(child.stdout.readline())
        assert child.stdin is not None
        child.stdin.close()


def test_children_and_what_they_start(family: tuple[int, int]) -> None:
    child, grandchild = family
    assert child in descendants.scanned_children(os.getpid())
    assert descendants.scanned_children(child) == [grandchild]
    assert {child, grandchild} <= set(descendants.descendants())
    if descendants.HAS_CHILDREN_FILES:
        assert descendants.children(child) == [grandchild]


def test_memory_and_time_of_descendants(family: tuple[int, int]) -> None:
    del family
    memory, cpu = descendants.usage_of_descendants()
    assert memory > 1_000_000
    assert cpu >= 0


def test_a_process_that_is_gone_has_no_children() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    assert descendants.children(child.pid) == []
    assert descendants.scanned_children(child.pid) == []


def test_the_name_of_a_program_may_contain_anything() -> None:
    assert int(descendants.stat_fields(os.getpid())[1]) == os.getppid()
    assert descendants.process_count() > 0
