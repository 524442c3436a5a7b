"""Settings of Sphinx for the docs site; `build.py` lays out the pages and runs it."""

from __future__ import annotations

from typing import Any

from pygments.lexers.lisp import CommonLispLexer

from falsum.version import __version__

project = "falsum"
author = "The falsum developers"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Prompts and outputs are shown, and only what is typed is copied.
copybutton_prompt_text = "$ "
html_theme = "furo"
html_title = f"falsum {release}"
html_show_copyright = False
html_show_sphinx = False
# The example of a report has the headings of a tracker's form.
suppress_warnings = ["myst.header"]


def setup(app: Any) -> None:
    app.add_lexer("smt2", CommonLispLexer)
