"""Regressions: findings as flat files with expectations, in the formats of the solvers' own test suites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from falsum.app.report.files import parts_of
from falsum.app.report.suites import FORM_OF, PLAIN, SuiteTest, write_test
from falsum.campaign.triage import result
from falsum.campaign.triage.result import Triage
from falsum.errors import FalsumError
from falsum.smtlib.text.command_text import CHECK_COMMANDS, split_commands
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.options import Setting
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request
from falsum.solvers.solver import MODE, resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder

_SECONDS: Final = 10.0


def write_regressions(folders: Iterable[Path], to: Path, form: str, zoo: Zoo) -> dict[str, str]:
    """Write the tests of triaged findings to a directory, each once; return "" for each finding, or why there
    is no test of its own.
    """
    written: dict[SuiteTest, str] = {}
    reasons = {}
    for folder in folders:
        test = _regression_of(folder, zoo)
        if isinstance(test, str):
            reasons[folder.name] = test
            continue
        first = written.setdefault(replace(test, name=""), test.name)
        reasons[folder.name] = "" if first == test.name else f"it would be the same as {first}"
        if first == test.name:
            product, _, _digest = test.name.rpartition("-")
            write_test(test, form or FORM_OF.get(product, PLAIN), to)
    return reasons


def _regression_of(folder: Path, zoo: Zoo) -> SuiteTest | str:
    """The test of a triaged finding, or why there is none."""
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
    return SuiteTest(
        f"{triage.product}-{finding_folder.digest_in(folder.name)}",
        triage.script.strip() + "\n",
        tuple(map(str, verdicts)),
        tuple(_settings(triage)),
        parts_of(folder).title,
    )


def _settings(triage: Triage) -> Iterator[Setting]:
    """The options that a finding needs, without falsum's own modes."""
    for option in triage.options:
        name, equals, value = option.option.partition("=")
        if option.is_needed and equals and name != MODE:
            yield name, value


def _verdicts(triage: Triage, zoo: Zoo) -> list[Verdict] | None:
    """The right verdict of each check: the truth if it was judged, otherwise what others agree on."""
    commands, _balanced = split_commands(triage.script)
    count = sum(command.name in CHECK_COMMANDS for command in commands)
    verdicts: dict[int, Verdict] = {}
    if triage.judgement.truth is not None:
        verdicts[triage.judgement.check] = triage.judgement.truth
    if len(verdicts) < count:
        for place, verdict in _agreed(triage, count, zoo).items():
            verdicts.setdefault(place, verdict)
    return [verdicts[place] for place in range(count)] if count and len(verdicts) == count else None


def _agreed(triage: Triage, count: int, zoo: Zoo) -> dict[int, Verdict]:
    """The verdicts that at least one other product gives, and none contradicts."""
    solvers = []
    for product, profile in BY_PRODUCT.items():
        if product != triage.product and profile.is_bundled:
            try:
                solvers.append(resolve(product, zoo))
            except FalsumError:
                continue
    verdicts: dict[int, Verdict] = {}
    with LiveLab(solvers, Limits(seconds=_SECONDS)) as lab:
        answers = [lab.ask(Request(name, triage.script, cold=True)) for name in lab.solvers]
    for place in range(count):
        words = {verdict for answer in answers if (verdict := answer.verdict_at(place)).decided}
        if len(words) == 1:
            verdicts[place] = words.pop()
    return verdicts
