"""Fills the disk."""

from pathlib import Path

with Path("big").open("wb") as file:
    file.writelines(b"x" * (1 << 20) for _ in range(1000))
