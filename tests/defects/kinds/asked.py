"""What the judge says of made-up solvers, about one kind of defect."""

from __future__ import annotations

from tests.defects.test_judge import MixedLab, Says

from falsum.defects.evidence.judgement import Judgement
from falsum.defects.judge import judge
from falsum.defects.table import kind_of


def judged(text: str, defect: str, suspect: str = "s", /, **solvers: Says) -> Judgement:
    """The judgement on a finding about a defect, or about whatever is wrong if that is ""."""
    lab = MixedLab(None, **solvers)
    return judge(text, (suspect,), lab.solvers, lab, about=kind_of(defect))
