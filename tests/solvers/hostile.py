"""A collection of hostile scripts: harmful commands in every spelling that some solver may understand.

Each script is satisfiable and has one check. `{path}` stands for a file that must not come into being,
`{secret}` for one that must not be read: it asserts false.
"""

from __future__ import annotations

import ctypes
import os
import re
from itertools import product
from pathlib import Path

from falsum.errors import FalsumError
from falsum.smtlib import print_script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.scripts import Assert, Script
from falsum.smtlib.text.command_text import CHECK_COMMANDS
from falsum.smtlib.values.strings import decode_literal, encode_literal
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.inputs.harmless_names import restored
from falsum.solvers.inputs.safe_script import safe_script

_LIBC = ctypes.CDLL(None, use_errno=True)
_ALL_EVENTS = 0xFFF
_STRING = re.compile(r'"(?:[^"]|"")*"')
_RIGHT = re.compile(r"\(define-fun a \(\) (?:Bool\s+true|\(_ BitVec 1\)\s+#b1)\s*\)")
CHECK = "(declare-const a Bool)\n(assert a)\n(check-sat)\n"

# Commands that write a file, read one, or print what looks like an answer.
WRITES = {
    "regular channel": '(set-option :regular-output-channel "{path}")',
    "diagnostic channel": '(set-option :diagnostic-output-channel "{path}")',
    "channel as a symbol": "(set-option :regular-output-channel |{path}|)",
    "bare path": "(set-option :regular-output-channel {path})",
    "z3 trace": '(set-option :trace true)(set-option :trace_file_name "{path}")',
    "z3 drat": "(set-option :sat.drat.file |{path}|)",
    "z3 proof log": "(set-option :solver.proof.log |{path}|)",
    "z3 log": "(set-option :solver.smtlib2_log |{path}|)",
    "z3 backup": "(set-option :solver.cancel_backup_file |{path}|)",
    "z3 inprocess": "(set-option :sat.inprocess.out |{path}|)",
    "z3 dimacs": '(set-option :dot_proof_file "{path}")(set-option :proof true)',
    "cvc5 out": '(set-option :out "{path}")',
    "cvc5 err": '(set-option :err "{path}")',
    "cvc4 dump": '(set-option :dump "assertions")(set-option :dump-to "{path}")',
    "cvc4 replay": '(set-option :replay-log "{path}")',
    "include": '(include "{path}")',
    "tactic": "(check-sat-using (using-params sat :drat.file |{path}|))",
    "tactic in a row": "(check-sat-using (then simplify (using-params sat :drat.file |{path}|)))",
    "declared tactic": "(declare-tactic t (using-params sat :drat.file |{path}|))(check-sat-using t)",
    "apply": "(apply (using-params sat :drat.file |{path}|))",
    "query": "(declare-rel R ())(query R :spacer.trace_file |{path}|)",
    "information": '(set-info :regular-output-channel "{path}")',
    "benchmark dump": "(set-option :opt.dump_benchmarks true)(set-option :opt.solution_prefix |{path}|)",
    "partitions": '(set-option :write-partitions-to "{path}")',
}
# Commands that read a file, and options of some product that name files or programs; only plainly.
MORE = {
    "include of a file": '(include "{secret}")',
    "cvc5 in": '(set-option :in "{secret}")',
    "cvc5 filename": '(set-option :filename "{secret}")',
    "z3 known solution": '(set-option :nlsat.known_sat_assignment_file_name "{secret}")',
    "z3 includes": "(set-option :tptp.root |{secret}|)(set-option :tptp.dump_smt2 |{path}|)",
    "z3 aig": "(set-option :fp.print_aig |{path}|)(declare-rel R ())(query R)",
    "z3 json": "(set-option :fp.spacer.print_json |{path}|)(declare-rel R ())(query R)",
    "z3 by capitals": "(set-option :SAT.DRAT-FILE |{path}|)",
    "bitwuzla cnf": '(set-option :write-cnf "{path}")',
    "bitwuzla aiger": '(set-option :write-aiger "{path}")',
    "cvc4 program": '(set-option :bitblast-aig true)(set-option :bv-aig-simp "write {path}")',
    "yices dimacs": '(set-option :yices-dimacs "{path}")',
    "mathsat trace": '(set-option :debug.api_call_trace_filename "{path}")',
}
FORGERIES = {
    "echo": '(echo "unsat")',
    "two lines": '(echo "unsat\nunsat")',
    "symbol": "(declare-const |x\nunsat\n| Bool)(check-sat)(get-value (|x\nunsat\n|))",
    "string": '(declare-const s String)(assert (= s "\nunsat\n"))(check-sat)(get-value (s))',
    "assertions": "(set-option :produce-assertions true)(declare-const |\nunsat\n| Bool)(assert |\nunsat\n|)"
    "(get-assertions)",
    "information": "(set-info :source |\nunsat\n|)(get-info :source)",
    "simplify": "(declare-const |\nunsat\n| Bool)(simplify |\nunsat\n|)",
    "name of a sort": "(declare-sort |\nunsat\n| 0)(declare-const z |\nunsat\n|)(check-sat)(get-model)",
    "help": '(help "\nunsat\n")',
    "option": "(set-option :source |\nunsat\n|)(get-option :source)",
    "unknown command": "(|\nunsat\n|)",
}
# What makes a solver print a verdict, a model or the end of a program by other means than printing.
IMITATIONS = {
    "tactic that prints": '(check-sat-using (then (echo "unsat") smt))(check-sat-using (echo unsat))',
    "tactic that prints after a failure": '(check-sat-using (or-else fail (then (echo "unsat") smt)))',
    "declared tactic that prints": '(declare-tactic t (then (echo "unsat") smt))(check-sat-using t)',
    "group of soft constraints": "(declare-const p Bool)(assert-soft p :id |\nunsat\n|)(check-sat)"
    "(get-objectives)",
    "model in a group": "(declare-const p Bool)(assert-soft p :weight 2 "
    ":id |g 1)\n)\n((define-fun a () Bool false))\n(|)(check-sat)(get-objectives)",
    "failure as a logic": "(set-logic |Fatal failure within x|)",
    "assertion as a logic": "(set-logic |Assertion `x' failed.|)",
    "failure in an error": "(assert |Fatal failure within x at a.cpp:3|)",
    "failure as an application": "(declare-fun Fatal (Int Int Int) Int)(declare-const failure Int)"
    "(declare-const within Int)(declare-const x Int)(assert (Fatal failure within x))",
    "failure in a string": '(assert (str.len "Fatal failure within x"))',
    "assertion in a string": '(assert (= 1 "Assertion `x\' failed: ASSERTION VIOLATION"))',
    "unreachable": "(assert UNREACHABLE)(assert (ASSERT a))(declare-const ASSERT UNREACHABLE)",
    "self-check": "(assert |an invalid model was generated|)(assert check-model)",
    "internal error": "(assert |Internal error: segmentation fault|)",
    "sanitizer in a profile": "(set-option :smt.qi.profile true)(declare-sort S 0)(declare-fun f (S) S)"
    "(assert (forall ((x S)) (! (= (f x) x) :pattern ((f x)) "
    ":qid |\n==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n    #0 0x1 in f a.cpp:3\n|)))"
    "(declare-const c S)(assert (= (f c) c))",
    "sanitizer in a log": "(set-option :log-level 3)(set-option :verbosity 3)"
    "(declare-const |a.cpp:3:1: runtime error: x| Bool)(assert |a.cpp:3:1: runtime error: x|)",
    "sanitizer in a warning": "(assert (! true :pattern (|ERROR: AddressSanitizer: x|)))",
    "no memory": "(set-option :memory_max_alloc_count 3)(set-option :memory_max_size 1)",
    "no extensionality": "(set-option :smt.array.extensional false)",
    "no strings": "(set-option :smt.string_solver none)",
    "a label": "(declare-const b Bool)(assert (! (! b :lblpos |\nunsat\n|) :named |\nunsat|))"
    "(check-sat)(labels)",
    "a core": "(set-option :produce-unsat-cores true)(assert (! true :named |)\nunsat\n(|))",
    "two verdicts": "(check-sat)(eval |\nunsat\n|)",
}

