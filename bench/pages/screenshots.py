"""Takes pictures of every page of a store in Chromium: light and dark, wide and narrow."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

CHROMIUM: Final = "/usr/bin/chromium"
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
SIZES: Final = {"wide": (1280, 800), "narrow": (390, 844)}
_MOST_FINDINGS: Final = 3
_MOST_PIXELS: Final = 6000


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m bench.pages.screenshots", description=__doc__)
    made.add_argument("address", metavar="ADDRESS", help="where falsum serve listens, http://127.0.0.1:8765")
    made.add_argument("to", metavar="DIRECTORY", type=Path, help="where the pictures go")
    made.add_argument("--view", action="store_true", help="only what fits the window, not the whole page")
    return made


def pages_of(page: Page, address: str) -> Iterator[tuple[str, str]]:
    """The pages by name: the fixed ones, and of the findings one of each defect."""
    yield from (("overview", "/"), ("findings", "/findings"), ("seeds", "/seeds"), ("solvers", "/solvers"))
    page.goto(f"{address}/")
    campaigns = page.locator("select[name=campaign] option")
    for place in range(1, min(3, campaigns.count())):
        yield f"overview-{place + 1}", f"/?campaign={campaigns.nth(place).get_attribute('value')}"
    page.goto(f"{address}/findings")
    shown: set[str] = set()
    for row in page.locator("#live-findings tbody tr").all():
        defect = row.locator(".tag").first.inner_text() + str("library" in row.inner_text())
        if defect not in shown and len(shown) < _MOST_FINDINGS:
            shown.add(defect)
            link = str(row.locator("a").first.get_attribute("href"))
            yield f"finding-{link.rpartition('/')[2]}", link


def take(browser: Any, address: str, to: Path, *, whole: bool) -> Iterator[Path]:
    listing = browser.new_page()
    listed = list(pages_of(listing, address))
    listing.close()
    for scheme in ("light", "dark"):
        for size, (width, height) in SIZES.items():
            context = browser.new_context(
                color_scheme=scheme, viewport={"width": width, "height": height}, reduced_motion="reduce"
            )
            page = context.new_page()
            for name, path in listed:
                page.goto(f"{address}{path}")
                file = to / f"{name}-{scheme}-{size}.png"
                tall = min(_MOST_PIXELS, page.evaluate("document.documentElement.scrollHeight"))
                clip = {"x": 0, "y": 0, "width": width, "height": tall if whole else height}
                page.screenshot(path=file, full_page=whole, clip=clip)
                yield file
            context.close()


def main() -> None:
    arguments = parser().parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        for file in take(browser, arguments.address.rstrip("/"), arguments.to, whole=not arguments.view):
            print(file, file.stat().st_size)
        browser.close()


if __name__ == "__main__":
    main()
