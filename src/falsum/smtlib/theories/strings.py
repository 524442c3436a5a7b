"""The theory Strings, z3's regular expressions over sequences, and older names of operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from falsum.smtlib.operators import Meaning, aliases, merged, table
from falsum.smtlib.sorts import STRING
from falsum.smtlib.theories.laws import regexes as regex_laws
from falsum.smtlib.theories.laws import strings as laws
from falsum.smtlib.theories.meanings import chained, numbers, of_width, plain
from falsum.smtlib.theories.string_sorts import kinds
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values import regexes, sequences, strings
from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from falsum.smtlib.terms import App

_REGEX_OPERATORS = [
    "(re.none R)",
    "(re.all R)",
    "(re.allchar R)",
    "(re.++ R R R :left-assoc)",
    "(re.union R R R :left-assoc)",
    "(re.inter R R R :left-assoc)",
    "(re.diff R R R :left-assoc)",
    "(re.* R R)",
    "(re.comp R R)",
    "(re.+ R R)",
    "(re.opt R R)",
    "((_ re.^ n) R R)",
    "((_ re.loop i j) R R)",
]


def _either(on_strings: Callable[..., object], on_sequences: Callable[..., object]) -> Meaning:
    """The meaning of a string operator that solvers also accept on sequences."""
    return lambda app, args: (on_strings if isinstance(args[0], str) else on_sequences)(*args)


def _strings_only(function: Callable[..., object]) -> Meaning:
    def meaning(app: App, args: Sequence[Any]) -> object:
        if app.args[0].sort is not STRING:
            return CannotSay("a regular expression over sequences")
        return function(*args)

    return meaning


def _power(app: App, args: Sequence[Any]) -> object:
    times: int = [*args[1:], *numbers(app)][0]
    return regexes.power(args[0], times) if times >= 0 else CannotSay("a negative power")


def _loop(app: App, args: Sequence[Any]) -> object:
    """`(_ re.loop i j)`; solvers also accept the bounds as arguments, and a missing upper bound."""
    bounds: list[int] = [*args[1:], *numbers(app)]
    return regexes.loop(args[0], bounds[0], bounds[1] if len(bounds) > 1 else None)


_STANDARD = table(
    "Strings",
    """
    (str.++ String String String :left-assoc)
    (str.len String Int)
    (str.< String String Bool :chainable) (str.<= String String Bool :chainable)
    (str.at String Int String) (str.substr String Int Int String)
    (str.prefixof String String Bool) (str.suffixof String String Bool)
    (str.contains String String Bool)
    (str.indexof String String Int Int)
    (str.replace String String String String) (str.replace_all String String String String)
    (str.replace_re String RegLan String String) (str.replace_re_all String RegLan String String)
    (str.is_digit String Bool)
    (str.to_code String Int) (str.from_code Int String)
    (str.to_int String Int) (str.from_int Int String)
    (str.to_re String RegLan) (str.in_re String RegLan Bool)
    (re.range String String RegLan)
    """
    + " ".join(line.replace("R", "RegLan") for line in _REGEX_OPERATORS),
    {
        "str.++": _either(strings.concat, sequences.concat),
        "str.len": plain(len),
        "str.<": chained(strings.lt),
        "str.<=": chained(strings.leq),
        "str.at": _either(strings.at, sequences.at),
        "str.substr": _either(strings.substr, sequences.extract),
        "str.prefixof": _either(strings.prefixof, sequences.prefixof),
        "str.suffixof": _either(strings.suffixof, sequences.suffixof),
        "str.contains": _either(strings.contains, sequences.contains),
        "str.indexof": _either(strings.indexof, sequences.indexof),
        "str.replace": _either(strings.replace, sequences.replace),
        "str.replace_all": _either(strings.replace_all, sequences.replace_all),
        "str.replace_re": plain(strings.replace_re),
        "str.replace_re_all": plain(strings.replace_re_all),
        "str.is_digit": plain(strings.is_digit),
        "str.to_code": plain(strings.to_code),
        "str.from_code": plain(strings.from_code),
        "str.to_int": plain(strings.to_int),
        "str.from_int": plain(strings.from_int),
        "str.to_re": _strings_only(regexes.literal),
        "str.in_re": _strings_only(strings.in_re),
        "re.range": _strings_only(regexes.range_),
        "re.none": lambda app, args: regexes.NONE,
        "re.all": lambda app, args: regexes.ALL,
        "re.allchar": lambda app, args: regexes.ALLCHAR,
        "re.++": plain(regexes.concat),
        "re.union": plain(regexes.union),
        "re.inter": plain(regexes.inter),
        "re.diff": plain(regexes.diff),
        "re.*": plain(regexes.star),
        "re.comp": plain(regexes.comp),
        "re.+": plain(regexes.plus),
        "re.opt": plain(regexes.opt),
        "re.^": _power,
        "re.loop": _loop,
    },
)
_EXTENSIONS = table(
    "Strings",
    """
    (str.indexof String String Int)
    (str.indexof_re String RegLan Int Int)
    (str.last_indexof String String Int)
    (str.update String Int String String)
    (str.rev String String) (str.to_lower String String) (str.to_upper String String)
    (str.from_ubv (_ BitVec m) String) (str.from_sbv (_ BitVec m) String)
    (str.is_empty String Bool)
    ((_ re.loop i) RegLan RegLan)
    (re.loop RegLan Int Int RegLan) (re.loop RegLan Int RegLan)
    ((_ re.loop) RegLan Int Int RegLan)
    (re.^ RegLan Int RegLan)
    (re.reverse RegLan RegLan)
    (re.all_char RegLan)
    (char.<= Char Char Bool) (char.to_int Char Int) (char.is_digit Char Bool)
    (char.to_bv Char (_ BitVec 18)) (char.from_bv (_ BitVec 18) Char)
    (par (A) (re.of.pred (Array A Bool) (RegEx (Seq A))))
    (par (A) (str.++ (Seq A) (Seq A) (Seq A) :left-assoc))
    (par (A) (str.len (Seq A) Int))
    (par (A) (str.at (Seq A) Int (Seq A))) (par (A) (str.substr (Seq A) Int Int (Seq A)))
    (par (A) (str.prefixof (Seq A) (Seq A) Bool)) (par (A) (str.suffixof (Seq A) (Seq A) Bool))
    (par (A) (str.contains (Seq A) (Seq A) Bool))
    (par (A) (str.indexof (Seq A) (Seq A) Int Int))
    (par (A) (str.replace (Seq A) (Seq A) (Seq A) (Seq A)))
    (par (A) (str.update (Seq A) Int (Seq A) (Seq A)))
    (par (A) (str.rev (Seq A) (Seq A)))
    (par (A) (str.replace_all (Seq A) (Seq A) (Seq A) (Seq A)))
    (par (A) (str.replace_re (Seq A) (RegEx (Seq A)) (Seq A) (Seq A)))
    (par (A) (str.replace_re_all (Seq A) (RegEx (Seq A)) (Seq A) (Seq A)))
    (par (A) (re.derivative A (RegEx (Seq A)) (RegEx (Seq A))))
    (par (A) (re.range (Seq A) (Seq A) (RegEx (Seq A))))
    (par (A) (str.to_re (Seq A) (RegEx (Seq A)))) (par (A) (str.in_re (Seq A) (RegEx (Seq A)) Bool))
    """
    + " ".join(f"(par (A) {line.replace('R', '(RegEx A)')})" for line in _REGEX_OPERATORS),
    {
        "str.indexof_re": plain(strings.indexof_re),
        "str.last_indexof": plain(str.rfind),
        "str.update": _either(strings.update, sequences.update),
        "str.rev": _either(strings.rev, sequences.rev),
        "str.to_lower": plain(strings.to_lower),
        "str.to_upper": plain(strings.to_upper),
        "str.from_ubv": of_width(strings.from_ubv),
        "str.from_sbv": of_width(strings.from_sbv),
        "str.is_empty": plain(lambda s: not s),
        "re.reverse": plain(regexes.reverse),
        "re.all_char": lambda app, args: regexes.ALLCHAR,
        "char.<=": plain(lambda x, y: x <= y),
        "char.to_int": plain(int),
        "char.to_bv": plain(int),
        "char.from_bv": plain(lambda code: code if code <= regexes.MAX_CODE else None),
        "char.is_digit": plain(lambda code: ord("0") <= code <= ord("9")),
    },
    is_standard=False,
)


_OPERATORS = merged(_STANDARD, _EXTENSIONS)

OLD_NAMES = {
    "str.to.int": "str.to_int",
    "int.to.str": "str.from_int",
    "str.from.int": "str.from_int",
    "str.in.re": "str.in_re",
    "str.to.re": "str.to_re",
    "str.to-int": "str.to_int",
    "str.to-code": "str.to_code",
    "str.to-re": "str.to_re",
    "str.in-re": "str.in_re",
    "str.replaceall": "str.replace_all",
    "str.replace-all": "str.replace_all",
    "str.replaceallre": "str.replace_re_all",
    "str.tolower": "str.to_lower",
    "str.toupper": "str.to_upper",
    "str.is-digit": "str.is_digit",
    "str.code": "str.to_code",
    "re.nostr": "re.none",
    "re.empty": "re.none",
    "re.full": "re.all",
    "re.allchar_": "re.allchar",
    "re.complement": "re.comp",
    "re.difference": "re.diff",
    "re.intersect": "re.inter",
    "seq.to_re": "str.to_re",
    "seq.to.re": "str.to_re",
    "seq.in_re": "str.in_re",
    "seq.in.re": "str.in_re",
}

THEORY = Theory(
    "Strings",
    kinds({operator.name: operator for operator in _OPERATORS}),
    (*_OPERATORS, *aliases(_OPERATORS, OLD_NAMES)),
    (laws.LAWS, regex_laws.LAWS),
    adjective="string",
)
