"""The kernel fence, tried on this very kernel: a child restricts itself and reports what it still can do."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.doctor import try_fence, try_wrecks
from falsum.solvers.limits import Limits
from falsum.solvers.supervision import fence
from falsum.solvers.supervision.process import ProcessRunner, Program

needs_landlock = pytest.mark.skipif(not fence.landlock_version(), reason="this kernel has no Landlock")
needs_seccomp = pytest.mark.skipif(not fence.has_seccomp(), reason="this kernel has no seccomp filters")


def behind_the_fence(act: Callable[[], object], writable: Path) -> bool:
    """Whether a restricted child can do it."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            fence.restrict([str(writable)])
            act()
            code = 0
        except OSError:
            code = 1
        finally:
            os._exit(code)
    _child, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, 1)
    return code == 0


@needs_landlock
def test_files_are_written_in_the_run_directory_alone(tmp_path: Path) -> None:
    inside, outside = tmp_path / "run", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    kept = outside / "kept"
    kept.write_text("text")
    assert behind_the_fence(lambda: (inside / "new").write_text("x"), inside)
    assert behind_the_fence((inside / "folder").mkdir, inside)
    assert behind_the_fence(kept.read_text, inside)
    assert behind_the_fence(lambda: Path(os.devnull).write_text("x"), inside)
    assert not behind_the_fence(lambda: (outside / "new").write_text("x"), inside)
    assert not behind_the_fence((outside / "folder").mkdir, inside)
    assert not behind_the_fence(lambda: kept.write_text("other"), inside)
    assert not behind_the_fence(kept.unlink, inside)
    assert not behind_the_fence(lambda: kept.rename(inside / "moved"), inside)
    assert not behind_the_fence(lambda: (outside / "link").symlink_to(kept), inside)
    assert kept.read_text() == "text"
    assert [path.name for path in outside.iterdir()] == ["kept"]


@needs_seccomp
def test_no_socket_leaves_the_machine(tmp_path: Path) -> None:
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            assert not behind_the_fence(partial(socket.socket, family, kind), tmp_path)
    assert behind_the_fence(partial(socket.socketpair, socket.AF_UNIX, socket.SOCK_STREAM), tmp_path)
    # A datagram could be sent to any socket of the machine.
    assert not behind_the_fence(partial(socket.socketpair, socket.AF_UNIX, socket.SOCK_DGRAM), tmp_path)


@needs_landlock
def test_the_parent_is_out_of_reach(tmp_path: Path) -> None:
    if fence.landlock_version() < 6:
        pytest.skip("this kernel does not keep signals inside")
    parent = os.getpid()
    assert not behind_the_fence(lambda: os.kill(parent, 0), tmp_path)


@needs_landlock
@pytest.mark.parametrize("mode", [fence.OFF, fence.BEST, fence.STRICT])
def test_a_run_is_fenced_unless_told_otherwise(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that writes next to its run directory can do so with the fence off, and not with it on."""
    monkeypatch.setenv(fence.VARIABLE, mode)
    target = tmp_path / "written"
    writes = ("/bin/sh", "-c", f"echo x > here; echo x > {target}; cat here")
    with ProcessRunner() as runner:
        result = runner.run(Program(writes), Limits(seconds=5))
        assert result.stdout == b"x\n"
        assert target.exists() == (mode == fence.OFF)
        runner.run(Program(writes, fenced=False), Limits(seconds=5))
        assert target.exists()


@needs_landlock
@needs_seccomp
@pytest.mark.parametrize("mode", [fence.OFF, fence.BEST])
def test_the_doctor_tries_the_fence(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fence.VARIABLE, mode)
    tried = try_fence()
    assert tried["writing a file outside the run directory"] is (mode == fence.OFF)
    assert tried["opening a network socket"] is (mode == fence.OFF)
    is_root = os.getuid() == 0
    for act, is_possible in tried.items():
        if act == "another user" and not is_root:
            continue
        if act not in ("signals to other processes", "setting attributes of a file outside"):
            assert is_possible is (mode == fence.OFF), act
    assert tried["signals to other processes"] is (mode == fence.OFF or fence.landlock_version() < 6)


def test_wrong_modes_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fence.VARIABLE, "tight")
    with pytest.raises(UsageError, match="off, learn, best, strict, not 'tight'"):
        ProcessRunner()


def test_a_strict_fence_wants_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fence.VARIABLE, fence.STRICT)
    monkeypatch.setattr(fence, "landlock_version", lambda: 0)
    with pytest.raises(SurroundingsError, match="lacks Landlock"):
        ProcessRunner()


def test_the_doctor_ends_what_takes_too_much() -> None:
    assert all(try_wrecks().values())
