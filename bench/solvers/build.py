"""Builds a solver's program or library from its source package, with sanitizers, coverage or AFL++'s edges;
prints its path.

Everything is kept in DIR: the source package (from PyPI), the tools that build it, and one build folder for
each combination of options; a second call continues where the first one stopped. A C++ compiler is needed
(`CC` and `CXX` choose it; with `--afl` it is afl-clang-fast), for bitwuzla also the libraries GMP and MPFR
with their headers.

Bitwuzla's build fetches CaDiCaL and SymFPU from GitHub. With `--offline` it takes CaDiCaL 1.9.5 from the
source package of python-sat, which lacks what skeleton preprocessing learns from, and SymFPU from Debian's
libsymfpu-dev. z3 needs `std::format`, which GCC has since release 13; an older one gets it from Debian's
libfmt-dev.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from typing import Final
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

from bench.command import command_parser

# Package and newest release that is known to build.
PACKAGES: Final = {"bitwuzla": ("bitwuzla", "0.9.1"), "z3": ("z3-solver", "5.4.0.0")}
INDEX: Final = "https://pypi.org/simple/"
TOOLS: Final = ("meson", "ninja", "cmake", "cython")
# Without the second variable they optimise as they like, whatever `--optimization` says.
AFL: Final = {
    "CC": "afl-clang-fast",
    "CXX": "afl-clang-fast++",
    "AFL_DONT_OPTIMIZE": "1",
    "AFL_QUIET": "1",
}
SYMFPU: Final = Path("/usr/include/symfpu")
FMT: Final = Path("/usr/include/fmt")
# Bitwuzla 0.9.1 asks for newer releases of GMP and MPFR than it needs, and than Debian 12 has.
BITWUZLA_EDITS: Final = (
    ("src/meson.build", "version: '>=6.3'", "version: '>=6.2'"),
    ("src/meson.build", "version: '>=4.2.1'", "version: '>=4.2'"),
)
# CaDiCaL 1.9.5 has no listener.
LISTENER_EDITS: Final = (
    (
        "src/preprocess/pass/skeleton_preproc.cpp",
        "class FixedListener : public CaDiCaL::FixedAssignmentListener",
        "class FixedListener",
    ),
    ("src/preprocess/pass/skeleton_preproc.cpp", "(int32_t lit) override", "(int32_t lit)"),
    (
        "src/preprocess/pass/skeleton_preproc.cpp",
        "d_sat_solver->solver()->connect_fixed_listener(d_fixed_listener.get());",
        "",
    ),
)


def source(package: str, release: str, directory: Path) -> Path:
    """The unpacked source package.

    `pip download` is no help: it runs the package's build to learn what it depends on.
    """
    folder = directory / f"{package}-{release}"
    if not folder.exists():
        page = urljoin(INDEX, f"{package}/")
        with urlopen(page) as opened:
            links = re.findall(r'href="([^"]+)"', opened.read().decode())
        name = f"{package}-{release}.tar.gz"  # in newer ones, all but the last dash are underscores
        link = next((one for one in links if _file_of(one).replace("_", "-") == name), None)
        if link is None:
            raise SystemExit(f"{page} has no source package {name}")
        archive = directory / name
        with urlopen(urljoin(page, link)) as opened:
            archive.write_bytes(opened.read())
        expected = urlsplit(link).fragment.removeprefix("sha256=")
        if hashlib.sha256(archive.read_bytes()).hexdigest() != expected:
            raise SystemExit(f"{archive} is not what {page} lists")
        unpack(archive, folder)
    return folder


def _file_of(link: str) -> str:
    return urlsplit(link).path.rpartition("/")[2]


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive with one folder at its top as `folder`, which is there only if it is complete."""
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    with tarfile.open(archive) as opened:
        opened.extractall(partial, filter="data")
    (top,) = partial.iterdir()
    top.rename(folder)
    partial.rmdir()


