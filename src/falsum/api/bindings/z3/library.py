"""z3's Python modules, imported so that old releases load as well."""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path
from typing import Any

# Releases before 4.12 find their shared library with pkg_resources; the real one takes longer to load than
# z3.
_pkg_resources = types.ModuleType("pkg_resources")
_pkg_resources.resource_filename = lambda package, name: str(  # type: ignore[attr-defined]
    Path(next(p for p in sys.path if Path(p, package).is_dir()), package, name)
)
sys.modules["pkg_resources"] = _pkg_resources
# 4.12.3 imports the backport of a package that is now part of Python.
sys.modules.setdefault("importlib_resources", importlib.import_module("importlib.resources"))

z3: Any = importlib.import_module("z3")
inner: Any = importlib.import_module("z3.z3")
core: Any = importlib.import_module("z3.z3core")
