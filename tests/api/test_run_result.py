"""What two sightings of one defect of a library have in common."""

from falsum.api.child import ChildExit, ExitKind
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import Trace

_PLACE = "exit status 114: ASSERTION VIOLATION File: ./src/ast/fpa/fpa2bv_converter.cpp Line: 118"


def _crash(kind: str, message: str) -> str:
    return RunResult(Trace(()), RunStatus.CRASHED, kind, message).signature


def test_a_place_in_the_source_counts_whatever_call_came_by() -> None:
    assert _crash("push", _PLACE) == _crash("check", _PLACE.replace("./src", "/build/src"))
    assert "fpa2bv_converter.cpp" in _crash("push", _PLACE)


def test_another_file_is_another_defect() -> None:
    assert _crash("push", _PLACE) != _crash("push", _PLACE.replace("fpa2bv", "fpa3bv"))


def test_without_a_place_the_call_counts() -> None:
    assert _crash("push", "SIGSEGV") != _crash("check", "SIGSEGV")


def test_a_warning_on_the_way_is_no_part_of_a_crash() -> None:
    assert ChildExit(ExitKind.CRASHED, -11, "WARNING: no such module\n").detail == "signal 11"
    assert ChildExit(ExitKind.CRASHED, -6, "WARNING: odd\nwhat(): bad\n").detail == "signal 6: what(): bad"
