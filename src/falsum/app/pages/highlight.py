"""Highlighted text: SMT-LIB, traces and Python as HTML with classes, in lines; long texts stay plain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from markupsafe import Markup, escape
from pygments import highlight as pygments_highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer, RegexLexer, bygroups
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Error, Keyword, Literal, Name, Operator, Punctuation, String, Text

from falsum.printable import printable

# Longer texts are not coloured, and of very long ones only the beginning is shown; the file has all.
_MOST_COLOURED: Final = 20_000
MOST_SHOWN: Final = 200_000
_SYMBOL: Final = r"[A-Za-z0-9~!@$%^&*_+=<>.?/-]+"


_COMMANDS: Final = (
    "assert|check-|declare-|define-|echo|exit|get-|pop|push|reset|set-|simplify|block-|minimize|maximize"
)
_BINDERS: Final = "forall|exists|let|match|lambda|!|_|as|par"
_AFTER: Final = r"(?=[\s()]|\Z)"
_groups: Callable[..., Any] = bygroups


class SmtLibLexer(RegexLexer):
    """SMT-LIB scripts and models; Pygments has no lexer for them."""

    name = "SMT-LIB"
    tokens = {  # noqa: RUF012 - Pygments wants it so
        "root": [
            (r"\s+", Text),
            (r";.*", Comment.Single),
            (r'"(?:[^"]|"")*"', String),
            (r"\|[^|]*\|", Name),
            (rf":{_SYMBOL}", Name.Attribute),
            (r"#x[0-9a-fA-F]+|#b[01]+|#f[0-9m-]+", Literal.Number),
            (rf"[0-9]+(\.[0-9]+)?{_AFTER}", Literal.Number),
            (rf"(\()(\s*)((?:{_COMMANDS})[a-z-]*){_AFTER}", _groups(Punctuation, Text, Keyword)),
            (rf"(\()(\s*)({_BINDERS}){_AFTER}", _groups(Punctuation, Text, Keyword.Type)),
            (rf"(\()(\s*)({_SYMBOL})", _groups(Punctuation, Text, Operator)),
            (r"[()]", Punctuation),
            (_SYMBOL, Name),
            (r".", Error),
        ]
    }


class TraceLexer(RegexLexer):
    """Traces of calls of a library, with the replies."""

    name = "falsum trace"
    tokens = {  # noqa: RUF012
        "root": [
            (r"^#.*\n", Comment.Single),
            (r"^->.*\n", String),
            (r"^-!.*\n", Error),
            (r"^[a-z]\d+(?: [a-z]\d+)* = ", Name),
            (r"[a-z][a-z-]*", Keyword, "rest"),
            (r"\n", Text),
            (r".+\n", Text),
        ],
        "rest": [(r".*\n", Text, "#pop")],
    }


_LEXERS: Final[dict[str, type[Lexer]]] = {"smt2": SmtLibLexer, "trace": TraceLexer, "python": PythonLexer}


def highlighted(text: str, language: str = "") -> Markup:
    """The text as the content of a `pre`, safe to show."""
    printable_text = printable(text)
    rest = len(printable_text) - MOST_SHOWN
    if rest > 0:
        printable_text = f"{printable_text[:MOST_SHOWN]}\n… {rest:,} more characters; the file has all of it"
    if language not in _LEXERS or len(printable_text) > _MOST_COLOURED:
        return escape(printable_text)
    lexer = _LEXERS[language](stripnl=False, ensurenl=True)
    # Pygments escapes all text.
    return Markup(pygments_highlight(printable_text, lexer, HtmlFormatter(nowrap=True)).rstrip("\n"))  # noqa: S704
