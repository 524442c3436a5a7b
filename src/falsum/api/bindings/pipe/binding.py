"""The binding of any program that reads SMT-LIB: writes commands to its standard input and reads the answers.

`serve.py` gets four more arguments for it: product, version, program, and a JSON object with operators that
the release has under other names. Terms are kept as text. If the program ends, this process ends in the same
way, so that the parent sees how.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from typing import Any

from .process import SolverProcess, list_items
from .products import BINARY, PRODUCTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

STARTING_COMMANDS = (
    "(set-option :print-success true)",
    "(set-option :global-declarations true)",
    "(set-option :produce-models true)",
)
SPECIAL_BITS = {
    "zero": lambda width: "0" * width,
    "one": lambda width: "0" * (width - 1) + "1",
    "ones": lambda width: "1" * width,
    "min_signed": lambda width: "1" + "0" * (width - 1),
    "max_signed": lambda width: "0" + "1" * (width - 1),
}
SPECIAL_FLOATS = ["+oo", "-oo", "+zero", "-zero", "NaN"]


class ProgramError(Exception):
    """The program's answer `(error …)` or `unsupported`."""


class TextTerm:
    """A term's text; for a variable also the text of its sort."""

    __slots__ = ("is_function", "sort", "text")

    def __init__(self, text: str, sort: str = "", *, is_function: bool = False) -> None:
        self.text = text
        self.sort = sort
        self.is_function = is_function


