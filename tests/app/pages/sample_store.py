"""A store with findings of every kind, some of them with hostile text."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import httpx
import msgspec
from tests.app.report.example import RECORD, TRIAGE

from falsum.app.pages.site import Site
from falsum.campaign.tally import FuzzTally
from falsum.campaign.triage import result
from falsum.campaign.triage.result import EvidenceRecord, PassRecord, ReductionRecord
from falsum.defects.evidence.judgement import Defect
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.records import (
    Activity,
    BatchRecord,
    ExchangeRecord,
    FindingRecord,
    MeasureRecord,
    SeedRecord,
    TraceRecord,
    YieldRecord,
)
from falsum.store.states import FindingState, note_change
from falsum.store.store import FINDINGS, Store

PLAN: Final = {"solvers": ["z3@4.8.6", "cvc5"], "strategies": ["opfuzz", "storm"], "rng": 1}
# Markup, scripts, control characters of terminals, text that runs backwards.
HOSTILE: Final = (
    "<script>alert('x')</script><img src=x onerror=alert(1)>\" onmouseover=alert(2) x=\"'</pre></textarea>"
    "{{7*7}} \x1b[2J\x00\x07 \u202ebackwards </svg><style>*{display:none}</style> &lt;b&gt;"
)
PROGRAM: Final = "import z3\nsolver = z3.Solver()\nsolver.check()\n"
TRACE: Final = (
    "# falsum trace 1\n# solver: z3\n# rng: 5\n"
    "new\ns1 = sort Int\nt1 = const s1 x\nt2 = term + t1 t1\ncheck\n-> sat\n"
)


def exchange(solver: str, verdict: str, model: str | None = None, text: str = "") -> ExchangeRecord:
    answer = {
        "verdicts": [verdict], "ending": "finished", "cause": "", "detail": text, "model": model,
        "core": None, "seconds": 0.1, "cpu": 0.1,
    }  # fmt: skip
    return ExchangeRecord(
        solver,
        "1.0",
        ("/usr/bin/solver", "-in"),
        RECORD.script,
        "verdict",
        True,
        answer,
        f"{verdict}\n{text}",
        text,
    )


TRIAGED: Final = msgspec.structs.replace(
    RECORD,
    script="(declare-const x Int)\n(declare-const y Int)\n"
    "(assert (= (div x 2) 3))\n(assert (> y 5))\n(check-sat)\n",
    seeds=(("some/where/seed.smt2", RECORD.script),),
    lineage=("opfuzz: mod -> div",),
    exchanges=(exchange("z3@4.8.6", "unsat"), exchange("cvc5", "sat", "((define-fun x () Int 6))")),
)
UNTRIAGED: Final = msgspec.structs.replace(
    RECORD,
    signature="crash | cvc5 | here",
    kind="crash",
    suspects=("cvc5",),
    evidence="cvc5 crashed: signal 11",
)
WICKED: Final = msgspec.structs.replace(
    RECORD,
    signature=f"disagreement | {HOSTILE}",
    suspects=(f"z3@4.8.6 {HOSTILE}",),
    evidence=HOSTILE,
    script=f'(echo "{HOSTILE}")\n(check-sat)\n; {HOSTILE}\n',
    seeds=((HOSTILE, HOSTILE),),
    lineage=(HOSTILE,),
    exchanges=(exchange(HOSTILE, HOSTILE, HOSTILE, HOSTILE),),
)
LIBRARY: Final = msgspec.structs.replace(
    RECORD,
    kind="api-crash",
    signature="api-crash | z3 | library",
    suspects=("z3",),
    evidence="signal 11 in check",
    strategy="api",
    script="",
    seeds=(),
    trace=TraceRecord("z3", "4.13.0", "/somewhere", TRACE, TRACE, PROGRAM),
)


def batch(number: int, strategy: str = "opfuzz") -> BatchRecord:
    tally = FuzzTally(
        mutants=20, decided=18,
        said={"z3@4.8.6": {"sat": 12, "unsat": 6, "timed out": 2}, "cvc5": {"rejected": 20}},
        rejections={"cvc5": {f"no such thing {HOSTILE}": 20}},
        solver_cpu=0.8, own_cpu=0.2, solver_seconds=1.0, timeout_seconds=0.1,
    )  # fmt: skip
    return BatchRecord(number, strategy, "seed.smt2", 20, 1.0, "done", tally.plain())


def make_store(folder: Path) -> Path:
    """Two campaigns: one that ended, one that is running."""
    with Store(folder) as store:
        first = store.begin({"api": {"solvers": [["z3", []]]}})
        store.record(
            first,
            BatchRecord(
                0,
                "api",
                "z3",
                5,
                1.0,
                "done",
                {"runs": 5, "verdicts": {"sat": 4}, "endings": {"timed out": 1}},
            ),
            findings=[LIBRARY],
            elapsed=3.0,
        )
        store.end(first, "time limit reached", 4.0)
        number = store.begin(PLAN)
        found: dict[int, list[FindingRecord]] = {3: [TRIAGED], 5: [UNTRIAGED], 6: [WICKED]}
        for place in range(8):
            store.record(
                number, batch(place, "opfuzz" if place % 2 else "storm"), findings=found.get(place, ()),
                elapsed=place * 4.0, activity=Activity(2),
            )  # fmt: skip
        store.learn(number, YieldRecord(0, "storm", f"z3:{HOSTILE}", (), 4.0, 2.0, logic="QF_BV"))
        store.record_seeds(
            [
                SeedRecord(
                    "a", "seeds/good.smt2", "", (MeasureRecord("cvc5=1.2", 0.1, ("sat",), "finished"),)
                ),
                SeedRecord("b", f"seeds/{HOSTILE}.smt2", f"unreadable: {HOSTILE}"),
            ]
        )
    triage(folder, TRIAGED)
    triage(folder, WICKED, HOSTILE)
    note_change([folder_of(folder, TRIAGED)], FindingState.REPORTED, url="https://example.org/1")
    return folder


def folder_of(folder: Path, record: FindingRecord) -> Path:
    return folder / FINDINGS / finding_folder.name_of(record)


def triage(folder: Path, record: FindingRecord, text: str = "This model satisfies every assertion.") -> None:
    """Write what triage would."""
    details = "(define-fun x () Int 6)" if record is TRIAGED else text
    made = msgspec.structs.replace(
        TRIAGE,
        digest=record.digest,
        script=RECORD.script if record is TRIAGED else record.script,
        judgement=msgspec.structs.replace(
            TRIAGE.judgement, defect=Defect.REFUTATION_UNSOUNDNESS, suspects=record.suspects,
            evidence=(EvidenceRecord("model", text, details),),
        ),
        reduction=ReductionRecord(
            150, 60, 40, 1.5, "smallest", True, False, passes=(PassRecord("delete-assertions", 4, 2),),
            lengths=(150, 90, 60),
        ),
    )  # fmt: skip
    result.write(folder_of(folder, record), result.TRIAGE, made)
    result.write(
        folder_of(folder, record), result.REPORT, f"# Report\n\n{text}\n".encode(errors="replace").decode()
    )


def pages_of(
    folder: Path, *addresses: str, token: str = "", headers: dict[str, str] | None = None
) -> list[httpx.Response]:
    """What the site answers, without a server."""
    site = Site(folder)
    with StoreReader(folder) as store:
        site.index.refresh(store)

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(site.application(token))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost:1", headers=headers
        ) as client:
            return [await client.get(address) for address in addresses]

    try:
        return asyncio.run(ask())
    finally:
        site.stop()
