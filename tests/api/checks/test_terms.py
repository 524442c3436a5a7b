"""Children of terms: which are not looked at, because a library may have them."""

from __future__ import annotations

import pytest
from tests.api.checks.stories import failures

# t23 is (g x), and (g v) is defined as (bvult v #b0101).
DEFINED = """t20 = var s2 v20
t21 = term bvult t20 t3
t22 = define g22 t20 t21
t23 = term apply t22 t1
"""


@pytest.mark.parametrize(
    ("story", "noticed"),
    [
        ("get-children t4\n-> t2\n", True),
        ("get-children t4\n-! Error: t2\n", False),
        ("get-children t4\n-> \n", False),
        # One child may be several terms of the trace; one of them is enough.
        ("get-children t4\n-> t1=t9 t3\n", False),
        ("get-children t4\n-> t2=t9 t3\n", True),
        ("t20 = term bvadd t2 t2\nget-children t20\n-> t9\n", True),
        ("t20 = extra give-equal t5\n-> (bvadd y y)\nget-children t20\n-> t9\n", False),
        (f"{DEFINED}get-children t23\n-> t2\n", False),
        (f"{DEFINED}t24 = term not t23\nget-children t24\n-> t4\n", False),
    ],
)
def test_a_child_is_a_subterm_unless_the_library_has_rewritten_the_term(story: str, *, noticed: bool) -> None:
    assert [each.kind for each in failures(story)] == (["children"] if noticed else [])
