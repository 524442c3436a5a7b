"""Answers of releases are cached for the user; without the file everything works."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from falsum.campaign.triage.answer_cache import AnswerCache
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind

SCRIPT = "(check-sat)"
SAT = Answer(
    (Verdict.SAT,), FINISHED, model="()", core="(a)", stdout="sat\n", stderr="noise", seconds=0.25, cpu=0.125
)
CRASH = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"), seconds=1.0)
TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT), seconds=5.0)


def test_answers_are_read_again(tmp_path: Path) -> None:
    first = AnswerCache(tmp_path, SCRIPT)
    assert first.get("z3 a", 5.0) is None
    first.put("z3 a", SAT)
    first.put("z3 b", CRASH)
    for cache in (first, AnswerCache(tmp_path, SCRIPT)):
        known = cache.get("z3 a", 5.0)
        assert known is not None
        assert (known.verdicts, known.ending, known.model, known.core) == (
            SAT.verdicts,
            FINISHED,
            "()",
            "(a)",
        )
        assert (known.stdout, known.seconds, known.cpu) == ("sat\n", 0.25, 0.125)
        assert cache.get("z3 b", 5.0) == CRASH
        assert cache.get("z3 c", 5.0) is None
    assert AnswerCache(tmp_path, "(check-sat) ").get("z3 a", 5.0) is None
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("seconds", "is_known"), [(1.0, True), (5.0, True), (5.5, True), (6.0, False)])
def test_who_timed_out_is_asked_again_only_with_more_time(
    tmp_path: Path, seconds: float, *, is_known: bool
) -> None:
    cache = AnswerCache(tmp_path, SCRIPT)
    cache.put("z3", TIMED_OUT)
    assert (cache.get("z3", seconds) == TIMED_OUT) is is_known


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"z3": {}}', b'{"z3": {"verdicts": ["maybe"]}}'])
def test_a_file_that_cannot_be_read_is_replaced(tmp_path: Path, content: bytes) -> None:
    AnswerCache(tmp_path, SCRIPT).put("z3", SAT)
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    cache = AnswerCache(tmp_path, SCRIPT)
    assert cache.get("z3", 5.0) is None
    cache.put("z3", CRASH)
    assert AnswerCache(tmp_path, SCRIPT).get("z3", 5.0) == CRASH


def test_what_cannot_be_written_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "file" / "cache"
    (tmp_path / "file").write_text("")
    cache = AnswerCache(folder, SCRIPT)
    with caplog.at_level(logging.WARNING):
        cache.put("z3 a", SAT)
        cache.put("z3 b", CRASH)
    assert [record.getMessage() for record in caplog.records] == [
        f"answers are not cached: {folder}: Not a directory"
    ]
    assert cache.get("z3 b", 5.0) == CRASH
