"""Sequences, an extension of z3 and cvc5."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.operators import Meaning, table
from falsum.smtlib.sort_kinds import Parts, Payload, SortKind, TermWriter
from falsum.smtlib.sorts import STRING, Sort
from falsum.smtlib.terms import Head, Term, app, sort_text
from falsum.smtlib.theories.core import equation
from falsum.smtlib.theories.laws import sequences as laws
from falsum.smtlib.theories.meanings import plain
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values import sequences, strings
from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from falsum.smtlib.terms import App

_S, _T = "(Seq A)", "String"


def _for_sequences_and_strings(text: str) -> str:
    """The rule for sequence operators, which also take strings: in z3, strings are sequences of
    characters.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n".join(f"(par (A) {line.replace('S', _S)}) {line.replace('S', _T)}" for line in lines)


def _either(on_strings: Callable[..., object], on_sequences: Callable[..., object]) -> Meaning:
    return lambda app, args: (on_strings if isinstance(args[0], str) else on_sequences)(*args)


def _nth(app: App, args: Sequence[Any]) -> object:
    del app
    element = sequences.nth(tuple(args[0]), args[1])
    return ord(element) if isinstance(args[0], str) and isinstance(element, str) else element


_OPERATORS = table(
    "Sequences",
    _for_sequences_and_strings(
        """
        (seq.++ S S S :left-assoc)
        (seq.len S Int)
        (seq.extract S Int Int S)
        (seq.update S Int S S)
        (seq.at S Int S)
        (seq.contains S S Bool)
        (seq.indexof S S Int Int)
        (seq.indexof S S Int)
        (seq.last_indexof S S Int)
        (seq.replace S S S S)
        (seq.replace_all S S S S)
        (seq.rev S S)
        (seq.prefixof S S Bool)
        (seq.suffixof S S Bool)
        """
    )
    + """
    (par (A) (seq.empty (Seq A)))
    (seq.unit Char String) (par (A) (seq.unit A (Seq A)))
    (par (A) (seq.nth (Seq A) Int A)) (seq.nth String Int Char)
    (par (A B) (seq.map (-> A B) (Seq A) (Seq B))) (par (A B) (seq.map (Array A B) (Seq A) (Seq B)))
    (par (A B) (seq.mapi (-> Int A B) Int (Seq A) (Seq B)))
    (par (A B) (seq.mapi (Array Int A B) Int (Seq A) (Seq B)))
    (par (A B) (seq.foldl (-> B A B) B (Seq A) B)) (par (A B) (seq.foldl (Array B A B) B (Seq A) B))
    (par (A B) (seq.foldli (-> Int B A B) Int B (Seq A) B))
    (par (A B) (seq.foldli (Array Int B A B) Int B (Seq A) B))
    """,
    {
        "seq.++": _either(strings.concat, sequences.concat),
        "seq.len": plain(len),
        "seq.extract": _either(strings.substr, sequences.extract),
        "seq.update": _either(strings.update, sequences.update),
        "seq.at": _either(strings.at, sequences.at),
        "seq.contains": _either(strings.contains, sequences.contains),
        "seq.indexof": _either(strings.indexof, sequences.indexof),
        "seq.last_indexof": _either(str.rfind, sequences.last_indexof),
        "seq.replace": _either(strings.replace, sequences.replace),
        "seq.replace_all": _either(strings.replace_all, sequences.replace_all),
        "seq.rev": _either(strings.rev, sequences.rev),
        "seq.prefixof": _either(strings.prefixof, sequences.prefixof),
        "seq.suffixof": _either(strings.suffixof, sequences.suffixof),
        "seq.empty": lambda app, args: () if app.sort.name == "Seq" else "",
        "seq.unit": lambda app, args: (args[0],) if app.sort.name == "Seq" else chr(args[0]),
        "seq.nth": _nth,
    },
    is_standard=False,
)
_BY_NAME = {operator.name: operator for operator in _OPERATORS}


def _sort(indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
    return STRING if args[0] is Sort("Char") else Sort("Seq", indices, args)


def _empty(sort: Sort) -> Term:
    return app(Head(_BY_NAME["seq.empty"], (), sort))


def _term(sort: Sort, payload: tuple[Any, ...], writer: TermWriter) -> Term | None:
    parts = writer.terms(sort.args * len(payload), payload)
    if not parts:
        return None if parts is None else _empty(sort)
    units: list[Term] = [app(Head(_BY_NAME["seq.unit"]), (part,)) for part in parts]
    return units[0] if len(units) == 1 else app(Head(_BY_NAME["seq.++"]), units)


def _compose(sort: Sort, parts: Parts) -> Payload:
    values = [parts.value(sort.args[0]) for _ in range(parts.count(4))]
    if any(isinstance(value, CannotSay) for value in values):
        return CannotSay(f"no value of sort {sort} is known")
    return tuple(values)


def _emptiness(term: Term) -> Iterator[Term]:
    yield equation(term, _empty(term.sort))


_KIND: Final = SortKind(
    "Seq",
    arity=1,
    make=_sort,
    family="sequences",
    letter="e",
    term=_term,
    compose=_compose,
    generated_constants=lambda sort: (f"(as seq.empty {sort_text(sort)})",),
    regions=_emptiness,
)

THEORY = Theory(
    "Sequences", (_KIND,), tuple(_OPERATORS), (laws.LAWS,), adjective="sequence", is_extension=True
)
