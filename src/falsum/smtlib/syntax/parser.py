"""Reads and sort-checks terms and sorts, in one loop without recursion.

The loop has a stack of open parentheses. Most are applications (a Head and the arguments so far); binders,
annotations and matches have a frame instead, which makes the term when it is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import NoReturn

from falsum.errors import ScriptError, SortError, UsageError
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort
from falsum.smtlib.syntax import datatypes, identifiers, lenience
from falsum.smtlib.syntax.frames import (
    AnnotationFrame,
    BinderFrame,
    Frame,
    LetFrame,
    MatchFrame,
    PartFrame,
    Saved,
    Special,
    TermListFrame,
)
from falsum.smtlib.syntax.scope import Scope
from falsum.smtlib.terms import Attribute, Function, Head, Term, app, var
from falsum.smtlib.text.lexer import (
    MAX_DIGITS,
    Chunk,
    chunks,
    is_symbol,
    offset_of,
    one_line,
    opening_of,
    place_of,
    quote,
    symbol_name,
    token_text,
)
from falsum.smtlib.theories.literals import read_literal

# Attributes whose value is a list of terms; other values are kept as text.
_TERM_LISTS = frozenset([":pattern", ":inst-add-to-pool", ":skolem-add-to-pool", ":pool"])
_FRAMES = (Head, tuple, LetFrame, MatchFrame, PartFrame, BinderFrame, AnnotationFrame, TermListFrame)


class Parser:
    """A cursor over the tokens of a script, with the scope at its position."""

    def __init__(
        self, text: str, file: str = "", operators: tuple[Operator, ...] = (), scope: Scope | None = None
    ) -> None:
        self.text = text
        self.file = file
        self._operators = operators
        self.scope = Scope() if scope is None else scope
        self.scope.extend(operators)
        self._chunk = Chunk(0, 0, [])
        self._count = 0
        self._inner: Iterator[str] = iter(())
        self.tokens: Iterator[str] = chain.from_iterable(self._chunks())

    def _chunks(self) -> Iterator[Iterator[str]]:
        for chunk in chunks(self.text):
            self._chunk, self._count = chunk, len(chunk.tokens)
            self._inner = iter(chunk.tokens)
            yield self._inner

    # -- places and errors -------------------------------------------------------------------------

    def fail(self, message: str, *, opening: bool = False) -> NoReturn:
        """Raises an error at the last token read, or at the head of the expression that it closes."""
        offset = offset_of(self.text, *self.place())
        if opening and self.text.startswith(")", offset):
            offset = opening_of(self.text, offset)
        raise ScriptError(one_line(message), *place_of(self.text, offset), self.file)

    def place(self) -> tuple[Chunk, int]:
        """The last token read: its chunk, and its number there."""
        left = self._inner.__length_hint__()  # type: ignore[attr-defined]  # list iterators have it
        return self._chunk, self._count - left - 1

    def next(self) -> str:
        token = next(self.tokens, None)
        if token is None:
            message = "the script ends inside a command"
            raise ScriptError(message, *place_of(self.text, len(self.text)), self.file)
        return token

    def expect(self, expected: str) -> None:
        token = self.next()
        if token != expected:
            self.fail(f"expected {expected}, found {token_text(token)}")

    def symbol(self, token: str | None = None) -> str:
        """The name of a symbol: of the given token or, without one, of the next token."""
        token = self.next() if token is None else token
        if not is_symbol(token):
            self.fail(f"expected a symbol, found {token_text(token)}")
        return symbol_name(token)

    def key(self, token: str) -> str:
        """The key of a symbol token in the scope."""
        return quote(token[1:-1]) if token[0] == "|" and len(token) > 1 else token

    def numeral(self, token: str | None = None) -> int:
        token = self.next() if token is None else token
        if not (token.isdecimal() and token.isascii()) or len(token) > MAX_DIGITS:
            self.fail(f"expected a numeral, found {token_text(token)}")
        return int(token)

    # -- sorts -------------------------------------------------------------------------------------

    def sort(self, token: str | None = None) -> Sort:
        """The sort that starts at the given token or, without one, at the next token."""
        token = self.next() if token is None else token
        stack: list[tuple[str, tuple[int, ...], list[Sort]]] = []
        while True:
            if token == "(":
                name, indices, is_complete = self._sort_head()
                if not is_complete:
                    stack.append((name, indices, []))
                    token = self.next()
                    continue
                sort = self._make_sort(name, indices, ())
            elif token == ")":
                if not stack:
                    self.fail("expected a sort, found )")
                name, indices, args = stack.pop()
                sort = self._make_sort(name, indices, tuple(args))
            else:
                if not is_symbol(token):
                    self.fail(f"expected a sort, found {token_text(token)}")
                sort = self._make_sort(self.key(token), (), ())
            if not stack:
                return sort
            stack[-1][2].append(sort)
            token = self.next()

    def _sort_head(self) -> tuple[str, tuple[int, ...], bool]:
        """Reads after an opening parenthesis: the name, the indices, and whether the sort is complete."""
        token = self.next()
        if token == "_":
            name, indices = self._indexed_sort()
            return name, indices, True
        if token == "(":
            self.expect("_")
            name, indices = self._indexed_sort()
            return name, indices, False
        if not is_symbol(token):
            self.fail(f"expected the name of a sort, found {token_text(token)}")
        return self.key(token), (), False

    def _indexed_sort(self) -> tuple[str, tuple[int, ...]]:
        name = quote(self.symbol())
        indices = []
        while (token := self.next()) != ")":
            indices.append(self.numeral(token))
        if not indices:
            self.fail("an indexed sort needs an index")
        return name, tuple(indices)

    def _make_sort(self, key: str, indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
        if key == "List" and key not in self.scope.sorts:
            datatypes.declare_builtin_list(self)
        try:
            return self.scope.make_sort(key, indices, args)
        except UsageError as error:
            self.fail(str(error))

    def sorted_vars(self) -> list[tuple[str, Sort]]:
        """Reads `((x Int) (y Bool))`."""
        self.expect("(")
        out = []
        while (token := self.next()) == "(":
            name = self.symbol()
            out.append((name, self.sort()))
            self.expect(")")
        if token != ")":
            self.fail(f"expected (variable sort) or ), found {token_text(token)}")
        return out

    # -- terms -------------------------------------------------------------------------------------

    def term(self, token: str | None = None) -> Term:
        """The term that starts at the given token or, without one, at the next token."""
        try:
            return self._term(self.next() if token is None else token)
        except StopIteration:
            message = "the script ends inside a term"
            raise ScriptError(message, *place_of(self.text, len(self.text)), self.file) from None

    def _term(self, token: str) -> Term:
        scope = self.scope
        atoms, heads = scope.atoms, scope.heads
        following: Callable[[], str] = self.tokens.__next__
        stack: list[tuple[Frame, list[Term]]] = []
        head: Frame = None
        args: list[Term] = []
        while True:
            if token == "(":
                if isinstance(head, MatchFrame) and args:
                    head, args, token = self._cases(head, args)
                    continue
                stack.append((head, args))
                args = []
                token = following()
                while token == "(":
                    second = following()
                    if second in ("_", "as"):
                        head = self._inner_head(second)
                        break
                    head = lenience.TERM_IN_FRONT
                    stack.append((head, args))
                    args = []
                    token = second
                else:
                    head = heads.get(token)
                    if head is None:
                        frame = self._open(token, args)
                        if not isinstance(frame, _FRAMES):
                            head, args = stack.pop()
                            if not stack:
                                return frame
                            args.append(frame)
                            token = following()
                            continue
                        head = frame
                token = following()
            elif token == ")":
                term: Term | None
                if isinstance(head, Head):
                    try:
                        term = app(head, args)
                    except SortError:
                        term = self._resolve(head, args)
                elif isinstance(head, tuple):
                    term = self._resolve(head, args)
                elif head is None:
                    self.fail("expected a term, found )")
                else:
                    term = self._close(head, args)
                if term is None:
                    head, args, token = self._after_part(head, stack)
                    continue
                head, args = stack.pop()
                if not stack:
                    return term
                args.append(term)
                token = following()
            else:
                atom = atoms.get(token)
                if atom is None:
                    if token[0] == ":":
                        head, args, token = self._attribute(token, head, args, stack)
                        continue
                    atom = self._atom(token)
                if not stack:
                    return atom
                args.append(atom)
                token = following()

    def _atom(self, token: str) -> Term:
        """The term that a single token is, if it is not among the atoms of the scope yet."""
        scope = self.scope
        literal = read_literal(token, reals_only=scope.reals_only)
        if literal is not None:
            scope.atoms[token] = literal
            return literal
        if not is_symbol(token):
            self.fail(f"expected a term, found {token_text(token)}")
        key = self.key(token)
        atom = scope.atoms.get(key)
        if atom is not None:
            return atom
        entry = scope.heads.get(key)
        for head in entry if isinstance(entry, tuple) else (entry,):
            if head is not None and head.rank(()) is not None:
                return app(head)
            default = identifiers.defaulted(head) if head is not None else None
            if default is not None:
                return default
        if entry is not None:
            self.fail(f"{token_text(token)} needs arguments or a sort (as {token_text(token)} …)")
        self.fail(f"unknown symbol {token_text(token)}")

    def _inner_head(self, word: str) -> Frame:
        """Reads after `((_` or `((as`."""
        if word == "_":
            return identifiers.indexed_head(self)
        return identifiers.qualified_head(self)

    def _open(self, token: str, args: list[Term]) -> Head | tuple[Head, ...] | Special | Term:
        """Reads after `(` and a token that is not a known function: a frame, or a whole term."""
        opener = identifiers.OPENERS.get(token)
        if opener is not None:
            return opener(self, token)
        if token == "_":
            return identifiers.indexed_term(self)
        if token == "as":
            return identifiers.qualified_term(self)
        if token == ")":
            self.fail("expected a term, found ()")
        head = self.scope.heads.get(self.key(token))
        if head is not None:
            return head
        # A variable or constant of a function sort (or an array, in z3) in front of arguments.
        args.append(self._atom(token))
        return lenience.TERM_IN_FRONT

    def _resolve(self, head: Head | tuple[Head, ...], args: list[Term]) -> Term:
        """The application if the head does not take the arguments as they are: overloading, conversions."""
        term = lenience.apply(head, args)
        if term is not None:
            return term
        heads = head if isinstance(head, tuple) else (head,)
        sorts = " ".join(str(arg.sort) for arg in args) or "no arguments"
        wants = " or ".join(one.symbol.expectation for one in heads)
        if not heads:  # (_ f 0) of a function that has no indices
            self.fail(f"no function of this name takes ({sorts})", opening=True)
        self.fail(f"{heads[0].text} cannot take ({sorts}); it expects {wants}", opening=True)

    # -- frames ------------------------------------------------------------------------------------

    def _close(self, frame: Special, args: list[Term]) -> Term | None:
        """The term a frame makes when it is closed; None if it is part of another frame."""
        try:
            return frame.close(self, args)
        except SortError as error:
            self.fail(str(error), opening=True)

    def _after_part(
        self, frame: Frame, stack: list[tuple[Frame, list[Term]]]
    ) -> tuple[Frame, list[Term], str]:
        """What is open after a part of a frame has been closed, and the next token."""
        if isinstance(frame, PartFrame):
            return self._next_part(frame.owner)
        head, args = stack.pop()
        return head, args, self.next()

    def _cases(self, frame: MatchFrame, args: list[Term]) -> tuple[Frame, list[Term], str]:
        """Reads on from the parenthesis that opens the cases of a match."""
        if frame.is_complete or len(args) != 1:
            self.fail("expected (match term (cases …))")
        frame.subject = args[0]
        return self._next_part(frame)

    def _next_part(self, owner: LetFrame | MatchFrame) -> tuple[Frame, list[Term], str]:
        """The next binding of a let or case of a match, or the end of their list."""
        token = self.next()
        if token == "(":
            return owner.part(self), [], self.next()
        if token != ")":
            self.fail(f"expected ( or ), found {token_text(token)}")
        owner.end_of_parts(self)
        return owner, [], self.next()

    def only(self, args: list[Term], what: str) -> Term:
        """The one term that a frame must have."""
        if len(args) != 1:
            self.fail(f"{what} takes one term, not {len(args)}", opening=True)
        return args[0]

    def _attribute(
        self, token: str, head: Frame, args: list[Term], stack: list[tuple[Frame, list[Term]]]
    ) -> tuple[Frame, list[Term], str]:
        """Reads `:keyword value` in an annotation."""
        if not isinstance(head, AnnotationFrame) or len(args) != 1 or token == ":":
            self.fail(f"expected a term, found {token_text(token)}")
        following = self.next()
        if following == "(" and token in _TERM_LISTS:
            stack.append((head, args))
            return TermListFrame(head, token), [], self.next()
        if following == ")" or following[0] == ":":
            head.attributes.append(Attribute(token, None))
            return head, args, following
        head.attributes.append(Attribute(token, self.verbatim(following)))
        return head, args, self.next()

    def verbatim(self, token: str) -> str:
        """The text of the S-expression that starts with this token."""
        if token == ")":
            self.fail("expected a value, found )")
        if token != "(":
            return token
        out = ["("]
        depth = 1
        while depth:
            token = self.next()
            depth += (token == "(") - (token == ")")
            if out[-1] != "(" and token != ")":
                out.append(" ")
            out.append(token)
        return "".join(out)

    def verbatim_rest(self) -> str:
        """The text of the rest of a command."""
        out = []
        while (token := self.next()) != ")":
            out.append(self.verbatim(token))
        return " ".join(out)

    @contextmanager
    def replay(self, place: tuple[Chunk, int], tokens: list[str]) -> Iterator[None]:
        """Reads these tokens once more; they followed this place."""
        state = self._chunk, self._count, self._inner, self.tokens
        self._chunk, self._count = place[0], place[1] + 1 + len(tokens)
        self._inner = self.tokens = iter(tokens)
        yield
        self._chunk, self._count, self._inner, self.tokens = state

    def reset(self, *, keep_logic: bool = False) -> None:
        """Removes all declarations."""
        reals_only = self.scope.reals_only and keep_logic
        self.scope = Scope()
        self.scope.extend(self._operators)
        self.scope.reals_only = reals_only

    # -- names -------------------------------------------------------------------------------------

    def declare(self, function: Function, text: str = "") -> None:
        try:
            self.scope.declare(function, text)
        except UsageError as error:
            self.fail(str(error), opening=True)

    def bind(self, names: list[tuple[str, Sort]]) -> list[Saved]:
        """Declares bound variables; returns what `unbind` needs to remove them again."""
        outer_bindings: list[Saved] = []
        for name, sort in names:
            key = quote(name)
            # A variable of another sort cannot be applied, so it does not hide a function (cvc5, z3).
            hidden = self.scope.heads.pop(key, None) if sort.name in ("->", "Array") else None
            outer_bindings.append((key, self.scope.atoms.get(key), hidden))
            self.scope.atoms[key] = var(name, sort)
        return outer_bindings

    def unbind(self, outer_bindings: list[Saved]) -> None:
        atoms, heads = self.scope.atoms, self.scope.heads
        for key, atom, head in reversed(outer_bindings):
            if atom is None:
                atoms.pop(key, None)
            else:
                atoms[key] = atom
            if head is not None:
                heads[key] = head
