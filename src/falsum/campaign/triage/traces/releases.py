"""TraceReleases: whether the releases of a product show a failure when their libraries replay a trace."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunResult
from falsum.api.trace import Trace
from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.campaign.triage.releases import ReleaseRow
from falsum.defects.calls import standing_of_run, target_of_run, text_of_run
from falsum.defects.targets.standing import Standing, cut
from falsum.errors import FalsumError
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.versions import is_same_release, parse_version
from falsum.solvers.zoo import Release, Zoo

# Below this limit libraries of older releases would time out because they are loaded.
_MIN_SECONDS: Final = 1.0


def fuzzer_for(solver: Solver, limits: Limits, zoo: Zoo) -> Fuzzer:
    """A fuzzer that replays traces for triage; other products' answers are compared with its own."""
    settings = Settings(seconds=max(limits.seconds, _MIN_SECONDS), memory=limits.memory)
    others = []
    for name in DEFAULT_SOLVERS:
        if name != solver.profile.product:
            try:
                others.append(resolve(name, zoo))
            except FalsumError:  # not installed
                continue
    return Fuzzer(solver, settings, others)


class TraceReleases:
    """Replays one trace, whose failure on the original release is known."""

    def __init__(self, product: str, trace: Trace, failure: RunResult, limits: Limits, zoo: Zoo) -> None:
        self.profile = BY_PRODUCT[product]
        self.zoo = zoo
        self.target = target_of_run(failure)
        self._trace = trace
        self._failure = failure
        self._limits = limits

    def releases(self) -> list[Release]:
        """The releases on this machine that have a library, the oldest first."""
        releases: dict[str, Release] = {}
        for release in (*self.zoo.installed(self.profile), *self.zoo.own(self.profile)):
            if release.folder is not None and not any(is_same_release(release.version, v) for v in releases):
                releases[release.version] = release
        return sorted(releases.values(), key=lambda release: parse_version(release.version))

    def rows(self, releases: Sequence[Release], jobs: int) -> list[ReleaseRow]:
        """The rows, one after the other: a replay takes less time than loading the library."""
        del jobs
        return [self.row(release) for release in releases]

    def row(self, release: Release) -> ReleaseRow:
        start = time.monotonic()
        try:
            with fuzzer_for(Solver(release.name, self.profile, release), self._limits, self.zoo) as fuzzer:
                result = fuzzer.replay(self._trace, like=self._failure)
        except FalsumError as error:
            return ReleaseRow(release.version, Standing.MISSING, cut(str(error)))
        seconds = round(time.monotonic() - start, 3)
        standing = standing_of_run(self.target, result)
        return ReleaseRow(release.version, standing, text_of_run(result), seconds, str(release.origin))
