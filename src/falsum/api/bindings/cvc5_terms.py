"""Sorts and terms of cvc5's binding; loaded by `cvc5.py` in the child."""

from __future__ import annotations

import importlib
from itertools import pairwise
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

cvc5: Any = importlib.import_module("cvc5")
Kind: Any = cvc5.Kind

tables: Any = importlib.import_module("beside.cvc5_operators")


class Terms:
    """The part of the binding that makes things; terms are the manager's, definitions the solver's."""

    number: int

    def __init__(self) -> None:
        self.kinds = {
            name: getattr(Kind, kind) for name, kind in tables.OPERATORS.items() if hasattr(Kind, kind)
        }

    def begin(self) -> None:
        """Nothing is known of what was before."""
        self.members: dict[str, tuple[Any, Any]] = {}
        self.definitions: list[tuple[Any, list[Any], Any]] = []
        self.constants: list[Any] = []
        self.own_sorts: list[Any] = []
        self.logic = ""
        self.is_told_in_words = True
        if hasattr(cvc5, "TermManager"):
            self.manager = cvc5.TermManager()
            self.solver = cvc5.Solver(self.manager)
        else:  # releases before 1.2: the solver makes terms
            self.manager = self.solver = cvc5.Solver()

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        maker = getattr(self.manager, tables.SORTS[name])
        made = [arg.made for arg in args]
        return maker(made[:-1], made[-1]) if name == "->" else maker(*indices, *made)

    def datatypes(self, declared: list[tuple[str, list[Any]]]) -> list[Any]:
        return self.declared([(name, constructors, [], False) for name, constructors in declared])

    def codatatypes(self, declared: list[tuple[str, list[Any]]]) -> list[Any]:
        return self.declared([(name, constructors, [], True) for name, constructors in declared])

    def template(self, name: str, parameters: int, constructors: list[Any]) -> Any:
        params = [self.manager.mkParamSort(f"X{place}") for place in range(parameters)]
        return self.declared([(name, constructors, params, False)])[0]

    def instantiate(self, template: Any, args: list[SortHandle], mark: str) -> Any:
        sort = template.instantiate([arg.made for arg in args])
        self.remember(sort, mark)
        return sort

    def declared(self, wanted: list[tuple[str, list[Any], list[Any], bool]]) -> list[Any]:
        manager = self.manager
        self.is_told_in_words = False
        names = [name for name, *_ in wanted]
        planned = []
        for name, constructors, params, is_co in wanted:
            plan = manager.mkDatatypeDecl(name, params) if params else manager.mkDatatypeDecl(name, is_co)
            for constructor, fields in constructors:
                made = manager.mkDatatypeConstructorDecl(constructor)
                for field, sort in fields:
                    if isinstance(sort, str):
                        made.addSelector(field, params[int(sort[1:])])
                    elif not isinstance(sort, int):
                        made.addSelector(field, sort.made)
                    elif names[sort] == name:
                        made.addSelectorSelf(field)
                    else:
                        made.addSelectorUnresolved(field, names[sort])
                plan.addConstructor(made)
            planned.append(plan)
        one = len(planned) == 1 and self.number % 2
        sorts = [manager.mkDatatypeSort(planned[0])] if one else list(manager.mkDatatypeSorts(planned))
        for sort, (_, _, params, _) in zip(sorts, wanted, strict=True):
            if not params:
                self.remember(sort, "")
        return sorts

    def remember(self, sort: Any, mark: str) -> None:
        """The functions of a datatype, by the words of lines; of an instance they end in its mark."""
        datatype = sort.getDatatype()
        for place in range(datatype.getNumConstructors()):
            there = datatype[place]
            name = there.getName()
            make = there.getInstantiatedTerm(sort) if mark else there.getTerm()
            self.members[f"make:{name}{mark}"] = (Kind.APPLY_CONSTRUCTOR, make)
            self.members[f"is:{name}{mark}"] = (Kind.APPLY_TESTER, there.getTesterTerm())
            for at in range(there.getNumSelectors()):
                field = there[at].getName()
                self.members[f"get:{field}{mark}"] = (Kind.APPLY_SELECTOR, there[at].getTerm())
                self.members[f"set:{field}{mark}"] = (Kind.APPLY_UPDATER, there[at].getUpdaterTerm())

    def matched(self, word: str, term: Any) -> Any:
        """Which constructor made it, asked by a match: as the tester says."""
        manager, wanted = self.manager, word[3:].partition("@")[0]
        datatype = term.getSort().getDatatype()
        cases = []
        for place in range(datatype.getNumConstructors()):
            there = datatype[place]
            truth = manager.mkBoolean(there.getName() == wanted)
            make = there.getInstantiatedTerm(term.getSort()) if datatype.isParametric() else there.getTerm()
            sorts = make.getSort().getDatatypeConstructorDomainSorts()
            names = [manager.mkVar(sort, f"m{at}") for at, sort in enumerate(sorts)]
            pattern = manager.mkTerm(Kind.APPLY_CONSTRUCTOR, make, *names)
            if names:
                bound = manager.mkTerm(Kind.VARIABLE_LIST, *names)
                cases.append(manager.mkTerm(Kind.MATCH_BIND_CASE, bound, pattern, truth))
            else:
                cases.append(manager.mkTerm(Kind.MATCH_CASE, pattern, truth))
        return manager.mkTerm(Kind.MATCH, term, *cases)

    def declare_sort(self, name: str) -> Any:
        self.own_sorts.append(self.manager.mkUninterpretedSort(name))
        return self.own_sorts[-1]

    def const(self, sort: SortHandle, name: str) -> Any:
        self.constants.append(self.manager.mkConst(sort.made, name))
        return self.constants[-1]

    def var(self, sort: SortHandle, name: str) -> Any:
        return self.manager.mkVar(sort.made, name)

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
            if operator.startswith("is:") and self.number % 5 == 1:
                return self.matched(operator, args[0])
            kind, member = self.members[operator]
            return manager.mkTerm(kind, member, *args)
        if operator in tables.OTHERS and operator != "to_fp":
            return self.other(operator, indices, args, sort)
        if operator == "apply":
            return self.applied(args)
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
        if self.number % 4 == 3 and operator in tables.SHORT and len(args) == tables.SHORT[operator][1]:
            return getattr(args[0], tables.SHORT[operator][0])(*args[1:])
        return manager.mkTerm(kind, *args)

    def other(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        """Made by a method of their own, or from a sort."""
        maker = getattr(self.manager, tables.OTHERS[operator])
        if operator in tables.NULLARY:
            return maker()
        if sort is not None:
            if operator == "const":
                return maker(sort.made, args[0])
            return maker(sort.args[0].made if operator in tables.OF_ELEMENT else sort.made)
        if operator == "tuple":
            return maker(args)
        if operator in tables.NULLABLE:
            return maker(args[0])
        place = args[0].getSort().getDatatype()[0][indices[0]]
        if operator == "tuple.select":
            return self.manager.mkTerm(Kind.APPLY_SELECTOR, place.getTerm(), args[0])
        return self.manager.mkTerm(Kind.APPLY_UPDATER, place.getUpdaterTerm(), *args)

    def applied(self, args: list[Any]) -> Any:
        """A function's value; with higher-order logic also an argument at a time."""
        if self.logic.startswith("HO_") and self.number % 3 == 1:
            result = args[0]
            for arg in args[1:]:
                result = self.manager.mkTerm(Kind.HO_APPLY, result, arg)
            return result
        return self.manager.mkTerm(Kind.APPLY_UF, *args)

    def quantified(self, word: str, variables: list[Any], body: Any) -> Any:
        """With a pattern now and then; an existential one also by the witness it would have."""
        manager = self.manager
        bound = manager.mkTerm(Kind.VARIABLE_LIST, *variables)
        if word == "exists" and len(variables) == 1 and self.number == 1:  # rare: in 1.4.2 many of them crash
            return body.substitute(variables[0], manager.mkTerm(Kind.WITNESS, bound, body))
        kind = Kind.FORALL if word == "forall" else Kind.EXISTS
        hint = {1: "INST_PATTERN", 2: "INST_NO_PATTERN"}.get(self.number % 6, "")
        trigger = pattern_in(body, variables) if hint else None
        if trigger is not None:
            hints = manager.mkTerm(Kind.INST_PATTERN_LIST, manager.mkTerm(getattr(Kind, hint), trigger))
            return manager.mkTerm(kind, bound, body, hints)
        if self.number % 6 == 3:
            name = manager.mkConst(manager.getBooleanSort(), "q")  # as cvc5's own parser makes it
            named = manager.mkTerm(Kind.INST_ATTRIBUTE, manager.mkString("qid"), name)
            return manager.mkTerm(kind, bound, body, manager.mkTerm(Kind.INST_PATTERN_LIST, named))
        return manager.mkTerm(kind, bound, body)

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """A definition, or the function itself as a lambda: two ways users have."""
        if self.number % 4 == 1:
            self.is_told_in_words = False
            bound = self.manager.mkTerm(Kind.VARIABLE_LIST, *variables)
            return self.manager.mkTerm(Kind.LAMBDA, bound, body)
        if self.number % 4 == 2 and not self.logic.startswith("QF_"):
            made = self.solver.defineFunRec(name, variables, body.getSort(), body, True)
        else:
            made = self.solver.defineFun(name, variables, body.getSort(), body, True)
        self.definitions.append((made, variables, body))
        return made


def conversion(args: list[Any]) -> Any:
    """Which `to_fp` it is, by the last argument's sort."""
    if len(args) == 1:
        return Kind.FLOATINGPOINT_TO_FP_FROM_IEEE_BV
    sort = args[-1].getSort()
    if sort.isFloatingPoint():
        return Kind.FLOATINGPOINT_TO_FP_FROM_FP
    return Kind.FLOATINGPOINT_TO_FP_FROM_SBV if sort.isBitVector() else Kind.FLOATINGPOINT_TO_FP_FROM_REAL


def pattern_in(body: Any, variables: list[Any]) -> Any:
    """An application or a selection in which all the variables are; None if there is none."""
    wanted = {variable.getId() for variable in variables}
    todo = [body]
    while todo:
        term = todo.pop()
        if term.getKind() in (Kind.APPLY_UF, Kind.SELECT) and wanted <= ids_in(term):
            return term
        if term.getKind() not in (Kind.FORALL, Kind.EXISTS):
            todo.extend(term[place] for place in range(term.getNumChildren()))
    return None


def ids_in(term: Any) -> set[int]:
    found: set[int] = set()
    todo = [term]
    while todo:
        part = todo.pop()
        if part.getId() not in found:
            found.add(part.getId())
            todo.extend(part[place] for place in range(part.getNumChildren()))
    return found
