"""The socket of the web server; `tests/app/commands/test_serve.py` runs the server itself."""

from __future__ import annotations

import socket
import threading
from collections.abc import Awaitable, Callable

import pytest
import uvicorn

from falsum.app.pages import web_server
from falsum.app.pages.libraries import require_page_libraries
from falsum.app.pages.web_server import bound_socket
from falsum.errors import SurroundingsError


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_it_listens_at_once(host: str) -> None:
    require_page_libraries()
    with bound_socket(host, 0) as listener, socket.create_connection(listener.getsockname(), 10):
        pass


@pytest.mark.parametrize("host", ["256.1.1.1", "no such host", "x" * 300, "192.0.2.1", "::zz"])
def test_addresses_that_cannot_be_had(host: str) -> None:
    with pytest.raises(SurroundingsError, match="cannot listen on"):
        bound_socket(host, 0)


async def _answer(
    scope: object, receive: object, send: Callable[[dict[str, object]], Awaitable[None]]
) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


def test_silent_connections_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a request is no request."""
    monkeypatch.setattr(web_server, "_HEAD_SECONDS", 0.3)
    with bound_socket("127.0.0.1", 0) as listener:
        config = uvicorn.Config(_answer, http=web_server.ImpatientProtocol, lifespan="off", log_level="error")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: server.run(sockets=[listener]), daemon=True)
        thread.start()
        silent = [socket.create_connection(listener.getsockname(), 10) for _ in range(20)]
        silent[0].sendall(b"GET / HT")
        for one in silent:
            one.settimeout(20)
            assert one.recv(1) == b""
            one.close()
        with socket.create_connection(listener.getsockname(), 10) as honest:
            honest.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert honest.recv(100).startswith(b"HTTP/1.1 200")
        server.should_exit = True
        thread.join(20)
