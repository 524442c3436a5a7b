"""The release of falsum; the package metadata takes it from here."""

from __future__ import annotations

__version__ = "0.1.0"
