"""Tells the bugs that were examined apart, and gives each a name: one record for each different bug."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.atlas.plain_names import with_plain_names
from bench.experiment import Record
from msgspec import structs

from falsum.atlas.bug import AtlasBug
from falsum.atlas.collection import number_of
from falsum.audits.query.features import features_of
from falsum.defects.evidence.judgement import Defect
from falsum.defects.identity.fingerprint import parse_fingerprint
from falsum.defects.identity.groups import Member, grouped
from falsum.defects.targets.standing import Standing
from falsum.errors import FalsumError
from falsum.smtlib import print_script, read_script
from falsum.smtlib.scripts import Script, SetInfo, SetLogic, SetOption
from falsum.smtlib.text.command_text import split_commands
from falsum.smtlib.text.lexer import decode
from falsum.solvers.names import product_of

LONGEST: Final = 4000  # bytes of a script
_ENGINES: Final = {
    "check-sat-using": "tactics", "minimize": "optimisation", "maximize": "optimisation",
    "assert-soft": "optimisation", "push": "incremental", "check-sat-assuming": "incremental",
}  # fmt: skip
_EXPECTED: Final = {
    Defect.INVALID_MODEL: "a model that satisfies every assertion",
    Defect.CRASH: "any answer",
}
_ENGINE_OPTION: Final = re.compile(r"solver|engine|tactic|sls|sat\.euf|arith|strings?-|local_search")


def gathered(records: Iterable[Record]) -> list[AtlasBug]:
    """A nameless record for everything that was examined with success, and was mended or is there still."""
    bugs = (bug for record in records if (bug := _bug(record.result)) is not None)
    return [bug for bug in bugs if bug.size <= LONGEST]


def _bug(facts: Mapping[str, Any]) -> AtlasBug | None:
    if "rows" not in facts:
        return None
    rows = [(name, Standing(word)) for name, word in facts["rows"].items()]
    bad = [place for place, (_name, standing) in enumerate(rows) if standing is Standing.BAD]
    if not bad:
        return None
    first, last = rows[bad[0]][0], rows[bad[-1]][0]
    fixed = next((name for name, standing in rows[bad[-1] :] if standing is Standing.GOOD), "")
    between = (standing for _name, standing in rows[bad[0] : bad[-1]])
    return AtlasBug(
        name="",
        kind=facts["kind"],
        evidence=_evidence(facts),
        first=first,
        last=last,
        fixed=fixed,
        gaps=Standing.GOOD in between,
        script=facts["script"].strip() + "\n",
        signature=facts["signature"],
        expected=facts["truth"] or _EXPECTED[Defect(facts["kind"])],
        answer=facts["answer"],
        theories=tuple(facts["theories"]),
        operators=tuple(facts["operators"]),
        options=tuple(facts["options"]),
        engine=_engine(facts),
        want=facts["want"],
        check=facts["check"],
        message=facts["message"],
        strategy=facts["strategy"],
    )


def _evidence(facts: Mapping[str, Any]) -> str:
    """The kinds of evidence, the strongest first."""
    return ", ".join(dict.fromkeys(kind for kind, _text in facts["evidence"]))


def _engine(facts: Mapping[str, Any]) -> str:
    chosen = [option for option in facts["options"] if _ENGINE_OPTION.search(option)]
    commands = (engine for word, engine in _ENGINES.items() if f"({word}" in facts["script"])
    return next(iter(chosen), "") or next(commands, "default")


def unknown(candidates: Sequence[AtlasBug], known: Sequence[AtlasBug]) -> list[AtlasBug]:
    """One of each group that is probably one bug, those fixed in the same release that look alike; none of
    a group with a known bug.
    """
    members = []
    for place, bug in enumerate([*known, *candidates]):
        fingerprint = parse_fingerprint(bug.signature)
        if fingerprint is not None:
            span = f"{product_of(bug.first)} {bug.fixed or bug.last}"
            members.append(Member(f"{place}", fingerprint, bug.size, span))
    groups = [[int(member.name) for member in group.members] for group in grouped(members)]
    return [candidates[group[0] - len(known)] for group in groups if min(group) >= len(known)]


def new_bugs(
    candidates: Sequence[AtlasBug], known: Sequence[AtlasBug], seeds: Iterable[Path]
) -> Iterator[AtlasBug]:
    """The different bugs that are not known yet, with names; none has the text of a seed."""
    own = own_only(candidates, seeds)
    numbers: dict[str, int] = {}
    for bug in known:
        numbers[bug.product] = max(numbers.get(bug.product, 0), number_of(bug))
    for bug in sorted(unknown(own, known), key=_order):
        numbers[bug.product] = number = numbers.get(bug.product, 0) + 1
        yield structs.replace(bug, name=f"{bug.product}-{number:04}")


def own_only(candidates: Sequence[AtlasBug], seeds: Iterable[Path]) -> list[AtlasBug]:
    """The bugs whose scripts are not the texts of seeds, not even with other names."""
    scripts = {bare_text(bug.script): _outline(bug.script) for bug in candidates}
    foreign: set[str] = set()
    for file in seeds:
        text = decode(file.read_bytes())
        commands, words = _outline(text)
        # Reading takes long; only a seed with the same commands and all the words can be the same.
        if any(own == commands and needed <= words for own, needed in scripts.values()):
            foreign.add(bare_text(text))
    return [bug for bug in candidates if bare_text(bug.script) not in foreign]


def _outline(text: str) -> tuple[tuple[int, ...], frozenset[str]]:
    """What no renaming changes: the numbers of assertions and checks, and the operators."""
    names = [command.name for command in split_commands(text)[0]]
    counts = sum(name == "assert" for name in names), sum(name.startswith("check-sat") for name in names)
    return counts, features_of(text).words


def _order(bug: AtlasBug) -> tuple[str, str, str, str]:
    return bug.kind, bug.last, bug.signature, bug.script


def bare_text(text: str) -> str:
    """What a script declares, asserts and asks, in one notation, with plain names: without logic and options.

    Two texts with the same bare text are the same script for us.
    """
    try:
        commands = read_script(with_plain_names(text)).commands
    except FalsumError:
        return " ".join(text.split())
    kept = tuple(c for c in commands if not isinstance(c, SetInfo | SetLogic | SetOption))
    return " ".join(
        print_script(Script(kept)).replace("declare-fun", "declare-const").replace("() ", "").split()
    )
