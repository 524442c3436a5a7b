"""Drawing terms: theory first, then operator, then arguments little used so far, then indices that fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import Final, TypeAlias

from falsum.api.model.capabilities import Capabilities
from falsum.api.model.mirror import Known, Mirror
from falsum.api.model.terms_by_rule import draw_ruled, is_known, needs
from falsum.api.traces.trace import Line
from falsum.smtlib.operators import Operator
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import Bindings, Index, Sort, match, substitute
from falsum.smtlib.terms import Function
from falsum.smtlib.theories import OPERATORS

_TRIES: Final = 12
_INDEX_TRIES: Final = 8
_LOOKED_AT: Final = 3
_ARITIES: Final = (2,) * 46 + (3,) * 30 + (4,) * 17 + (5,) * 7
_MANY: Final = frozenset(["left-assoc", "right-assoc", "chainable", "pairwise", "many"])


Choice: TypeAlias = tuple[Operator, tuple[Signature, ...]]


@lru_cache(maxsize=1024)
def operators_by_theory(there: tuple[str, ...], sorts: frozenset[str]) -> tuple[tuple[Choice, ...], ...]:
    """The operators a library has that need no other sorts than these, by theory, in the tables' order."""
    wanted = frozenset(there)
    found: dict[str, list[Choice]] = {}
    for name, operator in OPERATORS.items():
        signatures = tuple(
            signature
            for signature in operator.signatures
            if _is_usual(signature, operator)
            and all(_names(part) <= sorts for part in (*signature.args, signature.result))
        )
        if name in wanted and (signatures or is_known(operator, sorts)):
            # What only has to do with Bool is no theory of its own in a run that is about something else.
            home = operator.theory if signatures or needs(operator) else "Core"
            found.setdefault(home, []).append((operator, signatures))
    return tuple(map(tuple, found.values()))


def _names(sort: Sort) -> frozenset[str]:
    """The names of sorts a pattern needs."""
    own = frozenset[str]() if sort.is_parameter else frozenset([sort.name])
    return own.union(*map(_names, sort.args))


def draw_application(mirror: Mirror, rng: Random) -> Line | None:
    """A line that makes a term from terms there are; None if nothing fits."""
    theories = operators_by_theory(mirror.operators, mirror.sort_names)
    further = [_application] * bool(mirror.functions) + [_member] * bool(mirror.members)
    for _ in range(_TRIES):
        place = rng.randrange(len(theories) + len(further))
        if place < len(theories):
            args = _operation(rng.choice(theories[place]), mirror, rng)
        else:
            args = further[place - len(theories)](mirror, rng)
        if args is not None:
            return Line("term", args, (mirror.next_term(),), rng.randrange(1, 100))
    return None


def draw_operator(name: str, mirror: Mirror, rng: Random) -> Line | None:
    """A line with this operator, if the terms there are allow one."""
    for theory in operators_by_theory(mirror.operators, mirror.sort_names):
        for choice in theory:
            if choice[0].name == name:
                args = _operation(choice, mirror, rng)
                return (
                    None if args is None else Line("term", args, (mirror.next_term(),), rng.randrange(1, 100))
                )
    return None


def _application(mirror: Mirror, rng: Random) -> tuple[str, ...] | None:
    chosen = rng.choice(mirror.functions)
    function = chosen.function
    assert function is not None
    args = [pick(mirror.by_sort.get(sort, ()), rng) for sort in function.args]
    there = [arg for arg in args if arg is not None]
    if len(there) < len(args) or not _fits(there, mirror, chosen.nodes):
        return None
    return ("apply", chosen.name, *(arg.name for arg in there))


def _member(mirror: Mirror, rng: Random) -> tuple[str, ...] | None:
    """A constructor, selector, tester or updater of a datatype."""
    word = rng.choice(list(mirror.members))
    symbol = mirror.members[word].symbol
    assert isinstance(symbol, Function)
    sorts = mirror.instance_sorts.get(word, symbol.args)
    args = [pick(mirror.by_sort.get(sort, ()), rng) for sort in sorts]
    there = [arg for arg in args if arg is not None]
    if len(there) < len(args) or not _fits(there, mirror):
        return None
    return (word, *(arg.name for arg in there))


