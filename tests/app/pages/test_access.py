"""Who may see the pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.pages.sample_store import make_store, pages_of

from falsum.app.pages.access import COOKIE, is_loopback

TOKEN = "a-token-of-enough-length"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("access") / "store")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False),
        ("::", False), ("192.168.0.1", False), ("example.org", False), ("", False),
        ("localhost.evil.org", False),
    ],
)  # fmt: skip
def test_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8765", 200), ("127.0.0.1", 200), ("[::1]:8765", 200), ("LOCALHOST", 200),
        ("evil.example", 421),         ("evil.example:8765", 421), ("127.0.0.1.evil.example", 421), ("", 421),
    ],
)  # fmt: skip
def test_without_a_token_only_this_machine_by_name(host: str, status: int, folder: Path) -> None:
    (answer,) = pages_of(folder, "/", headers={"host": host})
    assert answer.status_code == status


def test_with_a_token_nothing_is_shown_without_it(folder: Path) -> None:
    answers = pages_of(
        folder, "/", "/findings", "/static/pages.css", "/?token=wrong", "/?token=", token=TOKEN
    )
    assert {answer.status_code for answer in answers} == {401}
    assert all("Campaign" not in answer.text for answer in answers)


def test_the_token_becomes_a_cookie_and_leaves_the_address(folder: Path) -> None:
    first, then = pages_of(folder, f"/findings?kind=crash&token={TOKEN}", "/findings", token=TOKEN)
    assert first.status_code == 303
    assert first.headers["location"] == "/findings?kind=crash"
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert then.status_code == 200
    assert TOKEN not in then.text


def test_a_redirection_never_leads_elsewhere(folder: Path) -> None:
    (answer,) = pages_of(folder, f"http://localhost:1//evil.example/?token={TOKEN}", token=TOKEN)
    assert answer.headers["location"] == "/evil.example/"


@pytest.mark.parametrize(
    "cookie", ["", f"{COOKIE}=wrong", f"{COOKIE}=", ";;=,=", f'{COOKIE}="', f"other={TOKEN}"]
)
def test_other_cookies_are_not_enough(cookie: str, folder: Path) -> None:
    (answer,) = pages_of(folder, "/", token=TOKEN, headers={"cookie": cookie})
    assert answer.status_code == 401
