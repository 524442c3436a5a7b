"""A target belongs to the script that was judged; for others, it may be moved on purpose."""

from __future__ import annotations

import msgspec

from falsum.defects.targets.target import Target, digest_of_script
from falsum.smtlib.verdict import Verdict


def test_a_judgement_is_known_of_its_own_script_only() -> None:
    target = Target("crash", script=digest_of_script("(check-sat)"))
    assert target.is_known_of("(check-sat)")
    assert not target.is_known_of("(check-sat) ")
    assert not Target("crash").is_known_of("")


def test_on_another_script_all_else_stays() -> None:
    target = Target("crash", script=digest_of_script("a"), check=2, truth=Verdict.SAT, references=("z3",))
    moved = target.on("b")
    assert moved.is_known_of("b")
    assert moved != target
    assert moved.on("a") == target


def test_bytes_that_are_no_text_have_a_digest_and_targets_are_stored() -> None:
    target = Target("crash", script=digest_of_script("\udcff"))
    assert target.is_known_of("\udcff")
    assert msgspec.json.decode(msgspec.json.encode(target), type=Target) == target
