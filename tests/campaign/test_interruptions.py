"""SIGINT and SIGTERM are counted, and the third one gets through."""

from __future__ import annotations

import os
import signal

import pytest

from falsum.campaign.interruptions import Interruptions


def test_interruptions_are_counted_and_then_let_through() -> None:
    with Interruptions() as interruptions:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        assert interruptions.count == 2
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
