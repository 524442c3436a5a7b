"""Never answers."""

import time

time.sleep(3600)
