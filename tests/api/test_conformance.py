"""The conformance check accepts the template, and names what is wrong with a binding."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.toy.builds import LIBRARY, binding, toy

from falsum.api.bindings import TEMPLATE
from falsum.api.conformance import FEATURES, conformance
from falsum.api.model.capabilities import Capabilities
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def problems(name: str) -> dict[str, str]:
    return {item.name: item.problem for item in conformance(resolve(name, Zoo())) if item.problem}


def test_the_template_conforms_and_is_short() -> None:
    assert problems(binding()) == {}
    assert len(TEMPLATE.read_text().splitlines()) <= 100


@pytest.mark.parametrize(
    ("old", "new", "item", "says"),
    [
        (
            '"features": ["incremental"',
            '"features": ["increments"',
            "capabilities",
            "unknown features: increments",
        ),
        ('return "true" if', 'return "false" if', "verdicts and values", "t1 is false in the model"),
        ("    def get_model", "    def model", "verdicts and values", "no attribute 'get_model'"),
        ("operator.encode()", "operator.replace('xor', 'or').encode()", "xor", "check failed"),
        ('return "sat" if', 'return "unsat" if', "verdicts and values", "expected sat unsat"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, item: str, says: str) -> None:
    shutil.copy(toy(*LIBRARY) / "libtoy.so", tmp_path)
    text = TEMPLATE.read_text()
    assert old in text
    (tmp_path / "mine.py").write_text(text.replace(old, new))
    found = problems(f"toy={tmp_path / 'mine.py'}")
    assert says in found.get(item, ""), found


def test_every_feature_is_described() -> None:
    assert Capabilities.__doc__ is not None
    assert {word for word in FEATURES if f"`{word}`" not in Capabilities.__doc__} == set()
