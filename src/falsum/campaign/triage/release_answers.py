"""ReleaseAnswers: what the releases of a product answer to one script, in fresh processes; cached."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

import msgspec
import platformdirs

from falsum.campaign.triage.symptom import Standing, Symptom, SymptomKind
from falsum.defects.case import Case
from falsum.defects.open_points import misreads_strings, touched
from falsum.errors import SurroundingsError
from falsum.smtlib.evaluation.open_points import CODES, ESCAPES
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.options import Setting
from falsum.solvers.profiles import BY_PRODUCT, Profile
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.solvers.versions import is_same_release, parse_version
from falsum.solvers.zoo import Origin, Release, Zoo
from falsum.store import atomic
from falsum.strategies.mutant import Mutant

_LOG: Final = logging.getLogger(__name__)
MAX_ANSWER_LENGTH: Final = 160
# On a busy machine releases time out: up to so many are asked again, with so much more time.
_MAX_RETRIES: Final = 5
_RETRY_FACTOR: Final = 3.0


class ReleaseRow(msgspec.Struct, frozen=True):
    """One release: how it stands, and its answer."""

    release: str
    standing: Standing
    said: str
    seconds: float = 0.0
    origin: str = ""


def usable_releases(zoo: Zoo, profile: Profile) -> list[Release]:
    """The releases on this machine that can read a script, the oldest first; also those on PATH."""
    found: dict[str, Release] = {}
    # What is on PATH may be patched: it is used only if there is no wheel of that release.
    for release in (*zoo.installed(profile), *zoo.own(profile), *zoo.on_path(profile)):
        if release.program is None and not profile.parses_scripts(release.version):
            continue
        if release.version and not any(is_same_release(release.version, other) for other in found):
            found[release.version] = release
    return sorted(found.values(), key=lambda release: parse_version(release.version))


def name_of(release: Release, settings: tuple[Setting, ...]) -> str:
    """What a release with these settings is called among the solvers of a lab."""
    name = release.name
    if release.origin is Origin.FILE:  # there may be a release of the same version
        name = f"{release.product}={release.program or release.folder}"
    return f"{name}:{','.join('='.join(setting) for setting in settings)}"


class ReleaseAnswers:
    """Asks releases of one product about one script; answers are cached for the user."""

    def __init__(
        self,
        product: str,
        script: str,
        symptom: Symptom,
        limits: Limits,
        *,
        settings: tuple[Setting, ...] = (),
        zoo: Zoo | None = None,
        cache: Path | None = None,
    ) -> None:
        self.profile = BY_PRODUCT[product]
        self.zoo = zoo or Zoo()
        self.script = script
        self.symptom = symptom
        self.limits = limits
        self.settings = settings
        self._own = threading.local()
        self._labs: list[LiveLab] = []
        self._cache = _Cache(cache or _cache_folder(), script)

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
        """How releases stand, asked in parallel; a few that time out are asked again, alone."""
        with ThreadPoolExecutor(jobs, "falsum-bisect") as threads:
            found = list(threads.map(self.row, releases))
        timed_out = [place for place, row in enumerate(found) if row.standing is Standing.TIMED_OUT]
        for place in timed_out if len(timed_out) <= _MAX_RETRIES else ():
            found[place] = self.row(releases[place], _RETRY_FACTOR)
        return found

    def row(self, release: Release, time_factor: float = 1.0) -> ReleaseRow:
        answer = self.answer(release, time_factor)
        standing = self.symptom.standing(answer, self.script)
        if (
            standing is Standing.BAD
            and self.symptom.kind is not SymptomKind.CRASH
            and self._misreads(release)
        ):
            standing = Standing.MISREADS
        return ReleaseRow(
            release.version, standing, answer_text(answer), round(answer.seconds, 3), str(release.origin)
        )

    def _misreads(self, release: Release) -> bool:
        """Whether a release reads strings of the script as was usual before the standard."""
        case = Case(Mutant(self.script))
        if {ESCAPES, CODES}.isdisjoint(touched(case)):
            return False
        return misreads_strings(case, self._named(release), self._lab(release))

    def answer(self, release: Release, time_factor: float = 1.0) -> Answer:
        """The answer of a fresh process, or the cached one if that had at least as much time."""
        name = self._named(release)
        key = f"{name} {release.origin} {self.symptom.want}"
        limits = replace(self.limits, seconds=time_factor * self.limits.seconds, cpu=None)
        is_kept = release.origin is not Origin.FILE  # the user's own build may be another one tomorrow
        known = self._cache.get(key, limits.seconds) if is_kept else None
        if known is not None:
            return known
        lab = self._lab(release)
        answer = lab.ask(
            Request(name, self.script, Want(self.symptom.want), cold=True, seconds=limits.seconds)
        )
        if is_kept:
            self._cache.put(key, answer)
        return answer

    def _named(self, release: Release) -> str:
        return name_of(release, self.settings)

    def _lab(self, release: Release) -> LiveLab:
        """The lab of this thread, with the release in it."""
        lab: LiveLab | None = getattr(self._own, "lab", None)
        if lab is None:
            lab = self._own.lab = LiveLab(
                (), replace(self.limits, seconds=_RETRY_FACTOR * self.limits.seconds)
            )
            self._labs.append(lab)
        lab.add(Solver(self._named(release), self.profile, release, settings=self.settings))
        return lab


def answer_text(answer: Answer) -> str:
    """An answer, short enough for a table."""
    verdicts = " ".join(answer.words)
    if answer.ending.kind is EndingKind.FINISHED:
        return verdicts or "nothing"
    ending = answer.ending.message if answer.crashed else str(answer.ending)
    text = " ".join(f"{verdicts} {ending}".split())
    return text if len(text) <= MAX_ANSWER_LENGTH else text[: MAX_ANSWER_LENGTH - 1] + "…"


def _cache_folder() -> Path:
    return Path(platformdirs.user_cache_dir("falsum")) / "bisections"


class _CachedAnswer(msgspec.Struct, frozen=True):
    verdicts: tuple[Verdict, ...]
    ending: str
    cause: str
    detail: str
    model: str | None
    seconds: float
    cpu: float = 0.0


class _Cache:
    """The answers of releases to one script, in a file; a release never changes, so they stay valid."""

    def __init__(self, folder: Path, script: str) -> None:
        digest = hashlib.sha256(script.encode(errors="surrogateescape")).hexdigest()[:24]
        self._file = folder / f"{digest}.json"
        self._lock = threading.Lock()
        self._known: dict[str, _CachedAnswer] = {}
        self._is_writable = True
        try:
            self._known = msgspec.json.decode(self._file.read_bytes(), type=dict[str, _CachedAnswer])
        except FileNotFoundError:
            pass
        except (OSError, msgspec.DecodeError):
            pass  # written by another release of falsum, or unreadable; it is replaced

    def get(self, key: str, seconds: float) -> Answer | None:
        kept = self._known.get(key)
        if kept is None or (kept.ending == EndingKind.TIMED_OUT and kept.seconds < 0.9 * seconds):
            return None
        ending = Ending(EndingKind(kept.ending), Cause(kept.cause), kept.detail)
        return Answer(kept.verdicts, ending, kept.model, seconds=kept.seconds, cpu=kept.cpu)

    def put(self, key: str, answer: Answer) -> None:
        ending = answer.ending
        kept = _CachedAnswer(
            answer.verdicts, str(ending.kind), str(ending.cause), ending.detail, answer.model, answer.seconds,
            answer.cpu,
        )  # fmt: skip
        with self._lock:
            self._known[key] = kept
            if self._is_writable:
                self._write()

    def _write(self) -> None:
        """Without the cache everything works as well, only not as fast the next time."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            atomic.write_file(self._file, msgspec.json.encode(self._known), 0o600)
        except (OSError, SurroundingsError) as error:
            self._is_writable = False
            reason = error.strerror if isinstance(error, OSError) else error
            _LOG.warning("answers are not cached: %s: %s", self._file.parent, reason)
