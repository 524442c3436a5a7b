"""Prints the version of a solver's Python library as JSON.

Run as `python -I -S version.py MODULE FOLDER [PACKAGE]` by the interpreter that will load the library.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from importlib import metadata
from typing import Any

# Where libraries keep their version: a value or a function without arguments.
PLACES = ("__version__", "get_version_string", "version", "git_id")
NUMBER = re.compile(r"\d+\.\d+[\w.+-]*")


def main() -> None:
    name, folder, *package = sys.argv[1:]
    sys.path.insert(0, folder)
    module = importlib.import_module(name)
    version = distribution_version(folder, package) or next(versions_of(module), "")
    sys.stdout.write(json.dumps({"version": version, "python": sys.version_info[:2]}))
    sys.stdout.flush()
    os._exit(0)  # some libraries crash when their objects are torn down


def distribution_version(folder: str, package: list[str]) -> str:
    """The version of the installed package, if it is installed in this folder."""
    for distribution in metadata.distributions(path=[folder]):
        if (distribution.metadata["Name"] or "").lower() in package:
            return distribution.version
    return ""


def versions_of(module: Any) -> Any:
    for place in PLACES:
        value = getattr(module, place, None)
        try:
            text = str(value() if callable(value) else value)
        except Exception:  # noqa: BLE001, S112 - whatever a library raises: it does not say its version here
            continue
        if match := NUMBER.search(text):
            yield match[0]


if __name__ == "__main__":
    main()
