"""`falsum fuzz --compare-with`: builds under test, what they are compared with, and what both are called."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from falsum.app.commands import fuzz
from falsum.app.main import main
from falsum.campaign.triage import result
from falsum.errors import UsageError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder

SEED = """(set-logic QF_LIA)
(declare-const x Int)
(assert (distinct x (* 2 x)))
(assert (> x 3))
(check-sat)
"""
Z3 = resolve("z3", Zoo()).served_release.program
HONEST, LIAR = "", " | sed -u 's/^sat$/unsat/'"


def _build(folder: Path, filter_: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "z3"
    program.write_text(
        "#!/bin/sh\n"
        'case $1 in --version) echo "Z3 version 5.9.0 - 64 bit - build hashcode 0123456789ab"; exit ;; esac\n'
        f'{Z3} "$@"{filter_}\n'
    )
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(("tested", "compared", "code"), [(LIAR, HONEST, 1), (HONEST, LIAR, 0)])
def test_only_what_is_under_test_fails(tmp_path: Path, tested: str, compared: str, code: int) -> None:
    (tmp_path / "seed.smt2").write_text(SEED)
    mine, other = _build(tmp_path / "mine", tested), _build(tmp_path / "other", compared)
    with pytest.raises(SystemExit) as left:
        main(
            ["fuzz", str(tmp_path / "seed.smt2"), "-s", f"my={mine} -smt2", "--compare-with", "cvc5",
             "--compare-with", f"old={other} -smt2", "-t", "opfuzz", "--count", "8", "--rng", "1", "-j1",
             "--no-triage", "--out", str(tmp_path / "out"), "--junit", str(tmp_path / "junit.xml")]
        )  # fmt: skip
    assert left.value.code == code
    folders = list(tmp_path.glob("out/findings/*"))
    assert folders
    blamed = "my" if code else "old"
    assert all(f"-{blamed}-z3-" in folder.name for folder in folders)
    about = [result.is_about_reference(finding_folder.read(folder), None) for folder in folders]
    assert not any(about) if code else all(about)
    suite = ET.parse(tmp_path / "junit.xml").getroot()[0]
    assert int(suite.attrib["skipped" if code else "failures"]) == 0
    assert all(f"({blamed})" in case.attrib["name"] for case in suite)
    assert all(case.attrib["classname"] == "falsum.z3" for case in suite)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-s", "z3", "--compare-with", "z3"], "z3: named with --solver and with --compare-with"),
        (
            ["--compare-with", "z3", "--compare-with", "cvc5", "--compare-with", "bitwuzla"],
            "none is under test",
        ),
        (["-s", "mine=./main"], "mine is no product; say which one it is: mine=PRODUCT="),
        (["-s", "cvc55=./main"], "or did you mean cvc5="),
    ],
)
def test_roles_and_labels_must_make_sense(options: list[str], message: str) -> None:
    Path("main").write_text("#!/bin/sh\necho sat\n")
    Path("main").chmod(0o755)
    with pytest.raises(UsageError, match=message):
        CliRunner().invoke(fuzz.command, [*options, "--count", "1"], catch_exceptions=False)
