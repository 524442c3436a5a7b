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
# With `xor`: a signed overflow and a data race, and in `plain.c` a value that is not initialised.
DEFECTS = ("-DDEFECTS",)
# A crash behind five conditions on operators.
NESTED = ("-DNESTED",)
AFL = "afl-clang-fast++"
CLANG_COVERED = ("-fprofile-instr-generate", "-fcoverage-mapping")
LIBRARY = ("-shared", "-fPIC")


@cache
def toy(*flags: str, compiler: str = "g++") -> Path:
    """The folder of a build with these flags: the program `toy`, or the library and its binding."""
    found = compiler_named(compiler)
    text = "".join(file.read_text() for file in (*(HERE / name for name in SOURCES), TEMPLATE))
    folder = _folder(f"{compiler}{flags}{text}")
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other test processes build the same
        name = "libtoy.so" if "-shared" in flags else "toy"
        if not (folder / name).exists():
            for file in SOURCES:  # the checkout that builds may be gone when others use the build
                shutil.copyfile(HERE / file, folder / file)
            files = SOURCES[1 : 2 if "-shared" in flags else 3]
            made = folder / f"new-{name}"
            options = ["-std=c++17", "-g", *flags, "-o", str(made)]
            if compiler == AFL and "-shared" in flags:
                options.append(_aflpp_runtime(folder))
            subprocess.run([found, *options, *(str(folder / file) for file in files)], check=True, cwd=folder)
            shutil.copyfile(TEMPLATE, folder / "binding.py")
            made.rename(folder / name)
    return folder


def compiler_named(name: str) -> str:
    """The path of a compiler; the test is skipped where it is missing."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _aflpp_runtime(folder: Path) -> str:
    """The run-time library of AFL++, which its compilers leave out of shared libraries, by whose name it is
    recognised.
    """
    file = Path("/usr/lib/afl/afl-compiler-rt.o")
    if not file.exists():
        pytest.skip(f"{file} is missing")
    return str(shutil.copyfile(file, folder / "runtime.o"))


def plain(folder: Path, *flags: str) -> str:
    """The program of `plain.c`, built by clang."""
    made = folder / "plain"
    subprocess.run(
        [compiler_named("clang"), "-g", *flags, "-o", str(made), str(HERE / "plain.c")], check=True
    )
    return str(made)


def _folder(text: str) -> Path:
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir(), f"falsum-toy-build-{key}")
    folder.mkdir(exist_ok=True)
    return folder


def program(*flags: str, compiler: str = "g++") -> str:
    return str(toy(*flags, compiler=compiler) / "toy")


def binding(*flags: str, compiler: str = "g++") -> str:
    """The solver name of the library, through its binding."""
    return f"toy={toy(*LIBRARY, *flags, compiler=compiler) / 'binding.py'}"
