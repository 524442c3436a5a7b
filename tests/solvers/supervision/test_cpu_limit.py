"""A command runs until its processes have used an amount of CPU time."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil

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


CALLER = """
import signal, sys
from pathlib import Path
from falsum.solvers.supervision import cpu_limit
signal.signal(signal.SIGINT, signal.{handler})
print(cpu_limit.run([sys.executable, "-c", {code!r}], 0.3, Path(), elapsed={elapsed}))
"""


def test_a_command_is_interrupted_by_a_process_that_ignores_interrupts(tmp_path: Path) -> None:
    caller = CALLER.format(handler="SIG_IGN", code="while True: pass", elapsed=60)
    subprocess.run([sys.executable, "-c", caller], cwd=tmp_path, check=True)
    assert "KeyboardInterrupt" in (tmp_path / "output.txt").read_text()


def test_a_command_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    sleeps = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(300)"
    caller = CALLER.format(handler="SIG_DFL", code=sleeps, elapsed=300)
    process = subprocess.Popen([sys.executable, "-c", caller], cwd=tmp_path, stderr=subprocess.DEVNULL)
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.1)
    command = psutil.Process(int((tmp_path / "pid").read_text()))
    process.terminate()
    assert process.wait(60) != 0
    assert psutil.wait_procs([command], timeout=60)[1] == []


def test_a_command_that_has_ended_when_it_is_interrupted(tmp_path: Path) -> None:
    assert cpu_limit.run([sys.executable, "-c", "1"], 0.0, tmp_path, elapsed=0.0) >= 0.0
