"""A binding of the user's own: a file anywhere, with modules in its folder, or built on a bundled one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.api.conftest import solver_named

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import read_trace
from falsum.api.traces.program import trace_to_program
from falsum.solvers.supervision.process import ProcessRunner

HELPER = """
import bitwuzla


def nand(manager, args):
    both = manager.mk_term(bitwuzla.Kind.AND, args)
    return manager.mk_term(bitwuzla.Kind.NOT, [both])
"""
BINDING = """
from falsum_bindings.bitwuzla.binding import BitwuzlaBinding

from . import helper


class Binding(BitwuzlaBinding):
    def term(self, operator, indices, args, sort):
        if operator == "and":  # wrong, so that it shows which binding runs
            return helper.nand(self.manager, args)
        return super().term(operator, indices, args, sort)
"""
TRACE = read_trace("""
new
set-option produce-models true
s1 = sort Bool
t1 = const s1 p
t2 = const s1 q
t3 = term and t1 t2
assert t1
assert t2
assert t3
check
""")


@pytest.fixture(params=["my_binding.py", "my-binding.v2.py", "bitwuzla.py"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """No file name hides a library, not even the library's own."""
    (tmp_path / "helper.py").write_text(HELPER)
    name: str = request.param
    written = tmp_path / name
    written.write_text(BINDING)
    return written


def test_a_binding_file_may_be_anywhere(file: Path) -> None:
    solver = solver_named("bitwuzla")
    with Fuzzer(solver, Settings(), binding=file) as fuzzer:
        result = fuzzer.replay(TRACE)
    assert result.status is RunStatus.DONE, result.evidence
    assert result.verdicts == ("unsat",)


def test_its_calls_are_recorded(file: Path) -> None:
    release = solver_named("bitwuzla").release
    assert release is not None
    with ProcessRunner() as runner:
        text = trace_to_program(TRACE, release, runner, file)
    assert "Kind.NOT, [" in text
    assert "Kind.AND, [t1, t2]" in text


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("class Binding:\n    missing\n")
    with pytest.raises(Exception, match=r"broken\.py"):
        Fuzzer(solver_named("bitwuzla"), Settings(), binding=broken)
