"""`falsum eval`: the truth of each assertion under a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

from falsum.app import script_files
from falsum.errors import SurroundingsError
from falsum.smtlib import print_term
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.lexer import decode
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.values.cannot_say import CannotSay

_FOUND: Final = 1
_WIDEST: Final = 100


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--model", "model_file", required=True, metavar="MODEL", help="What a solver printed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line an assertion, and nothing else.")
@click.pass_context
def command(context: click.Context, file: str, model_file: str, *, as_json: bool) -> None:
    """Say of each assertion of a script whether it is true, false or cannot be said under a model.

    MODEL is the output of a solver, or definitions in SMT-LIB; a `sat` in front of them does no harm. Exit
    code 1 if an assertion is false.
    """
    script = script_files.read(file)
    model = read_model(_text(model_file), script, model_file)
    answers = truths(script, model)
    for number, (term, answer) in enumerate(zip(script.assertions, answers, strict=True), start=1):
        text = print_term(term)
        if as_json:
            click.echo(json.dumps(_plain(number, text, answer)))
        else:
            click.echo(f"{number}: {_word(answer)}  {text if len(text) <= _WIDEST else text[:_WIDEST] + '…'}")
    if not as_json:
        for name, reason in model.unreadable.items():
            click.echo(f"not read: {name}: {reason}", err=True)
    context.exit(_FOUND if any(answer is False for answer in answers) else 0)


def _text(file: str) -> str:
    try:
        data = Path(file).read_bytes()
    except (OSError, ValueError) as error:
        raise SurroundingsError(f"{file}: {error}") from error
    return decode(data, file)


def _word(answer: bool | CannotSay) -> str:
    if isinstance(answer, CannotSay):
        return f"cannot say ({answer.reason})"
    return "true" if answer else "false"


def _plain(number: int, text: str, answer: bool | CannotSay) -> dict[str, object]:
    reason = answer.reason if isinstance(answer, CannotSay) else None
    word = "cannot say" if isinstance(answer, CannotSay) else _word(answer)
    return {"assertion": number, "term": text, "answer": word, "reason": reason}
