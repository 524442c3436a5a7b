"""A fresh virtual environment outside the source tree, with falsum as pip installs it from the wheel.

Nothing is downloaded: the packages falsum depends on, and no others, are linked from the environment that
runs the tests. They lie side by side with falsum in one site-packages, as after `pip install falsum`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Environment:
    home: Path
    work: Path

    @property
    def python(self) -> Path:
        return self.home / "bin" / "python"

    @property
    def packages(self) -> Path:
        return (
            self.home / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
        )

    def run(
        self, program: str, *arguments: str, codes: tuple[int, ...] = (0,), zoo: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment in a directory of its own, with nothing of ours around it."""
        result = subprocess.run(
            [str(self.home / "bin" / program), *arguments],
            cwd=self.work,
            env={
                "PATH": f"{self.home / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin",
                "HOME": str(self.work),
                "LANG": "C.UTF-8",
            }
            | ({"FALSUM_ZOO": zoo} if zoo else {}),
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        assert result.returncode in codes, (
            f"{result.args}: {result.returncode}\n{result.stdout}\n{result.stderr}"
        )
        return result

    def install(self, source: Path, scratch: Path) -> None:
        """Build the wheel of a source tree and install it, without its dependencies."""
        _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(scratch), cwd=source)
        (wheel,) = scratch.glob("*.whl")
        _run(
            sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check",
            "install", "--quiet", "--no-deps", "--no-index", str(wheel),
        )  # fmt: skip


def create(folder: Path) -> Environment:
    """The environment with falsum's dependencies, and without falsum."""
    home, work = folder / "env", folder / "work"
    work.mkdir()
    venv.create(home, symlinks=True)
    environment = Environment(home, work)
    for distribution in _closure("falsum"):
        _link(distribution, environment)
    return environment


def _closure(package: str) -> Iterator[metadata.Distribution]:
    """What a package depends on, directly or not, leaving out extras."""
    seen, open_ = {package}, [package]
    while open_:
        for requirement in metadata.requires(open_.pop()) or ():
            name = _REQUIREMENT.match(requirement)
            assert name is not None
            if ";" in requirement or name[0].lower() in seen:
                continue
            seen.add(name[0].lower())
            open_.append(name[0])
            yield metadata.distribution(name[0])


def _link(distribution: metadata.Distribution, environment: Environment) -> None:
    for file in distribution.files or ():
        source = Path(str(distribution.locate_file(file)))
        if file.parts[0] != "..":
            source = Path(str(distribution.locate_file(file.parts[0])))
            target = environment.packages / file.parts[0]
        else:
            target = environment.packages / file
        if not target.exists() and source.exists() and source.name != "__pycache__":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(source)


def _run(*command: str, cwd: Path | None = None) -> None:
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
