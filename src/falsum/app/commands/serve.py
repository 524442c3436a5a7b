"""`falsum serve`: the contents of a store as live web pages."""

from __future__ import annotations

import os
import secrets
from contextlib import closing
from pathlib import Path
from typing import Final

import click

from falsum.app import options
from falsum.app.audits.live_rows import is_of_audits
from falsum.app.pages.libraries import require_page_libraries
from falsum.app.terminal import echo, progress_line
from falsum.errors import UsageError
from falsum.store.reader import StoreReader

_TOKEN: Final = "FALSUM_TOKEN"
_LEAST_TOKEN: Final = 16


@click.command()
@click.argument("folder", metavar="[DIR]", default=Path("falsum-out"), type=click.Path(path_type=Path))
@click.option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help="Address to listen on (default 127.0.0.1)."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, metavar="PORT",
    help="Port to listen on; 0 takes any that is free (default 8765).",
)  # fmt: skip
@options.plugin
def command(folder: Path, host: str, port: int) -> None:
    """Serve live pages about campaigns and findings.

    DIR is the directory of the campaigns (default falsum-out). The pages show campaigns, findings, seeds and
    solvers, and are updated while a campaign runs. Of the directory of an audit, an upgrade or a measurement
    of stability (falsum-audit) the page shows the rows. The pages only read. Only this machine can reach
    them. With another --host everybody who has the token can: it is printed, or taken from the variable
    FALSUM_TOKEN. Ctrl-C ends the server.
    """
    require_page_libraries()
    from falsum.app.pages.access import PARAMETER, is_loopback  # noqa: PLC0415 - libraries of an extra
    from falsum.app.pages.site import Site  # noqa: PLC0415
    from falsum.app.pages.web_server import bound_socket, run  # noqa: PLC0415

    token = "" if is_loopback(host) else _token()
    if is_of_audits(folder):
        from falsum.app.audits.audit_site import AuditSite  # noqa: PLC0415

        site: Site | AuditSite = AuditSite(folder)
    else:
        site = Site(folder)
        with (
            closing(StoreReader(folder)) as store,
            progress_line(store.finding_count(), "findings read") as step,
        ):
            site.index.refresh(store, step)
    listener = bound_socket(host, port)
    host_name = f"[{host}]" if ":" in host else host
    address = f"http://{host_name}:{listener.getsockname()[1]}/" + (f"?{PARAMETER}={token}" if token else "")
    run(site, listener, token, lambda: echo(f"pages of {folder}: {address} (Ctrl-C ends)"))


def _token() -> str:
    """The token of the user, or a new one."""
    token = os.environ.get(_TOKEN, "")
    if token and (len(token) < _LEAST_TOKEN or not token.isascii() or not token.isprintable()):
        raise UsageError(f"{_TOKEN} must have at least {_LEAST_TOKEN} printable ASCII characters")
    return token or secrets.token_urlsafe(24)
