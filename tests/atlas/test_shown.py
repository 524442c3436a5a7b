"""Bugs of the atlas show on the last release that has them, and not on the first one without."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from falsum.atlas.bug import AtlasBug
from falsum.atlas.collection import atlas
from falsum.contest.atlas_target import standing_of
from falsum.defects.targets.standing import Standing
from falsum.errors import FalsumError
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.limits import Limits
from falsum.solvers.names import NAME
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

LIMITS = Limits(seconds=60.0, cpu=5.0)


def standing(bug: AtlasBug, release: str, zoo: Zoo) -> Standing:
    name = f"{release}{bug.settings}"
    with LiveLab([resolve(name, zoo)], LIMITS) as lab:
        return standing_of(bug, name, ColdLab(lab))


def is_installed(release: str, zoo: Zoo) -> bool:
    match = NAME.match(release)
    try:
        return match is not None and zoo.find(match["product"], match["release"]) is not None
    except FalsumError:
        return False


def show(bugs: Sequence[AtlasBug], zoo: Zoo) -> list[str]:
    """What is not as the atlas says."""
    wrong = []
    for bug in bugs:
        if (last := standing(bug, bug.last, zoo)) is not Standing.BAD:
            wrong.append(f"{bug.name} on {bug.last}: {last}")
        if (fixed := standing(bug, bug.fixed, zoo)) is not Standing.GOOD:
            wrong.append(f"{bug.name} on {bug.fixed}: {fixed}")
    return wrong


@pytest.mark.timeout(600)
def test_bugs_between_installed_releases_show() -> None:
    zoo = Zoo()
    bugs = [
        bug for bug in atlas() if bug.fixed and is_installed(bug.last, zoo) and is_installed(bug.fixed, zoo)
    ]
    if not bugs:
        pytest.skip("no two neighbouring releases are installed")
    assert show(Random(1).sample(bugs, min(4, len(bugs))), zoo) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_forty_bugs_show() -> None:
    """With a zoo that has all releases: FALSUM_ZOO=DIR; others are installed."""
    zoo = Zoo(Path(os.environ["FALSUM_ZOO"])) if "FALSUM_ZOO" in os.environ else Zoo()
    bugs = [bug for bug in atlas() if bug.fixed]
    chosen = Random(2).sample(bugs, min(40, len(bugs)))
    for release in {name for bug in chosen for name in (bug.last, bug.fixed)}:
        product, _, version = release.partition("@")
        if not is_installed(release, zoo) and zoo.find(product, version) is None:
            try:
                zoo.add(product, version)
            except FalsumError:  # a package of Debian
                chosen = [bug for bug in chosen if release not in {bug.last, bug.fixed}]
    assert len(chosen) >= 30
    assert show(chosen, zoo) == []
