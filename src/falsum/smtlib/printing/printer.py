"""Prints terms and scripts so that they read back as the same terms and scripts."""

from __future__ import annotations

from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    CheckSatAssuming,
    Command,
    Datatype,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    NotUnderstood,
    Plain,
    Pop,
    Push,
    Script,
    SetInfo,
    SetLogic,
    SetOption,
    SynthFun,
    WithTerms,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.sorts import function as function_sort
from falsum.smtlib.terms import (
    Annotated,
    App,
    Function,
    Lambda,
    Let,
    Match,
    MatchCase,
    Quantifier,
    Term,
    Value,
    Var,
    sort_text,
)
from falsum.smtlib.text.lexer import quote


def print_script(script: Script) -> str:
    """The script as text, one command per line."""
    return "".join([print_command(command) + "\n" for command in script.commands])


def print_term(term: Term) -> str:
    """The term as text, on one line."""
    out: list[str] = []
    todo: list[Term | str] = [term]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            out.append(item)
        elif isinstance(item, Value):
            out.append(item.text)
        elif isinstance(item, App) and not item.args:
            out.append(f"({item.head.text})" if _takes_arguments(item.head.symbol) else item.head.text)
        else:
            todo.extend(reversed(parts_of(item)))
    return "".join(out)


def parts_of(term: Term) -> list[Term | str]:
    """The pieces of text and the subterms of which a term is printed, in order."""
    match term:
        case App():
            return _application(term)
        case Value():
            return [term.text]
        case Var():
            return [quote(term.name)]
        case Quantifier():
            return [f"({term.kind} {_sorted_vars(term.binders)} ", term.body, ")"]
        case Let():
            parts: list[Term | str] = ["(let ("]
            for binder, bound in zip(term.binders, term.values, strict=True):
                parts += [f"({quote(binder.name)} ", bound, ")", " "]
            if term.binders:
                parts.pop()
            parts.append(") ")
            return [*parts, term.body, ")"]
        case Lambda():
            parts = [f"({term.kind} {_sorted_vars(term.binders)}"]
            for body in term.body:
                parts += [" ", body]
            return [*parts, ")"]
        case Match():
            parts = ["(match ", term.subject, " ("]
            for case in term.cases:
                parts += [f"({_pattern(case)} ", case.body, ")", " "]
            parts[-1] = "))"
            return parts
        case Annotated():
            parts = ["(! ", term.body]
            for attribute in term.attributes:
                parts.append(f" {attribute.keyword}")
                if isinstance(attribute.value, str):
                    parts.append(f" {attribute.value}")
                elif attribute.value is not None:
                    parts += [" (", *_spaced(attribute.value), ")"]
            return [*parts, ")"]


def _application(term: App) -> list[Term | str]:
    args, symbol = term.args, term.head.symbol
    if not args:
        return [term.head.text]
    opening = "(" + term.head.text + " "
    if isinstance(symbol, Operator) and symbol.is_implicit:
        if len(args) == 1:
            return [args[0]]
        opening = "("
    parts: list[Term | str] = [opening]
    for arg in args:
        parts.append(arg)
        parts.append(" ")
    parts[-1] = ")"
    return parts


def _takes_arguments(symbol: Operator | Function) -> bool:
    """Whether an application without arguments is printed in parentheses: `(and)`, but not `re.none`."""
    return isinstance(symbol, Operator) and any(signature.args for signature in symbol.signatures)


def _pattern(case: MatchCase) -> str:
    # In a pattern `_` stands for any value, |_| for a variable of that name.
    names = " ".join("_" if binder.name == "_" else quote(binder.name) for binder in case.binders)
    if case.constructor is None:
        return names
    head = quote(case.constructor.name)
    return f"({head} {names})" if names else head


def _sorted_vars(binders: tuple[Var, ...]) -> str:
    return f"({' '.join(f'({quote(b.name)} {sort_text(b.sort)})' for b in binders)})"


def _spaced(terms: tuple[Term, ...]) -> list[Term | str]:
    parts: list[Term | str] = []
    for term in terms:
        parts += [term, " "]
    return parts[:-1]


