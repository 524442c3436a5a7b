"""Odd but honest solvers: `odd_solver.sh PROGRAM MANNER` asks a real one in unusual surroundings."""

from __future__ import annotations

from pathlib import Path

ODD = Path(__file__).with_name("odd_solver.sh")
MANNERS = [
    *("plain", "carriage-returns", "trailing-spaces", "leading-spaces", "blank-lines", "banner", "comments"),
    *("statistics-lines", "statistics-list", "successes", "result-lines", "capitals", "full-stops"),
    *("prefixed", "twice", "garbage", "nul", "quoted-markers", "no-markers", "no-end-markers"),
    *("no-begin-markers", "two-lines-a-verdict"),
    *("markers-first", "no-last-line", "warning", "warning-on-stdout", "debug-output", "profile-output"),
    *("to-stderr", "to-both", "nothing", "competition", "slow-start", "in-pieces", "child", "gives-up"),
    *(f"status-{status}" for status in (1, 2, 3, 77, 124, 127, 128, 255)),
    *(f"timeout-at-{check}" for check in (1, 2, 3)),
    *(f"unknown-timeout-at-{check}" for check in (1, 2)),
    *(f"interrupted-at-{check}" for check in (1, 2)),
    *(f"unknown-at-{check}" for check in (1, 2)),
    *(f"silent-at-{check}" for check in (1, 2, 3)),
    *(f"error-at-{check}" for check in (1, 2)),
    *("stops-after-1", "stops-after-2", "hangs-at-once", "hangs-at-last"),
    *(f"before-{signal}" for signal in ("TERM", "ALRM", "HUP", "KILL")),
    *(f"after-{signal}" for signal in ("TERM", "ALRM", "INT", "KILL", "PIPE", "USR1")),
    *(f"shell-{number}" for number in (2, 13, 14, 15)),
    *("refuses", "refuses-on-stderr", "unsupported", "usage"),
]
# Of these nothing comes in time, however long one waits.
HANGING = {"hangs-at-once", "hangs-at-last"}
