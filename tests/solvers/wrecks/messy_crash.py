"""Leaves files and processes behind, then crashes."""

import os
import signal
import tempfile
import time
from pathlib import Path

for _ in range(3):
    tempfile.mkstemp()
Path("deep/er").mkdir(parents=True)
Path("deep/er/left.txt").write_text("x" * 1000)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(0)
os.kill(os.getpid(), signal.SIGSEGV)
