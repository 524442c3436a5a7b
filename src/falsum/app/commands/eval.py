"""`falsum eval`: evaluates the assertions of a script under a model."""

from __future__ import annotations

import json
from typing import Final

import click

from falsum.app import options, script_files
from falsum.app.exit_codes import FOUND
from falsum.app.terminal import echo
from falsum.smtlib import print_term
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.values.cannot_say import CannotSay

_MAX_WIDTH: Final = 100


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--model",
    "model_file",
    required=True,
    metavar="MODEL",
    help="Model, as a solver prints it or as definitions.",
)
@options.input_limits
@options.json_lines("assertion")
@click.pass_context
def command(context: click.Context, file: str, model_file: str, *, as_json: bool) -> None:
    """Evaluate the assertions of a script under a model.

    Prints true, false or "cannot say" for each. MODEL is a file with the output of a solver (a leading
    `sat` is ignored) or with definitions in SMT-LIB. No solver is run. Exit code 1 if an assertion is
    false.
    """
    script = script_files.read(file)
    model = read_model(script_files.read_text(model_file), script, model_file)
    answers = truths(script, model)
    for number, (term, answer) in enumerate(zip(script.assertions, answers, strict=True), start=1):
        text = print_term(term)
        if as_json:
            echo(json.dumps(_plain(number, text, answer)))
        else:
            echo(f"{number}: {_word(answer)}  {text if len(text) <= _MAX_WIDTH else text[:_MAX_WIDTH] + '…'}")
    if not as_json:
        for name, reason in model.unreadable.items():
            echo(f"falsum: no value for {name}: {reason}", err=True)
    context.exit(FOUND if any(answer is False for answer in answers) else 0)


def _word(answer: bool | CannotSay) -> str:
    if isinstance(answer, CannotSay):
        return f"cannot say ({answer.reason})"
    return "true" if answer else "false"


def _plain(number: int, text: str, answer: bool | CannotSay) -> dict[str, object]:
    reason = answer.reason if isinstance(answer, CannotSay) else None
    word = "cannot say" if isinstance(answer, CannotSay) else _word(answer)
    return {"assertion": number, "term": text, "answer": word, "reason": reason}
