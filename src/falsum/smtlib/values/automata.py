"""Membership in regular languages, by automata that are built as words are read.

A position is what remains to be read: an expression, and then another position. The states of an automaton
are sets of positions. Languages with complements or intersections inside other operators have no automaton.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from falsum.smtlib.values import regexes
from falsum.smtlib.values.regexes import ALL, ALLCHAR, Ranges, Regex, RegexKind

_MOST_AUTOMATA: Final = 64
# With more positions, an automaton is built anew: languages with large loops may have very many.
_MOST_POSITIONS: Final = 5_000
_WITHOUT_AUTOMATON: Final = frozenset((RegexKind.COMP, RegexKind.INTER))


class _Position:
    """An expression to be read before the rest; no position (None) is the end.

    Once followed, it has ranges of characters with the positions they lead to. `cost` is the number of
    positions that were looked at for them.
    """

    __slots__ = ("accepts", "cost", "edges", "is_all", "node", "rest")

    def __init__(self, node: Regex, rest: _Position | None) -> None:
        self.node = node
        self.rest = rest
        self.edges: list[tuple[Ranges, _Position | None]] = []
        self.accepts = False
        self.is_all = False
        self.cost = 0


class _State:
    """A state: the joint properties of its positions, and the known following states.

    `cost` does not depend on what is cached, so that a budget is exhausted by the same words in every
    process. `is_all` says that every continuation is accepted.
    """

    __slots__ = ("accepts", "cost", "edges", "is_all", "moves")

    def __init__(self, positions: list[_Position], *, accepts: bool) -> None:
        self.edges = [edge for position in positions for edge in position.edges]
        self.moves: dict[str, _State] = {}
        self.accepts = accepts
        self.is_all = False
        self.cost = 1
        for position in positions:
            self.accepts |= position.accepts
            self.is_all |= position.is_all
            self.cost += position.cost


class Automaton:
    """The automaton of one language, built as far as words have needed it."""

    def __init__(self, regex: Regex) -> None:
        self._regex = regex
        self._positions: dict[tuple[Regex, _Position | None], _Position] = {}
        self._states: dict[frozenset[_Position | None], _State] = {}

    def accepts(self, word: str, budget: int) -> bool | None:
        """Whether the word is in the language; None if the budget is exhausted."""
        position = self._read(word, budget)
        if len(self._positions) > _MOST_POSITIONS or len(self._states) > _MOST_POSITIONS:
            self._states.clear()
            self._positions.clear()
        return position

    def _read(self, word: str, budget: int) -> bool | None:
        state = self._state([self._position(self._regex, None)], budget)
        for char in word:
            if state is None or state.is_all or not state.edges:
                break
            budget -= state.cost
            following = state.moves.get(char)
            if following is None:
                following = self._state(_targets(state, ord(char)), budget)
                if following is not None:
                    state.moves[char] = following
            state = following
        else:
            return None if state is None or state.cost > budget else state.accepts
        return None if state is None or state.cost > budget else state.is_all

    def _position(self, node: Regex, rest: _Position | None) -> _Position:
        key = (node, rest)
        position = self._positions.get(key)
        if position is None:
            position = self._positions[key] = _Position(node, rest)
        return position

    def _state(self, targets: list[_Position | None], budget: int) -> _State | None:
        """The state of these positions; None if it costs more than the budget."""
        key = frozenset(targets)
        state = self._states.get(key)
        if state is None:
            positions = [target for target in dict.fromkeys(targets) if target is not None]
            for position in positions:
                if not position.cost and not self._follow(position, budget):
                    return None
            state = self._states[key] = _State(positions, accepts=None in key)
        return state if state.cost <= budget else None

    def _follow(self, start: _Position, budget: int) -> bool:
        """Follow all steps that read no character; False if that takes more than the budget."""
        edges, accepts, is_all = [], False, False
        seen = set()
        todo: list[_Position | None] = [start]
        while todo:
            position = todo.pop()
            if position is None:
                accepts = True
                continue
            if position in seen:
                continue
            seen.add(position)
            if len(seen) > budget:
                return False
            node, rest = position.node, position.rest
            if node.kind is RegexKind.CHARS:
                edges.append((node.ranges, rest))
            elif node is ALL:
                is_all |= rest is None
                edges.append((ALLCHAR.ranges, position))
                todo.append(rest)
            else:
                todo += self._opened(node, rest)
        start.edges, start.accepts, start.is_all, start.cost = edges, accepts, is_all, len(seen)
        return True

    def _opened(self, node: Regex, rest: _Position | None) -> list[_Position | None]:
        """The positions that a position is equivalent to."""
        if node.kind is RegexKind.CONCAT:
            head, tail = node.parts
            return [self._position(head, self._position(tail, rest))]
        if node.kind is RegexKind.UNION:
            return [self._position(part, rest) for part in node.parts]
        if node.kind is RegexKind.LOOP:
            (body,) = node.parts
            high = None if node.high is None else node.high - 1
            remaining = regexes.loop(body, max(node.low - 1, 0), high)
            again = self._position(body, self._position(remaining, rest))
            return [again] if node.low else [again, rest]
        return [rest]  # the empty word


def _targets(state: _State, code: int) -> list[_Position | None]:
    return [target for ranges, target in state.edges for low, high in ranges if low <= code <= high]


@lru_cache(maxsize=_MOST_AUTOMATA)
def automaton_of(regex: Regex) -> Automaton | None:
    """The automaton of a language; None if it has none."""
    seen = {regex}
    todo = [regex]
    while todo:
        node = todo.pop()
        if node is ALL:
            continue
        if node.kind in _WITHOUT_AUTOMATON:
            return None
        for part in node.parts:
            if part not in seen:
                seen.add(part)
                todo.append(part)
    return Automaton(regex)
