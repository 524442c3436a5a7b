"""Leaves files behind: in its directory, in what it takes for home and for temporary files."""

import os
import tempfile
from pathlib import Path

Path("left.txt").write_text("x" * 1000)
nested = Path("deep/er")
nested.mkdir(parents=True)
(nested / "left.txt").write_text("x")
Path(os.environ["HOME"], "left-at-home.txt").write_text("x")
tempfile.mkstemp()
Path("closed").mkdir(mode=0)
print("sat")
