"""Reads scripts, and terms in the scope of a script."""

from __future__ import annotations

import gc
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from falsum.errors import ScriptError, UsageError
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import EXIT, Command, NotUnderstood, Script
from falsum.smtlib.syntax import command_shapes
from falsum.smtlib.syntax.commands import READERS, not_understood
from falsum.smtlib.syntax.final_scope import scope_of_all
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.terms import Term
from falsum.smtlib.text.lexer import decode, is_symbol, token_text

# A small compressed file can stand for any number of bytes.
MAX_UNPACKED_BYTES: Final = 64 << 20


def read_script(text: str, file: str = "", operators: tuple[Operator, ...] = ()) -> Script:
    """Read a script; raises ScriptError with line and column of the first error.

    `operators` are additional ones that may occur, from an operator file.
    """
    parser = Parser(text, file, operators)
    commands: list[Command] = []
    # Terms have no cycles, and a large script has millions of them: garbage collection would only cost time.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        while (token := next(parser.tokens, None)) is not None:
            if token != "(":
                parser.fail(f"expected a command, found {token_text(token)}")
            commands.append(_command(parser))
            if commands[-1] == EXIT:
                # Solvers ignore what follows.
                commands.extend(_unread(parser))
    except UsageError as error:
        # A sort is too large.
        parser.fail(str(error))
    finally:
        if was_enabled:
            gc.enable()
    return Script(tuple(commands))


def _unread(parser: Parser) -> Iterator[Command]:
    while (token := next(parser.tokens, None)) is not None:
        if token == ")":
            parser.fail("unmatched closing parenthesis")
        yield NotUnderstood(parser.verbatim(token), "after (exit)")


def read_term(text: str, script: Script) -> Term:
    """Read a term with the symbols that a script declares; raises ScriptError."""
    parser = Parser(text, scope=scope_of_all(script))
    term = parser.term()
    if (token := next(parser.tokens, None)) is not None:
        parser.fail(f"expected the end of the text after the term, found {token_text(token)}")
    return term


def read_file(path: Path | str) -> Script:
    """Read a script from a file, which may be compressed (`.gz`)."""
    path = Path(path)
    name = str(path)
    with path.open("rb") as file:
        data = _unpacked(file, name) if path.suffix == ".gz" else file.read()
    return read_script(decode(data, name), name)


def _unpacked(file: BinaryIO, name: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=file) as packed:
            data = packed.read(MAX_UNPACKED_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ScriptError(f"not a gzip file: {error}", 1, 1, name) from error
    if len(data) > MAX_UNPACKED_BYTES:
        limit = f"{MAX_UNPACKED_BYTES >> 20} MiB"
        raise ScriptError(f"more than {limit} when decompressed; decompress it to read it", 1, 1, name)
    return data


def _command(parser: Parser) -> Command:
    word = parser.next()
    reader = READERS.get(word)
    if reader is not None:
        return reader(parser, word)
    if not is_symbol(word):
        parser.fail(f"expected the name of a command, found {token_text(word)}")
    shape = command_shapes.SHAPES.get(word)
    if shape is not None:
        return command_shapes.read(parser, word, shape)
    return not_understood(parser, word, f"unknown command {word}")


__all__ = ["ScriptError", "read_file", "read_script", "read_term"]