def print_command(command: Command) -> str:
    """The command as text, on one line unless verbatim parts have line breaks."""
    match command:
        case SetLogic():
            return f"(set-logic {quote(command.name)})"
        case SetOption():
            return _words("set-option", command.keyword, command.value)
        case SetInfo():
            return _words("set-info", command.keyword, command.value)
        case DeclareSort():
            arity = "" if command.arity is None else str(command.arity)
            return _words(command.word, quote(command.name), arity)
        case DefineSort():
            params = " ".join(quote(param.name) for param in command.params)
            return f"(define-sort {quote(command.name)} ({params}) {sort_text(command.body)})"
        case DeclareFun():
            return _print_declaration(command)
        case SynthFun():
            result = "" if command.word == "synth-inv" else sort_text(command.function.result)
            name = quote(command.function.name)
            return _words(command.word, name, _sorted_vars(command.binders), result, command.rest)
        case DefineFun():
            return _print_definition(command)
        case DefineFunsRec():
            return _print_definitions(command)
        case DeclareDatatypes():
            return _print_datatypes(command)
        case Assert():
            return f"(assert {print_term(command.term)})"
        case CheckSat():
            return "(check-sat)"
        case CheckSatAssuming():
            return f"(check-sat-assuming ({' '.join(map(print_term, command.terms))}))"
        case Push() | Pop():
            return f"({'push' if isinstance(command, Push) else 'pop'} {command.levels})"
        case WithTerms():
            return _print_with_terms(command)
        case Plain():
            return _words(command.word, command.rest)
        case NotUnderstood():
            return command.text


def _words(*words: str) -> str:
    return f"({' '.join(word for word in words if word)})"


def _print_declaration(command: DeclareFun) -> str:
    function, word = command.function, command.word
    args = "" if word in ("declare-const", "declare-var") else _sorts(function.args)
    result = "" if word == "declare-rel" else sort_text(function.result)
    return _words(word, quote(function.name), args, result, command.rest)


def _sorts(sorts: tuple[Sort, ...]) -> str:
    return f"({' '.join(map(sort_text, sorts))})"


def _print_definition(command: DefineFun) -> str:
    name, body = quote(command.function.name), print_term(command.body)
    if command.word == "define":
        return f"(define {name} {body})"
    result = sort_text(_announced(command.function, command.binders))
    binders = "" if command.word == "define-const" else _sorted_vars(command.binders)
    return _words(command.word, name, binders, result, body)


def _announced(function: Function, binders: tuple[Var, ...]) -> Sort:
    """The result sort as printed: a function sort if there are more arguments than parameters."""
    rest = function.args[len(binders) :]
    return function_sort(rest, function.result) if rest else function.result


def _print_definitions(command: DefineFunsRec) -> str:
    heads = " ".join(
        f"({quote(f.name)} {_sorted_vars(b)} {sort_text(_announced(f, b))})"
        for f, b in zip(command.functions, command.binders, strict=True)
    )
    return f"(define-funs-rec ({heads}) ({' '.join(map(print_term, command.bodies))}))"


def _print_datatypes(command: DeclareDatatypes) -> str:
    if not command.word.endswith("s"):
        (only,) = command.datatypes
        return _words(command.word, quote(only.name), _print_datatype(only), command.rest)
    names = " ".join(f"({quote(d.name)} {len(d.params)})" for d in command.datatypes)
    bodies = " ".join(map(_print_datatype, command.datatypes))
    return _words(command.word, f"({names})", f"({bodies})", command.rest)


def _print_datatype(datatype: Datatype) -> str:
    constructors = []
    for name, selectors in datatype.constructors:
        fields = "".join(f" ({quote(n)} {sort_text(s)})" for n, s in selectors)
        constructors.append(f"({quote(name)}{fields})")
    body = f"({' '.join(constructors)})"
    if not datatype.params:
        return body
    return f"(par ({' '.join(quote(param.name) for param in datatype.params)}) {body})"


def _print_with_terms(command: WithTerms) -> str:
    words: list[str] = [command.word]
    for piece in command.pieces:
        text = piece if isinstance(piece, str) else print_term(piece)
        if text == ")" or (words[-1].endswith("(") and words[-1].strip("(") == ""):
            words[-1] += text
        else:
            words.append(text)
    return f"({' '.join(words)})"
