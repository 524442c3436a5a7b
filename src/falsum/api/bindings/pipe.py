"""Any program that reads SMT-LIB, as a binding: run by `serve.py`, it writes commands into the program's
standard input and reads one answer to each.

Run with four more arguments: product, version, program, and a JSON object of operators the release knows by
other names. Terms are their own text here. A program that ends without an answer takes this process along,
in the same way, so that whoever watches sees how the program ended.
"""

from __future__ import annotations

import importlib
import json
import sys
from itertools import pairwise
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle


tables: Any = importlib.import_module("beside.pipe_tables")
program: Any = importlib.import_module("beside.pipe_program")
parts = program.parts

STARTING = (
    "(set-option :print-success true)",
    "(set-option :global-declarations true)",
    "(set-option :produce-models true)",
)
BITS = {
    "zero": lambda width: "0" * width,
    "one": lambda width: "0" * (width - 1) + "1",
    "ones": lambda width: "1" * width,
    "min_signed": lambda width: "1" + "0" * (width - 1),
    "max_signed": lambda width: "0" + "1" * (width - 1),
}
FLOATS = ["+oo", "-oo", "+zero", "-zero", "NaN"]


class ProgramError(Exception):
    """`(error …)` or `unsupported`, as the program answered."""


class Text:
    """A sort's or a term's text; of a variable also its sort."""

    __slots__ = ("function", "sort", "text")

    def __init__(self, text: str, sort: str = "", *, function: bool = False) -> None:
        self.text = text
        self.sort = sort
        self.function = function


