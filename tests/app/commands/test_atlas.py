"""`falsum atlas`: bugs are listed, searched, shown and written as tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from falsum.app.commands import atlas as atlas_command
from falsum.app.commands.atlas import suite_test
from falsum.atlas.collection import atlas
from falsum.errors import UsageError
from falsum.smtlib import read_script


def run(*arguments: object) -> Result:
    return CliRunner().invoke(atlas_command.command, list(map(str, arguments)), catch_exceptions=False)


def names(result: Result) -> set[str]:
    return {json.loads(line)["name"] for line in result.stdout.splitlines()}


def test_bugs_are_searched() -> None:
    every = names(run("list", "--json"))
    assert every == {bug.name for bug in atlas()}
    strings = names(run("list", "string", "--json"))
    assert strings
    told = {bug.name: (*bug.theories, *bug.operators, *bug.options, *bug.message.split()) for bug in atlas()}
    assert strings == {name for name, words in told.items() if any("string" in w.lower() for w in words)}
    wrong = names(run("list", "--product", "z3", "--kind", "unsoundness", "--release", "4.8.7", "--json"))
    assert wrong
    assert wrong < every
    last = run("list").stdout.splitlines()[-1]
    assert last.startswith(f"{len(atlas())} bugs: ")


def test_a_bug_is_shown_with_its_script() -> None:
    bug = atlas()[0]
    shown = run("show", bug.name).stdout
    assert bug.script in shown
    assert bug.first in shown
    assert json.loads(run("show", bug.name, "--json").stdout)["script"] == bug.script


def test_what_is_not_there_is_an_error() -> None:
    with pytest.raises(UsageError, match="falsum atlas list"):
        run("show", "z3-9999")
    with pytest.raises(UsageError, match="there are some of"):
        run("list", "--product", "yikes")


@pytest.mark.parametrize("form", ["cvc5", "z3", "yices", "plain"])
def test_tests_have_the_verdict_in_the_form_of_the_suite(form: str, tmp_path: Path) -> None:
    result = run("export", "--product", "z3", "--to", tmp_path, "--format", form)
    bugs = [bug for bug in atlas() if bug.product == "z3" and suite_test(bug) is not None]
    assert f"{len(bugs)} tests" in result.stdout
    for bug in bugs:
        text = (tmp_path / f"{bug.name}.smt2").read_text()
        assert read_script(text).assertions == read_script(bug.script).assertions
        test = suite_test(bug)
        assert test is not None
        for verdict in test.verdicts:
            match form:
                case "cvc5":
                    assert f"; EXPECT: {verdict}\n" in text
                case "plain":
                    assert f"(set-info :status {verdict})" in text
                case "z3":
                    assert verdict in (tmp_path / f"{bug.name}.expected.out").read_text()
                case _:
                    assert verdict in (tmp_path / f"{bug.name}.smt2.gold").read_text()