def _operation(choice: Choice, mirror: Mirror, rng: Random) -> tuple[str, ...] | None:
    operator, signatures = choice
    if not signatures:
        drawn = draw_ruled(operator, mirror, rng)
        return _written(operator, *drawn) if drawn is not None and _fits(drawn[1], mirror) else None
    signature = rng.choice(signatures)
    bindings: Bindings = {}
    qualifier = ""
    if signature.result.is_pattern:
        start = _start(signature, mirror, rng)
        if start is None:
            return None
        bindings, qualifier = start
    args = _arguments(signature, bindings, mirror, rng, mirror.capabilities)
    if args is None or not _fits(args, mirror):
        return None
    if mirror.has("flat-functions") and any(arg.free for arg in args) and _makes_array(operator, args):
        return None
    indices = _indices(signature, bindings, args, mirror, rng)
    if indices is None:
        return None
    return (*_written(operator, indices, args), *(("as", qualifier) if qualifier else ()))


def _written(operator: Operator, indices: Sequence[Index], args: list[Known]) -> tuple[str, ...]:
    head = f"{operator.name}[{','.join(map(str, indices))}]" if indices else operator.name
    return (head, *(arg.name for arg in args))


def _makes_array(operator: Operator, args: list[Known]) -> bool:
    return operator.name in ("store", "const") or (operator.name == "ite" and args[1].sort.name == "Array")


def _is_usual(signature: Signature, operator: Operator) -> bool:
    """Of a standard operator the standard's ranks only; of no operator those that make functions."""
    return (signature.is_standard or not operator.is_standard) and signature.result.name != "->"


def _start(signature: Signature, mirror: Mirror, rng: Random) -> tuple[Bindings, str] | None:
    """What must be chosen before the arguments: formats of floats, and sorts only the result has."""
    if signature.result.name == "FloatingPoint" and not any(
        a.name == "FloatingPoint" for a in signature.args
    ):
        exponent, significand = rng.choice(mirror.capabilities.float_formats)
        return {"e": exponent, "s": significand, "i": significand - 1}, ""
    if not _is_open(signature):
        return {}, ""
    fitting = [name for name, sort in mirror.sorts.items() if match(signature.result, sort, {})]
    if not fitting:
        return None
    name = rng.choice(fitting)
    bindings: Bindings = {}
    match(signature.result, mirror.sorts[name], bindings)
    return bindings, name


def _parameters(sort: Sort) -> set[str]:
    if sort.is_parameter:
        return {sort.name}
    return set().union(*map(_parameters, sort.args)) if sort.args else set()


def _arguments(
    signature: Signature, bindings: Bindings, mirror: Mirror, rng: Random, capabilities: Capabilities
) -> list[Known] | None:
    patterns = list(signature.args)
    if signature.associativity in _MANY:
        patterns += [signature.args[1]] * (rng.choice(_ARITIES) - 2)
    constant = capabilities.constant_arguments.get(signature.name, ())
    args: list[Known] = []
    first: Bindings = dict(bindings)
    for place, pattern in enumerate(patterns):
        # Of the further arguments of an operator that takes many, each is tied to the first alone.
        bound = bindings if place < len(signature.args) else dict(first)
        if pattern.name == "->":
            arg = _function(pattern, bound, mirror, rng)
            if arg is None:
                return None
            args.append(arg)
            continue
        sorts = _fitting(pattern, bound, mirror)
        if not sorts:
            return None
        sort = sorts[int(rng.random() * len(sorts))]
        match(pattern, sort, bound)
        candidates: Sequence[Known] = mirror.by_sort[sort]
        if place in constant:
            candidates = [known for known in candidates if known.role == "value"]
        arg = pick(candidates, rng)
        if arg is None:
            return None
        args.append(arg)
        if place == 0:
            first = dict(bindings)
    return args


