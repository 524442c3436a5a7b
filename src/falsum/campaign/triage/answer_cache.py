"""AnswerCache: the answers of releases to one script, in a file of the user's; releases never change."""

from __future__ import annotations

import hashlib
import logging
import threading
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.store import atomic

_LOG: Final = logging.getLogger(__name__)


def default_folder() -> Path:
    return Path(platformdirs.user_cache_dir("falsum")) / "bisections"


class _CachedAnswer(msgspec.Struct, frozen=True):
    verdicts: tuple[Verdict, ...]
    ending: str
    cause: str
    detail: str
    model: str | None
    core: str | None
    stdout: str
    printed: tuple[str, ...]
    seconds: float
    cpu: float = 0.0


class AnswerCache:
    """The answers to one script. Without the file everything works, but is not faster the next time."""

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
        cached = self._known.get(key)
        if cached is None or (cached.ending == EndingKind.TIMED_OUT and cached.seconds < 0.9 * seconds):
            return None
        ending = Ending(EndingKind(cached.ending), Cause(cached.cause), cached.detail)
        return Answer(
            cached.verdicts,
            ending,
            cached.model,
            cached.core,
            cached.stdout,
            seconds=cached.seconds,
            cpu=cached.cpu,
            printed=cached.printed,
        )

    def put(self, key: str, answer: Answer) -> None:
        ending = answer.ending
        entry = _CachedAnswer(
            answer.verdicts, str(ending.kind), str(ending.cause), ending.detail, answer.model, answer.core,
            answer.stdout, answer.printed, answer.seconds, answer.cpu,
        )  # fmt: skip
        with self._lock:
            self._known[key] = entry
            if self._is_writable:
                self._write()

    def _write(self) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            atomic.write_file(self._file, msgspec.json.encode(self._known), 0o600)
        except (OSError, SurroundingsError) as error:
            self._is_writable = False
            reason = error.strerror if isinstance(error, OSError) else error
            _LOG.warning("answers are not cached: %s: %s", self._file.parent, reason)
