"""Starts children, some in sessions of their own and without a parent, and hangs."""

import os
import time

for generation in range(3):
    if os.fork() == 0:
        if generation == 1:
            os.setsid()
        if generation == 2 and os.fork() != 0:
            os._exit(0)
        os.setsid() if generation == 2 else None
        time.sleep(3600)
time.sleep(3600)
