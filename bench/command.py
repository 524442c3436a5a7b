"""What all commands of the bench share."""

from __future__ import annotations

import argparse


def command_parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """A parser for `python -m module`, described by the module's docstring."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
