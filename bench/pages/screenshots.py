"""Takes pictures of every page of a store in Chromium: light and dark, wide and narrow.

With `--sheets`, the four pictures of a page become one, as in `docs/pages.md`.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bench.command import command_parser
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM: Final = "/usr/bin/chromium"
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
SIZES: Final = {"wide": (1280, 844), "narrow": (390, 844)}
SCHEMES: Final = ("light", "dark")
_MOST_FINDINGS: Final = 3
_MOST_PIXELS: Final = 6000
_SHEET_SCALE: Final = 0.45


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.pages.screenshots", __doc__)
    made.add_argument("address", metavar="ADDRESS", help="where falsum serve listens, http://127.0.0.1:8765")
    made.add_argument("to", metavar="DIRECTORY", type=Path, help="where the pictures go")
    made.add_argument("--sheets", action="store_true", help="the beginning of each page, four in a picture")
    return made


def pages_of(page: Page, address: str) -> Iterator[tuple[str, str]]:
    """The pages by name: the fixed ones, and of the findings one of each kind of defect."""
    yield from (("overview", "/"), ("findings", "/findings"), ("seeds", "/seeds"), ("solvers", "/solvers"))
    page.goto(f"{address}/")
    campaigns = page.locator("select[name=campaign] option")
    for place in range(1, min(3, campaigns.count())):
        yield f"overview-{place + 1}", f"/?campaign={campaigns.nth(place).get_attribute('value')}"
    page.goto(f"{address}/findings")
    shown: set[tuple[str, bool]] = set()
    for row in page.locator("#live-findings tbody tr").all():
        kind = (row.locator(".tag").first.inner_text(), "library" in row.inner_text())
        if kind not in shown and len(shown) < _MOST_FINDINGS:
            shown.add(kind)
            link = str(row.locator("a").first.get_attribute("href"))
            yield f"{'library-' if kind[1] else ''}finding-{link.rpartition('/')[2]}", link


def take(browser: Browser, address: str, to: Path, *, whole: bool) -> dict[str, list[Path]]:
    """The pictures of each page: light wide, light narrow, dark wide, dark narrow."""
    listing = browser.new_page()
    listed = list(pages_of(listing, address))
    listing.close()
    taken: dict[str, list[Path]] = {name: [] for name, _path in listed}
    for scheme in SCHEMES:
        for size, (width, height) in SIZES.items():
            settings: dict[str, Any] = {
                "color_scheme": scheme,
                "viewport": {"width": width, "height": height},
            }
            context = browser.new_context(**settings)
            page = context.new_page()
            for name, path in listed:
                page.goto(f"{address}{path}")
                taken[name].append(to / f"{name}-{scheme}-{size}.png")
                tall = min(_MOST_PIXELS, int(page.evaluate("document.documentElement.scrollHeight")))
                page.screenshot(
                    path=taken[name][-1], full_page=whole,
                    clip={"x": 0, "y": 0, "width": width, "height": tall if whole else height},
                )  # fmt: skip
            context.close()
    return taken


def make_sheet(browser: Browser, pictures: list[Path], to: Path) -> None:
    """One picture of several, beside each other in rows of two."""
    images = [base64.b64encode(picture.read_bytes()).decode() for picture in pictures]
    shown = "".join(f'<img src="data:image/png;base64,{image}">' for image in images)
    page = browser.new_page(viewport={"width": 1702, "height": 1720}, device_scale_factor=_SHEET_SCALE)
    style = "body { margin: 8px; width: 1686px; background: #888 } img { margin: 3px; vertical-align: top }"
    page.set_content(f"<style>{style}</style><body>{shown}</body>")
    page.locator("body").screenshot(path=to)
    page.close()


def main() -> None:
    arguments = parser().parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        taken = take(browser, arguments.address.rstrip("/"), arguments.to, whole=not arguments.sheets)
        for name, pictures in taken.items():
            if arguments.sheets:
                make_sheet(browser, pictures, arguments.to / f"{name}.png")
                for picture in pictures:
                    picture.unlink()
                pictures[:] = [arguments.to / f"{name}.png"]
            for picture in pictures:
                print(picture, picture.stat().st_size)
        browser.close()


if __name__ == "__main__":
    main()
