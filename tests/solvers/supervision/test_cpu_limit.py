"""A command runs until its processes have used an amount of CPU time."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from falsum.solvers.supervision import cpu_limit
from falsum.solvers.supervision.cpu_limit import CpuHistory


def test_a_command_is_interrupted_when_it_has_used_its_cpu_time(tmp_path: Path) -> None:
    # Whoever starts the tests in the background has them ignore interrupts, and all that they start.
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    busy = (sys.executable, "-c", f"{heeds}\nwhile True: pass")
    assert 0.5 <= cpu_limit.run(busy, 0.5, tmp_path, elapsed=60) < 5
    idle = (sys.executable, "-c", f"{heeds}; import time; time.sleep(60)")
    assert cpu_limit.run(idle, 60, tmp_path, elapsed=0.5) < 5


def test_what_was_used_when_is_noted_all_the_while(tmp_path: Path) -> None:
    history = CpuHistory()
    assert history.at(time.time()) == 0
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\nwhile True: pass"
    began = time.time()
    cpu_limit.run((sys.executable, "-c", code), 1.0, tmp_path, elapsed=60, history=history, before=10.0)
    early, late = history.at(began), history.at(time.time() + 60)
    assert 10.0 <= early < 11.0 <= late < 15.0


def test_a_command_that_has_ended_when_it_is_interrupted(tmp_path: Path) -> None:
    assert cpu_limit.run([sys.executable, "-c", "1"], 0.0, tmp_path, elapsed=0.0) >= 0.0
