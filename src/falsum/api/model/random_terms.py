"""Draws terms: first a theory, then an operator, then rarely used arguments, then indices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import Final, TypeAlias

from falsum.api.model.capabilities import Capabilities
from falsum.api.model.float_formats import FloatFormat
from falsum.api.model.guidance import OPERATOR
from falsum.api.model.mirror import Mirror, TermEntry
from falsum.api.model.terms_by_rule import draw_by_rule, is_drawable, required_sorts
from falsum.api.trace import Line
from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import Bindings, Index, Sort, match, substitute
from falsum.smtlib.terms import Function
from falsum.smtlib.theories import OPERATORS, kind_of

_ATTEMPTS: Final = 12
_INDEX_ATTEMPTS: Final = 8
_KNOWN_FORMAT: Final = 0.8
_CANDIDATES: Final = 3  # the least used of so many is taken
_ARITIES: Final = (2,) * 46 + (3,) * 30 + (4,) * 17 + (5,) * 7
_VARIADIC: Final = frozenset(["left-assoc", "right-assoc", "chainable", "pairwise", "many"])


_LINEAR: Final = logic_of("LIRA")


OperatorChoice: TypeAlias = tuple[Operator, tuple[Signature, ...]]


@lru_cache(maxsize=1024)
def operators_by_theory(
    names: tuple[str, ...], sorts: frozenset[str]
) -> tuple[tuple[OperatorChoice, ...], ...]:
    """The named operators that need no sorts but these, by theory, in the order of the tables."""
    names_set = frozenset(names)
    choices: dict[str, list[OperatorChoice]] = {}
    for name, operator in OPERATORS.items():
        signatures = tuple(
            signature
            for signature in operator.signatures
            if _is_drawn(signature, operator)
            and all(_sort_names(part) <= sorts for part in (*signature.args, signature.result))
        )
        if name in names_set and (signatures or is_drawable(operator, sorts)):
            # Operators on Bool alone count as Core, so that they do not crowd out the theories of the run.
            theory = operator.theory if signatures or required_sorts(operator) else "Core"
            choices.setdefault(theory, []).append((operator, signatures))
    return tuple(map(tuple, choices.values()))


def _sort_names(sort: Sort) -> frozenset[str]:
    """The names of the sorts in a pattern."""
    own = frozenset[str]() if sort.is_parameter else frozenset([sort.name])
    return own.union(*map(_sort_names, sort.args))


def draw_application(mirror: Mirror, rng: Random) -> Line | None:
    """Draw a line that applies something to terms of the mirror; None if nothing fits."""
    theories = operators_by_theory(mirror.operators, mirror.sort_names)
    others = [_application] * bool(mirror.functions) + [_member] * bool(mirror.members)
    for _ in range(_ATTEMPTS):
        index = rng.randrange(len(theories) + len(others))
        if index < len(theories):
            names = (operator.name for operator, _signatures in theories[index])
            choice = mirror.guidance.choice(OPERATOR, theories[index], names, rng)
            args = _operation(choice, mirror, rng)
        else:
            args = others[index - len(theories)](mirror, rng)
        if args is not None:
            return Line("term", args, (mirror.next_term(),), rng.randrange(1, 100))
    return None


def draw_operator(name: str, mirror: Mirror, rng: Random) -> Line | None:
    """Draw a line that applies this operator; None if no arguments are found."""
    for theory in operators_by_theory(mirror.operators, mirror.sort_names):
        for choice in theory:
            if choice[0].name == name:
                args = _operation(choice, mirror, rng)
                return (
                    None if args is None else Line("term", args, (mirror.next_term(),), rng.randrange(1, 100))
                )
    return None


def _application(mirror: Mirror, rng: Random) -> tuple[str, ...] | None:
    entry = rng.choice(mirror.functions)
    function = entry.function
    assert function is not None
    args = [pick_rarely_used(mirror.by_sort.get(sort, ()), rng) for sort in function.args]
    arguments = [arg for arg in args if arg is not None]
    if len(arguments) < len(args) or not _is_small_enough(arguments, mirror, entry.nodes):
        return None
    return ("apply", entry.name, *(arg.name for arg in arguments))


def _member(mirror: Mirror, rng: Random) -> tuple[str, ...] | None:
    """A constructor, selector, tester or updater of a datatype."""
    word = rng.choice(list(mirror.members))
    symbol = mirror.members[word].symbol
    assert isinstance(symbol, Function)
    sorts = mirror.instance_sorts.get(word, symbol.args)
    args = [pick_rarely_used(mirror.by_sort.get(sort, ()), rng) for sort in sorts]
    arguments = [arg for arg in args if arg is not None]
    if len(arguments) < len(args) or not _is_small_enough(arguments, mirror):
        return None
    return (word, *(arg.name for arg in arguments))


def _operation(choice: OperatorChoice, mirror: Mirror, rng: Random) -> tuple[str, ...] | None:
    operator, signatures = choice
    if not signatures:
        entry = draw_by_rule(operator, mirror, rng)
        return (
            _application_words(operator, *entry)
            if entry is not None and _is_small_enough(entry[1], mirror)
            else None
        )
    signature = rng.choice(signatures)
    bindings: Bindings = {}
    qualifier = ""
    if signature.result.is_pattern:
        start = _initial_bindings(signature, mirror, rng)
        if start is None:
            return None
        bindings, qualifier = start
    args = _arguments(signature, bindings, mirror, rng, mirror.capabilities)
    if args is None or not _is_small_enough(args, mirror):
        return None
    if mirror.has("flat-functions") and any(arg.free for arg in args) and _makes_array(operator, args):
        return None
    if mirror.is_linear and not _LINEAR.allows(operator, tuple(arg.term for arg in args)):
        return None
    indices = _indices(signature, bindings, args, mirror, rng)
    if indices is None:
        return None
    return (*_application_words(operator, indices, args), *(("as", qualifier) if qualifier else ()))


def _application_words(
    operator: Operator, indices: Sequence[Index], args: list[TermEntry]
) -> tuple[str, ...]:
    head = f"{operator.name}[{','.join(map(str, indices))}]" if indices else operator.name
    return (head, *(arg.name for arg in args))


def _makes_array(operator: Operator, args: list[TermEntry]) -> bool:
    return operator.name in ("store", "const") or (operator.name == "ite" and args[1].sort.name == "Array")


def _is_drawn(signature: Signature, operator: Operator) -> bool:
    """Whether an operator is drawn: standard ones only with standard ranks, and none that makes functions."""
    return (signature.is_standard or not operator.is_standard) and signature.result.name != "->"


def _initial_bindings(signature: Signature, mirror: Mirror, rng: Random) -> tuple[Bindings, str] | None:
    """Choices made before the arguments: float formats, and sort parameters that only the result has."""
    if signature.result.name == "FloatingPoint" and not any(
        a.name == "FloatingPoint" for a in signature.args
    ):
        exponent, significand = _float_format(mirror, rng)
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


def _float_format(mirror: Mirror, rng: Random) -> FloatFormat:
    """Mostly a format that the run has already."""
    formats = [sort.indices for sort in mirror.sorts.values() if sort.name == "FloatingPoint"]
    if formats and rng.random() < _KNOWN_FORMAT:
        exponent, significand = rng.choice(formats)
        assert isinstance(exponent, int)
        assert isinstance(significand, int)
        return exponent, significand
    return draw_format(mirror, rng)


def draw_format(mirror: Mirror, rng: Random) -> FloatFormat:
    """A float format, by weight."""
    formats = mirror.float_formats
    return rng.choices(list(formats), list(formats.values()))[0]


def _parameters(sort: Sort) -> set[str]:
    if sort.is_parameter:
        return {sort.name}
    return set().union(*map(_parameters, sort.args)) if sort.args else set()


def _arguments(
    signature: Signature, bindings: Bindings, mirror: Mirror, rng: Random, capabilities: Capabilities
) -> list[TermEntry] | None:
    patterns = list(signature.args)
    if signature.associativity in _VARIADIC:
        patterns += [signature.args[1]] * (rng.choice(_ARITIES) - 2)
    constant = capabilities.constant_arguments.get(signature.name, ())
    args: list[TermEntry] = []
    first: Bindings = dict(bindings)
    for position, pattern in enumerate(patterns):
        # Additional arguments of a variadic operator depend on the first argument only.
        bound = bindings if position < len(signature.args) else dict(first)
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
        candidates: Sequence[TermEntry] = mirror.by_sort[sort]
        if position in constant:
            candidates = [entry for entry in candidates if entry.role == "value"]
        arg = pick_rarely_used(candidates, rng)
        if arg is None:
            return None
        args.append(arg)
        if position == 0:
            first = dict(bindings)
    return args


def _function(pattern: Sort, bound: Bindings, mirror: Mirror, rng: Random) -> TermEntry | None:
    """A function as an argument, in higher-order runs."""
    if "higher-order" not in mirror.theories:
        return None
    fitting = [entry for entry in mirror.functions if match(pattern, entry.sort, dict(bound))]
    if not fitting:
        return None
    choice = rng.choice(fitting)
    match(pattern, choice.sort, bound)
    return choice


def _fitting(pattern: Sort, bound: Bindings, mirror: Mirror) -> list[Sort]:
    """The sorts of the mirror's terms that match a pattern; common patterns take a shortcut."""
    sorts = mirror.by_sort
    target = pattern if not pattern.is_pattern else bound.get(pattern.name)
    if isinstance(target, Sort):
        return [target] if target in sorts else []
    if pattern.is_parameter:
        return list(sorts)
    name = pattern.name
    same_name = [sort for sort in sorts if sort.name == name]
    if not pattern.args and len(pattern.indices) == 1 and isinstance(pattern.indices[0], str):
        width = bound.get(pattern.indices[0])  # mostly a bit-vector
        return same_name if width is None else [sort for sort in same_name if sort.indices[0] == width]
    return [sort for sort in same_name if match(pattern, sort, dict(bound))]


