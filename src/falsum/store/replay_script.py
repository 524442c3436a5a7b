"""`replay.sh` of a finding: runs the solvers again and says whether the bug still shows; needs no falsum."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from falsum.defects.targets.recognition import Sign, SignKind
from falsum.printable import on_one_line
from falsum.solvers.names import profile_of

NAME: Final = "replay.sh"
SECONDS: Final = 60
_OWN: Final = Path(__file__).parents[1]
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9.@=-]+")
_MAX_NAME_LENGTH: Final = 40

# Kinds of findings in libraries that end the program, as an exception or a crash.
_FAILURES: Final = ("api-crash", "api-exception")

_BEGIN: Final = """\
#!/bin/sh
# Asks the solvers again; needs only the solvers. To ask others, set the variables below:
# to a program; where a Python library was asked, also to another Python or to the folder of a library.
# usage: replay.sh [--original] [--fixed]
#   --original  ask the script as it was found, not the reduced one
#   --fixed     exchange 0 and 1: for git bisect run, to look for the commit that fixed it
# Exit codes: 0 the bug is gone, 1 it shows, 125 that cannot be told (git bisect run skips the commit).
cd "$(dirname "$0")" || exit 125
which=reduced gone=0 shown=1 shows=1 open=
for word; do
    case $word in
    --original) which=original ;;
    --fixed) gone=1 shown=0 ;;
    *) echo "usage: replay.sh [--original] [--fixed]" >&2; exit 2 ;;
    esac
done

judge_model() { # the file comes last; only falsum can tell whether a model is right
    while [ $# -gt 1 ]; do shift; done
    command -v falsum >/dev/null || { open=1; return; }
    case "$(printf '%s\\n' "$verdicts" | tail -n 1)" in
    sat) ;;
    unsat) shows=; return ;;
    *) open=1; return ;;
    esac
    truths=$(printf '%s\\n' "$output" | falsum eval "$1" --model - 2>/dev/null)
    case $? in
    0) case $truths in *'cannot say'*) open=1 ;; *) shows= ;; esac ;;
    1) ;;
    *) open=1 ;;
    esac
}

is_python() { [ "$("$1" -c 'print(1)' 2>/dev/null)" = 1 ]; }

ask() { # what is asked, how the bug is seen, and the command line
    echo "== $1"
    seen=$2 wanted=$3
    shift 3
    output=$(timeout SECONDS "$@" 2>&1)
    status=$?
    printf '%s\\n' "$output"
    echo "exit status $status"
    case $status in 124|126|127) open=1; return ;; esac
    case $output in *ImportError:*|*ModuleNotFoundError:*) open=1; return ;; esac # the library has moved
    verdicts=$(printf '%s\\n' "$output" | grep -xE 'sat|unsat|unknown')
    case $seen in
    verdicts) [ "$(echo $verdicts)" = "$wanted" ] || shows= ;;
    check) [ "$(printf '%s\\n' "$verdicts" | sed -n "${wanted% *}p")" = "${wanted#* }" ] || shows= ;;
    text) printf '%s\\n' "$output" | tr -s '[:blank:]' ' ' | grep -qF -e "$wanted" || shows= ;;
    spaced) printf '%s\\n' "$output" | tr -s '[:space:]' ' ' | grep -qF -e "$wanted" || shows= ;;
    signal) [ "$status" -ge 128 ] || shows= ;;
    failure) [ "$status" -ne 0 ] || shows= ;;
    model) judge_model "$@" ;;
    falsum) case $status in 0) shows= ;; 1) ;; *) open=1 ;; esac ;;
    *) open=1 ;;
    esac
}
"""
_END: Final = """
if [ "$open" ] && [ "$shows" ]; then echo "it cannot be told; use: falsum replay"; exit 125; fi
if [ "$shows" ]; then echo "the bug shows"; exit $shown; fi
echo "the bug is gone"
exit $gone
"""


_HISTORY_BEGIN: Final = """\
#!/bin/sh
# Asks one process several scripts in turn, then a fresh one the last of them. Needs only the solver; say
# where it is with SOLVER.
# usage: replay.sh [--fixed]
#   --fixed     exchange 0 and 1: for git bisect run, to look for the commit that fixed it
# Exit codes: 0 the bug is gone, 1 it shows, 125 that cannot be told (git bisect run skips the commit).
cd "$(dirname "$0")" || exit 125
gone=0 shown=1
case $* in
'') ;;
--fixed) gone=1 shown=0 ;;
*) echo "usage: replay.sh [--fixed]" >&2; exit 2 ;;
esac
verdicts() { printf '%s\\n' "$1" | grep -xE 'sat|unsat|unknown'; }
"""
_HISTORY_SHOWN: Final = """
echo '== one process, all scripts'
printf '%s\\n' "$many"
echo '== a fresh process, the last script alone'
printf '%s\\n' "$last"
"""
_HISTORY_END: Final = (
    _HISTORY_SHOWN
    + """
for status in $one $other; do
    case $status in 124|126|127) echo "it cannot be told: exit status $status"; exit 125 ;; esac
