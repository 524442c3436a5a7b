"""Seeds of a collection: alike but for names, in archives, and few that show everything."""

from __future__ import annotations

import io
import tarfile
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from tests.toy.builds import AFL, program

from falsum.campaign.corpus.archives import check_digest, scripts_in
from falsum.campaign.corpus.seed_files import gather
from falsum.campaign.corpus.seeds import behaviour, buckets, described, fewest, structure_of
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.edge_watch import EdgeWatch
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

SCRIPT = "(set-logic QF_LIA)(set-info :status sat)(declare-const x Int)(assert (> (* 2 x) 3))(check-sat)"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (SCRIPT.replace("x", "|a b|"), True),
        (f"; a comment\n{SCRIPT.replace(')(', ')' + chr(10) + '(')}", True),
        (SCRIPT.replace("(set-info :status sat)", '(set-info :source "who")'), True),
        (SCRIPT.replace("3", "4"), False),
        (SCRIPT.replace(">", "<"), False),
    ],
)
def test_structure(other: str, same: bool) -> None:
    assert (structure_of(SCRIPT) == structure_of(other)) is same


def test_what_is_said_of_seeds(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text(SCRIPT)
    (tmp_path / "b.smt2").write_text("(assert (> y 3))(check-sat)")
    good, bad = described(gather([str(tmp_path)]).seeds)
    assert (good.unusable, good.status, good.operators) == ("", "sat", ("*", ">"))
    assert bad.unusable.startswith("unreadable")


def test_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr("x/a.smt2", SCRIPT)
        made.writestr("x/readme", "hello")
    with tarfile.open(tmp_path / "a.tar.xz", "w:xz") as packed:
        entry = tarfile.TarInfo("../../x/a.smt2")
        entry.size = len(SCRIPT)
        packed.addfile(entry, io.BytesIO(SCRIPT.encode()))
    assert list(scripts_in(tmp_path / "a.zip")) == [("x/a.smt2", SCRIPT)]
    assert list(scripts_in(tmp_path / "a.tar.xz")) == [("../../x/a.smt2", SCRIPT)]
    (tmp_path / "text").write_text("hello")
    with pytest.raises(SurroundingsError, match="not an archive"):
        list(scripts_in(tmp_path / "text"))
    check_digest(tmp_path / "text", "2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824")
    with pytest.raises(UsageError, match="its SHA-256 is 2cf24d"):
        check_digest(tmp_path / "text", "00")


def test_few_seeds_show_everything() -> None:
    shown = {"a": frozenset("xyz"), "b": frozenset("xy"), "c": frozenset("w"), "d": frozenset("zw")}
    chosen = fewest(shown, dict.fromkeys(shown, 10) | {"d": 5})
    assert chosen == ["a", "d"]
    assert fewest({}, {}) == []


def test_statistics_are_put_into_buckets() -> None:
    text = "sat\n(:conflicts 7\n :max-memory 16.00\n :total-time 0.01\n :decisions 9)\n"
    assert buckets(text) == {"sat", "conflicts 3", "decisions 4"}


def test_a_real_solver_has_statistics() -> None:
    with ProcessRunner() as runner, closing(EdgeWatch(runner)) as edges:
        shown = behaviour(resolve("z3", Zoo()), SCRIPT, Limits(), runner, edges)
    assert "sat" in shown
    assert len(shown) > 1


def test_of_an_instrumented_solver_edges_count() -> None:
    toy = resolve(program(compiler=AFL), Zoo())
    script = "(declare-const p Bool)(declare-const q Bool)(assert (and p q))(check-sat)"
    with ProcessRunner() as runner, closing(EdgeWatch(runner)) as edges:
        first, again, other = (
            behaviour(toy, text, Limits(), runner, edges)
            for text in (script, script, script.replace("and", "xor"))
        )
    assert first == again
    assert all(feature.startswith("edge ") for feature in first)
    assert first - other
    assert other - first
