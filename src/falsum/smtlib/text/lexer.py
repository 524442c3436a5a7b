"""Splits SMT-LIB text into tokens, and finds the place of a token for error messages.

Tokens are plain strings, as written: parentheses, symbols, |quoted symbols|, :keywords, numerals, #b and #x
literals, "strings". White space and comments are dropped. Positions are not stored: for the token of an error
message, a second scan finds its position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from falsum.errors import ScriptError

# Comments and white space in front of a token are skipped; the last alternatives match strings and quoted
# symbols that are never closed, and characters that are not allowed.
_TOKEN = re.compile(
    r"""(?:[ \t\r\n\f\v]+|;[^\n]*)*+(
        [()]
      | [^\s()|";\x00-\x1f]++
      | "(?:[^"]|"")*+"
      | \|[^|]*+\|
      | ["|]
      | \Z
      | .
    )""",
    re.VERBOSE | re.DOTALL,
)
_find_tokens = _TOKEN.findall
_CHUNK = 1 << 20
# Longer numerals take quadratic time to read, and test no solver.
MAX_DIGITS: Final = 100_000

_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*\Z")
# Reserved words: symbols spelled like one must be quoted.
RESERVED = frozenset(
    "! _ as let exists forall match par lambda BINARY DECIMAL HEXADECIMAL NUMERAL STRING".split()
)

_NEVER_CLOSED = {'"': "a string that is never closed", "|": "a quoted symbol that is never closed"}


class Chunk(NamedTuple):
    """A run of tokens from offset `start` in the text; a command may continue in the next chunk."""

    start: int
    end: int
    tokens: list[str]


def chunks(text: str) -> Iterator[Chunk]:
    """All tokens of the text, a megabyte at a time, to limit memory."""
    start, length = 0, len(text)
    size = _CHUNK
    while start < length:
        end = start + size
        cut = text.find(")", end) + 1 if end < length else 0
        if cut == 0:
            cut = length
        tokens = _find_tokens(text, start, cut)
        while tokens and tokens[-1] == "":
            tokens.pop()
        # After a cut inside a comment the last token is not ")"; after a cut inside a string or a quoted
        # symbol its first character is a token of its own.
        if cut < length and (not tokens or tokens[-1] != ")" or '"' in tokens or "|" in tokens):
            size *= 2
            continue
        yield Chunk(start, cut, tokens)
        start, size = cut, _CHUNK


def offset_of(text: str, chunk: Chunk, index: int) -> int:
    """The offset of token number `index` of the chunk; the end of the chunk if there are fewer."""
    for number, match in enumerate(_TOKEN.finditer(text, chunk.start, chunk.end)):
        if number == index:
            return match.start(1)
    return chunk.end


def opening_of(text: str, closing: int) -> int:
    """The offset of the first token inside the parenthesis that is closed, or still open, at `closing`."""
    stack: list[int] = []
    is_open = False
    for chunk in chunks(text):
        for match in _TOKEN.finditer(text, chunk.start, chunk.end):
            offset, token = match.start(1), match[1]
            if offset >= closing:
                return stack[-1] if stack else closing
            if is_open:
                stack[-1] = offset
            is_open = token == "("
            if is_open:
                stack.append(offset)
            elif token == ")" and stack:
                stack.pop()
    return stack[-1] if stack else closing


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Line and column, counted from 1."""
    line = text.count("\n", 0, offset) + 1
    return line, offset - (text.rfind("\n", 0, offset) + 1) + 1


def is_symbol(token: str) -> bool:
    """Whether the token is a simple or quoted symbol, and not a literal, keyword or parenthesis."""
    first = token[0]
    if first == "|":
        return len(token) > 1
    return first not in '():"#0123456789' and token.isprintable()


def symbol_name(token: str) -> str:
    """The name of a symbol token: |x| and x are the same symbol."""
    return token[1:-1] if token[0] == "|" and len(token) > 1 else token


def quote(name: str) -> str:
    """The name as a symbol token, quoted only if needed."""
    if _SIMPLE.match(name) and name not in RESERVED:
        return name
    return f"|{name}|"


def token_text(token: str) -> str:
    """A token for an error message: shortened and printable."""
    if token in _NEVER_CLOSED:
        return _NEVER_CLOSED[token]
    text = token if token.isprintable() else ascii(token)[1:-1]
    return text if len(text) <= 40 else f"{text[:37]}…"


def one_line(message: str) -> str:
    """A message that may contain text of a script, without line breaks and with limited length."""
    text = (
        message
        if message.isprintable()
        else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
    )
    return text if len(text) <= 1000 else f"{text[:999]}…"


def decode(data: bytes, file: str = "") -> str:
    """The text of a script file; raises ScriptError if it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise ScriptError(message, line, column, file) from error
