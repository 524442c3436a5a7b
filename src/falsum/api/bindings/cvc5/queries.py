"""Calls all queries of cvc5's terms, sorts and proofs that are allowed."""

from __future__ import annotations

from typing import Any

from cvc5 import Kind


def read_proof(root: Any, rules: dict[str, int]) -> None:
    """Call every query of every step, and count the rules."""
    todo, seen = [root], set()
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        rule = str(node.getRule().name)
        rules[rule] = rules.get(rule, 0) + 1
        node.getResult()
        node.getArguments()
        if "REWRITE" in rule and rule.startswith("DSL"):
            node.getRewriteRule()
        todo.extend(node.getChildren())


# Predicate on a sort → queries that are allowed if it holds.
SORT_QUERIES = {
    "isArray": ("getArrayIndexSort", "getArrayElementSort"),
    "isBag": ("getBagElementSort",),
    "isBitVector": ("getBitVectorSize",),
    "isFloatingPoint": ("getFloatingPointExponentSize", "getFloatingPointSignificandSize"),
    "isFunction": ("getFunctionArity", "getFunctionDomainSorts", "getFunctionCodomainSort"),
    "isSequence": ("getSequenceElementSort",),
    "isSet": ("getSetElementSort",),
    "isTuple": ("getTupleLength", "getTupleSorts"),
    "isNullable": ("getNullableElementSort",),
    "isDatatype": ("getDatatypeArity", "getDatatype"),
    "isInstantiated": ("getInstantiatedParameters",),
}
DATATYPE_QUERIES = (
    "getName", "getNumConstructors", "isCodatatype", "isParametric", "isRecord", "isTuple",
    "isWellFounded",
)  # fmt: skip
# Predicate on a term → query that is allowed if it holds.
VALUE_QUERIES = {
    "isBooleanValue": "getBooleanValue", "isBitVectorValue": "getBitVectorValue",
    "isIntegerValue": "getIntegerValue", "isRealValue": "getRealValue", "isStringValue": "getStringValue",
    "isRoundingModeValue": "getRoundingModeValue", "isFloatingPointValue": "getFloatingPointValue",
    "isSetValue": "getSetValue", "isSequenceValue": "getSequenceValue", "isTupleValue": "getTupleValue",
    "isConstArray": "getConstArrayBase", "isUninterpretedSortValue": "getUninterpretedSortValue",
    "isFiniteFieldValue": "getFiniteFieldValue", "isCardinalityConstraint": "getCardinalityConstraint",
}  # fmt: skip


def query_term(term: Any) -> list[str]:
    """The answers to all queries of a term and its sort."""
    parts = [str(term.getKind().name)]
    if hasattr(term, "hasSymbol") and term.hasSymbol():
        parts.append(str(term.getSymbol()))
    if term.hasOp():
        operator = term.getOp()
        indices = range(operator.getNumIndices()) if operator.isIndexed() else range(0)
        parts.append(f"{operator.getKind().name} {[str(operator[index]) for index in indices]}")
    for predicate, query in VALUE_QUERIES.items():
        if hasattr(term, predicate) and getattr(term, predicate)():
            parts.append(f"{query} {getattr(term, query)()}")
    if term.getKind() == Kind.CONST_FLOATINGPOINT:
        parts += [name for name in dir(term) if name.startswith("isFloatingPoint") and getattr(term, name)()]
    sort = term.getSort()
    for name in sorted(each for each in dir(sort) if each.startswith("is")):
        if getattr(sort, name)():
            parts += [f"{query} {getattr(sort, query)()}" for query in SORT_QUERIES.get(name, ())]
    if sort.isDatatype():
        datatype = sort.getDatatype()
        parts += [f"{query} {getattr(datatype, query)()}" for query in DATATYPE_QUERIES]
        if not datatype.isParametric():
            parts.append(f"isFinite {datatype.isFinite()}")
    return [" ".join(each.split()) for each in parts]
