"""Regular expressions rewritten: what means the same, and depends less on what stands around it.

(?!-)[a-z-]+[.]        the look ahead sees nothing behind the row:  Begun([a-z-]+[.], -, not wanted)
a{1,9}b{2,9}, searched      a match holds a shorter one:  ab{2}
"""

from __future__ import annotations

from dataclasses import replace

from tooldec.patterns.codepoints import ANY, Ranges, complement, shared
from tooldec.patterns.trees import Ahead, Begun, Behind, Either, Row, Term, Times, is_plain, lengths, parts


def trimmed(term: Term) -> Term:
    """An expression that is searched for: at its ends nothing is repeated more often than it must be."""
    return _shortest(_shortest(term, 0), -1)


def _shortest(term: Term, end: int) -> Term:
    """The same with the shortest of what stands at one end, which anything may follow (or come before)."""
    if isinstance(term, Times) and is_plain(term.body):
        return replace(term, high=term.low) if term.low else Row(())
    if isinstance(term, Either):
        return Either(tuple(_shortest(option, end) for option in term.options))
    if isinstance(term, Row) and term.parts:
        at = end % len(term.parts)
        last = _shortest(term.parts[at], end)
        if last == Row(()):
            return _shortest(Row(term.parts[:at] + term.parts[at + 1 :]), end)
        return Row((*term.parts[:at], last, *term.parts[at + 1 :]))
    return term


def confined(term: Term) -> Term:
    """The same, where looks ahead that see nothing behind what follows them are a part of it."""
    if isinstance(term, Either):
        return Either(tuple(map(confined, term.options)))
    if isinstance(term, Times):
        return replace(term, body=confined(term.body))
    if not isinstance(term, Row):
        return term
    found: tuple[Term, ...] = ()
    for part in map(confined, reversed(term.parts)):
        if isinstance(part, Ahead) and is_plain(part.body) and (seen := _enough(found, lengths(part.body)[1])):
            found = (Begun(Row(found[:seen]), part.body, part.wanted), *found[seen:])
        else:
            found = (part, *found)
    return Row(found)


def _enough(parts: tuple[Term, ...], most: int | None) -> int:
    """How many plain parts it takes to have so many characters in any case; 0 where there aren't enough."""
    least = 0
    for count, part in enumerate(parts, 1):
        if most is None or not is_plain(part):
            return 0
        least += lengths(part)[0]
        if least >= most:
            return count
    return 0


def told_apart(term: Term) -> tuple[Ranges, ...]:
    """The characters in classes, which every look behind of a term has as a whole or not at all."""
    classes = [ANY]
    for kind in dict.fromkeys(one.kind for one in parts(term) if isinstance(one, Behind)):
        for ranges in (kind.within, kind.around):
            both = [(shared(read, ranges), shared(read, complement(ranges))) for read in classes]
            classes = [read for pair in both for read in pair if read]
    return tuple(classes)
