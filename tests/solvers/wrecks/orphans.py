"""Answers and ends, but leaves children behind that hold its standard output."""

import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(3600)
print("sat", flush=True)
os._exit(0)
