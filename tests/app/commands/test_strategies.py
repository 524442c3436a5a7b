"""`falsum strategies` lists strategies with parameters, defaults and configurations."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from falsum.app.commands.strategies import command
from falsum.errors import UsageError
from falsum.strategies import BY_NAME


def test_every_strategy_is_listed_with_its_parameters() -> None:
    lines = CliRunner().invoke(command, ["--json"]).output.splitlines()
    listed = {row["strategy"]: row for row in map(json.loads, lines)}
    assert list(listed) == list(BY_NAME)
    assert listed["valfuzz"]["configurations"]["blendb"]
    parameters = {one["name"]: one for one in listed["sparrow"]["parameters"]}
    assert parameters["form"]["choices"] == ["place", "cnf", "either"]
    assert parameters["most"]["meaning"]


def test_settings_are_shown() -> None:
    out = CliRunner().invoke(command, ["sparrow:pst,most=2"]).output
    assert out.startswith("sparrow:pst,most=2: ")
    assert "rules=pst " in out
    assert "most=2 " in out
    assert "    pst      rules=pst" in out


def test_a_composition_is_an_error() -> None:
    with pytest.raises(UsageError, match="one by one"):
        CliRunner().invoke(command, ["opfuzz+typefuzz"], catch_exceptions=False)
