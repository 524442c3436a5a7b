"""Solutions of synthesis problems (SyGuS), checked against their specification.

A solution is right if the constraints hold for all values of the variables. So the negated constraints, with
the solution as definitions, must be unsat; a model of them that our evaluator verifies is a counterexample.
Where a function has a grammar, its definition must be derivable from it.
"""

from __future__ import annotations

from typing import Final

from falsum.defects.evidence import evidence_for_unsat
from falsum.defects.evidence.assessment import Assessment
from falsum.defects.evidence.derivation import assess_derivation
from falsum.defects.evidence.evidence_for_sat import as_definitions
from falsum.defects.evidence.judgement import clause
from falsum.defects.finding import shortened
from falsum.defects.model_check import satisfies
from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.at_check import is_plain
from falsum.smtlib.consequences import relay
from falsum.smtlib.models.model import Definition, Model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import (
    DECLARATIONS,
    Assert,
    CheckSat,
    Command,
    DeclareFun,
    DefineFun,
    SetLogic,
    SynthFun,
    WithTerms,
)
from falsum.smtlib.substitution import substitute
from falsum.smtlib.syntax.grammars import read_grammar
from falsum.smtlib.terms import Function, Head, Term, app, constant
from falsum.smtlib.text.sexpr import items
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.names import family_of
from falsum.solvers.request import Request, Want

INFEASIBLE: Final = "infeasible"
_CHECK: Final = "check-synth"
_SENT: Final = (*DECLARATIONS, SetLogic, SynthFun)


def asks_for_synthesis(script: Script) -> bool:
    return any(is_plain(command, _CHECK) for command in script.commands)


def problem_text(script: Script) -> str:
    """The text of a synthesis problem: declarations and constraints up to the first check, and the check."""
    checks = [command for command in script.commands if is_plain(command, _CHECK)]
    return print_script(Script((*_required(script), *checks[:1])))


def _required(script: Script) -> list[Command]:
    commands: list[Command] = []
    for command in script.commands:
        if is_plain(command, _CHECK):
            break
        is_required = isinstance(command, WithTerms) and command.word in ("constraint", "assume")
        if is_required or isinstance(command, _SENT) or is_plain(command, "inv-constraint"):
            commands.append(command)
    return commands


def solution_of(answer: Answer) -> str | None:
    """The definitions that a solver prints for the functions, or `infeasible`; None if it has no solution."""
    for item in items(answer.stdout):
        if item == INFEASIBLE:
            return item
        if item.startswith("(") and "(define-fun" in item:
            return item
    return None


def counterexamples(script: Script) -> Script | None:
    """A script that is sat if some values of the variables violate the constraints.

    The functions to synthesise are declared. None if there is no constraint, or one that is not understood.
    """
    commands: list[Command] = []
    constraints: list[Term] = []
    for command in _required(script):
        if isinstance(command, SynthFun):
            commands.append(DeclareFun(command.function))
        elif isinstance(command, WithTerms):
            (term,) = [piece for piece in command.pieces if not isinstance(piece, str)]
            if command.word == "assume":
                commands.append(Assert(term))
            else:
                constraints.append(term)
        elif is_plain(command, "inv-constraint"):
            declarations, parts = _invariant(command, script)
            if not parts:
                return None
            commands += declarations
            constraints += parts
        elif isinstance(command, DeclareFun):
            commands.append(DeclareFun(command.function))
        else:
            commands.append(command)
    if not constraints or script.not_understood:
        return None
    together = constraints[0] if len(constraints) == 1 else _applied("and", *constraints)
    return Script((*commands, Assert(_applied("not", together))))


def _invariant(command: Command, script: Script) -> tuple[list[Command], list[Term]]:
    """The constraints that `(inv-constraint inv pre trans post)` stands for, and their variables."""
    names = getattr(command, "rest", "").split()
    functions: dict[str, Function] = {
        c.function.name: c.function for c in script.commands if isinstance(c, SynthFun | DefineFun)
    }
    if len(names) != 4 or any(name not in functions for name in names):
        return [], []
    invariant, before, step, after = (functions[name] for name in names)
    now = [Function(f"falsum!now{n}", (), sort) for n, sort in enumerate(invariant.args)]
    later = [Function(f"falsum!later{n}", (), sort) for n, sort in enumerate(invariant.args)]
    old, new = [constant(symbol) for symbol in now], [constant(symbol) for symbol in later]
    holds = app(Head(invariant), old)
    constraints: list[Term] = [
        _applied("=>", app(Head(before), old), holds),
        _applied("=>", holds, app(Head(step), [*old, *new]), app(Head(invariant), new)),
        _applied("=>", holds, app(Head(after), old)),
    ]
    return [DeclareFun(symbol) for symbol in (*now, *later)], constraints


