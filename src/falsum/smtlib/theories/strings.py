"""Strings and regular expressions; z3's regular expressions over sequences; older names."""

from __future__ import annotations

from falsum.smtlib.operators import Operator, Theory, aliases, table

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
    is_standard=False,
)


def merged(first: list[Operator], second: list[Operator]) -> list[Operator]:
    """Operators of both lists; what both have gets the signatures of both, the first's in front."""
    further = {operator.name: operator for operator in second}
    out = []
    for operator in first:
        extra = further.pop(operator.name, None)
        signatures = operator.signatures + (extra.signatures if extra else ())
        out.append(Operator(operator.name, operator.theory, signatures, meaning=operator.meaning))
    return out + list(further.values())


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
    {"String": (0, 0), "RegLan": (0, 0), "RegEx": (0, 1), "Char": (0, 0), "Unicode": (0, 0)},
    (*_OPERATORS, *aliases(_OPERATORS, OLD_NAMES)),
)
