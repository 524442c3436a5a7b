"""The folder of a finding, with everything to reproduce it without falsum."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from falsum.defects import BY_NAME
from falsum.defects.targets.recognition import of_answer
from falsum.errors import SurroundingsError
from falsum.printable import printable
from falsum.solvers.names import label_of, product_of
from falsum.store import atomic, replay_script
from falsum.store.names import expect_no_link, is_folder_name
from falsum.store.records import ExchangeRecord, FindingRecord, TraceRecord, answer_of
from falsum.store.replay_script import ReplayRun, slug
from falsum.version import __version__

RECORD_NAME: Final = "finding.json"
WHOLE_NAME: Final = "whole.trace"
SMALL_NAME: Final = "small.trace"
PROGRAM_NAME: Final = "program.py"


def name_of(record: FindingRecord) -> str:
    return f"{record.kind}-{slug('+'.join(map(_short, record.suspects)))}-{record.digest}"


def _short(solver: str) -> str:
    """The name of a solver without the folder of its program: its label or file, and always its product."""
    first, *_ = solver.split(maxsplit=1)
    short = label_of(solver) or first.rpartition("/")[2] or solver
    product = product_of(solver)
    return short if product in short else f"{short}-{product}"


def digest_in(name: str) -> str:
    """The digest of a finding, from the name of its folder."""
    return name.rpartition("-")[2]


def write(parent: Path, record: FindingRecord) -> Path:
    """The folder of a finding below `parent`, written if it is not there yet."""
    name = name_of(record)
    if not is_folder_name(name):  # a worker of a cluster may say what it likes
        raise SurroundingsError(f"{name!r} is not the name of a finding's folder")
    folder = parent / name
    if not folder.exists():
        with atomic.new_folder(folder) as scratch:
            _fill(scratch, record)
    return folder


def read(folder: Path) -> FindingRecord:
    file = folder / RECORD_NAME
    expect_no_link(folder)
    expect_no_link(file)
    try:
        return msgspec.json.decode(file.read_bytes(), type=FindingRecord)
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SurroundingsError(
            f"{file}: not a finding that falsum {__version__} can read: {error}"
        ) from error


def _fill(folder: Path, record: FindingRecord) -> None:
    if record.trace is not None:
        _fill_trace(folder, record, record.trace)
        return
    _text(folder / "script.smt2", record.script)
    for number, (_name, seed) in enumerate(record.seeds, 1):
        _text(folder / f"seed-{number}.smt2", seed)
    if record.reference is not None:
        _text(folder / "reference.smt2", record.reference)
    if record.witness:
        _text(folder / "witness.smt2", record.witness)
    for number, text in enumerate(record.history, 1):
        (folder / "history").mkdir(exist_ok=True)
        _text(folder / "history" / f"{number:02}.smt2", text)
    questions = dict(asked_files(record))
    (folder / "asked").mkdir()
    for file, exchange in questions.items():
        _text(folder / file, exchange.posed)
    _text(folder / "answers.txt", "\n".join(_answer(file, exchange) for file, exchange in questions.items()))
    _text(folder / "replay.sh", replay_script.replay_script(folder, original_runs(record)))
    (folder / "replay.sh").chmod(0o755)
    (folder / RECORD_NAME).write_bytes(msgspec.json.format(msgspec.json.encode(record)))


def _fill_trace(folder: Path, record: FindingRecord, trace: TraceRecord) -> None:
    _text(folder / WHOLE_NAME, trace.whole)
    _text(folder / SMALL_NAME, trace.small)
    if record.script:
        _text(folder / "script.smt2", record.script)
    if trace.program:
        _text(folder / PROGRAM_NAME, trace.program)
    text = replay_script.library_replay_script(
        f"{trace.solver} {trace.version}",
        record.kind,
        trace.library,
        program=PROGRAM_NAME if trace.program else "",
        trace=SMALL_NAME,
        solver=trace.solver,
    )
    _text(folder / "replay.sh", text)
    (folder / "replay.sh").chmod(0o755)
    (folder / RECORD_NAME).write_bytes(msgspec.json.format(msgspec.json.encode(record)))


def asked_files(record: FindingRecord) -> Iterator[tuple[str, ExchangeRecord]]:
    """Each exchange, with the file that has the script."""
    for number, exchange in enumerate(record.exchanges, 1):
        manner = "cold" if exchange.cold else "warm"
        yield f"asked/{number}-{slug(exchange.solver)}-{manner}.smt2", exchange


def _answer(file: str, exchange: ExchangeRecord) -> str:
    answer = exchange.answer
    ending = " ".join(filter(None, (answer["ending"], answer["cause"], answer["detail"])))
    return "\n".join(
        (
            f"== {exchange.solver} {exchange.version} {'cold' if exchange.cold else 'warm'}",
            f"$ {shlex.join((*exchange.command, file))}",
            f"verdicts: {' '.join(answer['verdicts']) or 'none'}; {ending}; {answer['seconds']} s",
            "-- standard output",
            printable(exchange.stdout),
            "-- standard error",
            printable(exchange.stderr),
        )
    )


def original_runs(record: FindingRecord) -> list[ReplayRun]:
    """The original runs of the solvers, for `replay.sh`."""
    runs: dict[tuple[str, str], ReplayRun] = {}
    oracle = BY_NAME.get(record.seemed or record.kind)
    for file, exchange in asked_files(record):
        if not exchange.command or (exchange.solver, exchange.posed) in runs:
            continue
        verdicts = " ".join(exchange.answer["verdicts"]) or exchange.answer["ending"]
        answer = answer_of(exchange)
        sign = oracle.defect.recognition(None, answer) if oracle is not None else of_answer(answer)
        runs[exchange.solver, exchange.posed] = ReplayRun(
            exchange.solver, exchange.version, exchange.command, file, verdicts, sign
        )
    return list(runs.values())


def _text(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
