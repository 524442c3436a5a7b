"""Starts four children that each eat a part of the memory; the parent and each child alone stay below it."""

import os
import time

for _ in range(4):
    if os.fork() == 0:
        hoard = bytearray(b"x" * (90 << 20))
        time.sleep(3600)
time.sleep(3600)
