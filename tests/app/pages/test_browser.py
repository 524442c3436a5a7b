"""The pages in a real Chromium: they load, filter, update themselves, and hostile text does no harm."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.app.commands.test_serve import served
from tests.app.pages.sample_store import LIBRARY, TRIAGED, UNTRIAGED, WICKED, batch, make_store, triage

from falsum.app.pages.store_report import read_report, write_report
from falsum.store.records import Activity
from falsum.store.store import Store

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; .ci/run installs one")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PAGES = ["/", "/?campaign=1", "/findings", "/seeds", "/solvers"]
FINDINGS = [f"/findings/{record.digest}" for record in (TRIAGED, UNTRIAGED, WICKED, LIBRARY)]
# Milliseconds; the machine may be busy.
PATIENCE = 60_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("browser") / "store")


@pytest.fixture(scope="module")
def base(folder: Path) -> Iterator[str]:
    with served(folder) as (address, _process):
        yield address.rstrip("/")


class Visit:
    """A page with all that went wrong on it."""

    def __init__(self, browser: Any, **settings: Any) -> None:
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", self._note_dialog)
        self.page.on("requestfailed", self._note_failure)
        self.page.on("request", self._note_request)

    def _note_dialog(self, dialog: Any) -> None:
        self.problems.append("a dialog")
        dialog.dismiss()

    def _note_failure(self, request: Any) -> None:
        if "ERR_ABORTED" not in str(request.failure):  # a page that was left
            self.problems.append(f"{request.url}: {request.failure}")

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith(("http://127.0.0.1", "file:")):
            self.problems.append(f"asked for {request.url}")

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_error: object) -> None:
        self.context.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Visit]:
    with Visit(browser) as made:
        yield made
        assert not made.problems


@pytest.mark.timeout(300)
def test_every_page_loads_without_a_word_on_the_console(visit: Visit, base: str) -> None:
    for address in (*PAGES, *FINDINGS):
        answer = visit.page.goto(base + address)
        assert answer.status == 200
        assert visit.page.locator("h1").count() == 1
        assert visit.page.evaluate("getComputedStyle(document.body).display") == "block"  # no style of others
    assert not visit.problems


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_pages_are_accessible(scheme: str, width: int, browser: Any, base: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with Visit(browser, color_scheme=scheme, viewport={"width": width, "height": 800}) as visit:
        for address in (*PAGES, *FINDINGS):
            visit.page.goto(base + address)
            visit.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            found = axe.run(visit.page)
            assert found.violations_count == 0, f"{address}\n{found.generate_report()}"


@pytest.mark.timeout(300)
def test_pages_fit_a_phone(browser: Any, base: str) -> None:
    with Visit(browser, viewport={"width": 360, "height": 740}, has_touch=True) as visit:
        for address in (*PAGES, *FINDINGS):
            visit.page.goto(base + address)
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360, address
        assert not visit.problems


def listed(page: Any) -> set[str]:
    return {one.inner_text() for one in page.locator("#live-findings tbody th a").all()}


def test_filters_work(visit: Visit, base: str) -> None:
    page = visit.page
    page.goto(f"{base}/findings")
    assert len(listed(page)) == 4
    page.select_option("select[name=kind]", "crash")  # sent at once
    page.wait_for_url(re.compile("kind=crash"))
    assert listed(page) == {UNTRIAGED.digest}
    page.get_by_text("show all").click()
    page.wait_for_url(f"{base}/findings")
    page.fill("input[name=q]", "signal 11")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("q=signal"))
    assert listed(page) == {UNTRIAGED.digest, LIBRARY.digest}
    page.click("#sort-finding")
    page.wait_for_url(re.compile("sort=finding"))
    order = [one.inner_text() for one in page.locator("#live-findings tbody th a").all()]
    assert order == sorted(order)


def test_the_keyboard_is_enough(visit: Visit, base: str) -> None:
    page = visit.page
    page.goto(f"{base}/findings")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("#main$"))
    page.focus(f"#finding-{TRIAGED.digest}")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(TRIAGED.digest))
    assert "Refutation unsoundness" in page.locator("h1").inner_text()


def test_texts_can_be_copied(browser: Any, base: str) -> None:
    with Visit(browser, permissions=["clipboard-read", "clipboard-write"]) as visit:
        visit.page.goto(f"{base}/findings/{TRIAGED.digest}")
        visit.page.locator("button[data-copy=script-text]").click()
        visit.page.get_by_text("Copied").wait_for()
        copied = visit.page.evaluate("navigator.clipboard.readText()")
        assert copied.strip().startswith("(declare-const x Int)")
        assert not visit.problems


@pytest.mark.timeout(300)
def test_a_page_updates_itself_and_keeps_what_the_reader_does(tmp_path: Path, visit: Visit) -> None:
    folder = make_store(tmp_path)
    with served(folder) as (address, _process):
        page = visit.page
        page.goto(address)
        page.evaluate("window.stays = 'the same page'")
        page.click("#summary-throughput")
        page.focus(f"#newest-{TRIAGED.digest}")
        with Store(folder) as store:
            store.record(2, batch(70), elapsed=70.0, activity=Activity(2))
        page.get_by_text("running for 1:10").wait_for()
        assert mutants_above(page, 160) == 180
        assert page.evaluate("window.stays") == "the same page"
        assert page.locator("#data-throughput").get_attribute("open") is not None
        assert page.evaluate("document.activeElement.id") == f"newest-{TRIAGED.digest}"
        page.click("#updates")
        assert page.get_attribute("#updates", "aria-pressed") == "true"
        with Store(folder) as store:
            store.record(2, batch(71), elapsed=130.0, activity=Activity(2))
        page.wait_for_timeout(3000)
        assert page.get_by_text("running for 2:10").count() == 0
        page.click("#updates")
        page.get_by_text("running for 2:10").wait_for()
        page.goto("about:blank")  # it would miss the server


def test_a_finding_that_is_being_triaged_updates_its_page(tmp_path: Path, visit: Visit) -> None:
    folder = make_store(tmp_path)
    with served(folder) as (address, _process):
        visit.page.goto(f"{address}findings/{UNTRIAGED.digest}")
        triage(folder, UNTRIAGED, "Judged while you watch.")
        visit.page.get_by_text("Judged while you watch.").first.wait_for()
        visit.page.locator("button[data-copy=report-text]").wait_for()
        visit.page.goto("about:blank")


def mutants_above(page: Any, least: int) -> int:
    """Wait until the overview shows more mutants; how many."""
    for _ in range(PATIENCE // 100):
        shown = page.locator(".figures dd").first.inner_text().split()[0].replace(",", "")
        if int(shown) > least:
            return int(shown)
        page.wait_for_timeout(100)
    pytest.fail("the page is not updated")


@pytest.mark.timeout(300)
def test_a_real_campaign_updates_the_overview(tmp_path: Path, visit: Visit) -> None:
    seed = tmp_path / "seed.smt2"
    seed.write_text("(declare-const x Int)(declare-const y Int)(assert (> (+ x y) (* 2 x)))(check-sat)\n")
    out = tmp_path / "out"
    command = [sys.executable, "-m", "falsum.app.main", "fuzz", str(seed), "-s", "z3", "-t", "generate",
               "--for", "2m", "-j", "1", "--no-triage", "--out", str(out)]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as campaign:
        try:
            assert campaign.stderr is not None
            campaign.stderr.readline()  # it has begun
            with served(out) as (address, _process):
                page = visit.page
                page.goto(address)
                first = mutants_above(page, 0)
                assert mutants_above(page, first) > first
                assert "running for" in page.locator("h1").inner_text()
                page.goto("about:blank")
        finally:
            campaign.kill()
            campaign.communicate()


def test_a_report_opens_from_a_file(tmp_path: Path, folder: Path, visit: Visit) -> None:
    page, *_others = write_report(read_report(folder), tmp_path)
    visit.page.goto(page.as_uri())
    assert visit.page.locator("svg.plot").count() == 10
    # Its style is applied: the policy of the file knows it.
    assert visit.page.evaluate("getComputedStyle(document.querySelector('.figures')).display") == "grid"
    assert page.stat().st_size < 1_000_000
