"""The zoo: installs without touching falsum's own environment, and says what it cannot do."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.errors import SurroundingsError, UsageError
from falsum.solvers import zoo as zoo_module
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Origin, Zoo


def test_falsums_own_solvers_are_found() -> None:
    zoo = Zoo(Path("/nonexistent"))
    for product in ("z3", "cvc5", "bitwuzla"):
        release = zoo.find(product)
        assert release is not None
        assert release.origin is Origin.OWN
    own = zoo.find("z3")
    assert own is not None
    assert own.program is not None
    assert Path(own.program).is_file()


def test_a_small_release_is_installed_apart(tmp_path: Path) -> None:
    zoo = Zoo(tmp_path / "zoo")
    try:
        release = zoo.add("bitwuzla", "0.9.0")
    except SurroundingsError as offline:
        pytest.skip(f"not installable here: {offline}")
    assert release.version == "0.9.0"
    assert release.folder is not None
    assert Path(release.folder).is_relative_to(tmp_path)
    assert zoo.add("bitwuzla", "0.9.0") == release
    assert sorted(file.name for file in (tmp_path / "zoo").iterdir()) == ["bitwuzla"]
    assert resolve("bitwuzla@0.9.0", zoo).release == release


def test_the_environment_may_name_another_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FALSUM_ZOO", "here")
    assert Zoo().root == tmp_path / "here"
    assert Zoo(tmp_path / "there").root == tmp_path / "there"
    monkeypatch.delenv("FALSUM_ZOO")
    assert not Zoo().root.is_relative_to(tmp_path)


SAID = {
    "wheel for this interpreter; available": "ERROR: Could not find a version that satisfies the requirement "
    "z3-solver==1.0.* (from versions: 4.8.6.0, 5.4.0.0)\nERROR: No matching distribution found",
    "has no wheel for this interpreter": "ERROR: Could not find a version that satisfies the requirement "
    "z3-solver (from versions: none)",
    "could not install": "WARNING: Retrying after connection broken\nERROR: Could not find a version that "
    "satisfies the requirement z3-solver (from versions: none)\nERROR: No matching distribution found",
    "has no pip": "/usr/bin/python3: No module named pip",
}


@pytest.mark.parametrize("says", SAID)
def test_what_cannot_be_installed_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    monkeypatch.setattr(zoo_module, "call", lambda _argv, _seconds: (1, SAID[says]))
    with pytest.raises(SurroundingsError, match=says):
        Zoo(tmp_path).add("z3", "1.0")
    assert list(tmp_path.iterdir()) == []


def test_only_packaged_products_can_be_added(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="choose one of z3"):
        Zoo(tmp_path).add("acme")


def test_libraries_without_a_reader_say_so(tmp_path: Path) -> None:
    (tmp_path / "cvc5" / "1.0.7").mkdir(parents=True)
    solver = resolve("cvc5@1.0.7", Zoo(tmp_path))
    with pytest.raises(SurroundingsError, match=r"cannot parse SMT-LIB; use release 1\.0\.9"):
        solver.cold_program(solver.prepare("(check-sat)"))
    assert not BY_PRODUCT["cvc5"].parses_scripts("1.0.8")
    assert BY_PRODUCT["cvc5"].parses_scripts("1.1.2")


def test_a_release_that_was_installed_can_be_removed(tmp_path: Path) -> None:
    zoo = Zoo(tmp_path)
    folder = tmp_path / "yices" / "2.6.4" / "bin"
    folder.mkdir(parents=True)
    (folder / "yices-smt2").touch()
    (release,) = zoo.installed(BY_PRODUCT["yices"])
    zoo.remove(release)
    assert zoo.installed(BY_PRODUCT["yices"]) == []
    own = zoo.find("z3")
    assert own is not None
    with pytest.raises(UsageError, match="was not installed by falsum solvers add"):
        zoo.remove(own)


def test_a_zoo_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SurroundingsError, match=r"file/zoo: Not a directory; .* FALSUM_ZOO names"):
        Zoo(tmp_path / "file" / "zoo").add("z3", "4.8.10")