class Binding:
    """One process of the program a run."""

    def __init__(self) -> None:
        self.number = 0
        self.product, self.version, file, renamed = sys.argv[3:7]
        self.table = tables.PRODUCTS[self.product]
        self.argv = [file, *self.table["arguments"]]
        self.names: dict[str, str] = json.loads(renamed)
        self.program: Any = None
        self.forget()

    def hello(self) -> dict[str, Any]:
        fields = ("sorts", "features", "refusals", "constant_arguments", "float_formats", "extras")
        specials = {"BitVec": list(BITS), "Bool": ["true", "false"], "FloatingPoint": FLOATS}
        return {
            "product": self.product,
            "version": self.version,
            "operators": self.table["words"].split(),
            "specials": {sort: names for sort, names in specials.items() if sort in self.table["sorts"]},
            **{field: self.table[field] for field in fields if field in self.table},
        }

    def forget(self) -> None:
        self.declared: list[str] = []
        self.count = 0  # goes on after a reset: cvc4 does not forget the names of formulas
        self.start_over()

    def start_over(self) -> None:
        self.logic = ""
        self.options: list[str] = []
        self.set_up = False
        self.named: dict[str, Text] = {}
        self.assumed: dict[str, Text] = {}

    def new(self) -> None:
        self.delete()
        self.program = program.Program(self.argv)
        self.prepare()

    def delete(self) -> None:
        if self.program is not None:
            self.program.stop()
        self.program = None
        self.forget()

    def prepare(self) -> None:
        for command in STARTING:
            self.tell(command)
        if "cores" in self.table["features"]:
            self.tell("(set-option :produce-unsat-cores true)")
        self.tell("(set-option :produce-unsat-assumptions true)")

    def tell(self, command: str) -> None:
        answer = self.ask(command)
        if answer != "success":
            raise ProgramError(answer)

    def ask(self, command: str) -> str:
        if self.program is None:
            raise ProgramError("no solver")
        answer: str = self.program.ask(command)
        if answer == "unsupported" or answer.startswith("(error"):
            raise ProgramError(answer)
        return answer

    def declare(self, command: str) -> None:
        """What terms need; told again after a reset."""
        self.begin()
        self.tell(command)
        self.declared.append(command)

    def begin(self) -> None:
        """Nothing can be declared without a logic."""
        if not self.set_up:
            self.set_up = True
            if not self.logic and self.product != "z3":
                self.tell("(set-logic ALL)")
            for command in self.declared:
                self.tell(command)

    def set_logic(self, name: str) -> None:
        self.logic = name
        self.tell(f"(set-logic {name})")

    def set_option(self, name: str, value: str) -> None:
        command = f"(set-option :{name} {value})"
        self.options.append(command)
        self.tell(command)

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        if indices:
            return f"(_ {name} {' '.join(map(str, indices))})"
        return f"({name} {' '.join(arg.made for arg in args)})" if args else name

    def datatypes(self, declared: list[tuple[str, list[Any]]]) -> list[Any]:
        names = [name for name, _ in declared]
        bodies = []
        for _, constructors in declared:
            texts = []
            for constructor, fields in constructors:
                listed = [f"({f} {names[s] if isinstance(s, int) else s.made})" for f, s in fields]
                texts.append(f"({' '.join((constructor, *listed))})")
            bodies.append(f"({' '.join(texts)})")
        heads = " ".join(f"({name} 0)" for name in names)
        self.declare(f"(declare-datatypes ({heads}) ({' '.join(bodies)}))")
        return names

    def declare_sort(self, name: str) -> Any:
        self.declare(f"(declare-sort {name} 0)")
        return name

    def const(self, sort: SortHandle, name: str) -> Any:
        takes, gives = "", sort.made
        if sort.name == "->":
            takes, gives = " ".join(arg.made for arg in sort.args[:-1]), sort.args[-1].made
        self.declare(f"(declare-fun {name} ({takes}) {gives})")
        return Text(name, function=sort.name == "->")

    def var(self, sort: SortHandle, name: str) -> Any:
        return Text(name, sort.made)

    def value(self, sort: SortHandle, text: str) -> Any:
        if sort.name == "BitVec" and not text.startswith("#"):
            return Text(f"(_ bv{text} {sort.indices[0]})")
        if sort.name in ("Int", "Real"):
            return Text(number(text, real=sort.name == "Real"))
        return Text(text)

    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "BitVec":
            return Text("#b" + BITS[name](sort.indices[0]))
        return Text(name if sort.name == "Bool" else f"(_ {name} {sort.indices[0]} {sort.indices[1]})")

    # -- terms -------------------------------------------------------------------------------------

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        texts = [arg.text for arg in args]
        if operator in ("forall", "exists"):
            bound = " ".join(f"({arg.text} {arg.sort})" for arg in args[:-1])
            return Text(f"({operator} ({bound}) {texts[-1]})")
        if operator == "apply" and isinstance(args[0], Definition):
            pairs = zip(args[0].variables, texts[1:], strict=True)
            return Text(f"(let ({' '.join(f'({name} {text})' for name, text in pairs)}) {args[0].body})")
        if operator == "apply":
            return Text(f"({' '.join(texts)})")
        if operator in tables.BINARY and len(args) > 2:
            links = [self.term(operator, (), list(pair), None).text for pair in pairwise(args)]
            return Text(f"(and {' '.join(links)})")
        head = self.names.get(operator, operator)
        kind, colon, member = operator.partition(":")
        if colon:
            update = self.table.get("updater", "")
            head = {"is": f"(_ is {member})", "set": f"(_ {update} {member})"}.get(kind, member)
        if indices:
            head = f"(_ {head} {' '.join(map(str, indices))})"
        if sort is not None:
            head = f"(as {head} {sort.made})"
        return Text(f"({' '.join((head, *texts))})" if texts else head)

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """The body's sort is not known here: its text is unfolded where the definition is used, by `let`."""
        del name
        return Definition([each.text for each in variables], body.text)

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.begin()
        if "cores" not in self.table["features"]:
            self.tell(f"(assert {term.text})")
            return
        name = self.fresh("a")
        self.named[name] = term
        self.tell(f"(assert (! {term.text} :named {name}))")

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}!{self.count}"

    def check(self, assumptions: list[Any]) -> str:
        """Assumptions are literals in SMT-LIB: each gets a name that is asserted equal."""
        self.begin()
        if not assumptions:
            return self.ask("(check-sat)")
        self.assumed = {}
        for term in assumptions:
            name = self.fresh("p")
            self.tell(f"(declare-fun {name} () Bool)")
            self.tell(f"(assert (= {name} {term.text}))")
            self.assumed[name] = term
        return self.ask(f"(check-sat-assuming ({' '.join(self.assumed)}))")

    def get_value(self, term: Any) -> str:
        if term.function:
            return self.interpretation(term.text)
        return str(parts(parts(self.ask(f"(get-value ({term.text}))"))[0])[1])

    def interpretation(self, name: str) -> str:
        """A function's definition in the model as a lambda; "" if the model leaves it open."""
        for each in parts(self.ask("(get-model)")):
            if each.startswith("(define-fun"):
                _word, defined, binders, _sort, body = parts(each)
                if defined == name:
                    return " ".join(f"(lambda {binders} {body})".split())
        return ""

    def get_model(self) -> str:
        return self.ask("(get-model)")

    def get_core(self) -> list[Any]:
        names = parts(self.ask("(get-unsat-core)"))
        return [self.named.get(name) or Text(name) for name in names if name not in self.assumed]

    def get_unsat_assumptions(self) -> list[Any]:
        """Without the names of assertions, which z3 lists here as well."""
        names = [name for name in parts(self.ask("(get-unsat-assumptions)")) if name not in self.named]
        return [self.assumed.get(name) or Text(name) for name in names]

    def one_shot(self, terms: list[Any]) -> str:
        """A second process; it has the same options."""
        first, logic = self.program, self.logic
        self.program = program.Program(self.argv)
        try:
            self.prepare()
            if logic or self.product != "z3":
                self.tell(f"(set-logic {logic or 'ALL'})")
            for command in (*self.options, *self.declared, *(f"(assert {term.text})" for term in terms)):
                self.tell(command)
            return self.ask("(check-sat)")
        finally:
            self.program.stop()
            self.program = first

    def push(self, levels: int) -> None:
        self.begin()
        self.tell(f"(push {levels})")

    def pop(self, levels: int) -> None:
        self.tell(f"(pop {levels})")

    def reset(self) -> None:
        """Whether it is answered is nobody's rule: the option that asks for answers is reset, too."""
        if self.program is None:
            raise ProgramError("no solver")
        answer = self.program.ask("(reset)\n(set-option :print-success true)\n(get-info :name)")
        while not answer.startswith("(:name"):
            if answer != "success":
                raise ProgramError(answer)
            answer = self.program.answer()
        self.start_over()
        self.prepare()

    def reset_assertions(self) -> None:
        self.begin()
        self.tell("(reset-assertions)")

    # -- asking about terms ------------------------------------------------------------------------

    def print(self, term: Any) -> str:
        return str(term.text)

    def key(self, term: Any) -> object:
        return term.text

    def extra(self, name: str, args: list[Any]) -> Any:
        self.begin()
        return Text(" ".join(self.ask(f"({name} {args[0].text})").split()))


class Definition:
    """A definition, unfolded by `let` where it is used."""

    function = True

    def __init__(self, variables: list[str], body: str) -> None:
        self.variables = variables
        self.body = body
        self.text = body


def number(text: str, *, real: bool) -> str:
    """An integer or a real as SMT-LIB writes it."""
    if text.startswith("-"):
        return f"(- {number(text[1:], real=real)})"
    if "/" in text:
        above, below = text.split("/")
        return f"(/ {above}.0 {below}.0)"
    return f"{text}.0" if real and "." not in text else text
