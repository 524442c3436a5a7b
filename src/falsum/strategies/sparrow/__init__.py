"""sparrow: skeletal approximation enumeration (Yao et al., ESEC/FSE 2021), over all theories."""

from __future__ import annotations

from falsum.strategies.sparrow.strategy import Sparrow

__all__ = ["Sparrow"]
