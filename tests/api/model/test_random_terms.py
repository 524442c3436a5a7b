"""Terms that are drawn: indices in the right order."""

from __future__ import annotations

import re

from tests.api.conftest import Make

from falsum.api.model.settings import Bounds, Settings


def test_bounds_of_loops_are_sorted_as_numbers(make: Make) -> None:
    """`re.loop[20,4]` is empty, and z3 and cvc5 refuse it or not; as text 20 is less than 4."""
    settings = Settings(theories=("strings",), bounds=Bounds(loops=30), options=0, compare=0)
    fuzzer = make("z3", settings)
    text = "".join(str(fuzzer.run(number).trace) for number in range(30))
    loops = [(int(low), int(high)) for low, high in re.findall(r"re\.loop\[(\d+),(\d+)\]", text)]
    assert any(high > 9 > low for low, high in loops)
    assert all(low <= high for low, high in loops)
