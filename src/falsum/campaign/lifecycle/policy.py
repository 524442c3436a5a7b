"""FindingPolicy: which findings of a campaign are reported, which make it fail, and when there are enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.lifecycle.baseline import Baseline
from falsum.campaign.lifecycle.hook import FindingHook
from falsum.campaign.triage import result
from falsum.campaign.triage.result import Triage
from falsum.defects import BY_NAME, kind_of, kinds
from falsum.defects.calls import defect_kind
from falsum.defects.identity.known import atlas_name
from falsum.errors import UsageError
from falsum.store import finding_folder
from falsum.store.records import FindingRecord

ANY: Final = "any"
WORDS: Final = (*(word for kind in kinds() for word in kind.categories), ANY)


def fail_words(text: str) -> frozenset[str]:
    """The words of `--fail-on`; UsageError for any other word."""
    words = frozenset(filter(None, (word.strip() for word in text.split(","))))
    for word in sorted(words - set(WORDS)) or ([] if words else [text]):
        raise UsageError(f"--fail-on: unknown kind {word!r}; choose from {', '.join(WORDS)}")
    return words


def words_of(record: FindingRecord, triage: Triage | None) -> frozenset[str]:
    """The categories of a finding; without triage, all that may apply."""
    if triage is not None:
        defect = triage.judgement.defect
        kind = kind_of(defect)
        pairs = zip(kind.words, kind.categories, strict=False) if kind is not None else ()
        return frozenset({ANY, *(category for word, category in pairs if word == defect)})
    oracle = BY_NAME.get(record.kind)
    kind = oracle.defect if oracle is not None else defect_kind(record.kind)
    return frozenset({ANY, *(kind.categories if kind is not None else ())})


@dataclass(slots=True)
class FindingPolicy:
    """The handling of a campaign's findings; `new` are the folders of findings that are not known."""

    baseline: Baseline | None = None
    knows_atlas: bool = False
    fail_on: frozenset[str] = frozenset({ANY})
    max_findings: int | None = None
    hook: FindingHook | None = None
    tell: Callable[[str], None] = print
    new: dict[str, Path] = field(default_factory=dict)
    known: int = 0

    def unknown(self, findings: Iterable[FindingRecord]) -> list[FindingRecord]:
        """The findings that the baseline does not have; the others are counted."""
        records = list(findings)
        unknown = [one for one in records if self.baseline is None or not self.baseline.has(one)]
        self.known += len(records) - len(unknown)
        return unknown

    def found(self, folder: Path, *, is_triaged_later: bool) -> None:
        """Called when a finding is recorded; with triage, the hook waits for it."""
        if not is_triaged_later and _is_about_reference(folder):
            return
        self.new[folder.name] = folder
        if not is_triaged_later:
            self._call_hook(folder)

    def triaged(self, folder: Path) -> None:
        """Called when a finding is triaged, which decides whether the baseline or the atlas has it."""
        triage = result.read(folder)
        if triage is not None and self.baseline is not None:
            same = self.baseline.recognises(triage)
            if same:
                result.write(folder, result.TRIAGE, msgspec.structs.replace(triage, known=same))
                self.known += self.new.pop(folder.name, None) is not None
                return
        if triage is not None and self.knows_atlas and (name := atlas_name(triage.known)):
            self.known += self.new.pop(folder.name, None) is not None
            self.tell(f"found again: {name}; {folder}")
            return
        if _is_about_reference(folder):
            self.new.pop(folder.name, None)
        elif folder.name in self.new:
            self._call_hook(folder)

    @property
    def is_enough(self) -> bool:
        return self.max_findings is not None and len(self.new) >= self.max_findings

    def look(self) -> None:
        for text in self.hook.failures() if self.hook is not None else ():
            self.tell(text)

    def finish(self) -> None:
        """Run the hook for findings that were not triaged, too."""
        for folder in self.new.values():
            if not _is_about_reference(folder):
                self._call_hook(folder)
        if self.hook is not None:
            for text in self.hook.finish():
                self.tell(text)
            self.hook.close()

    def fails(self, folders: Iterable[Path]) -> bool:
        """Whether one of these findings makes the campaign fail."""
        for folder in folders:
            record, triage = finding_folder.read(folder), result.read(folder)
            if self.is_known(folder) or result.is_about_reference(record, triage):
                continue
            if words_of(record, triage) & self.fail_on:
                return True
        return False

    def is_known(self, folder: Path) -> bool:
        """Whether a stored finding is in the baseline, or in the atlas if that counts."""
        triage = result.read(folder)
        if self.knows_atlas and triage is not None and atlas_name(triage.known):
            return True
        if self.baseline is None:
            return False
        is_same = triage is not None and bool(self.baseline.recognises(triage))
        return is_same or self.baseline.has(finding_folder.read(folder))

    def _call_hook(self, folder: Path) -> None:
        if self.hook is not None:
            self.hook.add(folder)


def _is_about_reference(folder: Path) -> bool:
    return result.is_about_reference(finding_folder.read(folder), result.read(folder))
