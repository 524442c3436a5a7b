"""AuditSite: the page of an audit, an upgrade or a measurement of stability while it runs and afterwards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from falsum.app.audits.audit_page import page_text
from falsum.app.audits.live_rows import COMMANDS, last_progress, live_file, rows_file
from falsum.app.audits.row_formats import read_rows
from falsum.app.pages.access import AccessControl
from falsum.errors import FalsumError

_Stamp = tuple[Path, int, int]


class AuditSite:
    """Reads the files of a directory of answers; never writes anything."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Pages as they were last shown, by command.
        self._pages: dict[str, tuple[_Stamp, str]] = {}

    def start(self) -> None:
        """Nothing runs between requests."""

    def stop(self) -> None:
        """See `start`."""

    def application(self, token: str = "") -> Starlette:
        """The web application; with a token, only for those who have it."""
        return Starlette(
            routes=[Route("/", self._page), Route("/{command}", self._page)],
            middleware=[Middleware(AccessControl, token=token)],
        )

    def _page(self, request: Request) -> Response:
        newest = sorted(self._stamps().items(), key=lambda item: -item[1][1])
        commands = tuple(command for command, _stamp in newest)
        command = request.path_params.get("command", commands[0] if commands else "")
        if command not in commands:
            return HTMLResponse("There is no such page.", 404)
        stamp = dict(newest)[command]
        if self._pages.get(command, (None, ""))[0] != stamp:
            try:
                self._pages[command] = stamp, self._text(command, stamp[0], commands)
            except (FalsumError, OSError) as error:
                return HTMLResponse(str(error), 500, media_type="text/plain")
        return HTMLResponse(self._pages[command][1])

    def _text(self, command: str, file: Path, commands: tuple[str, ...]) -> str:
        progress = last_progress(file) if file == live_file(self._folder, command) else ""
        return page_text(command, read_rows(file), Counter(), progress, commands)

    def _stamps(self) -> dict[str, _Stamp]:
        """The file of each command that has written one, with a stamp that changes whenever it is written."""
        stamps: dict[str, _Stamp] = {}
        for command in COMMANDS:
            for file in (live_file(self._folder, command), rows_file(self._folder, command)):
                if file.exists() and command not in stamps:
                    status = file.stat()
                    stamps[command] = file, status.st_mtime_ns, status.st_size
        return stamps
