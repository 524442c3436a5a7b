"""What tests of several rooms use."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from falsum.api import bindings

# The tests' own zoo, filled by `make zoo`; the user's is left alone. Processes of the tests inherit it.
os.environ.setdefault("FALSUM_ZOO", str(Path(sys.prefix) / "zoo"))

BINDINGS = Path(bindings.__file__).parent
FAULTY = """
import ctypes, importlib.util, os, time

spec = importlib.util.spec_from_file_location("real_binding", {real!r})
real = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)


class Binding(real.Binding):
{body}
"""


@pytest.fixture
def plant(tmp_path: Path) -> Callable[[str, str], Path]:
    """A binding with a fault: the real one with methods replaced."""

    def planted(product: str, body: str) -> Path:
        rows = "\n".join(f"    {row}" for row in body.strip("\n").splitlines())
        file = tmp_path / "faulty.py"
        known = bindings.BY_PRODUCT
        real = known[product].file if product in known else BINDINGS / f"{product}.py"
        file.write_text(FAULTY.format(real=str(real), body=rows))
        return file

    return planted
