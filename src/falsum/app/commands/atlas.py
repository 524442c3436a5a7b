"""`falsum atlas`: lists, shows and exports the bugs of solver releases that come with falsum."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from falsum.app import options
from falsum.app.command_group import CommandGroup
from falsum.app.report.suites import FORM_OF, FORMS, SuiteTest, write_test
from falsum.app.terminal import echo
from falsum.atlas.bug import INVALID_MODEL, AtlasBug
from falsum.atlas.collection import atlas, bug_named
from falsum.errors import SurroundingsError, UsageError
from falsum.plural import counted
from falsum.solvers.names import release_of

_PLAIN: Final = "plain"


@click.group(cls=CommandGroup, default="list")
def command() -> None:
    """List, show and export known solver bugs (default: list)."""


@command.command("list")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--product", metavar="NAME", help="Bugs of this product only.")
@click.option("--release", metavar="R", help="Bugs that this release of the product has, e.g. 4.8.5.")
@click.option("--kind", metavar="KIND", help="Bugs of this kind only, e.g. crash, or a part of its name.")
@options.json_lines("bug")
def list_(
    words: tuple[str, ...], product: str | None, release: str | None, kind: str | None, *, as_json: bool
) -> None:
    """List bugs, in one line each.

    With WORDs, only bugs that have all of them: operators, theories, options, words of a crash's message.
    """
    bugs = [bug for bug in _of(product) if not kind or kind in bug.kind]
    if release is not None:
        bugs = [bug for bug in bugs if bug.is_in(bug.first, release)]
    bugs = [bug for bug in bugs if all(_has(bug, word) for word in words)]
    for bug in bugs:
        echo(json.dumps(_facts(bug)) if as_json else _line(bug))
    if not as_json:
        kinds = Counter(bug.kind for bug in bugs)
        about = ", ".join(f"{number} {name}" for name, number in kinds.most_common())
        echo(counted(len(bugs), "bug") + (f": {about}" if about else ""))


@command.command()
@click.argument("name", metavar="BUG")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
def show(name: str, *, as_json: bool) -> None:
    """Show a bug: what is wrong, how that is known, in which releases, and a script."""
    bug = bug_named(name)
    if as_json:
        echo(json.dumps(_facts(bug)))
        return
    for line in lines_of(bug):
        echo(line)
    echo(f"\n{bug.script}", nl=False)


@command.command()
@click.option("--product", required=True, metavar="NAME", help="Bugs of this product.")
@click.option(
    "--to", type=click.Path(path_type=Path, file_okay=False), required=True, metavar="DIR",
    help="Folder for the tests.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(list(FORMS)),
    help="Form of the tests (default: that of the product's own test suite).",
)  # fmt: skip
def export(product: str, to: Path, form: str | None) -> None:
    """Write the bugs of a product as regression tests of its own test suite.

    Bugs whose correct verdict is unknown cannot become tests; they are counted.
    """
    bugs = _of(product)
    tests = [test for bug in bugs if (test := suite_test(bug)) is not None]
    try:
        to.mkdir(parents=True, exist_ok=True)
        for test in tests:
            write_test(test, form or FORM_OF.get(product, _PLAIN), to)
    except OSError as error:
        raise SurroundingsError(f"{to}: {error.strerror}") from error
    missing = len(bugs) - len(tests)
    echo(f"{to}: {counted(len(tests), 'test')}" + (f"; {missing} without a known verdict" if missing else ""))


def suite_test(bug: AtlasBug) -> SuiteTest | None:
    """The bug as a regression test; None if the correct verdict is unknown."""
    verdicts = tuple(bug.expected.split())
    if not verdicts or not set(verdicts) <= {"sat", "unsat"}:
        return None
    about = f"{bug.name}: {bug.kind}, {bug.first} to {bug.last}"
    own = (option.removeprefix(":").partition("=") for option in bug.options if option.startswith(":"))
    settings = tuple((name, value) for name, _, value in own)
    return SuiteTest(bug.name, bug.script, verdicts, settings, about, checks_models=bug.kind == INVALID_MODEL)


def lines_of(bug: AtlasBug) -> list[str]:
    """A description of a bug, in lines."""
    since = f"{bug.first} to {bug.last}" + (", not in all of them" if bug.gaps else "")
    rows = [
        ("bug", f"{bug.name}, {bug.kind}"),
        ("releases", f"{since}; {f'fixed in {bug.fixed}' if bug.fixed else 'not fixed'}"),
        ("answer", bug.message or bug.answer),
        ("expected", bug.right_answer),
        ("evidence", bug.evidence),
        ("theories", " ".join(bug.theories)),
        ("operators", " ".join(bug.operators)),
        ("options", " ".join(bug.options)),
        ("engine", bug.engine),
        ("size", f"{bug.size} bytes"),
        ("held out", "yes" if bug.held_out else ""),
    ]
    return [f"{name:<10}{text}" for name, text in rows if text]


def _of(product: str | None) -> Sequence[AtlasBug]:
    bugs = [bug for bug in atlas() if product in {None, bug.product}]
    if product is not None and not bugs:
        products = ", ".join(dict.fromkeys(bug.product for bug in atlas()))
        raise UsageError(f"no bugs of {product!r} in the atlas; there are some of {products}")
    return sorted(bugs, key=lambda bug: (bug.product, release_of(bug.last), bug.name))


def _has(bug: AtlasBug, word: str) -> bool:
    words = (*bug.theories, *bug.operators, *bug.options, *bug.message.split(), bug.name)
    return any(word.lower() in each.lower() for each in words)


def _facts(bug: AtlasBug) -> dict[str, Any]:
    facts: dict[str, Any] = msgspec.to_builtins(bug)
    return facts | {"product": bug.product, "size": bug.size, "held_out": bug.held_out}


def _line(bug: AtlasBug) -> str:
    about = bug.message or " ".join(bug.operators)
    return f"{bug.name}  {bug.kind}  {bug.first}..{release_of(bug.last)}  {about}"