def _indices(
    signature: Signature, bindings: Bindings, args: list[TermEntry], mirror: Mirror, rng: Random
) -> tuple[Index, ...] | None:
    """Indices with which the operator accepts the arguments and the mirror allows the result, if any."""
    sorts = tuple([arg.sort for arg in args])
    if not signature.indices and not signature.where and len(sorts) == len(signature.args):
        sort = substitute(signature.result, bindings)  # the arguments match already
        return () if mirror.allows(sort) or not kind_of(sort).is_first_class else None
    open_names = [name for name in signature.indices if isinstance(name, str) and name not in bindings]
    for _ in range(_INDEX_ATTEMPTS if open_names else 1):
        trial = dict(bindings)
        for name in open_names:
            trial[name] = _number(signature.name, sorts, mirror, rng)
        indices = tuple(trial[i] if isinstance(i, str) else i for i in signature.indices)
        plain = tuple(i for i in indices if not isinstance(i, Sort))
        if signature.name == "re.loop":  # with decreasing bounds it is empty, and some libraries refuse it
            plain = tuple(sorted(plain, key=_as_number))
        qualifier = substitute(signature.result, trial) if _is_open(signature) else None
        result = signature.rank(plain, sorts, qualifier)
        if result is not None and (mirror.allows(result) or not kind_of(result).is_first_class):
            return plain
    return None


