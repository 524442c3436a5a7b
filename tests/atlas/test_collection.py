"""The atlas: a file that is whole, distinct bugs, plain scripts."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from falsum.atlas.bug import INVALID_MODEL, AtlasBug
from falsum.atlas.collection import FILE, atlas, bug_named, write_atlas
from falsum.defects.evidence.judgement import Defect
from falsum.defects.identity.fingerprint import parse_fingerprint
from falsum.defects.identity.groups import Member, grouped
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib import read_script
from falsum.smtlib.theories import OPERATORS
from falsum.solvers.names import product_of, release_of
from falsum.solvers.profiles import BY_PRODUCT

COMMANDS = {
    "push", "check-sat-assuming", "check-sat-using", "minimize", "maximize", "assert-soft",
    "define-fun-rec", "define-funs-rec", "declare-datatypes",
}  # fmt: skip
BINDERS = {"forall", "exists", "lambda", "match"}


def bug(**facts: object) -> AtlasBug:
    given = {
        "name": "z3-0001", "kind": "refutation unsoundness", "evidence": "model", "first": "z3@4.8.5.0",
        "last": "z3@4.8.7.0", "fixed": "z3@4.8.8.0", "script": "(check-sat)\n", "signature": "",
    }  # fmt: skip
    return AtlasBug(**given | facts)  # type: ignore[arg-type]


def test_the_file_is_small_and_has_many_bugs() -> None:
    assert FILE.stat().st_size < 2_000_000
    assert len(atlas()) >= 160
    names = [each.name for each in atlas()]
    assert len(set(names)) == len(names)
    assert 0.2 < sum(each.held_out for each in atlas()) / len(names) < 0.5


def test_every_record_is_complete() -> None:
    for each in atlas():
        assert each.kind in set(Defect)
        assert each.product in BY_PRODUCT
        assert each.evidence
        assert set(each.operators) <= set(OPERATORS) | COMMANDS | BINDERS, each.name
        assert read_script(each.script).commands
        assert each.script.isascii()
        assert product_of(each.last) != each.product or release_of(each.first) <= release_of(each.last)
        if each.fixed and product_of(each.fixed) == each.product:
            assert release_of(each.last) < release_of(each.fixed)


def test_no_two_records_are_taken_for_one_bug() -> None:
    members = [
        Member(each.name, fingerprint, each.size, f"{each.product} {each.fixed or each.last}")
        for each in atlas()
        if (fingerprint := parse_fingerprint(each.signature)) is not None
    ]
    assert len(members) == len(atlas())
    assert [group.members for group in grouped(members) if len(group.members) > 1] == []


def test_a_release_has_a_bug_from_the_first_to_the_one_with_the_fix() -> None:
    releases = ("4.8.4", "4.8.5.0", "4.8.7", "4.8.8.0", "system")
    assert [bug().is_in("z3", release) for release in releases] == [False, True, True, False, False]
    assert bug(fixed="").is_in("z3@5.4.0.0", "5.4.0.0")
    assert not bug(fixed="").is_in("cvc5", "1.3.0")
    # It was mended by a release of another product, so all of its own have it.
    assert bug(first="cvc4@1.8", last="cvc4@1.8", fixed="cvc5@1.0.3").is_in("cvc4", "1.8")


def test_a_query_meets_a_bug_if_it_has_all_of_it() -> None:
    one = bug(operators=("=", "str.at", "str.len"), options=(":a=b", "c=true"))
    words = frozenset({"=", "str.at", "str.len", "and"})
    assert one.may_show(words, {"a=b", "c=true"})
    assert not one.may_show(words, {"a=b", "c=false"})
    assert not one.may_show(words - {"str.at"}, {"a=b", "c=true"})
    assert not bug(operators=("=", "and")).may_show(frozenset({"=", "and"}))  # too little to look for
    assert one.settings == ":a=b"


def test_the_same_bugs_make_the_same_file(tmp_path: Path) -> None:
    bugs = [bug(name="z3-0002"), bug()]
    write_atlas(bugs, tmp_path / "one")
    write_atlas(reversed(bugs), tmp_path / "other")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert [each.name for each in atlas(tmp_path / "one")] == ["z3-0001", "z3-0002"]


def test_what_is_no_atlas_is_refused(tmp_path: Path) -> None:
    for content in (
        b"",
        lzma.compress(b'{"version": 9, "bugs": 0}'),
        lzma.compress(b'{"version":1,"bugs":2}'),
    ):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(SurroundingsError, match="atlas"):
            atlas(tmp_path / "file")
    with pytest.raises(UsageError, match="falsum atlas list"):
        bug_named("z3-9999")
    with pytest.raises(UsageError, match="did you mean z3-0042"):
        bug_named("z3-42")


def test_a_wrong_model_of_a_satisfiable_script_needs_another_model() -> None:
    assert bug(kind=INVALID_MODEL, expected="sat").right_answer.startswith("sat, and a model")
    assert bug(kind="crash", expected="sat").right_answer == "sat"
