"""Builds of the toy solver, made once for all tests: sanitizers, coverage, an overflow, a leak."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from falsum.api.bindings import TEMPLATE

HERE = Path(__file__).parent
SOURCES = ("toy.h", "toy.cpp", "toy_main.cpp")
SANITIZED = ("-fsanitize=address,undefined",)
COVERED = ("--coverage",)
PLANTED = (*SANITIZED, "-DPLANTED")
LEAKING = (*SANITIZED, "-DLEAKING")
LIBRARY = ("-shared", "-fPIC")


@cache
def toy(*flags: str) -> Path:
    """The folder of a build with these flags: the program `toy`, or the library and its binding."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is not installed")
    text = "".join(file.read_text() for file in (*(HERE / name for name in SOURCES), TEMPLATE))
    key = hashlib.sha256(f"{flags}{text}".encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir(), f"falsum-toy-{key}")
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other test processes build the same
        name = "libtoy.so" if "-shared" in flags else "toy"
        if not (folder / name).exists():
            files = [HERE / file for file in SOURCES[1 : 2 if "-shared" in flags else 3]]
            made = folder / f"new-{name}"
            options = ["-std=c++17", "-g", *flags, "-o", str(made)]
            subprocess.run([compiler, *options, *map(str, files)], check=True, cwd=folder)
            shutil.copyfile(TEMPLATE, folder / "binding.py")
            made.rename(folder / name)
    return folder


def program(*flags: str) -> str:
    return str(toy(*flags) / "toy")


def binding(*flags: str) -> str:
    """The solver name of the library, through its binding."""
    return f"toy={toy(*LIBRARY, *flags) / 'binding.py'}"
