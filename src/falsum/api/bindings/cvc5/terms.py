"""Sorts, datatypes and terms of cvc5."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import cvc5
from cvc5 import Kind

from . import operators as tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle


class Cvc5Terms:
    """The part of the binding that makes sorts and terms.

    Terms belong to the term manager, definitions to the solver. `is_printable`: `declared_script` can print
    all declarations.
    """

    variant: int

    def __init__(self) -> None:
        self.kinds = {
            name: getattr(Kind, kind) for name, kind in tables.OPERATORS.items() if hasattr(Kind, kind)
        }

    def start(self) -> None:
        """Make a new term manager and solver, and forget everything else."""
        self.members: dict[str, tuple[Any, Any]] = {}
        self.definitions: list[tuple[Any, list[Any], Any]] = []
        self.constants: list[Any] = []
        self.declared_sorts: list[Any] = []
        self.logic = ""
        self.is_printable = True
        self.options: dict[str, str] = {}
        self.assumptions: list[Any] = []  # of the last check
        self.is_safe = False  # in safe mode, which has no match and no recursive definitions
        if hasattr(cvc5, "TermManager"):
            self.manager = cvc5.TermManager()
            self.solver = cvc5.Solver(self.manager)
        else:  # before 1.2 the solver makes terms
            self.manager = self.solver = cvc5.Solver()

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        maker = getattr(self.manager, tables.SORTS[name])
        natives = [arg.native for arg in args]
        return maker(natives[:-1], natives[-1]) if name == "->" else maker(*indices, *natives)

    def datatypes(self, declarations: list[tuple[str, list[Any]]]) -> list[Any]:
        return self.declare_datatypes(
            [(name, constructors, [], False) for name, constructors in declarations]
        )

    def codatatypes(self, declarations: list[tuple[str, list[Any]]]) -> list[Any]:
        return self.declare_datatypes([(name, constructors, [], True) for name, constructors in declarations])

    def template(self, name: str, parameters: int, constructors: list[Any]) -> Any:
        params = [self.manager.mkParamSort(f"X{index}") for index in range(parameters)]
        return self.declare_datatypes([(name, constructors, params, False)])[0]

    def instantiate(self, template: Any, args: list[SortHandle], suffix: str) -> Any:
        sort = template.instantiate([arg.native for arg in args])
        self.add_members(sort, suffix)
        return sort

    def declare_datatypes(self, datatypes: list[tuple[str, list[Any], list[Any], bool]]) -> list[Any]:
        manager = self.manager
        self.is_printable = False
        names = [name for name, *_ in datatypes]
        declarations = []
        for name, constructors, params, is_co in datatypes:
            declaration = (
                manager.mkDatatypeDecl(name, params) if params else manager.mkDatatypeDecl(name, is_co)
            )
            for constructor, fields in constructors:
                native_constructor = manager.mkDatatypeConstructorDecl(constructor)
                for field, sort in fields:
                    if isinstance(sort, str):
                        native_constructor.addSelector(field, params[int(sort[1:])])
                    elif not isinstance(sort, int):
                        native_constructor.addSelector(field, sort.native)
                    elif names[sort] == name:
                        native_constructor.addSelectorSelf(field)
                    else:
                        native_constructor.addSelectorUnresolved(field, names[sort])
                declaration.addConstructor(native_constructor)
            declarations.append(declaration)
        one = len(declarations) == 1 and self.variant % 2
        sorts = (
            [manager.mkDatatypeSort(declarations[0])] if one else list(manager.mkDatatypeSorts(declarations))
        )
        for sort, (_, _, params, _) in zip(sorts, datatypes, strict=True):
            if not params:
                self.add_members(sort, "")
        return sorts

    def add_members(self, sort: Any, suffix: str) -> None:
        """Record the functions of a datatype under their operator names in traces."""
        datatype = sort.getDatatype()
        for index in range(datatype.getNumConstructors()):
            constructor = datatype[index]
            name = constructor.getName()
            make = constructor.getInstantiatedTerm(sort) if suffix else constructor.getTerm()
            self.members[f"make:{name}{suffix}"] = (Kind.APPLY_CONSTRUCTOR, make)
            self.members[f"is:{name}{suffix}"] = (Kind.APPLY_TESTER, constructor.getTesterTerm())
            for at in range(constructor.getNumSelectors()):
                field = constructor[at].getName()
                self.members[f"get:{field}{suffix}"] = (Kind.APPLY_SELECTOR, constructor[at].getTerm())
                self.members[f"set:{field}{suffix}"] = (Kind.APPLY_UPDATER, constructor[at].getUpdaterTerm())

    def matched(self, term: Any, name: str, then: Any, otherwise: Any) -> Any:
        """A match of a term: one result for the constructor of this name, another for all others."""
        manager = self.manager
        datatype = term.getSort().getDatatype()
        cases = []
        for index in range(datatype.getNumConstructors()):
            constructor = datatype[index]
            truth = then if constructor.getName() == name else otherwise
            make = (
                constructor.getInstantiatedTerm(term.getSort())
                if datatype.isParametric()
                else constructor.getTerm()
            )
            sorts = make.getSort().getDatatypeConstructorDomainSorts()
            names = [manager.mkVar(sort, f"m{at}") for at, sort in enumerate(sorts)]
            pattern = manager.mkTerm(Kind.APPLY_CONSTRUCTOR, make, *names)
            if names:
                variable_list = manager.mkTerm(Kind.VARIABLE_LIST, *names)
                cases.append(manager.mkTerm(Kind.MATCH_BIND_CASE, variable_list, pattern, truth))
            else:
                cases.append(manager.mkTerm(Kind.MATCH_CASE, pattern, truth))
        return manager.mkTerm(Kind.MATCH, term, *cases)

    def declare_sort(self, name: str) -> Any:
        self.declared_sorts.append(self.manager.mkUninterpretedSort(name))
        return self.declared_sorts[-1]

    def const(self, sort: SortHandle, name: str) -> Any:
        self.constants.append(self.manager.mkConst(sort.native, name))
        return self.constants[-1]

    def var(self, sort: SortHandle, name: str) -> Any:
        return self.manager.mkVar(sort.native, name)

    def value(self, sort: SortHandle, text: str) -> Any:
        manager = self.manager
        if sort.name == "Bool":
            return manager.mkBoolean(text == "true")
        if sort.name == "BitVec":
            bases = {"#b": 2, "#x": 16}
            if text[:2] in bases:
                return manager.mkBitVector(sort.indices[0], text[2:], bases[text[:2]])
            return manager.mkBitVector(sort.indices[0], text, 10)
        if sort.name == "Int":
            return manager.mkInteger(text)
        if sort.name == "Real":
            return manager.mkReal(text)
        if sort.name == "String":
            return manager.mkString(text[1:-1].replace('""', '"'), True)
        if sort.name == "RoundingMode":
            return manager.mkRoundingMode(getattr(cvc5.RoundingMode, tables.MODES[text]))
        bits = "".join(word[2:] for word in text.strip("()").split()[1:])
        return manager.mkFloatingPoint(*sort.indices, manager.mkBitVector(len(bits), bits, 2))

    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "Bool":
            return self.manager.mkTrue() if name == "true" else self.manager.mkFalse()
        return getattr(self.manager, f"mkFloatingPoint{tables.FLOATS[name]}")(*sort.indices)

    # -- terms -------------------------------------------------------------------------------------

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        manager = self.manager
        if operator in self.members:
            if operator.startswith("is:") and self.variant % 5 == 1 and not self.is_safe:
                return self.matched(
                    args[0], operator[3:].partition("@")[0], manager.mkTrue(), manager.mkFalse()
                )
            kind, member = self.members[operator]
            return manager.mkTerm(kind, member, *args)
        if operator == "ite" and self.variant % 2 and not self.is_safe and is_tester(args[0]):
            test, term = args[0]
            return self.matched(term, tested_constructor(test, term), *args[1:])
        if operator in tables.OTHERS and operator != "to_fp":
            return self.other(operator, indices, args, sort)
        if operator == "apply":
            return self.applied(args)
        if operator == "set.comprehension":
            variable_list = manager.mkTerm(Kind.VARIABLE_LIST, *args[:-2])
            return manager.mkTerm(Kind.SET_COMPREHENSION, variable_list, *args[-2:])
        if operator in ("forall", "exists"):
            return self.quantified(operator, args[:-1], args[-1])
        if operator == "-" and len(args) == 1:
            return manager.mkTerm(Kind.NEG, *args)
        if operator == "seq.indexof" and len(args) == 2:
            args = [*args, manager.mkInteger(0)]
        if operator in tables.CHAINED and len(args) > 2:
            links = [manager.mkTerm(self.kinds[operator], a, b) for a, b in pairwise(args)]
            return manager.mkTerm(Kind.AND, *links)
        kind = conversion(args) if operator == "to_fp" else self.kinds[operator]
        if indices:
            return manager.mkTerm(manager.mkOp(kind, *indices), *args)
        if self.variant % 4 == 3 and operator in tables.SHORT and len(args) == tables.SHORT[operator][1]:
            return getattr(args[0], tables.SHORT[operator][0])(*args[1:])
        return manager.mkTerm(kind, *args)

    def other(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        """Make a term by a method of its own, or from a sort."""
        maker = getattr(self.manager, tables.OTHERS[operator])
        if operator in tables.NULLARY:
            return maker()
        if sort is not None:
            if operator == "const":
                return maker(sort.native, args[0])
            return maker(sort.args[0].native if operator in tables.OF_ELEMENT else sort.native)
        if operator == "tuple":
            return maker(args)
        if operator in tables.NULLABLE:
            return maker(args[0])
        selector = args[0].getSort().getDatatype()[0][indices[0]]
        if operator == "tuple.select":
            return self.manager.mkTerm(Kind.APPLY_SELECTOR, selector.getTerm(), args[0])
        return self.manager.mkTerm(Kind.APPLY_UPDATER, selector.getUpdaterTerm(), *args)

    def applied(self, args: list[Any]) -> Any:
        """Apply a function; in higher-order logic some variants apply one argument at a time."""
        if self.logic.startswith("HO_") and self.variant % 3 == 1:
            result = args[0]
            for arg in args[1:]:
                result = self.manager.mkTerm(Kind.HO_APPLY, result, arg)
            return result
        return self.manager.mkTerm(Kind.APPLY_UF, *args)

    def quantified(self, word: str, variables: list[Any], body: Any) -> Any:
        """A quantifier, in some variants with a pattern; an existential one also by its witness."""
        manager = self.manager
        variable_list = manager.mkTerm(Kind.VARIABLE_LIST, *variables)
        if word == "exists" and len(variables) == 1 and self.variant == 1:  # rare: many of them crash 1.4.2
            return body.substitute(variables[0], manager.mkTerm(Kind.WITNESS, variable_list, body))
        kind = Kind.FORALL if word == "forall" else Kind.EXISTS
        hint = {1: "INST_PATTERN", 2: "INST_NO_PATTERN"}.get(self.variant % 6, "")
        trigger = pattern_in(body, variables) if hint else None
        if trigger is not None:
            hints = manager.mkTerm(Kind.INST_PATTERN_LIST, manager.mkTerm(getattr(Kind, hint), trigger))
            return manager.mkTerm(kind, variable_list, body, hints)
        if self.variant % 6 == 3:
            name = manager.mkConst(manager.getBooleanSort(), "q")  # as cvc5's own parser makes it
            name_attribute = manager.mkTerm(Kind.INST_ATTRIBUTE, manager.mkString("qid"), name)
            return manager.mkTerm(
                kind, variable_list, body, manager.mkTerm(Kind.INST_PATTERN_LIST, name_attribute)
            )
        return manager.mkTerm(kind, variable_list, body)

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """Define a function by name, or as a lambda."""
        if self.variant % 4 == 1:
            self.is_printable = False
            variable_list = self.manager.mkTerm(Kind.VARIABLE_LIST, *variables)
            return self.manager.mkTerm(Kind.LAMBDA, variable_list, body)
        if self.variant % 4 == 2 and not self.is_safe and not self.logic.startswith("QF_"):
            function = self.solver.defineFunRec(name, variables, body.getSort(), body, True)
        else:
            function = self.solver.defineFun(name, variables, body.getSort(), body, True)
        self.definitions.append((function, variables, body))
        return function


def is_tester(term: Any) -> bool:
    return bool(term.getKind() == Kind.APPLY_TESTER)


def tested_constructor(test: Any, term: Any) -> str:
    """The name of the constructor that a tester is for."""
    datatype = term.getSort().getDatatype()
    constructors = (datatype[index] for index in range(datatype.getNumConstructors()))
    return next(str(each.getName()) for each in constructors if each.getTesterTerm() == test)


def conversion(args: list[Any]) -> Any:
    """The kind of a `to_fp`, by the sort of its last argument."""
    if len(args) == 1:
        return Kind.FLOATINGPOINT_TO_FP_FROM_IEEE_BV
    sort = args[-1].getSort()
    if sort.isFloatingPoint():
        return Kind.FLOATINGPOINT_TO_FP_FROM_FP
    return Kind.FLOATINGPOINT_TO_FP_FROM_SBV if sort.isBitVector() else Kind.FLOATINGPOINT_TO_FP_FROM_REAL


def pattern_in(body: Any, variables: list[Any]) -> Any:
    """A function application or a select with all the variables in it; None if there is none."""
    ids = {variable.getId() for variable in variables}
    todo = [body]
    while todo:
        term = todo.pop()
        if term.getKind() in (Kind.APPLY_UF, Kind.SELECT) and ids <= ids_in(term):
            return term
        if term.getKind() not in (Kind.FORALL, Kind.EXISTS):
            todo.extend(term[index] for index in range(term.getNumChildren()))
    return None


def ids_in(term: Any) -> set[int]:
    ids: set[int] = set()
    todo = [term]
    while todo:
        part = todo.pop()
        if part.getId() not in ids:
            ids.add(part.getId())
            todo.extend(part[index] for index in range(part.getNumChildren()))
    return ids
