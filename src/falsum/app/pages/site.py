"""Site: the pages of one store, as an application that a web server runs."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from heapq import nlargest
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from falsum.app.pages.access import AccessControl
from falsum.app.pages.campaign_figures import read_figures
from falsum.app.pages.environment import html_templates
from falsum.app.pages.finding_filter import PER_PAGE, FindingFilter, choices
from falsum.app.pages.finding_index import FindingIndex, FindingRow, IndexedFindings
from falsum.app.pages.finding_view import read_view
from falsum.app.pages.solver_figures import WORDS, solver_figures
from falsum.errors import FalsumError, SurroundingsError
from falsum.store.reader import StoreReader
from falsum.store.store import FINDINGS

_LOG: Final = logging.getLogger(__name__)
_STATIC: Final = Path(__file__).parent / "static"
_REFRESH_SECONDS: Final = 1.0
_RETRY_SECONDS: Final = 10.0
_NEWEST: Final = 8
_CACHED_PAGES: Final = 64
_PAGES: Final = (("/", "Overview"), ("/findings", "Findings"), ("/seeds", "Seeds"), ("/solvers", "Solvers"))


class Site:
    """Reads the store of a folder; never writes anything."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = FindingIndex(folder)
        self._stopped = threading.Event()
        self._refresher = threading.Thread(target=self._keep_fresh, daemon=True, name="falsum-pages")
        # One for the thread that answers requests; opened there, because SQLite wants it so.
        self._store: StoreReader | None = None
        self._choices = IndexedFindings(), choices(())
        self._pages: OrderedDict[tuple[str, FindingRow, int], str] = OrderedDict()

    def start(self) -> None:
        """Keep the index of findings up to date from now on; load the templates before the first request."""
        for name in html_templates().list_templates(["html"]):
            html_templates().get_template(name)
        self._refresher.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._refresher.is_alive():
            self._refresher.join()
        if self._store is not None:
            self._store.close()
            self._store = None

    def _keep_fresh(self) -> None:
        """Refresh the index until stopped; a store that cannot be read for a while, as on a network drive, is
        tried again.
        """
        while not self._stopped.is_set():
            try:
                with StoreReader(self.folder) as store:
                    while not self._stopped.wait(_REFRESH_SECONDS):
                        self.index.refresh(store)
            except (SurroundingsError, OSError) as error:
                _LOG.warning("the findings on the pages may be out of date: %s", error)
                self._stopped.wait(_RETRY_SECONDS)

    @property
    def store(self) -> StoreReader:
        if self._store is None:
            self._store = StoreReader(self.folder)
        return self._store

    def application(self, token: str = "") -> Starlette:
        """The web application; with a token, only for those who have it."""
        routes = [
            Route("/", self._overview),
            Route("/findings", self._findings),
            Route("/findings/{digest}", self._finding),
            Route("/findings/{digest}/files/{name:path}", self._file),
            Route("/seeds", self._seeds),
            Route("/solvers", self._solvers),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ]
        return Starlette(
            routes=routes,
            middleware=[Middleware(AccessControl, token=token)],
            exception_handlers={HTTPException: self._http_error, FalsumError: self._error},
        )

    def _page(self, template: str, request: Request, status: int = 200, **values: Any) -> HTMLResponse:
        page = html_templates().get_template(template)
        return HTMLResponse(page.render(self._frame(request.url.path) | values), status)

    def _frame(self, path: str) -> dict[str, Any]:
        """What every page shows."""
        return {"path": path, "pages": _PAGES, "store_name": self.folder.resolve().name}

    async def _overview(self, request: Request) -> Response:
        campaigns = self.store.campaigns()
        name = request.query_params.get("campaign", "")
        number = int(name) if name in {str(one.id) for one in campaigns} else None
        figures = read_figures(self.store, number)
        newest = nlargest(_NEWEST, self.index.current.rows, key=lambda row: row.first_seen)
        return self._page(
            "overview.html", request, figures=figures, campaigns=campaigns[::-1], newest=newest,
            faults=self.store.faults(figures.campaign.id)[-3:] if figures and figures.faults else [],
        )  # fmt: skip

    async def _findings(self, request: Request) -> Response:
        current = self.index.current
        if self._choices[0] is not current:
            self._choices = current, choices(current.rows)
        rows = current.rows
        finding_filter = FindingFilter.read(request.query_params)
        rows_found = finding_filter.apply(rows)
        last_page = max(1, -(-len(rows_found) // PER_PAGE))
        page = min(finding_filter.page, last_page)
        page_rows = rows_found[(page - 1) * PER_PAGE : page * PER_PAGE]
        return self._page(
            "findings.html", request, filter=finding_filter, shown=page_rows, total=len(rows_found),
            page=page,
            last_page=last_page, choices=self._choices[1], is_empty=not rows,
        )  # fmt: skip

    def _row(self, request: Request) -> FindingRow:
        row = self.index.current.find(request.path_params["digest"])
        if row is None:
            raise HTTPException(404, "There is no such finding in this store.")
        return row

    async def _finding(self, request: Request) -> Response:
        """The page of a finding. Pages are cached: findings change rarely, and these pages take longest to
        make.
        """
        row = self._row(request)
        folder = self.folder / FINDINGS / row.folder
        stamp = folder.stat().st_mtime_ns if folder.is_dir() else -1
        key = (request.url.path, row, stamp)
        if key not in self._pages:
            group = self.index.current.group(row.group) if row.group else []
            page = self._page("finding.html", request, view=read_view(row, folder), row=row, group=group)
            self._pages[key] = bytes(page.body).decode()
            while len(self._pages) > _CACHED_PAGES:
                self._pages.popitem(last=False)
        return HTMLResponse(self._pages[key])

    async def _file(self, request: Request) -> Response:
        """A file of a finding, always served as plain text."""
        folder = (self.folder / FINDINGS / self._row(request).folder).resolve()
        file = folder / request.path_params["name"]
        try:
            is_ours = not file.is_symlink() and file.is_file() and file.resolve().is_relative_to(folder)
        except (OSError, ValueError):  # no file can have such a name
            is_ours = False
        if not is_ours:
            raise HTTPException(404, "There is no such file.")
        return FileResponse(file, media_type="text/plain; charset=utf-8")

    async def _seeds(self, request: Request) -> Response:
        search = request.query_params.get("q", "")[:200]
        only_left_out = request.query_params.get("left-out") == "yes"
        page_text = request.query_params.get("page", "1")
        page = (
            max(1, int(page_text))
            if page_text.isascii() and page_text.isdigit() and len(page_text) < 7
            else 1
        )
        total, seeds = self.store.seeds_page(
            search, (page - 1) * PER_PAGE, PER_PAGE, only_left_out=only_left_out
        )
        return self._page(
            "seeds.html", request, search=search, only_left_out=only_left_out, seeds=seeds, total=total,
            page=page, last_page=max(1, -(-total // PER_PAGE)),
        )  # fmt: skip

    async def _solvers(self, request: Request) -> Response:
        campaigns = [(one, self.store.strategy_totals(one)) for one in self.store.campaigns()]
        return self._page(
            "solvers.html", request, solvers=solver_figures(campaigns, self.index.current.rows), words=WORDS
        )

    async def _http_error(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return self._page("error.html", request, error.status_code, message=error.detail)

    async def _error(self, request: Request, error: Exception) -> Response:
        return self._page("error.html", request, 500, message=str(error))