# Names that look like something else when they are printed, and commands of every product that may print
# them, in a message at least. `{check}` stands for the check if it does not come last.
ODD_NAMES = [
    "|\nunsat\n|",
    "unsat",
    '|x")\nunsat\n(error "|',
    "|\r\nunsat\r\n|",
    "|) ((define-fun a () Bool false)) (|",
    "|Fatal failure within x|",
    "|\0\nunsat\n\0|",
    "|\u2028unsat\u2028\x85|",
    "|\\|",
    "|; unsat|",
    f"|{'x' * 70_000}\nunsat\n|",
    "|\x1b[2Kunsat|",
]
PRINTS = {
    "get-info": "{check}(get-info :{bare})(get-info {name})",
    "get-option": "(set-option {name} {name})(get-option {name}){check}(get-option {name})",
    "echo": "(echo {name})(echo |unsat|)",
    "help": "(help {name})(help-tactic {name})",
    "dbg": "(dbg-lt {name} {name})(dbg-shift-vars {name})(dbg-sexpr {name})",
    "eval": "(declare-const {name} Bool){check}(eval {name})(eval {name} :completion true)",
    "display": "(declare-const {name} Bool)(display {name}){check}(display {name})",
    "simplify": "(declare-const {name} Bool)(simplify {name}){check}(simplify (not {name}))",
    "get-value": "(declare-const {name} Bool)(assert {name}){check}(get-value ({name} (not {name})))",
    "get-value of a word": "(declare-const define-a Bool)(assert define-a){check}(get-value (define-a))",
    "get-value of a model": "(declare-const declare-a Bool)(assert declare-a){check}(get-value (declare-a))",
    "get-assertions of a word": "(set-option :produce-assertions true)(declare-fun define-fun (Bool) Bool)"
    "(declare-const b Bool)(assert (define-fun b))(assert (not (define-fun (not b)))){check}(get-assertions)",
    "model of a word": "(declare-fun model (Bool) Bool)(declare-const p Bool)(assert (model p)){check}"
    "(eval (model p))(simplify (model p))",
    "get-assignment": "(set-option :produce-assignments true)(assert (! true :named {name})){check}"
    "(get-assignment)",
    "get-assertions": "(set-option :produce-assertions true)(declare-const {name} Bool)(assert {name})"
    "{check}(get-assertions)",
    "get-unsat-core": "(set-option :produce-unsat-cores true)(assert (! true :named {name})){check}"
    "(get-unsat-core)(get-unsat-assumptions)",
    "labels": "(declare-const b Bool)(assert (! b :lblpos {name})){check}(labels)",
    "skolem": "(declare-fun f (Int) Int)(assert (exists ((x Int)) (! (= (f x) x) :skolemid {name}))){check}"
    "(get-model)",
    "pattern": "(declare-fun f (Int) Int)(assert (forall ((x Int)) (! (= (f x) x) :pattern ((f x)) "
    ":qid {name} :weight 3)))",
    "pattern of a name": "(declare-const {name} Bool)(assert (! true :pattern ({name}))){check}",
    "bound name": "(assert (forall (({name} Bool)) (or {name} (not {name}))))",
    "bound by let": "(assert (let (({name} true)) {name}))",
    "defined": "(define-fun {name} () Bool true)(assert {name}){check}(get-model)",
    "recursive": "(define-fun-rec {name} ((x Int)) Int (ite (<= x 0) 0 ({name} (- x 1))))"
    "(assert (= ({name} 1) 0)){check}(get-model)",
    "sort": "(declare-sort {name} 0)(declare-const z {name}){check}(get-model)",
    "defined sort": "(define-sort {name} () Bool)(declare-const z {name})(assert z){check}(get-model)",
    "datatype": "(declare-datatypes (({name} 0)) ((({name}2) (c ({name} Int)))))(declare-const z {name})",
    "constructor": "(declare-datatypes ((T 0)) ((({name}) (c (s T)))))(declare-const z T)"
    "(assert (= z {name})){check}(get-model)",
    "unknown sort": "(declare-const z {name})(declare-fun f ({name}) Bool)",
    "unknown function": "(assert ({name} 1))",
    "unknown constant": "(check-sat-assuming ({name}))(assert {name})",
    "unknown index": "(declare-const z (_ BitVec {name}))(assert ((_ {name} 1) true))",
    "logic": "(set-logic {name})",
    "level": "(push {name})(pop {name})",
    "tactic": "(check-sat-using {name})(apply {name})(check-sat-using (then {name} smt))",
    "declared tactic": "(declare-tactic {name} smt)(check-sat-using {name})",
    "relation": "(declare-rel {name} ())(rule {name})(query {name})",
    "objective": "(declare-const {name} Int)(assert (< {name} 3))(maximize {name} :id {name}){check}"
    "(get-objectives)",
    "soft constraint": "(declare-const {name} Bool)(assert-soft {name} :id {name}){check}(get-objectives)",
    "consequences": "(declare-const {name} Bool)(assert {name}){check}(get-consequences () ({name}))",
    "interpolant": "(set-option :produce-interpolants true)(declare-const {name} Bool){check}"
    "(get-interpolant {name} {name})",
    "abduct": "(set-option :produce-abducts true)(declare-const {name} Bool){check}"
    "(get-abduct {name} {name})",
    "elimination": "(declare-const {name} Bool){check}(get-qe (exists ((x Int)) (> x 3)))(get-qe {name})",
    "synthesis": "(synth-fun {name} () Bool)(constraint {name})(check-synth)",
    "pool": "(declare-pool {name} Int (0)){check}",
    "heap": "(declare-heap ({name} {name})){check}",
    "proof": "(set-option :produce-proofs true)(declare-const {name} Bool)(assert {name}){check}(get-proof)",
    "difficulty": "(declare-const {name} Bool)(assert {name}){check}(get-difficulty)"
    "(get-learned-literals)(get-timeout-core)",
    "domain": "(declare-sort {name} 0)(declare-const z {name}){check}(get-model-domain-elements {name})"
    "(block-model :literals)",
    "attribute": "(assert (! true :{bare} {name}))(assert (! true :note {name}))",
    "status": "(set-info :status {name})(set-info :status unsat)",
    "version": "(set-info :smt-lib-version {name})(set-info :smt-lib-version 1.2)",
}

