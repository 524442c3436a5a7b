"""`falsum serve` as a process: addresses, tokens, errors."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.app.pages.sample_store import make_store
from tests.app.test_main import called

from falsum.app.commands import report, serve
from falsum.app.pages.libraries import require_page_libraries


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("serve") / "store")


@contextmanager
def served(folder: Path, *options: str, **variables: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that `falsum serve` prints, and its process."""
    command = [sys.executable, "-m", "falsum.app.main", "serve", str(folder), "--port", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | variables
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            match = re.search(r"http://\S+", process.stdout.readline())
            assert match
            yield match[0], process
        finally:
            process.kill()


def fetched(address: str) -> tuple[int, str]:
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    try:
        with opener.open(address) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_pages_come_from_loopback_until_a_signal(folder: Path) -> None:
    with served(folder) as (address, process):
        assert address.startswith("http://127.0.0.1:")
        status, page = fetched(address)
        assert (status, "Campaign 2" in page) == (200, True)
        request = urllib.request.Request(address, method="POST", data=b"")
        with pytest.raises(urllib.error.HTTPError, match="405"):
            urllib.request.urlopen(request)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in {0, 130}


def test_other_addresses_need_the_token(folder: Path) -> None:
    with served(folder, "--host", "0.0.0.0", FALSUM_TOKEN="") as (address, _process):
        base, _, token = address.replace("0.0.0.0", "127.0.0.1").partition("?token=")
        assert len(token) >= 24
        assert fetched(base)[0] == 401
        status, page = fetched(f"{base}?token={token}")
        assert (status, "Campaign 2" in page) == (200, True)


def test_a_weak_token_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FALSUM_TOKEN", "short")
    code, _out, err = called(capsys, "serve", str(folder), "--host", "0.0.0.0")
    assert code == 2
    assert "at least 16" in err


def test_clear_errors(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _out, err = called(capsys, "serve", str(tmp_path / "nowhere"))
    assert (code, "no campaign here" in err) == (3, True)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _out, err = called(capsys, "serve", str(folder), "--port", str(taken.getsockname()[1]))
    assert (code, "cannot listen on 127.0.0.1 port" in err) == (3, True)


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    require_page_libraries()
    monkeypatch.setattr(
        "falsum.app.pages.libraries.find_spec", lambda name: None if name == "starlette" else name
    )
    for command in (serve, report):
        code, _out, err = called(capsys, command.__name__.rpartition(".")[2], "nowhere")
        assert code == 3
        assert "starlette not installed; run: pip install 'falsum[pages]'" in err
