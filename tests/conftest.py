"""What tests of several rooms use."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from falsum import plugins, trust

# The tests' own zoo, filled by `make zoo`; the user's is left alone. Processes of the tests inherit it.
os.environ.setdefault("FALSUM_ZOO", str(Path(sys.prefix) / "zoo"))

FAULTY = """
import ctypes, os, time
from falsum_bindings.{product} import binding as real


class Binding(real.Binding):
{body}
"""


@pytest.fixture(autouse=True)
def own_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plug-in files that a command was given in this process are not left to the next test."""
    monkeypatch.setattr(plugins, "_files", dict(plugins._files))


@pytest.fixture(autouse=True)
def own_directory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees what is in the checkout, as the campaign of `make fuzz`, and none leaves files there."""
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))


@pytest.fixture(autouse=True)
def own_trust(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command in this process trusts is not left to the next test, and no key to the user."""
    monkeypatch.setenv(trust.VARIABLE, "")
    monkeypatch.setenv(trust.CHANGED, "")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state"))


@pytest.fixture
def plant(tmp_path: Path) -> Callable[[str, str], Path]:
    """A binding with a fault: the bundled one with methods replaced."""

    def planted(product: str, body: str) -> Path:
        rows = "\n".join(f"    {row}" for row in body.strip("\n").splitlines())
        file = tmp_path / "faulty.py"
        file.write_text(FAULTY.format(product=product, body=rows))
        return file

    return planted
