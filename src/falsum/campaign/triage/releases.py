"""ScriptReleases: whether the releases of a product show the defect of a script, in fresh processes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import msgspec

from falsum.campaign.triage import answer_cache
from falsum.campaign.triage.answer_cache import AnswerCache
from falsum.defects.case import Case
from falsum.defects.recheck import shows_as_release
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.options import Setting
from falsum.solvers.profiles import BY_PRODUCT, Profile
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver
from falsum.solvers.versions import is_same_release, parse_version
from falsum.solvers.zoo import Origin, Release, Zoo

MAX_ANSWER_LENGTH: Final = 160
# On a busy machine releases time out: up to this many are asked again, with a multiple of the time.
_MAX_RETRIES: Final = 5
_RETRY_FACTOR: Final = 3.0


class ReleaseRow(msgspec.Struct, frozen=True):
    """One release: whether it shows the defect, and its answer.

    `version` is what a build of the user's own calls itself, whose name is not that of a release.
    """

    release: str
    standing: Standing
    said: str
    seconds: float = 0.0
    origin: str = ""
    version: str = ""


def usable_releases(zoo: Zoo, profile: Profile) -> list[Release]:
    """The releases on this machine, or on PATH, that can read a script, the oldest first."""
    releases: dict[str, Release] = {}
    # What is on PATH may be patched: it is used only if there is no wheel of that release.
    for release in (*zoo.installed(profile), *zoo.own(profile), *zoo.on_path(profile)):
        if release.program is None and not profile.parses_scripts(release.version):
            continue
        if release.version and not any(is_same_release(release.version, other) for other in releases):
            releases[release.version] = release
    return sorted(releases.values(), key=lambda release: parse_version(release.version))


def name_of(release: Release, settings: tuple[Setting, ...]) -> str:
    """The name of a release with these settings, among the solvers of a lab."""
    name = release.name
    if release.origin is Origin.FILE:  # there may be a release of the same version
        name = f"{release.product}={release.program or release.folder}"
    return f"{name}:{','.join('='.join(setting) for setting in settings)}"


class ScriptReleases:
    """Runs releases of one product to see whether they show the target in a case; answers are cached for the
    user.

    `references` are the solvers that they are compared with.
    """

    def __init__(
        self,
        product: str,
        case: Case,
        target: Target,
        limits: Limits,
        *,
        references: Sequence[Solver] = (),
        settings: tuple[Setting, ...] = (),
        zoo: Zoo | None = None,
        cache: Path | None = None,
    ) -> None:
        self.profile = BY_PRODUCT[product]
        self.zoo = zoo or Zoo()
        self.case = case
        self.target = target
        self.limits = limits
        self.settings = settings
        self._references = references
        self._own = threading.local()
        self._labs: list[LiveLab] = []
        self._cache = AnswerCache(cache or answer_cache.default_folder(), case.text)

    def close(self) -> None:
        for lab in self._labs:
            lab.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def releases(self) -> list[Release]:
        return usable_releases(self.zoo, self.profile)

    def rows(self, releases: Sequence[Release], jobs: int) -> list[ReleaseRow]:
        """The rows of releases, run in parallel; those that time out, if few, run again alone."""
        with ThreadPoolExecutor(jobs, "falsum-bisect") as threads:
            rows = list(threads.map(self.row, releases))
        timed_out = [place for place, row in enumerate(rows) if row.standing is Standing.TIMED_OUT]
        for place in timed_out if len(timed_out) <= _MAX_RETRIES else ():
            rows[place] = self.row(releases[place], _RETRY_FACTOR)
        return rows

    def row(self, release: Release, time_factor: float = 1.0) -> ReleaseRow:
        name = name_of(release, self.settings)
        lab = self._lab(Solver(name, self.profile, release, settings=self.settings))
        # The user's own build may be another one tomorrow.
        key = "" if release.origin is Origin.FILE else f"{name} {release.origin}"
        names = (name, *(solver.name for solver in self._references if solver.name != name))
        seconds = time_factor * self.limits.seconds
        view = _CachingLab(lab, names, self._cache, self.case.text, seconds, key)
        sight = shows_as_release(self.target, self.case, name, view)
        return ReleaseRow(
            release.version, sight.standing, sight.text, round(sight.seconds, 3), str(release.origin)
        )

    def _lab(self, solver: Solver) -> LiveLab:
        """The lab of this thread, with the solver in it."""
        lab: LiveLab | None = getattr(self._own, "lab", None)
        if lab is None:
            limits = replace(self.limits, seconds=_RETRY_FACTOR * self.limits.seconds, cpu=None)
            lab = self._own.lab = LiveLab(self._references, limits)
            self._labs.append(lab)
        lab.add(solver)
        return lab


@dataclass(frozen=True, slots=True)
class _CachingLab:
    """A lab of fresh processes that caches the answers of a release to one script.

    `solvers` are the current release and the references; `key` identifies a release whose answers may be
    cached.
    """

    lab: Lab
    solvers: tuple[str, ...]
    cache: AnswerCache
    script: str
    seconds: float
    key: str

    def ask(self, request: Request) -> Answer:
        fresh = replace(request, cold=True, seconds=self.seconds)
        if not self.key or request.solver != self.solvers[0] or request.script != self.script:
            return self.lab.ask(fresh)
        key = f"{self.key} {request.want}"
        cached = self.cache.get(key, self.seconds)
        if cached is not None:
            return cached
        answer = self.lab.ask(fresh)
        self.cache.put(key, answer)
        return answer
