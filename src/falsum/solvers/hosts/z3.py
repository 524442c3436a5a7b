"""z3's library, for builds without the program; loaded by `serve.py`, never by falsum itself."""

from __future__ import annotations

import os
from typing import Any

import z3


def answer(script: str, settings: list[tuple[str, str]]) -> None:
    """Answer a script: the library reads the commands and returns everything it would print."""
    for name, value in settings:
        z3.set_param(name, value)
    context = z3.Context()
    os.write(1, z3.Z3_eval_smtlib2_string(context.ref(), script).encode(errors="replace"))


def options() -> list[dict[str, Any]]:
    """No options: the library describes only parameters whose names are given."""
    return []
