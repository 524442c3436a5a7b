"""Harmless names: replacements for names of a script that could be misread when a solver prints them.

A solver prints names in models, warnings and errors. A name with a line break, a quote or a parenthesis, or
with one of the words by which a crash is recognised, could make the output look like an answer, a model or a
crash; and names with a backslash, a control character or a letter beyond ASCII are read differently by
different solvers. Such a name is replaced by one that depends on the name alone, so every command can be
treated separately, and is restored in the output.
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
    """Whether a text contains a sign by which a crash is recognised."""
    return any(map(text.__contains__, _SIGNS))


def may_need_replacement(text: str) -> bool:
    """A quick test whether a command with simple symbols only may have a name to be replaced."""
    return "falsum!" in text or has_sign(text)


def harmless_name(token: str) -> str:
    """The name under which a symbol is sent: itself, or its replacement."""
    name = symbol_name(token)
    if _PLAIN.match(name) and not has_sign(name) and not _OWN.match(name):
        return token
    return _PREFIX + blake2b(name.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def restored(text: str, names: Mapping[str, str]) -> str:
    """A text printed by a solver, with the original names; `names` has them by their replacements."""
    if not names or _PREFIX not in text:
        return text
    return _REPLACED.sub(lambda found: names.get(found[0].strip("|"), found[0]), text)
