"""Scripts of a given size: blocks of declarations and assertions of several theories, with constants."""

from __future__ import annotations

from random import Random

_BLOCK = """\
(declare-const x{n} Int)
(declare-const y{n} Int)
(declare-const b{n} (_ BitVec 8))
(declare-const p{n} Bool)
(assert (or p{n} (< (+ x{n} {k}) (* 3 y{n}))))
(assert (=> (not p{n}) (bvult (bvadd b{n} #x{h:02x}) #xf0)))
(assert (<= (- x{n} y{n}) {k}))
"""


def script_of(size: int, number: int) -> str:
    """A script of about this size, with a check at its end; others with another number."""
    rng = Random(number)
    parts = ["(set-logic ALL)\n"]
    length = len(parts[0])
    while length < size - len("(check-sat)\n"):
        part = _BLOCK.format(n=f"{number}_{len(parts)}", k=rng.randrange(100), h=rng.randrange(256))
        parts.append(part)
        length += len(part)
    return "".join(parts) + "(check-sat)\n"
