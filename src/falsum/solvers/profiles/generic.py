"""Any program that reads SMT-LIB from a file: what holds for every solver alike."""

from __future__ import annotations

import re

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.profiles.profile import Profile, sign

# Looked for on standard error always, on standard output only when something went wrong.
SIGNS = (
    sign(
        r"(?:Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer[^\n]*|runtime error: [^\n]*",
        EndingKind.CRASHED,
        Cause.SANITIZER,
    ),
    sign(
        r"std::bad_alloc|[Oo]ut of memory|[Mm]emory (?:limit|exhausted)[^\n]*|Cannot allocate memory",
        EndingKind.OUT_OF_MEMORY,
    ),
    sign(
        r"Assertion [^\n]* failed[^\n]*|ASSERTION VIOLATION[^\n]*|[Aa]ssertion fail(?:ed|ure)[^\n]*",
        EndingKind.CRASHED,
        Cause.ASSERTION,
    ),
    sign(
        r"terminate called[^\n]*|UNREACHABLE[^\n]*|[Uu]nreachable code[^\n]*|[Ii]nternal error[^\n]*",
        EndingKind.CRASHED,
        Cause.INTERNAL,
    ),
)

# Looked for inside `(error …)`, after the product's own.
ERROR_SIGNS = (
    sign(r"[Ss]egmentation fault[^\n]*|[Ii]nternal error[^\n]*", EndingKind.CRASHED, Cause.INTERNAL),
    sign(
        r"[^\n]*(?:[Uu]nsupported|not supported|does not support|[Nn]ot implemented)[^\n]*",
        EndingKind.REJECTED,
        Cause.UNSUPPORTED,
    ),
    sign(
        r"[^\n]*(?i:parse error|syntax error|unexpected|undeclared|not declared|undefined|unknown|invalid)"
        r"[^\n]*",
        EndingKind.REJECTED,
        Cause.SYNTAX,
    ),
)

PROFILE = Profile(
    product="generic",
    harmless=re.compile(r"model is not available|[Cc]annot get (?:the )?(?:model|value|unsat core)"),
    good_exits=frozenset({0, 10, 20}),
)
