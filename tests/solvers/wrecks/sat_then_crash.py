"""Says sat, then crashes."""

import os
import signal

print("sat", flush=True)
os.kill(os.getpid(), signal.SIGSEGV)