class PipeBinding:
    """One process of the program per run."""

    def __init__(self) -> None:
        self.variant = 0
        self.product, self.version, file, old_names = sys.argv[3:7]
        self.product_table = PRODUCTS[self.product]
        self.argv = [file, *self.product_table["arguments"]]
        self.old_names: dict[str, str] = json.loads(old_names)
        self.process: SolverProcess | None = None
        self.clear()

    def capabilities(self) -> dict[str, Any]:
        fields = ("sorts", "features", "refusals", "constant_arguments", "float_formats", "extras")
        specials = {"BitVec": list(SPECIAL_BITS), "Bool": ["true", "false"], "FloatingPoint": SPECIAL_FLOATS}
        return {
            "product": self.product,
            "version": self.version,
            "operators": self.product_table["operators"].split(),
            "special_values": {
                sort: names for sort, names in specials.items() if sort in self.product_table["sorts"]
            },
            **{field: self.product_table[field] for field in fields if field in self.product_table},
        }

    def clear(self) -> None:
        self.declared: list[str] = []
        self.count = 0  # not reset by `reset`: cvc4 keeps the names of formulas
        self.clear_solver_state()

    def clear_solver_state(self) -> None:
        self.logic = ""
        self.options: list[str] = []
        self.is_set_up = False
        self.named_assertions: dict[str, TextTerm] = {}
        self.named_assumptions: dict[str, TextTerm] = {}

    def new(self) -> None:
        self.delete()
        self.process = SolverProcess(self.argv)
        self.prepare()

    def delete(self) -> None:
        if self.process is not None:
            self.process.stop()
        self.process = None
        self.clear()

    def prepare(self) -> None:
        for command in STARTING_COMMANDS:
            self.run(command)
        if "cores" in self.product_table["features"]:
            self.run("(set-option :produce-unsat-cores true)")
        self.run("(set-option :produce-unsat-assumptions true)")

    def run(self, command: str) -> None:
        """Run a command whose answer is `success`."""
        answer = self.ask(command)
        if answer != "success":
            raise ProgramError(answer)

    def ask(self, command: str) -> str:
        """Run a command and return its answer; raises ProgramError for an error."""
        if self.process is None:
            raise ProgramError("no solver")
        answer = self.process.ask(command)
        if answer == "unsupported" or answer.startswith("(error"):
            raise ProgramError(answer)
        return answer

    def declare(self, command: str) -> None:
        """Run a declaration, which is repeated after a reset."""
        self.set_up()
        self.run(command)
        self.declared.append(command)

    def set_up(self) -> None:
        """Set a logic, without which nothing can be declared, and repeat declarations after a reset."""
        if not self.is_set_up:
            self.is_set_up = True
            if not self.logic and self.product != "z3":
                self.run("(set-logic ALL)")
            for command in self.declared:
                self.run(command)

    def set_logic(self, name: str) -> None:
        self.logic = name
        self.run(f"(set-logic {name})")

    def set_option(self, name: str, value: str) -> None:
        command = f"(set-option :{name} {value})"
        self.options.append(command)
        self.run(command)

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        if indices:
            return f"(_ {name} {' '.join(map(str, indices))})"
        return f"({name} {' '.join(arg.native for arg in args)})" if args else name

    def datatypes(self, declarations: list[tuple[str, list[Any]]]) -> list[Any]:
        names = [name for name, _ in declarations]
        bodies = []
        for _, constructors in declarations:
            texts = []
            for constructor, fields in constructors:
                field_texts = [f"({f} {names[s] if isinstance(s, int) else s.native})" for f, s in fields]
                texts.append(f"({' '.join((constructor, *field_texts))})")
            bodies.append(f"({' '.join(texts)})")
        heads = " ".join(f"({name} 0)" for name in names)
        self.declare(f"(declare-datatypes ({heads}) ({' '.join(bodies)}))")
        return names

    def declare_sort(self, name: str) -> Any:
        self.declare(f"(declare-sort {name} 0)")
        return name

    def const(self, sort: SortHandle, name: str) -> Any:
        args, result = "", sort.native
        if sort.name == "->":
            args, result = " ".join(arg.native for arg in sort.args[:-1]), sort.args[-1].native
        self.declare(f"(declare-fun {name} ({args}) {result})")
        return TextTerm(name, is_function=sort.name == "->")

    def var(self, sort: SortHandle, name: str) -> Any:
        return TextTerm(name, sort.native)

    def value(self, sort: SortHandle, text: str) -> Any:
        if sort.name == "BitVec" and not text.startswith("#"):
            return TextTerm(f"(_ bv{text} {sort.indices[0]})")
        if sort.name in ("Int", "Real"):
            return TextTerm(number_text(text, real=sort.name == "Real"))
        return TextTerm(text)

    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "BitVec":
            return TextTerm("#b" + SPECIAL_BITS[name](sort.indices[0]))
        return TextTerm(name if sort.name == "Bool" else f"(_ {name} {sort.indices[0]} {sort.indices[1]})")

    # -- terms -------------------------------------------------------------------------------------

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        texts = [arg.text for arg in args]
        if operator in ("forall", "exists"):
            variables = " ".join(f"({arg.text} {arg.sort})" for arg in args[:-1])
            return TextTerm(f"({operator} ({variables}) {texts[-1]})")
        if operator == "apply" and isinstance(args[0], LetDefinition):
            pairs = zip(args[0].variables, texts[1:], strict=True)
            return TextTerm(f"(let ({' '.join(f'({name} {text})' for name, text in pairs)}) {args[0].body})")
        if operator == "apply":
            return TextTerm(f"({' '.join(texts)})")
        if operator in BINARY and len(args) > 2:
            links = [self.term(operator, (), list(pair), None).text for pair in pairwise(args)]
            return TextTerm(f"(and {' '.join(links)})")
        head = self.old_names.get(operator, operator)
        kind, colon, member = operator.partition(":")
        if colon:
            update = self.product_table.get("updater", "")
            head = {"is": f"(_ is {member})", "set": f"(_ {update} {member})"}.get(kind, member)
        if indices:
            head = f"(_ {head} {' '.join(map(str, indices))})"
        if sort is not None:
            head = f"(as {head} {sort.native})"
        return TextTerm(f"({' '.join((head, *texts))})" if texts else head)

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """Define a function without `define-fun`, because the sort of the body is not known here."""
        del name
        return LetDefinition([each.text for each in variables], body.text)

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.set_up()
        if "cores" not in self.product_table["features"]:
            self.run(f"(assert {term.text})")
            return
        name = self.fresh("a")
        self.named_assertions[name] = term
        self.run(f"(assert (! {term.text} :named {name}))")

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}!{self.count}"

    def check(self, assumptions: list[Any]) -> str:
        """Check; SMT-LIB assumes only literals, so each assumption gets a name asserted equal to it."""
        self.set_up()
        if not assumptions:
            return self.ask("(check-sat)")
        self.named_assumptions = {}
        for term in assumptions:
            name = self.fresh("p")
            self.run(f"(declare-fun {name} () Bool)")
            self.run(f"(assert (= {name} {term.text}))")
            self.named_assumptions[name] = term
        return self.ask(f"(check-sat-assuming ({' '.join(self.named_assumptions)}))")

    def get_value(self, term: Any) -> str:
        if term.is_function:
            return self.interpretation(term.text)
        return str(list_items(list_items(self.ask(f"(get-value ({term.text}))"))[0])[1])

    def interpretation(self, name: str) -> str:
        """A function's definition in the model as a lambda; "" if the model has none."""
        for each in list_items(self.ask("(get-model)")):
            if each.startswith("(define-fun"):
                _word, defined, binders, _sort, body = list_items(each)
                if defined == name:
                    return " ".join(f"(lambda {binders} {body})".split())
        return ""

    def get_model(self) -> str:
        return self.ask("(get-model)")

    def get_core(self) -> list[Any]:
        names = list_items(self.ask("(get-unsat-core)"))
        return [
            self.named_assertions.get(name) or TextTerm(name)
            for name in names
            if name not in self.named_assumptions
        ]

    def get_unsat_assumptions(self) -> list[Any]:
        """The failed assumptions without names of assertions, which z3 lists as well."""
        names = [
            name
            for name in list_items(self.ask("(get-unsat-assumptions)"))
            if name not in self.named_assertions
        ]
        return [self.named_assumptions.get(name) or TextTerm(name) for name in names]

    def one_shot(self, terms: list[Any]) -> str:
        """The verdict of a second process with the same options."""
        first, logic = self.process, self.logic
        self.process = SolverProcess(self.argv)
        try:
            self.prepare()
            if logic or self.product != "z3":
                self.run(f"(set-logic {logic or 'ALL'})")
            for command in (*self.options, *self.declared, *(f"(assert {term.text})" for term in terms)):
                self.run(command)
            return self.ask("(check-sat)")
        finally:
            self.process.stop()
            self.process = first

    def push(self, levels: int) -> None:
        self.set_up()
        self.run(f"(push {levels})")

    def pop(self, levels: int) -> None:
        self.run(f"(pop {levels})")

    def reset(self) -> None:
        """Reset; since that also resets `:print-success`, programs differ in whether they answer."""
        if self.process is None:
            raise ProgramError("no solver")
        answer = self.process.ask("(reset)\n(set-option :print-success true)\n(get-info :name)")
        while not answer.startswith("(:name"):
            if answer != "success":
                raise ProgramError(answer)
            answer = self.process.answer()
        self.clear_solver_state()
        self.prepare()

    def reset_assertions(self) -> None:
        self.set_up()
        self.run("(reset-assertions)")

    # -- queries of terms --------------------------------------------------------------------------

    def print(self, term: Any) -> str:
        return str(term.text)

    def key(self, term: Any) -> object:
        return term.text

    def extra(self, name: str, args: list[Any]) -> Any:
        self.set_up()
        return TextTerm(" ".join(self.ask(f"({name} {args[0].text})").split()))


class LetDefinition:
    """A definition that is expanded by `let` where it is used."""

    is_function = True

    def __init__(self, variables: list[str], body: str) -> None:
        self.variables = variables
        self.body = body
        self.text = body


def number_text(text: str, *, real: bool) -> str:
    """An integer or a real in SMT-LIB."""
    if text.startswith("-"):
        return f"(- {number_text(text[1:], real=real)})"
    if "/" in text:
        numerator, denominator = text.split("/")
        return f"(/ {numerator}.0 {denominator}.0)"
    return f"{text}.0" if real and "." not in text else text


Binding = PipeBinding
