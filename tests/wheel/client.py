"""A program that uses falsum as a dependency; `mypy --strict` must know every type in it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import falsum
from falsum import (
    Answer,
    Campaign,
    CampaignSummary,
    CannotSay,
    Defect,
    FindingRecord,
    Judgement,
    Mutant,
    Reduction,
    Script,
    Verdict,
)

TEXT = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 2))(assert (< x 9))(check-sat)"


def main() -> int:
    script: Script = falsum.read_script(TEXT)
    Path("script.smt2").write_text(falsum.print_script(script), encoding="utf-8")
    assert falsum.print_script(falsum.read_file(Path("script.smt2"))) == falsum.print_script(script)

    truths: list[bool | CannotSay] = falsum.evaluate(script, "((define-fun x () Int 10))")
    value: str | CannotSay = falsum.evaluate_term("(* x x)", script, "((define-fun x () Int 10))")
    assert (truths, value) == ([True, False], "100")

    mutants: Iterator[Mutant] = falsum.mutate(script, "opfuzz", rng=1)
    mutant = next(mutants)
    assert mutant.claim is None

    answers: dict[str, Answer] = falsum.solve(mutant.text, ["z3", "cvc5"], timeout=5)
    verdicts: dict[str, Verdict | None] = {name: answer.verdict for name, answer in answers.items()}
    assert set(verdicts) == {"z3", "cvc5"}

    judgement: Judgement = falsum.judge(script, ["z3", "cvc5"])
    assert judgement.defect == Defect.UNDECIDED

    campaign = Campaign("out", seeds=["script.smt2"], solvers=["z3"], count=3, jobs=1, triage=False)
    summary: CampaignSummary = campaign.run()
    found: list[FindingRecord] = list(campaign)
    assert (summary.mutants, sum(summary.findings.values())) == (3, len(found))

    small: Reduction = falsum.reduce(script, lambda text: "(< x " in text)
    try:
        falsum.read_script("(assert")
    except falsum.ScriptError as error:
        sys.stdout.write(f"{falsum.__version__} {error.line} {len(small.text)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
