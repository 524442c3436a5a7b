"""Takes its time, then answers."""

import time

time.sleep(0.5)
print("unknown")
