"""The question that releases of a product are asked: which defect they may show, and which references they
need.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

from falsum.app import script_files
from falsum.app.configuration import read_config
from falsum.app.own_script import own_case
from falsum.app.terminal import echo, waiting
from falsum.campaign.lifecycle.finding_check import ScriptCheck, check_of
from falsum.campaign.triage.releases import usable_releases
from falsum.defects.case import Case
from falsum.defects.diagnosis import diagnose
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect
from falsum.defects.table import kind_named
from falsum.defects.targets.target import Target
from falsum.errors import ScriptError, SurroundingsError, UsageError
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.names import product_of
from falsum.solvers.options import Setting
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo


class Question(NamedTuple):
    """A question for the releases of a product; `references` are the solvers that they are compared with."""

    product: str
    case: Case
    target: Target
    settings: tuple[Setting, ...]
    references: list[Solver]


def question_of_finding(folder: Path, product: str | None, limits: Limits, zoo: Zoo) -> Question:
    """What a triaged finding shows."""
    check = check_of(folder, limits, zoo)
    if not isinstance(check, ScriptCheck):
        raise UsageError(
            f"{folder.name}: no single script shows it, so there is nothing to look for in other releases"
        )
    product = product or check.product
    settings = check.settings if product == check.product else ()
    return Question(product, check.case, check.target, settings, check.resolved_references())


def question_of_file(
    name: str, product: str | None, own: Solver | None, target: Target | None, limits: Limits, zoo: Zoo
) -> Question:
    """The defect of a file: as the user states it, or as judged by running the releases of the product and
    others.
    """
    product = product or (own.profile.product if own is not None else None)
    text = script_files.read_text(name)
    case = own_case(name, text)
    settings = own.settings if own is not None else ()
    if target is not None:
        if product is None:
            raise UsageError("--product is required for a file")
        return Question(known_product(product), case, target.on(text), settings, [])
    references = [resolve(other, zoo) for other in read_config().solvers_with()]
    solvers = {solver.name: solver for solver in references}
    if product is not None:
        releases = usable_releases(zoo, BY_PRODUCT[known_product(product)])
        solvers |= {release.name: resolve(release.name, zoo) for release in releases}
        if not releases and own is None:
            raise SurroundingsError(
                f"no release of {product} is installed; run: falsum solvers add {product}"
            )
    suspects = [name for name in solvers if product is None or product_of(name) == product]
    if own is not None:
        solvers[own.name] = own
        suspects.append(own.name)
    with LiveLab(solvers.values(), limits) as lab, waiting(f"asking {', '.join(solvers)}"):
        diagnosis = diagnose(case, lab, suspects=suspects)
    # Which of two contradicting verdicts is wrong must be known: releases are compared with the right one.
    is_presumed = (
        diagnosis.target is not None and diagnosis.target.truth is not None and not diagnosis.is_about
    )
    if diagnosis.target is None or is_presumed:
        _readable(text, name)
        raise UsageError(
            f"{diagnosis.judgement}; use --expect, --slower-than or --unknown to say what is wrong"
        )
    echo(f"falsum: {diagnosis.words}", err=True)
    compared = kind_named(diagnosis.target.defect).needs_oracle
    about = product or product_of(diagnosis.suspect)
    return Question(
        known_product(about),
        diagnosis.case,
        diagnosis.target,
        settings,
        [each for each in references if each.profile.product != about] if compared else [],
    )


def _readable(text: str, name: str) -> None:
    """Raise UsageError if falsum cannot read a script whose defect is not stated."""
    try:
        read_script(text, name)
    except ScriptError as error:
        raise UsageError(f"{error}\ncorrect the script, then: falsum check {shlex.quote(name)}") from error


def stated_target(expect: str | None, slower_than: float | None, *, unknown: bool) -> Target | None:
    """The defect of a file as the user states it; None if the user does not."""
    if sum((expect is not None, slower_than is not None, unknown)) > 1:
        raise UsageError("use one of --expect, --slower-than and --unknown")
    if expect is not None:
        return Target(str(WRONG_VERDICTS[Verdict(expect)]), truth=Verdict(expect))
    if slower_than is not None:
        return Target(Defect.SLOW, seconds=slower_than)
    return Target(Defect.INCOMPLETENESS) if unknown else None


def known_product(product: str) -> str:
    if product not in BY_PRODUCT:
        raise UsageError(f"unknown product {product!r}; choose from {', '.join(BY_PRODUCT)}")
    return product
