"""The symptom of a script: what is wrong with the answers of some releases to it."""

from __future__ import annotations

from collections.abc import Mapping

from falsum.app.terminal import echo
from falsum.campaign import config
from falsum.campaign.triage.release_answers import ReleaseAnswers, usable_releases
from falsum.campaign.triage.symptom import Symptom, SymptomKind
from falsum.defects.evidence.judge import judge
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo


def symptom_of_file(
    script: str, product: str, limits: Limits, zoo: Zoo, jobs: int, own: Solver | None = None
) -> Symptom:
    """A crash of a release or of the user's own build, or a verdict that the judge finds wrong."""
    with ReleaseAnswers(product, script, Symptom(SymptomKind.CRASH), limits, zoo=zoo) as asked:
        releases = usable_releases(zoo, asked.profile)
        asked.rows(releases, jobs)
        answers = {release.name: asked.answer(release) for release in releases}
        if own is not None and own.release is not None:
            answers[own.name] = asked.answer(own.release)
    if not answers:
        raise SurroundingsError(f"no release of {product} is installed; run: falsum solvers add {product}")
    crashed = [answer for answer in answers.values() if answer.crashed]
    if crashed:
        return Symptom(SymptomKind.CRASH, message=crashed[-1].ending.message)
    return _contradiction(script, answers, limits, zoo)


def _contradiction(script: str, answers: Mapping[str, Answer], limits: Limits, zoo: Zoo) -> Symptom:
    """The first check at which releases contradict each other; the judge decides with one of each side."""
    last = list(answers)[-1]
    for check in range(max(len(answer.verdicts) for answer in answers.values())):
        sides: dict[Verdict, str] = {}
        for name, answer in answers.items():
            if check < len(answer.verdicts) and answer.verdicts[check].decided:
                sides[answer.verdicts[check]] = name
        if len(sides) < 2:
            continue
        names = dict.fromkeys((*sides.values(), last, *config.DEFAULT_SOLVERS))
        with LiveLab([resolve(name, zoo) for name in names], limits) as lab:
            judged = judge(script, tuple(sides.values()), tuple(names), lab, check=check)
        if judged.truth is None:
            raise UsageError(f"{judged}; use --expect")
        echo(f"falsum: {judged}", err=True)
        return Symptom(SymptomKind.WRONG_VERDICT, Want.VERDICT, check, judged.truth)
    raise UsageError("no release crashes, and all that decide agree; use --expect if they are wrong")
