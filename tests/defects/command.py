"""falsum as a user runs it, in the process of a test."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from falsum.app.main import main


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def falsum_run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    return Done(int(ended.value.code or 0), out, err)