def tools(directory: Path) -> dict[str, str]:
    """The environment in which meson, Ninja, CMake and Cython are found; installed into DIR/tools."""
    folder = directory / "tools"
    if not all((folder / "bin" / name).exists() for name in TOOLS):
        venv.create(folder, with_pip=True)
        run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *TOOLS])
    return os.environ | {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def edit(folder: Path, edits: tuple[tuple[str, str, str], ...]) -> None:
    for name, old, new in edits:
        file = folder / name
        file.write_text(file.read_text().replace(old, new))


def offline_subprojects(folder: Path, directory: Path) -> None:
    """Put CaDiCaL and SymFPU where bitwuzla's build looks for downloads of its own."""
    subprojects = folder / "subprojects"
    symfpu, cadical = subprojects / "symfpu", subprojects / "cadical-rel-2.1.2"
    if not symfpu.exists():
        if not SYMFPU.exists():
            raise SystemExit(f"{SYMFPU} is missing; apt-get install libsymfpu-dev")
        shutil.copytree(SYMFPU, symfpu)
        shutil.copytree(subprojects / "packagefiles" / "symfpu", symfpu, dirs_exist_ok=True)
    if not cadical.exists():
        sat = source("python-sat", "1.9.dev17", directory)
        unpack(sat / "solvers" / "cadical195.tar.gz", cadical)
        shutil.copytree(subprojects / "packagefiles" / "cadical", cadical, dirs_exist_ok=True)
        # The list is that of a later CaDiCaL, with files that this one does not have.
        listed = cadical / "src" / "meson.build"
        rows = [(row, re.fullmatch(r"\s*'(\w+\.cpp)',?", row)) for row in listed.read_text().splitlines()]
        kept = [row for row, file in rows if file is None or (cadical / "src" / file[1]).exists()]
        listed.write_text("\n".join(kept))
    edit(folder, LISTENER_EDITS)


def flags(args: argparse.Namespace) -> str:
    kinds = [name for name, on in (("address", args.asan), ("undefined", args.ubsan)) if on]
    found = [f"-O{args.optimization}", "-g1", "-fno-omit-frame-pointer"]
    found += [f"-fsanitize={','.join(kinds)}"] if kinds else []
    return " ".join(found + ["--coverage"] * args.coverage)


def build_name(args: argparse.Namespace) -> str:
    names = ("library", "asan", "ubsan", "coverage", "afl", "assertions")
    kinds = [kind for kind in names if getattr(args, kind)]
    return "-".join([args.product, args.release, *kinds, f"O{args.optimization}"])


def build_bitwuzla(args: argparse.Namespace, folder: Path, env: dict[str, str]) -> Path:
    edit(folder, BITWUZLA_EDITS)
    if args.offline:
        offline_subprojects(folder, args.directory)
    build: Path = args.directory / build_name(args)
    if not (build / "build.ninja").exists():
        argv = ["meson", "setup", str(build), str(folder), "--buildtype=plain", "-Db_lundef=false"]
        argv += ["-Dtesting=disabled", "-Dunit_testing=disabled"]
        argv += [f"-Db_ndebug={str(not args.assertions).lower()}", f"-Dpython={str(args.library).lower()}"]
        run(argv, env)
    target = "python-bindings" if args.library else "src/main/bitwuzla"
    run(["ninja", "-C", str(build), "-j", str(args.jobs), target], env)
    return build if args.library else build / target


def with_format(directory: Path, env: dict[str, str]) -> dict[str, str]:
    """The environment in which the compiler finds `std::format`."""
    argv = [env.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
    if not subprocess.run(argv, input=b"#include <format>", capture_output=True, check=False).returncode:
        return env
    if not FMT.exists():
        raise SystemExit(f"the compiler has no <format>, and {FMT} is missing; apt-get install libfmt-dev")
    folder = directory / "format"
    folder.mkdir(exist_ok=True)
    folder.joinpath("format").write_text("#include <fmt/format.h>\nnamespace std { using fmt::format; }\n")
    return env | {"CXXFLAGS": f"{env['CXXFLAGS']} -DFMT_HEADER_ONLY -isystem {folder}"}


def build_z3(args: argparse.Namespace, folder: Path, env: dict[str, str]) -> Path:
    build: Path = args.directory / build_name(args)
    if not (build / "build.ninja").exists():
        env = with_format(args.directory, env)
        kind = "Debug" if args.assertions else "Release"
        argv = ["cmake", "-G", "Ninja", "-S", str(folder / "core"), "-B", str(build)]
        # The optimisation is ours; a library in one piece with the program needs no search path.
        argv += [
            f"-DCMAKE_BUILD_TYPE={kind}",
            f"-DCMAKE_CXX_FLAGS_{kind.upper()}=",
            "-DBUILD_SHARED_LIBS=OFF",
            "-DZ3_ENABLE_EXAMPLE_TARGETS=OFF",  # the source package has none
            "-DCMAKE_POLICY_VERSION_MINIMUM=3.5",  # old releases ask for less, which CMake no longer has
        ]
        run(argv, env)
    run(["ninja", "-C", str(build), "-j", str(args.jobs), "shell"], env)
    return build / "z3"


BUILDS: Final = {"bitwuzla": build_bitwuzla, "z3": build_z3}


def run(argv: list[str], env: dict[str, str] | None = None) -> None:
    """Run a step; its output goes to standard error, so that only the path is on standard output."""
    print(" ".join(argv), file=sys.stderr, flush=True)
    if subprocess.run(argv, env=env, stdout=sys.stderr, check=False).returncode:
        raise SystemExit(f"failed: {' '.join(argv)}")


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.build", __doc__)
    made.add_argument("product", choices=sorted(PACKAGES), help="product to build")
    made.add_argument("directory", type=Path, metavar="DIR", help="directory for sources and builds")
    made.add_argument("--release", metavar="R", help="release of its package (default: one that is known)")
    made.add_argument("--asan", action="store_true", help="build with the address sanitizer")
    made.add_argument("--ubsan", action="store_true", help="build with the undefined behaviour sanitizer")
    made.add_argument("--coverage", action="store_true", help="build with coverage data")
    made.add_argument("--afl", action="store_true", help="build with the compilers of AFL++")
    made.add_argument("--assertions", action="store_true", help="build with the solver's own assertions")
    made.add_argument("--optimization", default="1", metavar="N", help="optimisation level (default 1)")
    made.add_argument("--library", action="store_true", help="bitwuzla's Python library, not its program")
    made.add_argument("--offline", action="store_true", help="bitwuzla without downloads from GitHub")
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="compilers at a time (default 1)")
    return made


def main() -> None:
    args = parser().parse_args()
    if args.library and args.product != "bitwuzla":
        raise SystemExit("--library is for bitwuzla")
    package, release = PACKAGES[args.product]
    args.release = args.release or release
    args.directory = args.directory.absolute()
    args.directory.mkdir(parents=True, exist_ok=True)
    chosen = flags(args)
    env = tools(args.directory) | {"CFLAGS": chosen, "CXXFLAGS": chosen, "LDFLAGS": chosen}
    if args.afl:
        env |= AFL
    print(BUILDS[args.product](args, source(package, args.release, args.directory), env))


if __name__ == "__main__":
    main()