def _as_number(index: Index) -> int:
    assert isinstance(index, int)
    return index


@cache
def _is_open(signature: Signature) -> bool:
    """Whether the result has sort parameters that no argument has."""
    names: set[str] = set()
    for arg in signature.args:
        names |= _parameters(arg)
    return not _parameters(signature.result) <= names


def _number(operator: str, sorts: tuple[Sort, ...], mirror: Mirror, rng: Random) -> int:
    if operator.startswith("re."):
        return rng.randrange(mirror.bounds.loops + 1)
    widths = [i for sort in sorts for i in sort.indices if isinstance(i, int)]
    if widths and rng.random() < 0.7:
        return rng.randrange(max(widths) + 1)
    sizes = [sort.indices[0] for sort in mirror.by_sort if sort.name == "BitVec"]
    existing = [width for width in sizes if isinstance(width, int)]
    return rng.choice(existing) if existing and rng.random() < 0.5 else rng.randrange(1, 9)


def pick_rarely_used(candidates: Sequence[TermEntry], rng: Random) -> TermEntry | None:
    """The least used of a few random candidates."""
    if not candidates:
        return None
    count, random = len(candidates), rng.random
    best = candidates[int(random() * count)]
    for _ in range(_CANDIDATES - 1):
        other = candidates[int(random() * count)]
        if other.uses < best.uses:
            best = other
    return best


def _is_small_enough(args: list[TermEntry], mirror: Mirror, more_nodes: int = 0) -> bool:
    if sum(arg.nodes for arg in args) + more_nodes >= mirror.bounds.nodes:
        return False
    return all(arg.depth < mirror.bounds.depth for arg in args)
