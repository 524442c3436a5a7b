"""SummarisedFinding: a finding, triaged or not, as the formats for CI servers need it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from falsum.app.report.files import parts_of
from falsum.campaign.triage import result
from falsum.defects.evidence.judgement import Defect
from falsum.solvers.names import label_of, product_of
from falsum.store import finding_folder


@dataclass(frozen=True, slots=True)
class SummarisedFinding:
    """A finding in short: `rule` is the defect, or the kind if it is not triaged, as one word."""

    digest: str
    product: str
    rule: str
    title: str
    evidence: str
    script: str
    folder: Path
    script_uri: str
    is_undecided: bool
    is_known: bool = False
    # The names of the solvers that are wrong, if they were only compared with.
    reference: str = ""
    # What the user calls the build that is wrong.
    label: str = ""

    @property
    def pardon(self) -> str:
        """Why the finding does not count as a failure; "" if it does."""
        if self.is_known:
            return "known: in the baseline"
        return (
            f"about {self.reference}, which was compared with and is not under test" if self.reference else ""
        )


def summarised(folder: Path, *, is_known: bool = False) -> SummarisedFinding:
    record, triage = finding_folder.read(folder), result.read(folder)
    is_reference = result.is_about_reference(record, triage)
    label = ", ".join(filter(None, map(label_of, result.suspects_of(record, triage))))
    reference = ", ".join(result.suspects_of(record, triage)) if is_reference else ""
    small = folder / result.REDUCED
    script = small if small.is_file() else folder / ("small.trace" if record.trace else "script.smt2")
    uri = quote(script.as_posix())
    if triage is None:
        product = product_of(record.suspects[0]) if record.suspects else "unknown"
        return SummarisedFinding(
            record.digest, product, record.kind, f"{record.kind}, not triaged yet", record.evidence,
            record.script, folder, uri, is_undecided=True, is_known=is_known,
            reference=reference, label=label,
        )  # fmt: skip
    parts = parts_of(folder)
    defect = triage.judgement.defect
    return SummarisedFinding(
        record.digest, triage.product, str(defect).replace(" ", "-"), parts.title, parts.evidence,
        parts.script, folder, uri, is_undecided=defect == Defect.UNDECIDED, is_known=is_known,
        reference=reference, label=label,
    )  # fmt: skip


def all_summarised(folders: Iterable[Path], known_folders: Iterable[Path] = ()) -> list[SummarisedFinding]:
    """Summaries of all these findings, with the known ones marked."""
    marked = set(known_folders)
    return [summarised(folder, is_known=folder in marked) for folder in folders]
