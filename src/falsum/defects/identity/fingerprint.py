"""Fingerprint: what identifies a finding after judging and reduction; as a line of text, and back.

    defect | product | message and frames | theories | operators with their counts | options it needs

A crash is identified by its message and top frames, without addresses, paths and line numbers; where the
program prints neither, a debugger says the frames. A crash without any, and any wrong answer, is identified
by the operators of the reduced script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from falsum.defects.case import terms_of
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.finding import digest_of
from falsum.errors import FalsumError
from falsum.smtlib import Script, read_script
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import Command, DefineFun, DefineFunsRec, SetOption
from falsum.smtlib.terms import App, Let, Quantifier, Term
from falsum.smtlib.theories import THEORY_OF_SORT
from falsum.smtlib.walk import subterms
from falsum.solvers.answer import PLACELESS
from falsum.solvers.lab import Lab
from falsum.solvers.messages import crash_place, has_frames
from falsum.solvers.names import product_of
from falsum.solvers.request import Request, Want

# The frames of a solver that ends with a signal when it gets this request.
Backtrace: TypeAlias = Callable[[Request], str]

_BETWEEN: Final = " | "
_FIELDS: Final = 6
_RECURSION: Final = "recursion"
LET: Final = "let"
# Options that only ask for output; no bug needs them.
_HARMLESS: Final = frozenset({":produce-models", ":print-success", ":produce-unsat-cores"})


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`operators` are sorted, each with how many different terms of the script it heads."""

    defect: str
    product: str
    place: str = ""
    theories: tuple[str, ...] = ()
    operators: tuple[tuple[str, int], ...] = ()
    options: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """A readable line; equal lines are taken for the same bug."""
        counts = (name if count == 1 else f"{name}*{count}" for name, count in self.operators)
        fields = (
            self.defect,
            self.product,
            self.place,
            " ".join(self.theories),
            " ".join(counts),
            " ".join(self.options),
        )
        return _BETWEEN.join(fields).rstrip()

    @property
    def digest(self) -> str:
        return digest_of(self.signature)


def parse_fingerprint(signature: str) -> Fingerprint | None:
    """The fingerprint that a line spells; None for another line, such as a signature before reduction."""
    fields = f"{signature} ".split(_BETWEEN)
    fields += [""] * (_FIELDS - len(fields))
    defect, product, place, theories, operators, options = (field.strip() for field in fields[:_FIELDS])
    if defect not in set(Defect) or len(fields) > _FIELDS or not product:
        return None
    counts = []
    for item in operators.split():
        name, star, number = item.rpartition("*")
        counts.append((name, int(number)) if star and name and number.isdigit() else (item, 1))
    return Fingerprint(defect, product, place, tuple(theories.split()), tuple(counts), tuple(options.split()))


def fingerprint(
    script: str,
    judgement: Judgement,
    lab: Lab,
    suspects: Iterable[str] = (),
    backtrace: Backtrace | None = None,
) -> Fingerprint:
    """The fingerprint of a judged finding, reduced to this script.

    `suspects` replace those of the judgement if it names none. A crash is reproduced once more, to read its
    message; if it prints none, `backtrace` asks a debugger where it crashed.
    """
    blamed = judgement.suspects or tuple(suspects)
    products = "+".join(sorted({product_of(solver) for solver in blamed})) or "?"
    read = _read(script)
    options = tuple(sorted({*_options(read), *_settings(blamed)}))
    place = _place(script, blamed, lab, backtrace) if judgement.defect == Defect.CRASH else ""
    if place and (has_frames(place) or not place.startswith(tuple(PLACELESS))):
        return Fingerprint(str(judgement.defect), products, place, options=options)
    theories, operators = _made_of(read)
    return Fingerprint(str(judgement.defect), products, place, theories, operators, options)


def _place(script: str, blamed: tuple[str, ...], lab: Lab, backtrace: Backtrace | None) -> str:
    for solver in blamed:
        for want in (Want.VERDICT, Want.MODEL):
            request = Request(solver, script, want, cold=True)
            answer = lab.ask(request)
            if answer.crashed:
                is_mute = answer.ending.cause in PLACELESS
                return crash_place(answer, backtrace(request) if backtrace and is_mute else "")
    return ""


def _read(script: str) -> Script | None:
    try:
        return read_script(script)
    except FalsumError:
        return None


def _options(script: Script | None) -> list[str]:
    commands = script.commands if script is not None else ()
    return [
        f"{c.keyword}={c.value}" for c in commands if isinstance(c, SetOption) and c.keyword not in _HARMLESS
    ]


def _settings(solvers: Iterable[str]) -> list[str]:
    """The options in solvers' names: `z3@4.8:a=b,c=d`."""
    setting_lists = (name.partition(":")[2] for name in solvers if "/" not in name and " " not in name)
    return [f":{setting}" for settings in setting_lists for setting in settings.split(",") if setting]


def _made_of(script: Script | None) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """Theories, and operators with the numbers of different terms they head."""
    theories: set[str] = set()
    of_sorts: set[str] = set()
    counts: Counter[str] = Counter()
    seen: set[Term] = set()
    for term in terms_of(script) if script is not None else ():
        for part in subterms(term):
            if part in seen:
                continue
            seen.add(part)
            owner = THEORY_OF_SORT.get(part.sort.name)
            if owner is not None and owner.name != "Core":
                of_sorts.add(owner.name)
            if isinstance(part, Quantifier):
                theories.add("quantifiers")
                counts[part.kind] += 1
            elif isinstance(part, Let):
                # Reduction inlines the lets that are not needed.
                counts[LET] += 1
            elif isinstance(part, App):
                theory, name = _head(part)
                theories.update((theory,) if theory else ())
                counts.update((name,) if name else ())
    if not theories:
        # Only equations: their sorts tell which theory solver was at work.
        theories = of_sorts
    if recursive := sum(map(_recursive_functions, script.commands if script is not None else ())):
        theories.add(_RECURSION)
        counts[_RECURSION] = recursive
    return tuple(sorted(theories)), tuple(sorted(counts.items()))


def _recursive_functions(command: Command) -> int:
    """How many functions that may be recursive a command defines."""
    if isinstance(command, DefineFunsRec):
        return len(command.functions)
    return int(isinstance(command, DefineFun) and command.word == "define-fun-rec")


def _head(part: App) -> tuple[str, str]:
    """The theory and the name of a term's head; the names of the script's own functions do not matter."""
    symbol = part.head.symbol
    if isinstance(symbol, Operator):
        if symbol.is_implicit:
            return "", ""
        return ("" if symbol.theory == "Core" else symbol.theory), symbol.canonical.name
    if symbol.role in {"constructor", "selector", "tester"}:
        return "datatypes", symbol.role
    return ("uf", "apply") if part.args else ("", "")
