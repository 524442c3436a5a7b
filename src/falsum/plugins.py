"""Registry: the members of one kind (strategies, oracles, …): falsum's own, then those of plug-ins.

A plug-in is an entry point of an installed package, in the group of its kind (`falsum.strategies` and so on),
or a Python file named by the user that has a list for each kind it adds to (`STRATEGIES` and so on). A
plug-in that cannot be used is logged by name and left out; nothing else depends on it.
"""

from __future__ import annotations

import importlib.util
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, overload

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

KINDS: Final = ("strategies", "oracles", "passes", "profiles", "bindings", "trackers")
_NAME: Final = re.compile(r"[A-Za-z][\w.-]*\Z")
_LOG: Final = logging.getLogger("falsum.plugins")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Offer:
    """A member that a plug-in offers: its name in the plug-in, its origin, and how to load it."""

    name: str
    origin: str
    load: Callable[[], object]


class Registry(Sequence[T], Generic[T]):
    """The members of one kind, by place and by name; plug-ins are looked up when it is first used.

    `checked` returns the member it is given or raises a TypeError that says what is wrong with it; `key` is
    the attribute with its name. Names are unique: a plug-in cannot replace a member that is there already.
    """

    def __init__(self, kind: str, own: Iterable[T], checked: Callable[[Any], T], key: str = "name") -> None:
        assert kind in KINDS
        self.kind = kind
        self.own = tuple(own)
        self.by_name: Mapping[str, T] = _ByName(self)
        self._checked = checked
        self._key = key
        self._members: dict[str, T] = {}
        self._seen: tuple[str, ...] | None = None

    @property
    def members(self) -> Mapping[str, T]:
        if self._seen != (given := files()):
            self._seen = given
            self._members = {getattr(member, self._key): member for member in self.own}
            for offer in (*_installed(self.kind), *_in_files(self.kind)):
                self._add(offer)
        return self._members

    def _add(self, offer: Offer) -> None:
        try:
            member = offer.load()
            member = self._checked(member() if isinstance(member, type) else member)
            name = getattr(member, self._key)
            if not isinstance(name, str) or not _NAME.match(name):
                raise ValueError(f"{name!r} is not a valid name")  # noqa: TRY301 - all is told at one place
            if name in self._members:
                raise ValueError(f"there is already {name!r} among the {self.kind}")  # noqa: TRY301
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a plug-in does, falsum works on
            _leave_out(offer.name, offer.origin, error)
        else:
            self._members[name] = member

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...

    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return tuple(self.members.values())[place]

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self.members.values()))

    def __len__(self) -> int:
        return len(self.members)


class _ByName(Mapping[str, T]):
    """A registry as a mapping."""

    def __init__(self, registry: Registry[T]) -> None:
        self._registry = registry

    def __getitem__(self, name: str) -> T:
        return self._registry.members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._registry.members))

    def __len__(self) -> int:
        return len(self._registry)


def having(*attributes: str) -> Callable[[Any], Any]:
    """A check that a member has the attributes of its protocol."""

    def checked(member: Any) -> Any:
        missing = [name for name in attributes if not hasattr(member, name)]
        if missing:
            raise TypeError(f"{type(member).__name__} lacks {', '.join(missing)}")
        return member

    return checked


def instance_of(cls: type[T]) -> Callable[[Any], T]:
    """A check that a member is a record of its kind."""

    def checked(member: Any) -> T:
        if not isinstance(member, cls):
            raise TypeError(f"a {type(member).__name__} is not a {cls.__name__}")
        return member

    return checked


# The plug-in files of this process, in the order given; they count towards every registry.
_files: Final[dict[str, Mapping[str, Sequence[object]]]] = {}
_told: Final[set[str]] = set()


def add_files(paths: Iterable[str]) -> None:
    """Run plug-in files, each once, and add their members."""
    for path in paths:
        name = str(Path(path).absolute())
        if name not in _files:
            _files[name] = _run(name)


def inherit(paths: Iterable[str]) -> None:
    """Use the plug-in files of the parent, in a worker process; the parent has logged errors already."""
    _LOG.disabled = True
    add_files(paths)


def files() -> tuple[str, ...]:
    """The plug-in files of this process, for processes it starts."""
    return tuple(_files)


def place_in_plugin(error: BaseException) -> str:
    """The place in a plug-in that raised an exception, as `mine.py:12`; "" if it is in falsum itself.

    Errors raised by falsum because a plug-in calls it wrongly count as the plug-in's.
    """
    place = ""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        package = str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        if file in _files or package in _packages():
            place = f"{Path(file).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _packages() -> frozenset[str]:
    """The packages that are installed as plug-ins."""
    from importlib import metadata  # noqa: PLC0415 - as below

    entries = (entry for kind in KINDS for entry in metadata.entry_points(group=f"falsum.{kind}"))
    return frozenset(entry.module.partition(".")[0] for entry in entries) - {"falsum"}


def _run(file: str) -> Mapping[str, Sequence[object]]:
    try:
        module = _module(file)
        offered = {kind: tuple(getattr(module, kind.upper(), ())) for kind in KINDS}
        if not any(offered.values()):
            raise ValueError(f"it defines none of {', '.join(map(str.upper, KINDS))}")  # noqa: TRY301
    except (Exception, SystemExit) as error:  # noqa: BLE001 - as above
        _leave_out(Path(file).name, "", error)
        return {}
    return offered


def _module(file: str) -> object:
    # Two files of one name are two modules; dataclasses look their module up while it is run.
    name = f"falsum_plugin_{len(_files)}_{re.sub(r'[^A-Za-z0-9]', '_', Path(file).stem)}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _in_files(kind: str) -> Iterator[Offer]:
    for file, offered in _files.items():
        for place, member in enumerate(offered.get(kind, ())):
            yield Offer(f"{kind.upper()}[{place}]", Path(file).name, partial(_same, member))


def _same(member: object) -> object:
    return member


def _installed(kind: str) -> Iterator[Offer]:
    """Entry points in a machine-independent order."""
    from importlib import metadata  # noqa: PLC0415 - it would double the start time of `falsum --help`

    for entry in sorted(metadata.entry_points(group=f"falsum.{kind}"), key=_origin):
        yield Offer(entry.name, _origin(entry)[0], entry.load)


def _origin(entry: EntryPoint) -> tuple[str, str]:
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else ""
    return package, entry.name


def _leave_out(name: str, origin: str, error: BaseException) -> None:
    said = " ".join(str(error).split())
    whose = f" of {origin}" if origin else ""
    message = f"plug-in {name}{whose} left out: {type(error).__name__}: {said}"
    if message not in _told:
        _told.add(message)
        _LOG.warning(message)
