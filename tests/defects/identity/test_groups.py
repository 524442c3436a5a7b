"""Groups, and findings that are known already."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from falsum.defects.identity.fingerprint import Fingerprint, parse_fingerprint
from falsum.defects.identity.groups import Member, grouped, similarity
from falsum.defects.identity.known import Known, read_known, recognised
from falsum.errors import SurroundingsError, UsageError


def made_of(
    operators: str, defect: str = "refutation unsoundness", product: str = "z3", **more: str
) -> Fingerprint:
    counts = tuple((name, operators.split().count(name)) for name in sorted(set(operators.split())))
    options = tuple(more.get("options", "").split())
    theories = tuple(more.get("theories", "").split())
    return Fingerprint(defect, product, more.get("place", ""), theories, counts, options)


STRINGS = made_of("= str.len str.at str.substr")
ALIKE = made_of("= = not str.len str.len str.at str.substr")
NONLINEAR = made_of("= * * >= /")


def test_equal_fingerprints_are_one_bug() -> None:
    assert similarity(STRINGS, made_of("= str.len str.at str.substr")) == 1.0


@pytest.mark.parametrize(
    "other",
    [
        NONLINEAR,
        made_of("= str.len str.at str.substr", "crash"),
        made_of("= str.len str.at str.substr", product="cvc5"),
        made_of("= str.len str.at str.substr", options=":a=b :c=d"),
    ],
)
def test_other_defects_products_options_and_operators_are_other_bugs(other: Fingerprint) -> None:
    groups = grouped([Member("a", STRINGS, 10), Member("b", other, 10)])
    assert len(groups) == 2


def test_connectives_tell_little() -> None:
    assert similarity(STRINGS, made_of("and or not => str.len str.at str.substr")) > 0.6
    assert similarity(STRINGS, made_of("= and str.indexof")) < 0.3


def test_operators_that_solvers_rewrite_into_each_other_are_one() -> None:
    assert similarity(made_of("apply div <"), made_of("apply mod >=")) == 1.0
    assert similarity(made_of("apply div <"), made_of("apply * <")) < 0.6
    assert similarity(made_of("fp.eq fp.lt to_fp"), made_of("distinct not fp.gt to_fp")) > 0.6


def test_lets_that_are_left_tell_much() -> None:
    assert similarity(made_of("distinct let"), made_of("distinct let let apply")) > 0.6
    assert similarity(made_of("distinct"), made_of("distinct let")) < 0.6


def test_wrong_answers_of_one_cause_are_one_bug_and_the_gravest_leads() -> None:
    model, sat, unsat = (
        made_of("= str.len", defect)
        for defect in ("invalid model", "solution unsoundness", "refutation unsoundness")
    )
    assert similarity(model, sat) == 1.0
    assert similarity(model, unsat) == similarity(sat, unsat) == 0.8
    members = [Member("a", model, 10), Member("b", sat, 11), Member("c", unsat, 12), Member("d", unsat, 13)]
    (group,) = grouped(members)
    assert [member.name for member in group.members] == ["c", "d", "b", "a"]
    assert similarity(unsat, made_of("= str.len str.at", "invalid model")) < 0.6
    undecided = made_of("= str.len", "undecided")
    assert similarity(undecided, model) == 0.0
    assert similarity(undecided, sat) == similarity(unsat, undecided) == 1.0


def test_crashes_are_compared_by_their_place() -> None:
    one = made_of("", "crash", place="assertion: n > 0 at a.cpp < f < g < h")
    assert similarity(one, made_of("", "crash", place="assertion: n > 0 at a.cpp < f < g < k")) > 0.6
    assert similarity(one, made_of("", "crash", place="assertion: is_app(e) at b.cpp < f")) < 0.6


def test_a_place_and_none_are_two_bugs() -> None:
    told, mute = made_of("", "crash", place="assertion: n > 0"), made_of("", "crash")
    assert similarity(told, mute) == similarity(mute, told) == 0.0
    # Nor is one message that two products print.
    assert similarity(told, made_of("= div", "crash", "cvc5", place="assertion: n > 0 at a.cpp")) == 0.0


def test_crashes_without_a_message_are_compared_by_their_frames() -> None:
    one = made_of("", "crash", place="signal: SIGSEGV < f < g < h")
    same = made_of("", "crash", place="signal: SIGSEGV < f < k < l")
    other = made_of("", "crash", place="signal: SIGSEGV < k < l < h")
    mute = made_of("= div", "crash", place="signal: SIGSEGV")
    assert (similarity(one, same), similarity(one, other)) == (1.0, 0.0)
    assert similarity(one, mute) < 0.6
    assert similarity(mute, made_of("= div div", "crash", place="signal: SIGSEGV")) > 0.6


def test_the_leader_is_the_smallest_and_order_does_not_matter() -> None:
    members = [
        Member("a", STRINGS, 30),
        Member("b", ALIKE, 20),
        Member("c", NONLINEAR, 25),
        Member("d", STRINGS, 40),
    ]
    results = {
        tuple(tuple(member.name for member in group.members) for group in grouped(order))
        for order in permutations(members)
    }
    assert results == {(("b", "a", "d"), ("c",))}
    assert [group.leader.name for group in grouped(members)] == ["b", "c"]


def test_bugs_that_show_on_other_releases_are_other_bugs() -> None:
    members = [
        Member("a", STRINGS, 3, "4.8.5..4.8.8"),
        Member("b", STRINGS, 3, "4.8.5..4.8.9"),
        Member("c", STRINGS, 4),
    ]
    assert [len(group.members) for group in grouped(members)] == [2, 1]


def test_like_after_like_does_not_join_strangers() -> None:
    steps = [
        "str.len str.at str.substr str.++",
        "str.at str.substr str.++ str.contains",
        "str.substr str.++ str.contains str.indexof",
    ]
    chain = [
        Member(name, made_of(step), size) for size, (name, step) in enumerate(zip("abc", steps, strict=True))
    ]
    near, far = (similarity(chain[0].fingerprint, other.fingerprint) for other in chain[1:])
    assert near == similarity(chain[1].fingerprint, chain[2].fingerprint) == 0.6
    assert far < 0.6
    # Just enough to be one bug is enough to be a known one.
    assert recognised(chain[1].fingerprint.signature, [Known(chain[0].fingerprint.signature)]) is not None
    assert recognised(chain[2].fingerprint.signature, [Known(chain[0].fingerprint.signature)]) is None
    names = [[member.name for member in group.members] for group in grouped(chain)]
    assert names == [["a", "b"], ["c"]]


def test_what_the_judge_left_undecided_may_be_what_it_decided_elsewhere() -> None:
    undecided = made_of("= str.len str.at str.substr", "undecided")
    assert similarity(STRINGS, undecided) == 1.0
    assert similarity(made_of("= str.len", "crash"), made_of("= str.len", "undecided")) == 0.0
    assert similarity(STRINGS, made_of("= str.len str.at str.substr", "crash")) == 0.0


def test_other_theories_are_other_bugs() -> None:
    one, other = made_of("= not", theories="Strings"), made_of("= = not", theories="FloatingPoint")
    assert similarity(one, other) == 0.0
    assert similarity(one, made_of("= = not", theories="Strings")) > 0.6
    # One theory in common is enough, and so is not to know any.
    both = made_of("= not", theories="FloatingPoint Strings")
    assert similarity(one, both) == similarity(both, one) == 1.0
    assert similarity(one, made_of("= not")) == similarity(made_of("= not"), one) == 1.0


# -- known findings --------------------------------------------------------------------------------

KNOWN = """
[[finding]]
signature = "refutation unsoundness | z3 |  |  | = str.at str.len str.substr |"
url = "https://example.org/1"

