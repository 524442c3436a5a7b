"""Named programs: the programs that command lines have named for a store, by path and digest, which may be
run again.

They are recorded in the store, sealed with a key of the user's: neither a foreign store nor a file that has
changed can make falsum run anything.
"""

from __future__ import annotations

import hmac
import os
import secrets
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from falsum import plugins as plugin_table
from falsum.campaign.program_marks import digest_of_file, files_of
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import Solver
from falsum.store import atomic
from falsum.store.names import expect_no_link
from falsum.trust import distrust, names_a_product, note_changed, trust, trusted

FILE_NAME: Final = "named-programs.json"
_KEY_BYTES: Final = 32


class NamedProgram(msgspec.Struct, frozen=True):
    """A program or plug-in as a command line named it, its files with their digests, and the seal of both."""

    name: str
    files: tuple[tuple[str, str], ...]
    seal: str = ""

    def sealed(self, key: bytes) -> str:
        text = msgspec.json.encode((self.name, self.files))
        return hmac.new(key, text, "sha256").hexdigest()

    @property
    def is_unchanged(self) -> bool:
        try:
            return all(digest_of_file(Path(path)) == digest for path, digest in self.files)
        except OSError:
            return False


def remember(store: Path, solvers: Iterable[Solver] = (), plugins: Sequence[str] = ()) -> None:
    """Trust these programs from now on, and record them for this store."""
    new = [
        NamedProgram(solver.name, _digests(files_of(solver)))
        for solver in solvers
        if not names_a_product(solver.name)
    ]
    new += [NamedProgram(name, _digests([Path(name)])) for name in plugins]
    trust(one.name for one in new)
    new = [one for one in new if one.files]
    if not new or not store.is_dir():
        return
    try:
        key = _key()
        programs = {one.name: one for one in _read(store) if hmac.compare_digest(one.seal, one.sealed(key))}
        for one in new:
            programs[one.name] = msgspec.structs.replace(one, seal=one.sealed(key))
        atomic.write_file(
            store / FILE_NAME, msgspec.json.format(msgspec.json.encode(list(programs.values())))
        )
    except (OSError, SurroundingsError):
        return  # where nothing can be kept, the user has to name it again


def trust_named(store: Path) -> None:
    """Trust the programs recorded for this store, as far as they are unchanged."""
    programs = _read(store)
    if not programs:
        return
    try:
        key = _key()
    except OSError:
        return
    own = [one for one in programs if hmac.compare_digest(one.seal, one.sealed(key))]
    same = [one.name for one in own if one.is_unchanged]
    trust(same)
    note_changed(one.name for one in own if one.name not in same)


def expect_named(names: Iterable[str], plugins: Iterable[str]) -> None:
    """Raise UsageError for programs and plug-ins of a stored plan that the user has neither named
    nor trusts.
    """
    for name in names:
        if not names_a_product(name) and name not in trusted():
            raise UsageError(f"{name!r} {distrust(name)}; if you trust it: --trust {shlex.quote(name)}")
    for file in plugins:
        if file not in trusted() and file not in plugin_table.files():
            raise UsageError(
                f"{file!r} is a plug-in that the store names and you have not, or that has changed; "
                f"if you trust it: --plugin {shlex.quote(file)}"
            )


def _digests(files: Iterable[Path]) -> tuple[tuple[str, str], ...]:
    return tuple((str(path.absolute()), digest_of_file(path)) for path in files)


def _read(store: Path) -> list[NamedProgram]:
    file = store / FILE_NAME
    if not file.exists():
        return []
    expect_no_link(file)
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[NamedProgram])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SurroundingsError(
            f"{file}: cannot be read: {error}; delete it and name your programs again"
        ) from error


def _key() -> bytes:
    """The user's key, which never leaves this machine; created when it is first needed."""
    file = Path(platformdirs.user_state_dir("falsum")) / "key"
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return file.read_bytes()
    with os.fdopen(descriptor, "wb") as new:
        new.write(secrets.token_bytes(_KEY_BYTES))
    return file.read_bytes()
