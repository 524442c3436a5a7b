"""Decides questions about regular languages with Brzozowski derivatives, within a step budget."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque

from falsum.smtlib.values import regexes
from falsum.smtlib.values.automata import automaton_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.regexes import (
    ALL,
    EPSILON,
    MAX_CODE,
    NONE,
    Regex,
    RegexKind,
    concat,
    flatten,
    inter,
    union,
)

STEPS = 200_000

_EXHAUSTED = CannotSay("regular expression budget exhausted")


def matches(regex: Regex, word: str, budget: int = STEPS) -> bool | CannotSay:
    """`(str.in_re word regex)`."""
    is_negated = regex.kind is RegexKind.COMP
    members = flatten(RegexKind.INTER, regex.parts if is_negated else (regex,))
    answers = []
    for member in members:
        # Automata are faster; complements inside other operators and large loops need derivatives.
        is_outside = member.kind is RegexKind.COMP and member is not ALL
        automaton = automaton_of(member.parts[0] if is_outside else member)
        answer = None if automaton is None else automaton.accepts(word, budget >> 2)
        if answer is None:
            return by_derivatives(regex, word, budget)
        answers.append(answer is not is_outside)
    return all(answers) is not is_negated


def by_derivatives(regex: Regex, word: str, budget: int = STEPS) -> bool | CannotSay:
    """As `matches`, for every language."""
    search = Search(budget)
    state = regex
    for char in word:
        if state is NONE or state is ALL:
            break
        following = search.derivative(state, char)
        if following is None:
            return _EXHAUSTED
        state = following
    else:
        return state.nullable
    return state is ALL


def shortest_leftmost(
    regex: Regex, word: str, nonempty: bool, budget: int = STEPS
) -> tuple[int, int] | CannotSay | None:
    """Start and end of the shortest leftmost match, if any."""
    return Search(budget).shortest_leftmost(regex, word, nonempty, 0)


def example(regex: Regex, budget: int = STEPS) -> str | CannotSay | None:
    """A shortest word of the language, or `None` if it is empty."""
    return Search(budget).example(regex)


def is_empty(regex: Regex, budget: int = STEPS) -> bool | CannotSay:
    word = example(regex, budget)
    return word if isinstance(word, CannotSay) else word is None


def equivalent(left: Regex, right: Regex, budget: int = STEPS) -> bool | CannotSay:
    """Whether two regexes denote the same language."""
    return Search(budget).equivalent(left, right)


class Search:
    """Derivatives, cached for one or several questions with a shared budget."""

    def __init__(self, budget: int = STEPS) -> None:
        self._left = budget
        self._known: dict[str, dict[Regex, Regex]] = {}
        self._rotated: dict[Regex, Regex] = {}

    def derivative(self, regex: Regex, char: str) -> Regex | None:
        """The derivative of the language by `char`; None if the budget is exhausted."""
        derivatives = self._known.setdefault(char, {})
        self._left -= 1
        stack = [regex]
        while stack:
            if self._left < 0:
                return None
            node = stack[-1]
            if node in derivatives:
                stack.pop()
                continue
            needs = self._needs(node)
            missing = [need for need in needs if need not in derivatives]
            if missing:
                self._left -= len(missing)
                stack += missing
            else:
                derivatives[node] = self._derived(node, [derivatives[need] for need in needs], ord(char))
                stack.pop()
        return derivatives[regex]

    def shortest_leftmost(
        self, regex: Regex, word: str, nonempty: bool, start: int
    ) -> tuple[int, int] | CannotSay | None:
        """Like the function of that name, from position `start` on."""
        if regex.nullable and not nonempty:
            return start, start
        for first in range(start, len(word)):
            state = regex
            for end in range(first, len(word)):
                following = self.derivative(state, word[end])
                if following is None:
                    return _EXHAUSTED
                if following.nullable:
                    return first, end + 1
                if following is NONE:
                    break
                state = following
        return None

    def example(self, regex: Regex) -> str | CannotSay | None:
        # Breadth first, so that the word is one of the shortest.
        words = {regex: ""}
        queue = deque([regex])
        while queue:
            state = queue.popleft()
            if state.nullable:
                return words[state]
            for char in self._representatives(state):
                following = self.derivative(state, char)
                if following is None:
                    return _EXHAUSTED
                if following is not NONE and following not in words:
                    words[following] = words[state] + char
                    queue.append(following)
        return None

    def equivalent(self, left: Regex, right: Regex) -> bool | CannotSay:
        seen = {(left, right)}
        queue = deque(seen)
        while queue:
            one, other = queue.popleft()
            if one is other:
                continue
            if one.nullable != other.nullable:
                return False
            for char in self._representatives(one, other):
                next_one, next_other = self.derivative(one, char), self.derivative(other, char)
                if next_one is None or next_other is None:
                    return _EXHAUSTED
                pair = (next_one, next_other)
                if pair not in seen:
                    seen.add(pair)
                    queue.append(pair)
        return True

    def _needs(self, node: Regex) -> list[Regex]:
        """The nodes whose derivatives are needed for that of `node`."""
        if node.kind is RegexKind.CONCAT:
            head, rest = node.parts
            if head.kind is RegexKind.CONCAT:
                return [self._rotate(node)]
            return [head, rest] if head.nullable else [head]
        if node.kind in (RegexKind.UNION, RegexKind.INTER):
            return flatten(node.kind, (node,))
        return list(node.parts)

    def _derived(self, node: Regex, derived: list[Regex], code: int) -> Regex:
        if node.kind is RegexKind.CHARS:
            place = bisect_right(node.ranges, (code, MAX_CODE + 1)) - 1
            return EPSILON if place >= 0 and code <= node.ranges[place][1] else NONE
        if node.kind is RegexKind.CONCAT:
            head, rest = node.parts
            if head.kind is RegexKind.CONCAT:
                return derived[0]
            return union(*flatten(RegexKind.UNION, (self._chain(derived[0], rest), *derived[1:])))
        if node.kind is RegexKind.UNION:
            return union(*flatten(RegexKind.UNION, derived))
        if node.kind is RegexKind.INTER:
            return inter(*flatten(RegexKind.INTER, derived))
        if node.kind is RegexKind.COMP:
            return regexes.comp(derived[0])
        if node.kind is RegexKind.LOOP:
            # Also correct for a nullable body: the rest of the loop includes fewer rounds.
            high = None if node.high is None else node.high - 1
            remaining = regexes.loop(node.parts[0], max(node.low - 1, 0), high)
            return self._chain(derived[0], remaining)
        return NONE

    def _rotate(self, node: Regex) -> Regex:
        """`((a b) c)` as `(a (b c))`, so that the tail is shared by the derivatives."""
        rotated = self._rotated.get(node)
        if rotated is None:
            head, rest = node.parts
            while head.kind is RegexKind.CONCAT:
                head, after = head.parts
                rest = concat(after, rest)
                self._left -= 1
            rotated = self._rotated[node] = concat(head, rest)
        return rotated

    def _chain(self, left: Regex, right: Regex) -> Regex:
        """The concatenation, right-nested if `left` is."""
        parts = []
        while left.kind is RegexKind.CONCAT:
            first, left = left.parts
            parts.append(first)
        self._left -= len(parts)
        return concat(*parts, left, right)

    def _representatives(self, *nodes: Regex) -> list[str]:
        """One character from each class of characters with the same derivatives of `nodes`."""
        cuts = {0}
        seen = set(nodes)
        stack = list(nodes)
        while stack:
            node = stack.pop()
            for low, high in node.ranges:
                cuts.update((low, high + 1))
            needs = [need for need in self._needs(node) if need not in seen]
            seen.update(needs)
            stack += needs
        cuts.discard(MAX_CODE + 1)
        return [chr(cut) for cut in sorted(cuts)]