# Ways to write a command so that a filter may not see it: {} stands for the command.
SPELLINGS = {
    "plain": "{}",
    "white space": "\t\r\n {}",
    "after a byte order mark": "\ufeff{}",
    "after a stray parenthesis": "){}",
    "after many": ")))){}",
    "after an escaped bar": "(declare-const |b\\| c| Bool){}",
    "after an escaped quote": '(set-info :notes "d\\"){}(set-info :notes "e\\")',
    "after a block comment": "#| x |#{}",
    "in a block comment": "#| {} |#",
    "after an unknown command": "(frobnicate){}",
    "inside another command": "(push 1 {})",
    "twice": "{}{}",
    "in a comment ended by a carriage return": "; x\r{}",
    "after a vertical tab": "\v{}",
    "after a form feed": "\f{}",
    "after a NUL": "\0{}",
    "after an unclosed string": '(set-info :notes "{}',
    "after a wide space": "\u00a0{}",
}
# The same within the command.
RESPELLINGS = {
    "comment after the parenthesis": lambda text: text.replace("(", "(; c\n ", 1),
    "comment before the value": lambda text: text.replace(" ", " ; c\n", 2),
    "quoted command": lambda text: "(|" + text[1:].replace(" ", "| ", 1),
    "quoted keyword": lambda text: text.replace(" :", " |:", 1).replace(" ", "| ", 2).replace("| ", " ", 1),
    "no space": lambda text: text.replace(" :", ":", 1),
    "capitals": lambda text: text.split(" ", 1)[0].upper() + " " + text.split(" ", 1)[-1],
    "carriage returns": lambda text: text.replace(" ", "\r", 2),
}