def _applied(name: str, *args: Term) -> Term:
    return app(Head(OPERATORS[name]), args)


def assess_solution(script: Script, solution: str, solver: str, lab: Lab) -> Assessment:
    """Whether a solver's definitions satisfy the constraints of a synthesis problem."""
    negated = counterexamples(script)
    if negated is None:
        return Assessment(None, "falsum cannot read the constraints")
    read = _read_solution(script, solution, negated)
    if isinstance(read, Assessment):
        return read
    text = _with_solution(script, solution, negated, read)
    if text is None:
        return Assessment(None, "the solution cannot be written into the constraints")
    return _assessed(read_script(text), text, solver, lab)


def _with_solution(script: Script, solution: str, negated: Script, read: Model) -> str | None:
    """The negated constraints with the definitions; None if they cannot be written as one script."""
    functions = {c.function for c in script.commands if isinstance(c, SynthFun)}
    # In place of the declarations, so that the definitions may call functions defined before them.
    inside = print_script(Script((*(_defined(c, functions, read) for c in negated.commands), CheckSat())))
    # Together and first, if they call each other or functions that only the solver defines.
    for text in (inside, relay.with_model(negated, solution)):
        try:
            if text is not None and read_script(text).assertions:
                return text
        except FalsumError:
            continue
    return None


def _defined(command: Command, functions: set[Function], solution: Model) -> Command:
    if isinstance(command, SetLogic):
        return SetLogic("ALL")
    if isinstance(command, DeclareFun) and command.function in functions:
        return DefineFun(command.function, *solution.definitions[command.function])
    return command


def _read_solution(script: Script, solution: str, declarations: Script) -> Model | Assessment:
    """The definitions of all functions to synthesise, or why they are missing."""
    try:
        read = read_model(solution, declarations)
    except FalsumError as error:
        return Assessment(None, f"the solution cannot be read ({error})")
    functions = [c.function for c in script.commands if isinstance(c, SynthFun)]
    missing = [symbol.name for symbol in functions if symbol not in read.definitions]
    if missing:
        return Assessment(None, f"the solution does not define {', '.join(missing)} in a way falsum can read")
    return read


def assess_grammar(script: Script, solution: str) -> Assessment | None:
    """Whether a solver's definitions follow the grammars; None if there is no grammar."""
    commands = _required(script)
    places = [place for place, c in enumerate(commands) if isinstance(c, SynthFun) and c.rest.strip()]
    if not places:
        return None
    declarations = [DeclareFun(c.function) if isinstance(c, SynthFun) else c for c in commands]
    signature = Script(tuple(c for c in declarations if isinstance(c, (*DECLARATIONS, SetLogic))))
    read = _read_solution(script, solution, signature)
    if isinstance(read, Assessment):
        return read
    violations = []
    for place in places:
        command = commands[place]
        assert isinstance(command, SynthFun)
        one = _assess_one(command, commands[:place], read.definitions[command.function])
        violations.append(
            one if len(places) == 1 else Assessment(one.holds, f"{command.function.name}: {one.reason}")
        )
    # One that is wrong decides, then one that nobody can judge.
    return next((one for holds in (False, None) for one in violations if one.holds is holds), violations[0])


def _assess_one(command: SynthFun, before: list[Command], definition: Definition) -> Assessment:
    try:
        grammar = read_grammar(command, before)
    except FalsumError as error:
        return Assessment(None, f"the grammar cannot be read ({error})")
    names = dict(zip(definition.binders, command.binders, strict=True))
    return assess_derivation(grammar, substitute(definition.body, names), before)


def _assessed(flat: Script, text: str, solver: str, lab: Lab) -> Assessment:
    evidence = evidence_for_unsat.by_evaluation(flat)
    if evidence is not None:
        return Assessment(True, f"with it the negated constraints are unsat. {evidence.text}")
    unsat = []
    for each in lab.solvers:
        answer = lab.ask(Request(each, text, Want.MODEL, cold=True))
        if answer.verdict is Verdict.UNSAT:
            unsat.append(each)
        elif answer.verdict is Verdict.SAT and answer.model and satisfies(flat, answer.model).always:
            values = shortened(" ".join(as_definitions(flat, answer.model).split()))
            return Assessment(False, f"a constraint does not hold for {values or 'any values'}")
    if any(family_of(each) != family_of(solver) for each in unsat):
        return Assessment(True, f"{clause(unsat, 'answer', 'unsat')} to the negated constraints")
    if unsat:
        return Assessment(None, "only the product itself answers unsat to the negated constraints")
    return Assessment(None, "no solver decides the negated constraints")
