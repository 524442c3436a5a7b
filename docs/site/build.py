"""Builds the docs site: `python -m docs.site.build DIR` writes DIR/html, with every warning an error.

The pages keep the places they have in the source tree, so the same links work here and in a repository
browser. The pages of the reference are made from the code.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from docs.site import atlas_pages, reference
from sphinx.cmd.build import build_main

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

PAGES = (
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md",
    "examples/falsum-example/README.md",
)  # fmt: skip


def lay_out(source: Path) -> None:
    """The pages of the site, written and made, in a directory that Sphinx reads."""
    shutil.rmtree(source, ignore_errors=True)
    files = [ROOT / page for page in PAGES]
    files += [file for file in (ROOT / "docs").rglob("*") if file.is_file() and HERE not in file.parents]
    for file in files:
        if file.suffix != ".py":
            to = source / file.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, to)
    shutil.copyfile(HERE / "index.md", source / "index.md")
    (source / "reference").mkdir()
    for name, text in reference.pages().items():
        (source / "reference" / f"{name}.md").write_text(text, encoding="utf-8")
    (source / "atlas").mkdir()
    for name, text in atlas_pages.pages().items():
        (source / "atlas" / f"{name}.md").write_text(text, encoding="utf-8")


def build(to: Path) -> int:
    lay_out(to / "source")
    arguments = ["--fail-on-warning", "--keep-going", "--quiet", "--conf-dir", str(HERE)]
    return build_main([*arguments, "--builder", "html", str(to / "source"), str(to / "html")])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if sys.argv[1:] else "site")))