def scripts() -> dict[str, str]:
    """All scripts by name."""
    found = {}
    for (what, command), (how, spelling) in product((WRITES | FORGERIES).items(), SPELLINGS.items()):
        # Every spelling of the four commands that matter most; the others plainly and in three more ways.
        if what in ("regular channel", "echo", "include", "tactic") or how in list(SPELLINGS)[:5]:
            found[f"{what}, {how}"] = spelling.replace("{}", command) + CHECK
    for (what, command), (how, respelled) in product((WRITES | FORGERIES).items(), RESPELLINGS.items()):
        found[f"{what}, {how}"] = respelled(command) + CHECK
    found |= {what: command + CHECK for what, command in (MORE | IMITATIONS).items()}
    for how in ("after a stray parenthesis", "twice"):
        found |= {f"{what}, {how}": SPELLINGS[how].replace("{}", c) + CHECK for what, c in IMITATIONS.items()}
    for place, (what, command) in enumerate(PRINTS.items()):
        for shift in range(3):
            number = (3 * place + shift) % len(ODD_NAMES)
            found[f"{what}, name {number}"] = _printing(command, ODD_NAMES[number])
    found["channel and echo"] = (
        '(; c\n set-option :regular-output-channel "{path}")(; c\n echo "hello")' + CHECK
    )
    return found