done
count=$(verdicts "$last" | wc -l)
shows=
[ "$one" -ge 128 ] && [ "$other" -lt 128 ] && shows=1
[ "$(verdicts "$many" | tail -n "$count")" = "$(verdicts "$last")" ] || shows=1
if [ "$shows" ]; then echo "the bug shows"; exit $shown; fi
echo "the bug is gone"
exit $gone
"""
)
_HISTORY_OPEN: Final = (
    _HISTORY_SHOWN
    + """
echo "it cannot be told; use: falsum replay"
exit 125
"""
)


@dataclass(frozen=True, slots=True)
class ReplayRun:
    """One solver to run again; `sign` says how the bug is recognised."""

    solver: str
    version: str
    command: Sequence[str]
    file: str
    said: str
    sign: Sign

    def line(self, folder: Path) -> str:
        """Shell code that runs the solver."""
        program, *arguments = self.command
        variable = re.sub(r"\W", "_", slug(self.solver)).upper()
        words = [copied(folder, word) for word in arguments]
        title = on_one_line(f"{self.solver} {self.version}; it said: {self.said}")
        call = shlex.join((title, self.sign.kind, on_one_line(self.sign.text)))
        lines = [default(variable, program), f'set -- "${variable}" {shlex.join(words)}']
        if (library := _library_place(words)) is not None:
            before, after = shlex.join((program, *words[:library])), shlex.join(words[library + 1 :])
            lines += [
                f'if [ -d "${variable}" ]; then set -- {before} "${variable}" {after}',
                f'elif ! is_python "${variable}"; then',
                f'    set -- "${variable}" {self._flags(words[library + 2 :])}',
                "fi",
            ]
        lines.append(f'ask {call} "$@" {shlex.quote(self.file)}')
        return "\n".join(f"    {line}".rstrip() for line in lines)

    def _flags(self, settings: Sequence[str]) -> str:
        """The arguments of the product's program for settings that its library was given."""
        profile = profile_of(self.solver)
        pairs = (setting.partition("=") for setting in settings)
        flags = (profile.option_template.format(name=name, value=value) for name, _, value in pairs)
        return shlex.join((*profile.arguments, *flags))


def _library_place(words: Sequence[str]) -> int | None:
    """The position of the library's folder in a command line of falsum's host; None for other command
    lines.
    """
    names = [PurePath(word).name for word in words]
    return names.index("serve.py") + 2 if "serve.py" in names and "once" in words else None


def replay_script(folder: Path, original: Sequence[ReplayRun], reduced: Sequence[ReplayRun] = ()) -> str:
    """The shell script; without reduced runs both are the original ones."""
    lines = [_BEGIN.replace("SECONDS", str(SECONDS)), "if [ $which = original ]; then", "    :"]
    lines += [run.line(folder) for run in original]
    lines += ["else", "    :", *(run.line(folder) for run in reduced or original), "fi"]
    return "\n".join(lines) + "\n" + _END


def library_replay_script(
    about: str, kind: str, library: str, *, program: str, trace: str, solver: str
) -> str:
    """The shell script for a finding in a library: with its program if a failure shows it, otherwise
    with falsum.
    """
    title = on_one_line(f"{about}; it showed: {kind}")
    if program and kind in _FAILURES:
        run = f'env PYTHONPATH="$LIBRARY" "$PYTHON" {shlex.quote(program)}'
        call = f"{shlex.join((title, SignKind.FAILURE, ''))} {run}"
    else:
        call = shlex.join((title, SignKind.FALSUM, "", "falsum", "replay", trace, "--solver", solver))
    lines = [default("LIBRARY", library), default("PYTHON", "python3"), f"ask {call}"]
    return "\n".join([_BEGIN.replace("SECONDS", str(SECONDS)), *lines]) + "\n" + _END


def history_replay_script(
    about: str, program: str, stays: Sequence[str], asked: str, alone: Sequence[str], *, is_visible: bool
) -> str:
    """The shell script for a finding that needs a history of other scripts in one process.

    `stays` are the arguments for reading all scripts, `alone` those for the last script in a fresh process.
    `is_visible`: verdicts or a crash show the difference; otherwise only falsum can tell.
    """
    lines = [
        default("SOLVER", program),
        f"echo {shlex.quote(on_one_line(f'== {about}'))}",
        f'many=$(timeout {SECONDS} "$SOLVER" {shlex.join(stays)} < {shlex.quote(asked)} 2>&1); one=$?',
        f'last=$(timeout {SECONDS} "$SOLVER" {shlex.join(alone)} 2>&1); other=$?',
    ]
    return "\n".join([_HISTORY_BEGIN, *lines]) + "\n" + (_HISTORY_END if is_visible else _HISTORY_OPEN)


def default(variable: str, value: str) -> str:
    """Shell code that sets a variable unless the user has set it; nothing in the value is expanded."""
    return f'[ -n "${{{variable}:-}}" ] || {variable}={shlex.quote(value)}'


def copied(folder: Path, word: str) -> str:
    """A copy of a falsum file that a command line names, such as a solver's host, in the folder of a
    finding.
    """
    path = Path(word)
    if not path.is_absolute() or not path.is_relative_to(_OWN) or not path.is_file():
        return word
    (folder / "hosts").mkdir(exist_ok=True)
    shutil.copyfile(path, folder / "hosts" / path.name)
    return f"hosts/{path.name}"


def slug(text: str) -> str:
    return _UNSAFE.sub("-", text).strip("-")[:_MAX_NAME_LENGTH] or "solver"
