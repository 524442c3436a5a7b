"""KnownErrors: messages about known defects of a library, counted and not reported (`[api.known]`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from falsum.api.bindings import BY_PRODUCT, PIPED
from falsum.api.run_result import RunResult
from falsum.errors import UsageError

_ALL: Final = "*"


class KnownErrors:
    """The patterns for one product; raises UsageError if one of them is wrong."""

    def __init__(self, patterns: Mapping[str, Sequence[str]], product: str) -> None:
        for name in patterns:
            if name != _ALL and name not in BY_PRODUCT and name not in PIPED:
                products = ", ".join(dict.fromkeys((*BY_PRODUCT, *sorted(PIPED))))
                raise UsageError(
                    f"[api.known] has an unknown product {name}; use {_ALL} or one of {products}"
                )
        self._patterns = [
            _compiled(pattern) for name in (_ALL, product) for pattern in patterns.get(name, ())
        ]

    def match(self, result: RunResult) -> bool:
        """Whether a failure is known, by its kind and its message (`check: signal 6: …`)."""
        if not result.is_wrong:
            return False
        message = f"{result.kind}: {result.evidence}"
        return any(pattern.search(message) for pattern in self._patterns)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(f"[api.known] has an invalid regular expression {pattern!r}: {error}") from error
