"""Sequences, sets, bags, tuples, relations, tables, nullables: solver extensions, mostly cvc5's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from falsum.smtlib.operators import Meaning, Operator, Rule, Theory, aliases, table
from falsum.smtlib.sorts import INT, Index, Sort
from falsum.smtlib.theories.meanings import folded, numbers, plain
from falsum.smtlib.values import relations, sequences, sets, strings

if TYPE_CHECKING:
    from falsum.smtlib.terms import App

_S, _T = "(Seq A)", "String"


def _for_sequences_and_strings(text: str) -> str:
    """z3's strings are sequences of characters, so sequence operators take them, too."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n".join(f"(par (A) {line.replace('S', _S)}) {line.replace('S', _T)}" for line in lines)


def _either(on_strings: Callable[..., object], on_sequences: Callable[..., object]) -> Meaning:
    return lambda app, args: (on_strings if isinstance(args[0], str) else on_sequences)(*args)


def _nth(app: App, args: Sequence[Any]) -> object:
    del app
    found = sequences.nth(tuple(args[0]), args[1])
    return ord(found) if isinstance(args[0], str) and isinstance(found, str) else found


_SEQUENCES = table(
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
_SETS = table(
    "Sets",
    """
    (par (A) (set.empty (Set A))) (par (A) (set.universe (Set A)))
    (par (A) (set.union (Set A) (Set A) (Set A) :left-assoc))
    (par (A) (set.inter (Set A) (Set A) (Set A) :left-assoc))
    (par (A) (set.minus (Set A) (Set A) (Set A) :left-assoc))
    (par (A) (set.subset (Set A) (Set A) Bool))
    (par (A) (set.member A (Set A) Bool))
    (par (A) (set.singleton A (Set A)))
    (par (A) (set.card (Set A) Int))
    (par (A) (set.complement (Set A) (Set A)))
    (par (A) (set.choose (Set A) A))
    (par (A) (set.is_empty (Set A) Bool)) (par (A) (set.is_singleton (Set A) Bool))
    (par (A B) (set.map (-> A B) (Set A) (Set B)))
    (par (A) (set.filter (-> A Bool) (Set A) (Set A)))
    (par (A) (set.all (-> A Bool) (Set A) Bool)) (par (A) (set.some (-> A Bool) (Set A) Bool))
    (par (A B) (set.fold (-> A B B) B (Set A) B))
    (par (A) (set.range A A (Set A)))
    """,
    {
        "set.empty": lambda app, args: frozenset(),
        "set.union": folded(sets.union),
        "set.inter": folded(sets.inter),
        "set.minus": folded(sets.minus),
        "set.subset": plain(sets.subset),
        "set.member": plain(sets.member),
        "set.singleton": plain(sets.singleton),
        "set.card": plain(sets.card),
        "set.is_empty": plain(sets.is_empty),
        "set.is_singleton": plain(sets.is_singleton),
        "set.choose": plain(sets.choose),
    },
    is_standard=False,
)
_BAGS = table(
    "Bags",
    """
    (par (A) (bag.empty (Bag A)))
    (par (A) (bag A Int (Bag A)))
    (par (A) (bag.union_max (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.union_disjoint (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.inter_min (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.difference_subtract (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.difference_remove (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.subbag (Bag A) (Bag A) Bool))
    (par (A) (bag.count A (Bag A) Int)) (par (A) (bag.member A (Bag A) Bool))
    (par (A) (bag.setof (Bag A) (Bag A)))
    (par (A) (bag.card (Bag A) Int)) (par (A) (bag.choose (Bag A) A))
    (par (A) (bag.is_singleton (Bag A) Bool))
    (par (A B) (bag.map (-> A B) (Bag A) (Bag B)))
    (par (A) (bag.filter (-> A Bool) (Bag A) (Bag A)))
    (par (A) (bag.all (-> A Bool) (Bag A) Bool)) (par (A) (bag.some (-> A Bool) (Bag A) Bool))
    (par (A B) (bag.fold (-> A B B) B (Bag A) B))
    (par (A) (bag.partition (-> A A Bool) (Bag A) (Bag (Bag A))))
    (par (A) (bag.from_set (Set A) (Bag A))) (par (A) (bag.to_set (Bag A) (Set A)))
    """,
    is_standard=False,
)
_NULLABLES = table(
    "Datatypes",
    """
    (par (A) (nullable.null (Nullable A)))
    (par (A) (nullable.some A (Nullable A)))
    (par (A) (nullable.val (Nullable A) A))
    (par (A) (nullable.is_null (Nullable A) Bool)) (par (A) (nullable.is_some (Nullable A) Bool))
    """,
    is_standard=False,
)


def _insert(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`(set.insert x … set)`."""
    if indices or len(sorts) < 2 or sorts[-1].name != "Set" or not sorts[-1].args:
        return None
    return sorts[-1] if all(sort is sorts[-1].args[0] for sort in sorts[:-1]) else None


def _tuple(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    return None if indices else Sort("Tuple", (), sorts) if sorts else Sort("UnitTuple")


def _unit(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    return None if indices or sorts else Sort("UnitTuple")


def _lift(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`(nullable.lift f x …)`: a function on what may be null."""
    if indices or len(sorts) < 2 or sorts[0].name != "->":
        return None
    if any(sort.name != "Nullable" or not sort.args for sort in sorts[1:]):
        return None
    inner = tuple(sort.args[0] for sort in sorts[1:])
    return Sort("Nullable", (), sorts[0].args[-1:]) if inner == sorts[0].args[:-1] else None


def _components(sort: Sort) -> tuple[Sort, ...] | None:
    if sort.name == "Tuple":
        return sort.args
    return () if sort.name == "UnitTuple" else None


def _rows(sort: Sort) -> tuple[Sort, ...] | None:
    """The columns of a relation or table."""
    if sort.name not in ("Set", "Bag") or not sort.args:
        return None
    return _components(sort.args[0])


def _pick(columns: tuple[Sort, ...], indices: tuple[Index, ...]) -> tuple[Sort, ...] | None:
    if not all(isinstance(i, int) and i < len(columns) for i in indices):
        return None
    return tuple(columns[i] for i in indices if isinstance(i, int))


def _made(columns: tuple[Sort, ...]) -> Sort:
    return Sort("Tuple", (), columns) if columns else Sort("UnitTuple")


def _tuple_select(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _components(sorts[0]) if len(sorts) == 1 else None
    picked = _pick(columns, indices) if columns is not None else None
    return picked[0] if picked is not None and len(picked) == 1 else None


def _tuple_update(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    if len(sorts) != 2 or _tuple_select(indices, sorts[:1]) is not sorts[1]:
        return None
    return sorts[0]


def _tuple_project(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _components(sorts[0]) if len(sorts) == 1 else None
    picked = _pick(columns, indices) if columns is not None else None
    return None if picked is None else _made(picked)


def _project(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _rows(sorts[0]) if len(sorts) == 1 else None
    picked = _pick(columns, indices) if columns is not None else None
    return None if picked is None else Sort(sorts[0].name, (), (_made(picked),))


def _join(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`(rel.join r s)`: the last column of one against the first of the other."""
    left = _rows(sorts[0]) if len(sorts) == 2 and not indices else None
    right = _rows(sorts[1]) if left else None
    if not left or not right or left[-1] is not right[0]:
        return None
    return Sort("Set", (), (_made(left[:-1] + right[1:]),))


def _product(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """Products, and joins by pairs of columns: all columns of both."""
    if len(sorts) != 2 or sorts[0].name != sorts[1].name:
        return None
    left, right = _rows(sorts[0]), _rows(sorts[1])
    if left is None or right is None or len(indices) % 2:
        return None
    for i, j in zip(indices[::2], indices[1::2], strict=True):
        if not isinstance(i, int) or not isinstance(j, int) or i >= len(left) or j >= len(right):
            return None
        if left[i] is not right[j]:
            return None
    return Sort(sorts[0].name, (), (_made(left + right),))


def _transpose(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _rows(sorts[0]) if len(sorts) == 1 and not indices else None
    return None if columns is None else Sort("Set", (), (_made(columns[::-1]),))


def _closure(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _rows(sorts[0]) if len(sorts) == 1 and not indices else None
    return sorts[0] if columns and len(columns) == 2 and columns[0] is columns[1] else None


def _identity(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _rows(sorts[0]) if len(sorts) == 1 and not indices else None
    return Sort("Set", (), (_made(columns * 2),)) if columns and len(columns) == 1 else None


def _join_image(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    if indices or len(sorts) != 2 or sorts[1] is not INT:
        return None
    columns = _rows(sorts[0])
    alike = columns is not None and len(columns) == 2 and columns[0] is columns[1]
    return Sort("Set", (), (_made(columns[:1]),)) if columns and alike else None


def _group(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _rows(sorts[0]) if len(sorts) == 1 else None
    if columns is None or _pick(columns, indices) is None:
        return None
    return Sort(sorts[0].name, (), (sorts[0],))


def _aggregate(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`((_ table.aggr i …) f initial table)`."""
    if len(sorts) != 3 or sorts[0].name != "->":
        return None
    columns = _rows(sorts[2])
    if columns is None or _pick(columns, indices) is None:
        return None
    if sorts[0].args != (sorts[2].args[0], sorts[1], sorts[1]):
        return None
    return Sort(sorts[2].name, (), (sorts[1],))


def _updated(row: tuple[Any, ...], place: int, new: object) -> tuple[Any, ...]:
    return (*row[:place], new, *row[place + 1 :])


_RULE_MEANINGS: dict[str, Meaning] = {
    "set.insert": lambda app, args: sets.insert(args[:-1], args[-1]),
    "tuple": lambda app, args: tuple(args),
    "tuple.unit": lambda app, args: (),
    "tuple.select": lambda app, args: args[0][app.head.indices[0]],
    "tuple.project": lambda app, args: tuple(args[0][index] for index in app.head.indices),
    "tuple.update": lambda app, args: _updated(args[0], numbers(app)[0], args[1]),
    "rel.join": plain(relations.join),
    "rel.product": plain(relations.product),
    "rel.transpose": plain(relations.transpose),
    "rel.tclosure": plain(relations.closure),
    "rel.iden": plain(relations.identity),
    "rel.join_image": plain(relations.join_image),
    "rel.project": lambda app, args: relations.project(args[0], numbers(app)),
}


def _by_rule(theory: str, rules: dict[str, tuple[Rule, str]]) -> list[Operator]:
    return [
        Operator(name, theory, rule=rule, wants=wants, is_standard=False, meaning=_RULE_MEANINGS.get(name))
        for name, (rule, wants) in rules.items()
    ]


_RULED = [
    *_by_rule("Sets", {"set.insert": (_insert, "elements and then their set")}),
    *_by_rule(
        "Datatypes",
        {
            "tuple": (_tuple, "any arguments"),
            "tuple.unit": (_unit, "no argument"),
            "tuple.select": (_tuple_select, "one index and a tuple that has it"),
            "tuple.update": (_tuple_update, "one index, a tuple that has it and the new component"),
            "tuple.project": (_tuple_project, "indices of the tuple"),
            "nullable.lift": (_lift, "a function and nullable arguments of its sorts"),
        },
    ),
    *_by_rule(
        "Relations",
        {
            "rel.join": (
                _join,
                "two relations, the last column of one like the first of the other",
            ),
            "rel.product": (_product, "two relations"),
            "rel.table_join": (_product, "two relations and pairs of columns"),
            "rel.transpose": (_transpose, "a relation"),
            "rel.tclosure": (_closure, "a relation of two like columns"),
            "rel.iden": (_identity, "a relation of one column"),
            "rel.join_image": (_join_image, "a relation of two columns of one sort and an Int"),
            "rel.group": (_group, "columns and a relation"),
            "rel.aggr": (_aggregate, "columns, a function, an initial value and a relation"),
            "rel.project": (_project, "columns and a relation"),
            "table.product": (_product, "two tables"),
            "table.join": (_product, "two tables and pairs of columns"),
            "table.group": (_group, "columns and a table"),
            "table.aggr": (_aggregate, "columns, a function, an initial value and a table"),
            "table.project": (_project, "columns and a table"),
        },
    ),
]
_OPERATORS = [*_SEQUENCES, *_SETS, *_BAGS, *_NULLABLES, *_RULED]

# Names that older releases of cvc5 and cvc4 used.
_OLD_NAMES = {
    "emptyset": "set.empty",
    "univset": "set.universe",
    "member": "set.member",
    "singleton": "set.singleton",
    "insert": "set.insert",
    "choose": "set.choose",
    "is_singleton": "set.is_singleton",
    "join": "rel.join",
    "product": "rel.product",
    "transpose": "rel.transpose",
    "tclosure": "rel.tclosure",
    "mkTuple": "tuple",
    "bag.duplicate_removal": "bag.setof",
}

THEORY = Theory(
    "Collections",
    {
        "Seq": (0, 1),
        "Set": (0, 1),
        "Bag": (0, 1),
        "Nullable": (0, 1),
        "Tuple": (0, -1),
        "UnitTuple": (0, 0),
        "Relation": (0, -1),
        "Table": (0, -1),
    },
    (*_OPERATORS, *aliases(_OPERATORS, _OLD_NAMES)),
)