[[finding]]
pattern = "cvc5 .*seq[.]nth"
note = "fixed on the main branch"
"""


@pytest.fixture
def entries(tmp_path: Path) -> tuple[Known, ...]:
    file = tmp_path / "known.toml"
    file.write_text(KNOWN)
    return read_known(file)


def test_a_signature_is_recognised(entries: tuple[Known, ...]) -> None:
    found = recognised(STRINGS.signature, entries)
    assert found is not None
    assert (found.exact, str(found)) == (True, "known: https://example.org/1")


def test_a_pattern_is_recognised(entries: tuple[Known, ...]) -> None:
    found = recognised(made_of("seq.nth seq.len", "crash", "cvc5").signature, entries)
    assert found is not None
    assert (found.exact, found.known.note) == (True, "fixed on the main branch")


def test_a_signature_from_before_reduction_is_recognised_by_a_pattern(entries: tuple[Known, ...]) -> None:
    assert recognised("leak | cvc5 | sat when warm | seq.nth", entries) is not None
    assert recognised("leak | z3 | sat when warm | seq.nth", entries) is None


def test_a_similar_finding_is_not_called_the_same(entries: tuple[Known, ...]) -> None:
    found = recognised(ALIKE.signature, entries)
    assert found is not None
    assert not found.exact
    assert str(found).startswith("similar to a known finding")


def test_what_is_new_is_not_recognised(entries: tuple[Known, ...]) -> None:
    assert recognised(NONLINEAR.signature, entries) is None
    assert recognised(NONLINEAR.signature, ()) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[finding]]\nsignatur = "x"\n', "did you mean signature"),
        ('[[finding]]\nurl = "x"\n', "a signature or a pattern"),
        ('[[finding]]\npattern = "("\n', "missing"),
        ("[[findings]]\n", "unknown key findings"),
        ("finding = 3\n", r"\[\[finding\]\]"),
        ("[[finding]\n", "known.toml"),
    ],
)
def test_what_is_wrong_with_the_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "known.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=message):
        read_known(file)


def test_without_a_file_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_known() == ()
    with pytest.raises(SurroundingsError):
        read_known(tmp_path / "nowhere.toml")


REAL = Path(__file__).parent / "real_findings.tsv"


def test_real_duplicates_are_grouped() -> None:
    """Findings of campaigns on z3 4.8.6, yices 2.6.5 and cvc5 1.0.3, told apart by hand: at most one group
    too many or too few for ten bugs, and none of two bugs.
    """
    members, bugs = [], {}
    for number, line in enumerate(REAL.read_text(encoding="utf-8").splitlines()[1:]):
        bug, size, fixed, signature = line.split("\t")
        fingerprint = parse_fingerprint(signature)
        assert fingerprint is not None
        members.append(Member(str(number), fingerprint, int(size), fixed))
        bugs[str(number)] = bug
    groups = grouped(members)
    count = len(set(bugs.values()))
    assert len(members) > 70
    assert all(len({bugs[member.name] for member in group.members}) == 1 for group in groups)
    assert abs(len(groups) - count) <= round(count / 10)
