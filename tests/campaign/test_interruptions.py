"""Signals are counted, and the third one gets through."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from falsum.campaign.interruptions import Interruptions


@pytest.fixture(autouse=True)
def no_signal_is_ignored() -> Iterator[None]:
    """As in a terminal; a shell starts what runs in the background without it (nohup) with some ignored."""
    numbers = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, default)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT])
def test_a_closed_terminal_and_a_quit_are_requests_to_end(number: int) -> None:
    with Interruptions() as interruptions:
        os.kill(os.getpid(), number)
        assert interruptions.count == 1
    assert signal.getsignal(number) is signal.SIG_DFL


def test_what_ignores_a_closed_terminal_goes_on() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interruptions() as interruptions:
            os.kill(os.getpid(), signal.SIGHUP)
            assert interruptions.count == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_interruptions_are_counted_and_then_let_through() -> None:
    with Interruptions() as interruptions:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        assert interruptions.count == 2
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
