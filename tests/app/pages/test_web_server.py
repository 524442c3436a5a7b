"""The socket of the web server; `tests/app/commands/test_serve.py` runs the server itself."""

from __future__ import annotations

import socket

import pytest

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
