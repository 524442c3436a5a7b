"""The GitHub action and the workflows: valid by their schemas; the action's steps run in a fresh clone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCHEMAS = resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


def read(name: str) -> dict[Any, Any]:
    content: dict[Any, Any] = yaml.safe_load((ROOT / name).read_text())
    return content


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("action.yml", "github-actions.json"),
        ("docs/ci/pull-request.yml", "github-workflows.json"),
        ("docs/ci/nightly.yml", "github-workflows.json"),
        ("docs/ci/gitlab.yml", "gitlab-ci.json"),
    ],
)
def test_files_are_valid(name: str, schema: str) -> None:
    content = read(name)
    if True in content:  # YAML 1.1 reads the key `on` so
        content["on"] = content.pop(True)
    jsonschema.validate(content, json.loads((SCHEMAS / schema).read_text()))


def test_workflows_give_the_action_inputs_that_it_has() -> None:
    inputs = read("action.yml")["inputs"]
    for name in ("pull-request", "nightly"):
        steps = read(f"docs/ci/{name}.yml")["jobs"]["fuzz"]["steps"]
        (given,) = [step["with"] for step in steps if "falsum@" in step.get("uses", "")]
        assert set(given) <= set(inputs)
        assert {key for key, value in inputs.items() if value.get("required")} <= set(given)


class Runner:
    """Runs the steps of a composite action as GitHub does, as far as this one needs it."""

    def __init__(self, folder: Path, path: Path, inputs: dict[str, str]) -> None:
        self.folder = folder
        self.values = {f"inputs.{name}": value for name, value in inputs.items()}
        self.environment = os.environ | {
            "GITHUB_ACTION_PATH": str(path),
            "GITHUB_OUTPUT": str(folder / "output"),
            # The dependencies are those of this environment; pip reads 0 as "no isolation".
            "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PYTHONPATH": "",
        }  # fmt: skip

    def run(self, step: dict[str, Any]) -> int:
        assert step["shell"] == "bash"
        given = {name: EXPRESSION.sub(self._value, value) for name, value in step.get("env", {}).items()}
        assert not EXPRESSION.search(step["run"]), "an expression in a script can be used to inject code"
        (self.folder / "output").write_text("")
        result = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder, env=self.environment | given, check=False, capture_output=True, text=True,
        )  # fmt: skip
        print(result.stdout, result.stderr)
        for line in (self.folder / "output").read_text().splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value
        return result.returncode

    def _value(self, found: re.Match[str]) -> str:
        return self.values[found[1]]


@pytest.mark.timeout(900)
@pytest.mark.slow
def test_the_steps_run_in_a_fresh_clone(tmp_path: Path) -> None:
    """With a solver that lies the last step fails; with an honest one, and a baseline, it passes."""
    clone, work = tmp_path / "clone", tmp_path / "work"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    work.mkdir()
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    packages = tmp_path / f"venv/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    (packages / "dependencies.pth").write_text(next(path for path in sys.path if "site-packages" in path))
    (work / "seed.smt2").write_text("(declare-const x Int)(assert (> (+ x 1) 6))(check-sat)")
    (work / "liar").write_text("#!/bin/sh\necho unsat\n")
    (work / "liar").chmod(0o755)
    action = yaml.safe_load((clone / "action.yml").read_text())
    defaults = {name: value.get("default", "") for name, value in action["inputs"].items()}
    given = {"solver": "./liar", "references": "z3", "budget": "20s", "seeds": "seed.smt2"}
    given |= {"arguments": "--max-findings 1 --rng 1 -t opfuzz -j 1"}
    honest = {"solver": "z3", "references": "cvc5", "baseline": "falsum-out", "out": "second"}
    for more, expected in (({}, 1), (honest, 0)):
        runner = Runner(work, clone, defaults | given | more)
        runner.environment["PATH"] = f"{tmp_path / 'venv' / 'bin'}:{os.environ['PATH']}"
        *steps, last = action["runs"]["steps"]
        assert [runner.run(step) for step in steps] == [0] * len(steps)
        assert runner.values["steps.fuzz.outputs.exit-code"] == str(expected)
        assert runner.run(last) == expected
        assert (work / "falsum-comment.md").is_file()
        assert (work / "falsum.sarif").is_file()
        assert (work / "falsum-junit.xml").is_file()
        given["arguments"] = "--rng 1 -t opfuzz -j 1"
