"""Queries about sorts of cvc5, among them substitution in a sort."""

from __future__ import annotations

from tests.api.conftest import Make

from falsum.api.model.settings import Settings
from falsum.api.trace import read_trace

TRACE = """new
s1 = sort Bool
s2 = sort Set s1
s3 = sort Array s1 s2
t1 = const s3 x
extra inspect t1
"""


def test_sorts_are_substituted_in_sorts(make: Make) -> None:
    result = make("cvc5", Settings(seconds=20)).replay(read_trace(TRACE))
    (said,) = [step.reply.text for step in result.trace.steps if step.line.word == "extra"]
    assert "substitute (Array Bool (Array Bool (Set Bool)))" in said