def _printing(command: str, name: str) -> str:
    """A command that may print a name, with the check."""
    script = command if "{check}" in command else command + "{check}"
    bare = re.sub(r"[^a-z]", "", name[:60])
    longer = f"{name[:-1]}2|" if name[0] == "|" else f"{name}2"
    for word, text in (("{name}2", longer), ("{name}", name), ("{bare}", bare), ("{check}", CHECK)):
        script = script.replace(word, text)
    return script


class Trap:
    """A folder that no script may touch: the kernel tells whatever is made, opened or read in it.

    It is made when nothing else is going on, and its owner does not look into it.
    """

    def __init__(self, folder: Path) -> None:
        self.path, self.secret = folder / "written", folder / "secret"
        self.secret.write_text("(assert false)")
        self._watch = _LIBC.inotify_init1(os.O_NONBLOCK)
        if self._watch < 0 or _LIBC.inotify_add_watch(self._watch, os.fsencode(folder), _ALL_EVENTS) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def names(self, text: str) -> str:
        """The script with the names of this trap."""
        return text.replace("{path}", str(self.path)).replace("{secret}", str(self.secret))

    def is_touched(self) -> bool:
        """Whether anything has happened since the last time."""
        try:
            return bool(os.read(self._watch, 1 << 16))
        except BlockingIOError:
            return False

    def close(self) -> None:
        os.close(self._watch)


def harm(answer: Answer, trap: Trap) -> str:
    """What the answer to one of the scripts shows; empty if it is harmless."""
    if trap.is_touched():
        return "a file was written, read or opened"
    if Verdict.UNSAT in answer.verdicts:
        return "forged verdict"
    if answer.crashed:
        return f"forged crash: {answer.ending}"
    return "forged model" if answer.model is not None and not _RIGHT.search(answer.model) else ""


def dropped(text: str) -> str:
    """What of a script that is judged is not sent; empty if nothing is.

    What cannot be read or does not count as whole is not judged.
    """
    safe = safe_script(text)
    if not safe.whole:
        return ""
    try:
        read = list(at_each_check(read_script(text)))
    except FalsumError:
        return ""
    # Of a check that is left out only the place is sent.
    asked = [bool(command.text) for command in safe.commands if command.name in CHECK_COMMANDS]
    if len(read) != len(asked):
        return f"{len(read)} checks are sent as {len(asked)}"
    expected = [_asserted(flat) for flat, is_sent in zip(read, asked, strict=True) if is_sent]
    sent = [_asserted(flat) for flat in at_each_check(read_script(restored(safe.text, safe.names)))]
    return "" if expected == sent else f"{expected} is sent as {sent}"


def _asserted(flat: Script) -> list[str]:
    """The assertions in force at a check, strings in one spelling."""
    printed = [print_script(Script((each,))) for each in flat.commands if isinstance(each, Assert)]
    return [
        _STRING.sub(lambda found: encode_literal(decode_literal(found[0][1:-1])), text) for text in printed
    ]
