"""`falsum eval`: evaluates what a script asserts at a check under a model."""

from __future__ import annotations

import json
from typing import Final

import click

from falsum.app import options, script_files
from falsum.app.exit_codes import FOUND
from falsum.app.terminal import echo
from falsum.errors import UsageError
from falsum.plural import counted
from falsum.printable import on_one_line
from falsum.smtlib import Script, print_term
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Model, undefined_symbols
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import CheckSat
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
@click.option(
    "--check",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help="Evaluate what is asserted at the Nth check of the script, from 1 (default: the last).",
)
@options.input_limits
@options.json_lines("assertion")
@click.pass_context
def command(context: click.Context, file: str, model_file: str, number: int | None, *, as_json: bool) -> None:
    """Evaluate the assertions of a script under a model.

    Prints true, false or "cannot say" for each assertion and assumption at a check; popped ones are not
    evaluated. MODEL is a file with the output of a solver (a leading `sat` is ignored) or with definitions in
    SMT-LIB. No solver is run. Exit code 1 if an assertion is false.
    """
    script = script_files.read(file)
    check, flat = _at(script, number, file)
    model = read_model(script_files.read_text(model_file), flat, model_file)
    answers = [_doubted(model, flat, place, truth) for place, truth in enumerate(truths(flat, model))]
    for place, (term, answer) in enumerate(zip(flat.assertions, answers, strict=True), start=1):
        text = print_term(term)
        if as_json:
            echo(json.dumps(_plain(check, place, text, answer)))
        else:
            echo(f"{place}: {_word(answer)}  {text if len(text) <= _MAX_WIDTH else text[:_MAX_WIDTH] + '…'}")
    for remark in _remarks(script, flat, model):
        echo(f"falsum: {remark}", err=True)
    context.exit(FOUND if any(answer is False for answer in answers) else 0)


def _at(script: Script, number: int | None, file: str) -> tuple[int, Script]:
    """The number of a check, from 1, and the assertions at it; without checks, those at the end of the
    script.
    """
    flats = list(at_each_check(script)) or list(at_each_check(Script((*script.commands, CheckSat()))))
    if number is not None and number > len(flats):
        raise UsageError(f"{file} has {counted(len(flats), 'check')}; --check {number} is none of them")
    number_of_check = number or len(flats)
    return number_of_check, flats[number_of_check - 1] if flats else script


def _doubted(model: Model, flat: Script, place: int, truth: bool | CannotSay) -> bool | CannotSay:
    """The truth of an assertion; false is doubted if another choice of an open value could make it true."""
    missing = undefined_symbols(model, flat.assertions[place]) if truth is False else ()
    return CannotSay(f"the model leaves out {missing[0].name}") if missing else truth


def _remarks(script: Script, flat: Script, model: Model) -> list[str]:
    """Remarks on what is not evaluated, or is evaluated differently from the solver."""
    remarks = [f"no value for {name}: {reason}" for name, reason in model.unreadable.items()]
    missing = dict.fromkeys(
        symbol.name for term in flat.assertions for symbol in undefined_symbols(model, term)
    )
    remarks += [
        f"the model leaves out {name}; its simplest value is taken"
        for name in missing
        if name not in model.unreadable
    ]
    remarks += [
        f"not understood, and not evaluated: {on_one_line(part.text)[:_MAX_WIDTH]} ({part.reason})"
        for part in script.not_understood
    ]
    return remarks


def _word(answer: bool | CannotSay) -> str:
    if isinstance(answer, CannotSay):
        return f"cannot say ({answer.reason})"
    return "true" if answer else "false"


def _plain(check: int, number: int, text: str, answer: bool | CannotSay) -> dict[str, object]:
    reason = answer.reason if isinstance(answer, CannotSay) else None
    word = "cannot say" if isinstance(answer, CannotSay) else _word(answer)
    return {"check": check, "assertion": number, "term": text, "answer": word, "reason": reason}
