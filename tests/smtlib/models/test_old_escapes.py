r"""Old escapes in strings: each as the standard writes the character that it stands for."""

from __future__ import annotations

import pytest

from falsum.smtlib.models.old_escapes import readings


@pytest.mark.parametrize(
    ("old", "standard"),
    [
        (r"\x41", r"\u{41}"),
        (r"\xfF", r"\u{ff}"),
        (r"\101", r"\u{41}"),
        (r"\7z", r"\u{7}z"),
        (r"\18", r"\u{1}8"),
        (r"a\x4g", r"a\x4g"),
        (r"\u{41}", r"\u{41}"),
        (r"\q", r"\q"),
        (r"\a\b\e\f", r"\u{7}\u{8}\u{1b}\u{c}"),
        (r"\\", r"\u{5c}"),
        (r"\\x41", r"\u{5c}x41"),
        (r"a\\\x41", r"a\u{5c}\u{41}"),
        (r"\n\r\t\v", r"\u{a}\u{d}\u{9}\u{b}"),
    ],
)
def test_old_escapes_are_characters(old: str, standard: str) -> None:
    model = '((define-fun s () String "{}"))'.format
    expected = (model(old),) if old == standard else (model(old), model(standard))
    assert readings(model(old)) == expected


def test_only_literals_have_escapes() -> None:
    text = r'((define-fun |a\x41| () String "b""\x41"))'
    assert readings(text) == (text, r'((define-fun |a\x41| () String "b""\u{41}"))')
