"""What a grammar mentions: the special tokens that it names, and notes about what it leaves unchecked."""

from __future__ import annotations

from tooldec.grammar import Choice, Forever, Grammar, Labelled, Names, Noted, Repeat, Sequence, Special, Until, parts_of


def mentioned(term: Grammar) -> frozenset[str]:
    """The special tokens and markers that a grammar names, outside of the tails of `Names`."""
    if isinstance(term, Special):
        return frozenset([term.name])
    if isinstance(term, Until):
        return frozenset([term.marker, *term.barred])
    if isinstance(term, Sequence | Choice):
        return frozenset().union(*map(mentioned, parts_of(term, type(term))))
    if isinstance(term, Repeat | Forever | Labelled | Noted):
        return mentioned(term.body)
    return frozenset()


def notes(term: Grammar) -> tuple[str, ...]:
    """What the parts of a grammar leave unchecked, those that follow names among them."""
    found: dict[str, None] = {}
    stack, seen = [term], set()
    while stack:
        at = stack.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        if isinstance(at, Noted):
            found |= dict.fromkeys(at.notes)
        if isinstance(at, Sequence | Choice):
            stack += parts_of(at, type(at))
        elif isinstance(at, Repeat | Forever | Labelled | Noted):
            stack.append(at.body)
        elif isinstance(at, Names):
            stack += [at.tail(index) for index in range(len(at.words))]
    return tuple(found)
