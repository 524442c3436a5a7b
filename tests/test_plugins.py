"""Plug-ins: what they add is there, what is wrong with one is told, and nothing else suffers."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from falsum import plugins
from falsum.plugins import Registry, having, instance_of

OWN = "class Member:\n    def __init__(self, name): self.name = name\n"
Write = Callable[..., Path]


@dataclass(frozen=True)
class Member:
    name: str


@pytest.fixture(autouse=True)
def no_plugins() -> Iterator[None]:
    """Every test begins and ends without plug-in files."""
    before = dict(plugins._files)
    plugins._files.clear()
    plugins._told.clear()
    yield
    plugins._files.clear()
    plugins._files.update(before)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str, name: str = "mine.py") -> Path:
        file = tmp_path / name
        file.write_text(OWN + text)
        return file

    return written


@pytest.fixture
def registry() -> Registry[Member]:
    return Registry("strategies", (Member("a"), Member("b")), having("name"))


def names(registry: Registry[Member]) -> list[str]:
    return [member.name for member in registry]


def test_members_come_by_place_and_by_name(registry: Registry[Member]) -> None:
    assert len(registry) == 2
    assert registry[1].name == "b"
    assert [member.name for member in registry[:1]] == ["a"]
    assert list(registry.by_name) == ["a", "b"]
    assert registry.by_name["b"] is registry[1]
    assert "c" not in registry.by_name
    assert len(registry.by_name) == 2


def test_files_come_last_in_the_order_given_and_once(registry: Registry[Member], write: Write) -> None:
    assert names(registry) == ["a", "b"]
    second = write("STRATEGIES = [Member('z'), Member('y')]", "second.py")
    first = write("class Named:\n    name = 'c'\nSTRATEGIES = (Named,)", "first.py")
    plugins.add_files([str(second)])
    assert names(registry) == ["a", "b", "z", "y"]
    plugins.add_files([str(first), str(second)])
    assert names(registry) == ["a", "b", "z", "y", "c"]
    assert plugins.files() == (str(second), str(first))
    assert [member.name for member in registry.own] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 / 0", "plug-in mine.py left out: ZeroDivisionError: division by zero"),
        ("import nowhere_to_be_found", "ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("syntax error", "plug-in mine.py left out: SyntaxError: "),
        ("raise SystemExit(3)", "plug-in mine.py left out: SystemExit: 3"),
        ("STRATEGY = Member('c')", "ValueError: it defines none of STRATEGIES, ORACLES"),
        ("STRATEGIES = 5", "TypeError: 'int' object is not iterable"),
        ("STRATEGIES = [7]", "plug-in STRATEGIES[0] of mine.py left out: TypeError: int lacks name"),
        ("STRATEGIES = [Member]", "STRATEGIES[0] of mine.py left out: TypeError: Member.__init__() missing"),
        ("STRATEGIES = [Member('a')]", "ValueError: there is already 'a' among the strategies"),
        ("STRATEGIES = [Member('c+d')]", "ValueError: 'c+d' is not a valid name"),
        ("STRATEGIES = [Member(None)]", "ValueError: None is not a valid name"),
    ],
)
def test_a_broken_one_is_named_and_left_out(
    text: str, told: str, registry: Registry[Member], write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    plugins.add_files([str(write(text)), str(write("STRATEGIES = [Member('good')]", "good.py"))])
    assert names(registry) == ["a", "b", "good"]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert told in record.getMessage()
    assert "\n" not in record.getMessage()


def test_what_is_wrong_is_told_once(
    registry: Registry[Member], write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    plugins.add_files([str(write("STRATEGIES = [7]"))])
    assert names(registry) == ["a", "b"]
    plugins.add_files([str(write("STRATEGIES = [Member('c')]", "more.py"))])
    assert names(registry) == ["a", "b", "c"]
    assert len(caplog.records) == 1


def test_a_worker_does_not_tell_it_again(
    registry: Registry[Member],
    write: Write,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plugins._LOG, "disabled", False)
    plugins.inherit((str(write("1 / 0")), str(write("STRATEGIES = [Member('c')]", "more.py"))))
    assert names(registry) == ["a", "b", "c"]
    assert not caplog.records


def test_entry_points_in_a_fixed_order(
    registry: Registry[Member],
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    write("c, d = Member('c'), Member('d')\n", "members_for_tests.py")
    monkeypatch.syspath_prepend(tmp_path)
    for package, lines in {
        "zeta": "one = members_for_tests:c\n",
        "alpha": "two = members_for_tests:d\nbroken = members_for_tests:nothing\n",
    }.items():
        home = tmp_path / f"{package}-1.0.dist-info"
        home.mkdir()
        (home / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (home / "entry_points.txt").write_text(f"[falsum.strategies]\n{lines}")
    importlib.invalidate_caches()
    assert names(registry) == ["a", "b", "d", "c"]
    (record,) = caplog.records
    assert record.getMessage().startswith("plug-in broken of alpha 1.0 left out: AttributeError: ")


def test_records_are_checked_by_their_class(write: Write, caplog: pytest.LogCaptureFixture) -> None:
    registry = Registry("profiles", (Member("a"),), instance_of(Member))
    plugins.add_files([str(write("PROFILES = [Member('c')]"))])  # of its own class of that name
    assert names(registry) == ["a"]
    assert "TypeError: a Member is not a Member" in caplog.text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("def fail():\n    raise ValueError('a')\n", "mine.py:4"),
        ("def fail():\n    int('x')\n", "mine.py:4"),
        (
            "from falsum.smtlib import read_script\ndef fail():\n    read_script('(assert (+ 1 true))')\n",
            "mine.py:5",
        ),
    ],
)
def test_an_exception_is_traced_to_the_plug_in_it_is_from(text: str, place: str, write: Write) -> None:
    file = write(f"{text}STRATEGIES = [Member]\n")
    module = plugins._module(str(file))
    for is_plugin in (False, True):
        if is_plugin:
            plugins.add_files([str(file)])
        with pytest.raises(Exception) as caught:  # noqa: PT011 - any
            module.fail()  # type: ignore[attr-defined]
        assert plugins.place_in_plugin(caught.value) == (place if is_plugin else "")


def test_an_exception_of_an_installed_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = importlib.metadata.EntryPoint("x", f"{__name__.partition('.')[0]}.x:X", "falsum.strategies")

    def points(group: str) -> list[importlib.metadata.EntryPoint]:
        return [entry] if group == "falsum.strategies" else []

    def error() -> ValueError:
        with pytest.raises(ValueError, match="invalid literal") as caught:
            int("x")
        return caught.value

    assert plugins.place_in_plugin(error()) == ""
    monkeypatch.setattr("importlib.metadata.entry_points", points)
    assert plugins.place_in_plugin(error()).startswith("test_plugins.py:")
