"""Counts the linkages of a sentence by other means than the parser. It goes word by word from the
left, with a stack of the words that wait for links to their right. Reads the same dictionary."""

import functools
import re

TOKEN = re.compile(r"#[^\n]*|\s+|([^\s#&|(){}\[\]<>:;=]+|[&|(){}\[\]<>:;=])")


class Dictionary:
    """Spellings with their entries; an entry is a set of disjuncts (left, right), each a tuple of
    connectors without their direction, the nearest link first."""

    def __init__(self, text):
        self._tokens = [match.group(1) for match in TOKEN.finditer(text) if match.group(1)]
        self._at = 0
        self._parts = {}
        self.entries = {}
        while self._at < len(self._tokens):
            if self._tokens[self._at] == "<":
                name = self._name()
                self._take("=")
                self._parts[name] = self._alternatives()
            else:
                self._words()
            self._take(";")

    def _take(self, expected):
        assert self._tokens[self._at] == expected, self._tokens[self._at - 3 : self._at + 3]
        self._at += 1

    def _name(self):
        self._take("<")
        self._at += 1
        self._take(">")
        return self._tokens[self._at - 2]

    def _words(self):
        words = []
        while self._tokens[self._at] != ":":
            words.append(self._tokens[self._at])
            self._at += 1
        self._at += 1
        clauses = frozenset(
            (tuple(c[:-1] for c in clause if c[-1] == "-"), tuple(c[:-1] for c in clause if c[-1] == "+"))
            for clause in self._alternatives()
        )
        for word in words:
            spelling = word[0] + word[1:].split(".")[0]
            self.entries.setdefault(spelling, []).append(clauses)

    # An expression is the set of its clauses: tuples of connectors.
    def _alternatives(self):
        clauses = set(self._both())
        while self._tokens[self._at] == "|":
            self._at += 1
            clauses |= self._both()
        return clauses

    def _both(self):
        clauses = self._one()
        while self._tokens[self._at] == "&":
            self._at += 1
            second = self._one()
            clauses = {a + b for a in clauses for b in second}
        return clauses

    def _one(self):
        token = self._tokens[self._at]
        if token == "<":
            return self._parts[self._name()]
        self._at += 1
        if token not in "({[":
            return {(token,)}
        clauses = self._alternatives()
        self._take({"(": ")", "{": "}", "[": "]"}[token])
        return clauses | {()} if token == "{" else clauses


@functools.cache
def matches(right, left):
    right, left = right.lstrip("@"), left.lstrip("@")
    heads = [re.match("[A-Z]+", name).group() for name in (right, left)]
    tails = zip(right[len(heads[0]) :], left[len(heads[1]) :])
    return heads[0] == heads[1] and all(a == b or "*" in (a, b) for a, b in tails)


def sensible(words):
    """Words as lists of disjuncts, without those that have a connector with no partner anywhere."""
    while True:
        offered = [{c for left, right in word for c in right} for word in words]
        wanted = [{c for left, right in word for c in left} for word in words]

        def partner(name, where, is_right):
            sides = (wanted[where + 1 :] if is_right else offered[:where])
            return any(matches(name, other) if is_right else matches(other, name)
                       for side in sides for other in side)

        kept = [
            [(left, right) for left, right in word
             if all(partner(c, at, False) for c in left) and all(partner(c, at, True) for c in right)]
            for at, word in enumerate(words)
        ]
        if kept == words:
            return words
        words = kept


def count_linkages(dictionary, sentence):
    tokens = ["WALL", *re.findall(r"[.,?]|[^\s.,?]+", sentence)]
    words = []
    for token in tokens:
        entries = dictionary.entries.get(token) or dictionary.entries[token[0].lower() + token[1:]]
        words.append([disjunct for entry in entries for disjunct in entry])
    words = sensible(words)

    # A stack holds (component, connectors still to be linked, the nearest first) of each word that
    # has any. Only its top can be linked: what lies above would cross.
    @functools.cache
    def count(at, stack):
        if at == len(words):
            return 1 if not stack else 0
        return sum(link(at, left, right, stack, frozenset()) for left, right in words[at])

    def link(at, left, right, stack, joined):
        """Ways in which the word's links to the left go on; `joined` are the components it has."""
        if not left:
            return push(at, right, stack, joined)
        if not stack or not stack[-1][1] or not matches(stack[-1][1][0], left[0]):
            return 0
        component, (name, *rest) = stack[-1]
        total = 0
        for still in [tuple(rest)] + ([(name, *rest)] if name[0] == "@" else []):
            below = stack[:-1] + (((component, still),) if still else ())
            for again in [left[1:]] + ([left] if left[0][0] == "@" else []):
                # More links to the left are to words beyond this one, which must be done.
                if again and still:
                    continue
                total += link(at, again, right, below, joined | {component})
        return total

    def push(at, right, stack, joined):
        new = [(None if component in joined else component, rest) for component, rest in stack]
        if right:
            new.append((None, right))
        # Whoever waits in no stack is done: that is right for the whole sentence alone.
        alive = {component for component, _ in new}
        before = {component for component, _ in stack} | joined
        lost = {component for component in before if component not in joined and component not in alive}
        if lost or (None not in alive and (new or at + 1 < len(words))):
            return 0
        numbers = {}
        stack = tuple((numbers.setdefault(component, len(numbers)), rest) for component, rest in new)
        return count(at + 1, stack)

    return count(0, ())
