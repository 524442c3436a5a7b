"""A compressed script cannot fill the memory."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest

from falsum.errors import ScriptError
from falsum.smtlib import read_file
from falsum.smtlib.syntax.reader import MAX_UNPACKED_BYTES


def test_a_small_file_of_many_bytes_is_refused_soon(tmp_path: Path) -> None:
    file = tmp_path / "zeros.smt2.gz"
    with gzip.open(file, "wb") as packed:
        for _ in range(2):
            packed.write(bytes(MAX_UNPACKED_BYTES))
    start = time.process_time()
    with pytest.raises(ScriptError, match="more than 64 MiB when decompressed"):
        read_file(file)
    assert time.process_time() - start < 2


def test_other_compressed_scripts_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.smt2.gz"
    file.write_bytes(gzip.compress(b"(check-sat)"))
    assert len(read_file(file).commands) == 1
    file.write_bytes(b"(check-sat)")
    with pytest.raises(ScriptError, match="not a gzip file"):
        read_file(file)
    with pytest.raises(OSError, match="No such file"):
        read_file(tmp_path / "none.smt2.gz")
