"""Any program that reads SMT-LIB from a file: properties of every solver, for products without a profile."""

from __future__ import annotations

import re
from dataclasses import replace

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.profiles.profile import Profile, ending

_MEMORY = ending(
    r"std::bad_alloc|[Oo]ut of memory|[Mm]emory (?:limit|exhausted)[^\n]*|Cannot allocate memory",
    EndingKind.OUT_OF_MEMORY,
)
# Searched for if something went wrong.
SIGNS = (
    _MEMORY,
    ending(
        r"Assertion [^\n]* failed[^\n]*|ASSERTION VIOLATION[^\n]*|[Aa]ssertion fail(?:ed|ure)[^\n]*",
        EndingKind.CRASHED,
        Cause.ASSERTION,
    ),
    ending(
        r"Exception in thread \"[^\n]*|Fatal error: exception[^\n]*|thread '[^\n]*' panicked[^\n]*|"
        r"terminate called[^\n]*|UNREACHABLE[^\n]*|[Uu]nreachable code[^\n]*|[Ii]nternal error[^\n]*",
        EndingKind.CRASHED,
        Cause.INTERNAL,
    ),
)

# Searched for in the standard error of a program that ends normally: no debug output looks like this.
CERTAIN_SIGNS = (
    _MEMORY,
    ending(
        r"(?m)^(?:ASSERTION VIOLATION|[^\n]*: Assertion `[^\n]*' failed|Fatal failure)[^\n]*",
        EndingKind.CRASHED,
        Cause.ASSERTION,
    ),
    ending(
        r"(?m)^(?:terminate called|Exception in thread \"|Fatal error: exception |"
        r"thread '[^\n]*' panicked)[^\n]*",
        EndingKind.CRASHED,
        Cause.INTERNAL,
    ),
)

# Searched for in `(error …)`, after those of the product.
ERROR_SIGNS = (
    ending(r"[Ss]egmentation fault[^\n]*|[Ii]nternal error[^\n]*", EndingKind.CRASHED, Cause.INTERNAL),
    ending(
        r"(?m:^)[^\n]*(?:[Uu]nsupported|not supported|does not support|[Nn]ot implemented)[^\n]*",
        EndingKind.REJECTED,
        Cause.UNSUPPORTED,
    ),
    ending(
        r"(?m:^)[^\n]*"
        r"(?i:parse error|syntax error|unexpected|undeclared|not declared|undefined|unknown|invalid)[^\n]*",
        EndingKind.REJECTED,
        Cause.SYNTAX,
    ),
)

PROFILE = Profile(
    product="generic",
    harmless_errors=re.compile(r"model is not available|[Cc]annot get (?:the )?(?:model|value|unsat core)"),
    normal_exits=frozenset({0, 10, 20}),
)

# Programs that falsum finds on PATH.
PRODUCTS = (
    replace(PROFILE, product="mathsat", programs=("mathsat",), version_arguments=("-version",)),
    replace(PROFILE, product="opensmt", programs=("opensmt",)),
    replace(PROFILE, product="smtinterpol", programs=("smtinterpol",)),
    replace(PROFILE, product="princess", programs=("princess",)),
    replace(PROFILE, product="stp", programs=("stp",), arguments=("--SMTLIB2",)),
    replace(PROFILE, product="verit", programs=("veriT", "verit")),
    replace(PROFILE, product="ostrich", programs=("ostrich",)),
    replace(PROFILE, product="smtrat", programs=("smtrat",)),
)
