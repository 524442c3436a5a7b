"""Payloads of sorts that no theory fixes: elements of declared sorts, and constructed datatypes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an uninterpreted sort, as a model names it; distinct names are distinct elements."""

    name: str