def _function(pattern: Sort, bound: Bindings, mirror: Mirror, rng: Random) -> Known | None:
    """A function as an argument, where functions are terms like all others."""
    if "higher-order" not in mirror.theories:
        return None
    fitting = [known for known in mirror.functions if match(pattern, known.sort, dict(bound))]
    if not fitting:
        return None
    chosen = rng.choice(fitting)
    match(pattern, chosen.sort, bound)
    return chosen


def _fitting(pattern: Sort, bound: Bindings, mirror: Mirror) -> list[Sort]:
    """The sorts of terms there are that a pattern takes, without looking at all of them where it is clear."""
    there = mirror.by_sort
    wanted = pattern if not pattern.is_pattern else bound.get(pattern.name)
    if isinstance(wanted, Sort):
        return [wanted] if wanted in there else []
    if pattern.is_parameter:
        return list(there)
    name = pattern.name
    alike = [sort for sort in there if sort.name == name]
    if not pattern.args and len(pattern.indices) == 1 and isinstance(pattern.indices[0], str):
        width = bound.get(pattern.indices[0])  # a bit-vector, mostly
        return alike if width is None else [sort for sort in alike if sort.indices[0] == width]
    return [sort for sort in alike if match(pattern, sort, dict(bound))]


def _indices(
    signature: Signature, bindings: Bindings, args: list[Known], mirror: Mirror, rng: Random
) -> tuple[Index, ...] | None:
    """Indices with which the operator takes the arguments and gives a sort that is wanted."""
    sorts = tuple([arg.sort for arg in args])
    if not signature.indices and not signature.where and len(sorts) == len(signature.args):
        made = substitute(signature.result, bindings)  # the arguments were chosen to fit
        return () if mirror.allows(made) or made.name == "RegLan" else None
    open_names = [name for name in signature.indices if isinstance(name, str) and name not in bindings]
    for _ in range(_INDEX_TRIES if open_names else 1):
        tried = dict(bindings)
        for name in open_names:
            tried[name] = _number(signature.name, sorts, mirror, rng)
        indices = tuple(tried[i] if isinstance(i, str) else i for i in signature.indices)
        plain = tuple(i for i in indices if not isinstance(i, Sort))
        if signature.name == "re.loop":  # the other way round it is empty, and some libraries refuse it
            plain = tuple(sorted(plain, key=str))
        qualifier = substitute(signature.result, tried) if _is_open(signature) else None
        result = signature.rank(plain, sorts, qualifier)
        if result is not None and (mirror.allows(result) or result.name == "RegLan"):
            return plain
    return None


@cache
def _is_open(signature: Signature) -> bool:
    """Whether the arguments leave something of the result open."""
    given: set[str] = set()
    for arg in signature.args:
        given |= _parameters(arg)
    return not _parameters(signature.result) <= given


def _number(operator: str, sorts: tuple[Sort, ...], mirror: Mirror, rng: Random) -> int:
    if operator.startswith("re."):
        return rng.randrange(mirror.bounds.loops + 1)
    widths = [i for sort in sorts for i in sort.indices if isinstance(i, int)]
    if widths and rng.random() < 0.7:
        return rng.randrange(max(widths) + 1)
    made = [sort.indices[0] for sort in mirror.by_sort if sort.name == "BitVec"]
    usual = [width for width in made if isinstance(width, int)]
    return rng.choice(usual) if usual and rng.random() < 0.5 else rng.randrange(1, 9)


def pick(candidates: Sequence[Known], rng: Random) -> Known | None:
    """One of the least used of a few."""
    if not candidates:
        return None
    count, drawn = len(candidates), rng.random
    best = candidates[int(drawn() * count)]
    for _ in range(_LOOKED_AT - 1):
        other = candidates[int(drawn() * count)]
        if other.uses < best.uses:
            best = other
    return best


def _fits(args: list[Known], mirror: Mirror, more: int = 0) -> bool:
    if sum(arg.nodes for arg in args) + more >= mirror.bounds.nodes:
        return False
    return all(arg.depth < mirror.bounds.depth for arg in args)
