"""Every number that bounds work: how it is set or why it is fixed, and where it is said when it bites.

`ROOMS` are those in which a bound can never turn "did not look" into "nothing wrong", with the reason; a
module of such a room need not be listed. Everywhere else each bound has its line in `BOUNDS`:

    module NAME NAME: how it is set, or why it is fixed [-> what is said where it bites]

What follows the arrow is found, word by word, in the sources.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

SOURCES: Final = Path(__file__).parents[1] / "src" / "falsum"

ROOMS: Final = {
    "api/actions": "a choice of the next call; runs are drawn, and none claims to have tried all",
    "api/model": "a choice of terms; runs are drawn, and none claims to have tried all",
    "app/audits": "rows shown of a table whose JSON has all of them; the table says how many are left out",
    "app/contest": "sizes of a diagram; --json has its numbers",
    "app/exit_codes": "no bound: exit codes",
    "app/pages": "what a page shows; it says how much more there is, and the store has all",
    "app/report": "text quoted in a report; the finding's folder has all of it",
    "app/stats": "width and number of bars; --json has all rows",
    "audits/comparison": "a statistical test, its level is in docs/audit.md",
    "audits/stability": "statistical tests, their levels are in docs/stability.md",
    "audits/statistics": "a statistical test",
    "campaign/executors": "waits for workers, and their memory; a lost batch is run again and counted",
    "campaign/search": "what is tried next; mutants are counted, and what is given up is said",
    "contest": "rounds of a contest, which its table states",
    "ddmin": "how edits are tested together; nothing is claimed about what is left out",
    "defects/identity": "which findings look alike; groups are shown, and no finding is left out",
    "reducer": "the search for a smaller script; what is left is shown to be wrong, and the stop is said",
    "seeds": "no code",
    "smtlib": "they give up with a reason, CannotSay or an error, never with a truth value",
    "solvers/hosts": "when a host is replaced by a fresh one; no answer depends on it",
    "solvers/supervision": "limits of processes: who exceeds one is ended, and the answer says by which",
    "strategies": "which mutant is made; mutants and refused seeds are counted by strategy",
}

BOUNDS: Final = """
api/bindings/bitwuzla/floats LONGEST_EXPONENT: values of longer exponents are made by another call
api/bindings/yices/other_calls WIDEST: which of two calls makes a term; the other one makes the wider
api/bindings/pipe/process CLEAN_END_SECONDS: a program is killed that does not end when it is told to
api/bindings/serve COUNTER_BYTES CHUNK_BYTES: no bound: sizes of buffers
api/bindings/z3/extras RESOURCES TIMEOUT: values that calls are made with
api/checks/check MAX_EVIDENCE: text shown; the trace has all of it
api/checks/history _AT_ONCE _LATER: which of many earlier values are asked again; drawn
api/checks/models _STEPS _REPEATED: steps of the evaluator, which says that it cannot say
api/child _START_SECONDS _ELAPSED_FACTOR _MIN_SECONDS_LEFT _TERMINATION_SECONDS: waits -> timed out
api/child _COUNTER_BYTES _STDERR_KEPT: text of a crash kept, its end
api/conformance _RUNS _ATTEMPTS _APPLICATIONS: draws of a check that names how many it has made
api/fuzzer _LINEAR_SHARE _REPLAY_TIME_FACTOR _TRIES: draws; replays have more time than runs
api/reference_solvers _SECONDS: who is later has no say in a comparison, as who answers unknown
api/run_options _ATTEMPTS: draws of options
api/walk _MAX_IDLE: a run ends that can make no more calls
app/commands/bisect _SHOWN_RELEASES: names shown of the releases that were not asked -> more
app/commands/eval _MAX_WIDTH: width of a term shown; --json has all of it
app/commands/findings _PIPED_WIDTH _MAX_EVIDENCE _WIDE _LEAST_ROOM: columns of a table; --json has all of it
app/commands/mutate _MAX_REPEATS: draws without a new mutant, then the seed is said to have no more
app/commands/reduce _SLOW_FACTOR _BUSY_FACTOR: no bound: tolerances in measuring time
app/commands/refix _SECONDS _MOST: --for and --max-findings
atlas/bug _HELD_OUT: no bound: which bugs tuning must not look at
atlas/collection VERSION: no bound: the number of a format
atlas/collection _ALIKE: how alike names are of which one is suggested
audits/answers _KEPT_CHARACTERS: memory; what is forgotten is made again
campaign/triage/reduction _BOUNDS_SHARE: the part of the time for reductions in which another script is tried
campaign/triage/smaller_instance _INSTANCES: draws; the finding itself stays if none shows it
defects/kinds/broken_limit LEAST_SECONDS FACTOR _LONG_SECONDS: within it a limit holds: docs/oracles.md
defects/kinds/broken_limit _MILLISECONDS: no bound: a unit
solvers/builds/edge_places _GUARD_BYTES: no bound: the size of a guard
solvers/instruments/edges _CLASSES: no bound: buckets of counts, as AFL has them
defects/evidence/drawn_model MOST_DRAWN _MOST_PARTS _STEPS: no evidence of this kind; undecided claims nothing
app/commands/seeds _MOST_OPERATORS: operators shown -> more
app/commands/serve _LEAST_TOKEN: length of a secret
app/commands/solvers _BROKEN: no bound: an exit code
app/commands/summary _SHOWN: lines shown; --json has all
app/coverage_reports _FIRST_PAUSE _GROWTH _MOST_SHOWN: how often coverage is counted; it is counted at the end
app/findings/campaign_options _FUZZED_SHARE: the part of --budget that is not for triage, said in its help
app/options _LONGEST _MOST_JOBS _MOST_MEGABYTES: what options take; more is wrong use
app/script_files MAX_MEGABYTES MAX_SECONDS: --max-size and --max-time -> larger than
app/terminal _REFRESH_SECONDS _WAITING_SECONDS: how often progress is shown
audits/answers WALL_FACTOR _PATIENCE _LEAST_LIMIT: wall time as a multiple of --timeout, which is CPU time
audits/evidence _JUDGE_LIMITS: --budget says how long a query may be examined
audits/examples _TIMES _LEAST_SECONDS: time for a reduction; the example says how large it is
audits/journal _KEY_LENGTH: no bound: length of a digest
audits/query/queries MAX_MEGABYTES: a larger query is an error that says so -> larger than
audits/reduction _RUNS: repetitions that confirm a step
audits/upgrade SEEDS: --seeds
campaign/outcome SEED_PLACE: no bound: a number that stands for the seed
campaign/campaign _LOOK_SECONDS: how often results are taken
campaign/corpus/archives _CHUNK: no bound: size of a buffer
campaign/corpus/seed_files MAX_SEED_LENGTH: strategies take minutes for more -> longer than
campaign/fuzz/plan MODEL_SHARE: --models
campaign/fuzz/progress _SHOWN_ARMS _TOLD_ARMS: arms shown of all -> arms (
campaign/fuzz/progress _SHOWN_MISSING: functions never reached; --json has all -> more (--json has all)
campaign/fuzz/runner MAX_MUTANT_LENGTH: solvers take minutes for more -> too long
campaign/fuzz/runner _MAX_FAULTS _MAX_UNDECIDED: a batch ends early; the mutants that were made are counted
campaign/fuzz/solver_calls _OVERTIME_SECONDS _HISTORY_LENGTH: the end of a batch; what a leak is shown with
campaign/fuzz/workload _MAX_LOSSES: a seed that costs workers is left out -> cost a worker
campaign/library/confirmation _MAX_FIRST _FIRST_SECONDS _LATER_SECONDS: time to make a trace small
campaign/library/guide _HALF_LIFE _EXPECTED_RUNS _LEAST _MOST _DIGITS: weights of the next draw
campaign/library/progress _MAX_ERRORS: messages shown; the store has all
campaign/library/workload _BATCH_RUNS _BATCH_SECONDS _GRACE_SECONDS _MAX_CPU_SECONDS: runs handed out at once
campaign/library/workload _MAX_OWN_SECONDS _MAX_FULL_RUNS _MAX_EMPTY_BATCHES: a worker that hangs is replaced
campaign/library/workload _MAX_FAILURES _MIN_RUNS: a library that never starts is left out -> left out
campaign/lifecycle/commit_bisection _SHORT: no bound: length of a commit's name
campaign/lifecycle/finding_check TIMES _SLOW_FACTOR: attempts, as in a confirmation
campaign/lifecycle/git_repository _SECONDS: a git command that hangs is an error
campaign/lifecycle/hook _SECONDS: a hook that hangs is ended -> took longer
campaign/named_programs _KEY_BYTES: length of a secret
campaign/pause _FIRST_SECONDS _MAX_SECONDS: how often the machine is asked again
campaign/program_marks _CHUNK: no bound: size of a buffer
campaign/progress _EVERY_SECONDS _NAME_WIDTH: how often progress is shown
campaign/repetitions _MAX_KILLS: then a batch is counted as lost -> lost
campaign/tally MAX_REPEATS _MOMENT_SECONDS _MAX_TIMEOUT_SHARE: it ends a batch -> of other mutants
campaign/triage/ablation TIMES: repetitions -> of
campaign/triage/background SHARE SECONDS _SHARE_AT_THE_END _MAX_SECONDS_AT_THE_END: --budget -> not triaged
campaign/triage/background _TIMEOUT _LOOK_SECONDS: --timeout of `findings triage`, which does it without hurry
campaign/triage/command_predicate _SLACK _LEAST_SECONDS: time limits of the user's own command
campaign/triage/job _SECONDS _MAX_LINES _MAX_LENGTH _MOST_FILES _DIGEST_LENGTH: text about a build
campaign/triage/queue _NICENESS _HANG_SECONDS _LOOK_SECONDS _MAX_KILLS: one that hangs is ended -> not triaged
campaign/triage/releases MAX_ANSWER_LENGTH _MAX_RETRIES _RETRY_FACTOR: a release that is late is asked again
campaign/triage/result VERSION: no bound: the number of a format
campaign/triage/scripts/session _REDUCTION_SHARE: --for of `findings triage`; the stop is said
campaign/triage/traces/releases _MIN_SECONDS: the time for a replay, at least
campaign/triage/traces/triage _JUDGE_SECONDS: the judge names what it lacks; undecided claims nothing
defects/confirmation TIMES: three times of three, or the finding is *flaky*
defects/diagnosis _MAX_REFERENCES: solvers asked at each step of a reduction; all are asked about its result
defects/evidence/derivation _MOST_PRINTED _MOST_VISITED: no evidence of this kind; undecided claims nothing
defects/evidence/evidence_for_sat _MOST_RELAYED: no evidence of this kind; undecided claims nothing
defects/evidence/evidence_for_unsat _MOST_ASSIGNMENTS _STEPS: no evidence; undecided claims nothing
defects/evidence/evidence_session MOST_CHECKS MODEL_CHECKS: the judge asks no further -> not looked at
defects/evidence/evidence_session _MOST_TIME_OUTS: a solver that is late twice counts as late
defects/kinds/broken_law/broken_law _SPLIT_SHARE: a draw of the oracle
defects/kinds/faulty_proof/proof_checkers _SECONDS: a checker that is late says nothing against a proof
defects/kinds/invalid_model _MOST_CHECKS: models of the first checks and of the last -> were not looked at
defects/kinds/slow LEAST_SECONDS FACTOR _FEWEST_OTHERS: no bound: what *slow* means, in docs/findings.md
defects/kinds/wrong_optimum _MOST_POINTS: draws of the oracle; one point that is better is enough
defects/model_check _STEPS: steps of the evaluator, which says that it cannot say -> cannot be evaluated
defects/objectives _MOST_SOFT _MOST_LENGTH: draws of the oracle
defects/same_defect _SLACK _MIN_SECONDS: time for a step of a reduction, as a multiple of the first answer's
defects/targets/standing _LONGEST_ANSWER: text shown
public/audits _TIMEOUT _MEMORY: parameters of the functions
public/functions _TIMEOUT _MEMORY: parameters of the functions
solvers/builds/paths _ASKED_SECONDS _DEPTH _MOST_FOLDERS: a directory without a module near is an error
solvers/doctor _START_UPS _SECONDS _MAX_TIMEOUTS _MAX_LINES _MAX_WIDTH: what the doctor asks, and shows
solvers/inputs/tokens _LAST_CHARACTER: no bound: the alphabet of the standard
solvers/instruments/sanitizers _MOST_FRAMES REPORT_SECONDS: names in a signature; a report may be finished
solvers/lab _REMEMBERED_CHARACTERS _MOST_SEEN_SETTINGS _MOST_HOSTS: memory; what is forgotten is asked again
solvers/limits MEGABYTE NO_LIMIT: no bound: a unit, and the absence of a limit
solvers/messages _MOST_FRAMES _MOST_DEBUGGED _DEEP _REPEATED _ON_TOP _ALIKE: what a crash is known by
solvers/messages _LONGEST_PLACE _LONGEST_MESSAGE _LONGEST_COMPLAINT _LONGEST_EVIDENCE: text shown
solvers/options _FEW _UNLIMITED: draws of options
solvers/output _SEARCHED _SHELL_SIGNALS _LAST_SIGNAL: where a message about the end stands: at either end
solvers/zoo _INSTALL_SECONDS: an installation that hangs is an error
store/archive _MAX_BYTES _MAX_FILES: an archive that unpacks to more is refused -> too large for an archive
store/reader _MAX_VARIABLES: no bound: how many seeds are read at once
store/reader _SHOWN: names shown of the findings that a short name may mean -> more
store/replay_script SECONDS _MAX_NAME_LENGTH: time for a solver in `replay.sh` -> it cannot be told
store/schema VERSION _BUSY_SECONDS: a number of a format; how long a locked database is waited for
store/store _NO_CAMPAIGN _FAST: no bound: a number that stands for no campaign, a level of compression
store/totals MAX_SLOTS _FIRST_WIDTH: points of a timeline, which become wider; nothing is lost of the sums
"""

_LINE: Final = re.compile(r"(?P<module>\S+) (?P<names>[A-Z0-9_ ]+): (?P<why>.+?)(?: -> (?P<words>.+))?")


class Bound(NamedTuple):
    """A line of the table about one name."""

    module: str
    name: str
    why: str
    words: str


def listed() -> Iterator[Bound]:
    """The lines of the table, a bound each."""
    for line in BOUNDS.strip().splitlines():
        parts = _LINE.fullmatch(line)
        assert parts is not None, line
        for name in parts["names"].split():
            yield Bound(parts["module"], name, parts["why"], parts["words"] or "")


def in_sources() -> Iterator[tuple[str, str]]:
    """Every constant of a module or a class that is a number, with its module, as the sources have them."""
    for file in sorted(SOURCES.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        for node in (*tree.body, *(inner for each in classes for inner in each.body)):
            name, value = _constant(node)
            if name.strip("_").isupper() and value is not None and _is_number(value):
                yield file.relative_to(SOURCES).with_suffix("").as_posix(), name


def _constant(node: ast.stmt) -> tuple[str, ast.expr | None]:
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id, node.value
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    return "", None


def _is_number(value: ast.expr) -> bool:
    """Whether an expression is made of numbers alone."""
    parts = list(ast.walk(value))
    numbers = [part for part in parts if isinstance(part, ast.Constant)]
    allowed = ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop
    return (
        bool(numbers)
        and all(isinstance(part, allowed) for part in parts)
        and all(isinstance(part.value, int | float) and not isinstance(part.value, bool) for part in numbers)
    )
