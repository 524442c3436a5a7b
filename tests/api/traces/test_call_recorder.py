"""The recorder's stand-ins replace what is the library's, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from falsum.api.traces.call_recorder import Recorder


@pytest.mark.parametrize(
    ("name", "file", "is_of_library"),
    [
        ("thesolver", "thesolver/__init__.py", True),
        ("thesolver.inner", "thesolver/inner.cpython-311.so", True),
        ("thesolver", "thesolver.cpython-311-x86_64-linux-gnu.so", True),
        ("falsum_bindings.thesolver.binding", "falsum/api/bindings/thesolver/binding.py", False),
        ("falsum_bindings.thesolver.extras", "falsum/api/bindings/thesolver/extras.py", False),
        ("own_binding.my_binding", "my_binding.py", False),
        ("json", "../json/__init__.py", False),
    ],
)
def test_falsum_beside_the_library_is_not_of_it(
    name: str, file: str, *, is_of_library: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After `pip install` both are in one site-packages, the only folder known of the library."""
    folder = tmp_path / "site-packages"
    module = ModuleType(name)
    module.__file__ = str((folder / file).resolve())
    monkeypatch.setitem(sys.modules, name, module)
    recorder = Recorder(0, str(folder))
    cls = type("Thing", (), {"__module__": name})
    assert recorder.is_of_library(module) is is_of_library
    assert recorder.is_of_library(cls) is is_of_library
