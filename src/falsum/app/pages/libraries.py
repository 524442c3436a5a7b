"""The libraries of pages and reports, which are an extra of the package."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from falsum.errors import SurroundingsError

_LIBRARIES: Final = ("jinja2", "pygments", "starlette", "uvicorn")


def require_page_libraries() -> None:
    """Raise SurroundingsError if a library is missing."""
    if missing := [name for name in _LIBRARIES if find_spec(name) is None]:
        raise SurroundingsError(f"{', '.join(missing)} not installed; run: pip install 'falsum[pages]'")
