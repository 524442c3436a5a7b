"""The web server of `falsum serve`."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import Final, Protocol

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from falsum.errors import SurroundingsError

_MOST_WAITING: Final = 128
# Requests should not wait for the thread that reads findings; Python's default is ten times as long.
_SWITCH_SECONDS: Final = 0.0005
# A connection may take so long until its first request is there.
_HEAD_SECONDS: Final = 5.0


class ImpatientProtocol(H11Protocol):
    """Closes a connection that sends no request in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(_HEAD_SECONDS, self._end_silence)

    def _end_silence(self) -> None:
        if self.scope is None and not self.transport.is_closing():
            self.transport.close()


def bound_socket(host: str, port: int) -> socket.socket:
    """A listening socket; raises SurroundingsError if the address is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_MOST_WAITING)  # from now on, so that the address works as soon as it is printed
    except (OSError, OverflowError, UnicodeError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise SurroundingsError(f"cannot listen on {host} port {port}: {reason}") from error
    return listener


class Pages(Protocol):
    """The interface of a site: `start` is called before its first request and `stop` after its last."""

    def application(self, token: str = "") -> Starlette: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...


def run(site: Pages, listener: socket.socket, token: str, ready: Callable[[], None]) -> None:
    """Serve the pages until a signal ends it."""
    config = uvicorn.Config(
        site.application(token), log_level="warning", access_log=False, server_header=False, lifespan="off",
        date_header=False, timeout_graceful_shutdown=1, http=ImpatientProtocol,
    )  # fmt: skip
    site.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        ready()
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        sys.setswitchinterval(before)
        site.stop()
        listener.close()
