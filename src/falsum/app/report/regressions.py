"""Regressions: findings as flat files with expectations, in the formats of the solvers' own test suites."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from falsum.app.report.files import parts_of
from falsum.campaign.triage import result
from falsum.campaign.triage.result import Triage
from falsum.errors import FalsumError
from falsum.smtlib.text.command_text import CHECK_COMMANDS, split_commands
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request
from falsum.solvers.solver import MODE, resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder

CVC5, Z3, PLAIN = "cvc5", "z3", "plain"
FORMATS: Final = (CVC5, Z3, PLAIN)
_SECONDS: Final = 10.0


def format_of(product: str) -> str:
    """The format of a product's own suite; the plain one where none is known."""
    return product if product in FORMATS else PLAIN


def write_regression(folder: Path, to: Path, form: str, zoo: Zoo) -> str:
    """Write the test of a triaged finding into a directory; why there is none, or ""."""
    triage = result.read(folder)
    if triage is None:
        return "not triaged"
    if finding_folder.read(folder).trace is not None:
        return "calls of a library have no script"
    if triage.history:
        return "a process with a history is no single script"
    verdicts = _verdicts(triage, zoo)
    if verdicts is None:
        return "not every verdict of its checks is known"
    parts = parts_of(folder)
    name = f"{triage.product}-{finding_folder.digest_in(folder.name)}"
    script, title = triage.script.strip() + "\n", parts.title
    flags = [word for option in triage.options if option.is_needed for word in _flag(triage, option.option)]
    match form or format_of(triage.product):
        case "cvc5":
            lines = [f"; COMMAND-LINE: {' '.join(flags)}"] if flags else []
            lines += [f"; EXPECT: {verdict}" for verdict in verdicts]
            (to / f"{name}.smt2").write_text("\n".join(lines) + f"\n; {title}\n{script}", encoding="utf-8")
        case "z3":
            note = f"; {' '.join(flags)}\n" if flags else ""
            (to / f"{name}.smt2").write_text(f"; {title}\n{note}{script}", encoding="utf-8")
            (to / f"{name}.expected.out").write_text("\n".join(map(str, verdicts)) + "\n", encoding="utf-8")
        case _:
            note = f"; options: {' '.join(flags)}\n" if flags else ""
            expected = " ".join(map(str, verdicts))
            text = f"; {title}\n; expected: {expected}\n{note}{script}"
            (to / f"{name}.smt2").write_text(text, encoding="utf-8")
    return ""


def _flag(triage: Triage, option: str) -> list[str]:
    """An option as the product's command line has it; none of what says how falsum asks."""
    name, equals, value = option.partition("=")
    profile = BY_PRODUCT.get(triage.product)
    if not equals or profile is None or name == MODE:
        return []
    return [profile.option_template.format(name=name, value=value)]


def _verdicts(triage: Triage, zoo: Zoo) -> list[Verdict] | None:
    """The right verdict of each check: the truth where it is judged, else what others agree on."""
    commands, _balanced = split_commands(triage.script)
    count = sum(command.name in CHECK_COMMANDS for command in commands)
    known: dict[int, Verdict] = {}
    if triage.judgement.truth is not None:
        known[triage.judgement.check] = triage.judgement.truth
    if len(known) < count:
        for place, verdict in _agreed(triage, count, zoo).items():
            known.setdefault(place, verdict)
    return [known[place] for place in range(count)] if count and len(known) == count else None


def _agreed(triage: Triage, count: int, zoo: Zoo) -> dict[int, Verdict]:
    """What at least one other product decides, and none contradicts."""
    solvers = []
    for product, profile in BY_PRODUCT.items():
        if product != triage.product and profile.is_bundled:
            try:
                solvers.append(resolve(product, zoo))
            except FalsumError:
                continue
    agreed: dict[int, Verdict] = {}
    with LiveLab(solvers, Limits(seconds=_SECONDS)) as lab:
        answers = [lab.ask(Request(name, triage.script, cold=True)) for name in lab.solvers]
    for place in range(count):
        said = {verdict for answer in answers if (verdict := answer.verdict_at(place)).decided}
        if len(said) == 1:
            agreed[place] = said.pop()
    return agreed
