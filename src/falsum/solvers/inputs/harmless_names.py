"""Harmless names: what names of a script are replaced by if a solver that prints them could be misread.

A solver prints names in models, warnings and errors. A name with a line break, a quote or a parenthesis, or
with one of the words by which a crash is recognised, could make what is printed look like an answer, a model
or the end of a program; and names with a backslash, a control character or a letter beyond ASCII are read
differently by different solvers. Such a name is replaced by one that depends on nothing but itself, so every
command can be treated alone, and put back in what is read.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from falsum.smtlib.text.lexer import symbol_name

if TYPE_CHECKING:
    from collections.abc import Mapping

_PREFIX: Final = "falsum!r"
_PLAIN: Final = re.compile(r"[A-Za-z0-9 ~!@$%^&*_+=<>.?/:'#,\[\]{}`-]*+\Z")
# Names of our own: those below, and those that assertions get.
_OWN: Final = re.compile(rf"{_PREFIX}[0-9a-f]+\Z|falsum![0-9]+\Z")
_REPLACED: Final = re.compile(rf"\|?\b{_PREFIX}[0-9a-f]{{16}}(?![A-Za-z0-9~!@$%^&*_+=<>.?/-])\|?")
# A part of each text by which a crash, a failed self-check or a sanitizer's report is recognised.
_SIGNS: Final = tuple(
    """
    ssertion SSERT atal FATAL ailure erminate nreachable NREACHABLE nternal NTERNAL nimplemented nhandled
    aught xception anitizer untime egmentation egfault bad_alloc etected enerated eached ncountered
    erification bounds SATISFYING atisfy roduced hecking heckmodel heck-model nvalid uffered report
    anicked [error]
    """.split()
)


# Those of them that are recognised without further words.
_ALONE: Final = re.compile(r"NREACHABLE|SSERT|bad_alloc|heck-?model")


def is_sign(word: str) -> bool:
    """Whether a crash is recognised by this word alone."""
    return _ALONE.search(word) is not None


def has_sign(text: str) -> bool:
    """Whether a text has a part of what a crash is recognised by."""
    return any(map(text.__contains__, _SIGNS))


def may_need_replacement(text: str) -> bool:
    """Whether a command that has simple symbols only may have a name to be replaced; quick."""
    return "falsum!" in text or has_sign(text)


def harmless_name(token: str) -> str:
    """What a symbol is sent as: itself, or its replacement."""
    name = symbol_name(token)
    if _PLAIN.match(name) and not has_sign(name) and not _OWN.match(name):
        return token
    return _PREFIX + blake2b(name.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def restored(text: str, names: Mapping[str, str]) -> str:
    """A text that a solver has printed, with names put back; `names` has them by their replacements."""
    if not names or _PREFIX not in text:
        return text
    return _REPLACED.sub(lambda found: names.get(found[0].strip("|"), found[0]), text)
