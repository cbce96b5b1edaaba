"""Judges that know nothing of the machine: a reader of grammar terms, one of JSON Schema, and one of masks."""

from __future__ import annotations

import ast
import datetime
import ipaddress
import json
import re
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jsonschema import Draft202012Validator

from tooldec import grammar as g
from tooldec.automaton import DFA
from tooldec.errors import DeadEndError
from tooldec.token_fsm import TokenFSM
from tooldec.tools import Tool
from tooldec.vocabulary import Vocabulary

Symbols = tuple[int | str, ...]

# ---- grammar terms, read by going through them: slow, and nothing like an automaton


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a term can end, whether it could read on behind the last symbol, and whether text mode may end there."""

    ends: frozenset[int]
    more: bool = False
    rests: bool = False


def reading(grammar: g.Grammar, symbols: Sequence[int | str], specials: Iterable[str] = ()) -> tuple[bool, bool]:
    """(the symbols begin a text of the grammar, they are one)."""
    whole = _Reader(tuple(symbols), frozenset(specials)).read(grammar, 0)
    complete = len(symbols) in whole.ends
    return complete or whole.more, complete or whole.rests


class _Reader:
    def __init__(self, symbols: Symbols, specials: frozenset[str]) -> None:
        self.symbols, self.specials = symbols, specials
        self.known: dict[tuple[int, int], Reading] = {}
        self.kept: list[g.Grammar] = []  # so that no id is used twice

    def read(self, term: g.Grammar, at: int) -> Reading:
        key = (id(term), at)
        if key not in self.known:
            self.kept.append(term)
            self.known[key] = self._read(term, at)
        return self.known[key]

    def _read(self, term: g.Grammar, at: int) -> Reading:
        match term:
            case g.Literal(text):
                return self.spelled(tuple(text), at)
            case g.SymbolClass(symbols):
                if at == len(self.symbols):
                    return Reading(frozenset(), bool(symbols))
                return Reading(frozenset([at + 1]) if self.symbols[at] in symbols else frozenset())
            case g.Sequence(parts):
                whole = Reading(frozenset([at]))
                for part in parts:
                    whole = self.then(whole, part)
                return whole
            case g.Choice(options):
                return _joined([self.read(option, at) for option in options], frozenset())
            case g.Repeat(body, low, high):
                return self.repeat(body, low, high, at)
            case g.Forever(body):
                every = self.repeat(body, 0, None, at)
                return Reading(frozenset(), every.more or len(self.symbols) in every.ends, every.rests)
            case g.Special(name):
                return self.spelled((name,) if name in self.specials else tuple(name.encode()), at)
            case g.Until(marker, barred, ends):
                spelled = [(word,) if word in self.specials else tuple(word.encode()) for word in (marker, *barred)]
                return self.until(spelled[0], spelled[1:], ends, at)
            case g.Names(words, tail):
                rows = [g.Sequence((g.Literal(word), tail(index))) for index, word in enumerate(words)]
                self.kept += rows
                return _joined([self.read(row, at) for row in rows], frozenset())
            case g.Deferred(_, make):
                return self.read(make(), at)
            case g.Submachine(_, body) | g.Labelled(_, body) | g.Noted(_, body):
                return self.read(body, at)
        raise TypeError(term)

    def then(self, before: Reading, part: g.Grammar) -> Reading:
        after = [self.read(part, end) for end in before.ends]
        joined = _joined(after, frozenset())
        return Reading(joined.ends, before.more or joined.more, before.rests or joined.rests)

    def spelled(self, spelling: Symbols, at: int) -> Reading:
        rest = self.symbols[at:]
        if rest[: len(spelling)] == spelling:
            return Reading(frozenset([at + len(spelling)]))
        return Reading(frozenset(), spelling[: len(rest)] == rest)

    def until(self, marker: Symbols, barred: list[Symbols], may_end: bool, at: int) -> Reading:
        for end in range(at, len(self.symbols)):
            text = self.symbols[at : end + 1]
            if marker and text[-len(marker) :] == marker:
                return Reading(frozenset([end + 1]))
            unknown = isinstance(text[-1], str) and text[-1] not in self.specials
            if unknown or any(text[-len(word) :] == word for word in barred):
                return Reading(frozenset())
        return Reading(frozenset(), more=True, rests=may_end)

    def repeat(self, body: g.Grammar, low: int, high: int | None, at: int) -> Reading:
        whole = Reading(frozenset([at]))
        ends: set[int] = set(whole.ends) if low == 0 else set()
        seen: set[frozenset[int]] = set()
        count = 0
        while whole.ends and (high is None or count < high):
            whole = self.then(whole, body)
            count += 1
            if count >= low:
                ends |= whole.ends
                if whole.ends in seen:
                    break
                seen.add(whole.ends)
        return Reading(frozenset(ends), whole.more, whole.rests)


def _joined(readings: list[Reading], none: frozenset[int]) -> Reading:
    ends = none.union(*(r.ends for r in readings))
    return Reading(ends, any(r.more for r in readings), any(r.rests for r in readings))


# ---- masks


def allowed_one_by_one(fsm: TokenFSM, state: int) -> set[int]:
    """The tokens whose symbols the automaton reads, each tried by itself."""
    vocabulary, dfa = fsm.vocabulary, fsm.dfa
    named = {token: name for name in dfa.specials for token in vocabulary.ids(name)}
    begins: dict[int, bool] = {}
    found: set[int] = set()
    for token in range(vocabulary.size):
        spelling = vocabulary.spelling(token)
        if token in vocabulary.eos:
            allowed = dfa.is_accepting(state)
        elif token in named:
            allowed = dfa.step(state, named[token]) is not None
        elif isinstance(spelling, bytes) and spelling:
            if spelling[0] not in begins:
                begins[spelling[0]] = dfa.step(state, spelling[0]) is not None
            allowed = begins[spelling[0]] and dfa.read(spelling, state) is not None
        else:
            allowed = False
        if allowed:
            found.add(token)
    return found


def allowed(fsm: TokenFSM, state: int) -> set[int]:
    """What the machine says; nothing where it says that there is no way on."""
    try:
        return set(np.flatnonzero(fsm.allowed(state)).tolist())
    except DeadEndError:
        return set()


def end_from(dfa: DFA, state: int, complete: Callable[[int], bool]) -> tuple[int | str, ...]:
    """A shortest way from a state to one that is complete."""
    queue, ways = deque([state]), {state: ()}
    while queue:
        at = queue.popleft()
        if complete(at):
            return ways[at]
        for symbol, target in dfa.transitions(at):
            if target not in ways:
                ways[target] = (*ways[at], symbol)
                queue.append(target)
    raise AssertionError(f"no way to the end from state {state}")


# ---- values


def satisfies(schema: Any, value: Any) -> bool:
    """Whether a value satisfies a schema, formats included."""
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return bool(validator.is_valid(value)) and all(_has_format(schema, value))


def _has_format(schema: Any, value: Any) -> Iterable[bool]:
    """Formats once more, where jsonschema lacks a package that judges them."""
    if isinstance(schema, Mapping):
        if isinstance(value, str) and schema.get("format") in FORMAT_JUDGES:
            yield FORMAT_JUDGES[schema["format"]](value)
        if isinstance(value, dict):
            for name, part in schema.get("properties", {}).items():
                if name in value:
                    yield from _has_format(part, value[name])
        if isinstance(value, list) and "prefixItems" not in schema:
            for item in value:
                yield from _has_format(schema.get("items"), item)


def _is_date(text: str) -> bool:
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) is not None and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def _is_time(text: str) -> bool:
    clock = r"(\d\d):(\d\d)"
    match = re.fullmatch(rf"{clock}:(\d\d)(?:\.\d+)?(?:[zZ]|[+-]{clock})", text, re.ASCII)
    if match is None:
        return False
    hour, minute, second, hours, minutes = (int(part or 0) for part in match.groups())
    return hour < 24 and minute < 60 and second < 60 and hours < 24 and minutes < 60


def _is_date_time(text: str) -> bool:
    return _is_date(text[:10]) and text[10:11] in ("T", "t") and _is_time(text[11:])


def _is_duration(text: str) -> bool:
    """RFC 3339, appendix A: weeks alone, or units from large to small without a gap."""
    match = re.fullmatch(r"P((?:\d+[YMDW])*)(?:T((?:\d+[HMS])+))?", text, re.ASCII)
    if match is None:
        return False
    date, time = (re.sub(r"\d", "", part or "") for part in match.groups())
    return bool(date or time) and ((date == "W" and not time) or date in "YMD") and time in "HMS"


def _is_ipv4(text: str) -> bool:
    try:
        return bool(ipaddress.IPv4Address(text))
    except ValueError:
        return False


def _is_uuid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


FORMAT_JUDGES: Mapping[str, Callable[[str], bool]] = {
    "date": _is_date,
    "time": _is_time,
    "date-time": _is_date_time,
    "duration": _is_duration,
    "email": lambda text: re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", text) is not None,
    "ipv4": _is_ipv4,
    "uuid": _is_uuid,
}


def positional_values(call: str) -> list[Any]:
    """The arguments of `name(1, "x")` by Python's parser: JSON's words are Python's, and +5 is 5."""
    _, _, rest = call.partition("(")
    assert rest.endswith(")"), call
    values = json.loads("[" + without_plus(rest[:-1]) + "]")
    assert "\\" in rest or _python(rest[:-1]) == values, call  # Python's escapes are others
    return list(values)


def _python(arguments: str) -> list[Any]:
    names = {"true": True, "false": False, "null": None}

    class Words(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.Constant(names[node.id])

    return ast.literal_eval(Words().visit(ast.parse(f"[{arguments}]", mode="eval")))


def without_plus(arguments: str) -> str:
    """JSON without the leading + of numbers, strings left alone."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|(?<![eE0-9])\+(?=[0-9])', lambda m: m[1] or "", arguments)


BYTES = tuple(bytes([byte]) for byte in range(256))


def vocabulary_of(*spellings: bytes | str | None, size: int = 0, added: Mapping[str, int] | None = None) -> Vocabulary:
    """A vocabulary of these tokens, `<EOS>` the first of them, every byte behind them, and padding rows."""
    row: list[bytes | str | None] = ["<EOS>", *spellings, *BYTES]
    row += [None] * (size - len(row))
    return Vocabulary(row, eos=[0], added=added)


# ---- a grammar and a tool, for tables of what is accepted


def accepts(grammar: g.Grammar, text: str) -> bool:
    dfa = DFA(grammar)
    state = dfa.read(text.encode())
    return state is not None and dfa.is_accepting(state)


def tool_of(schema: dict[str, Any], **properties: Any) -> Tool:
    """`f`, whose arguments satisfy a schema."""
    return Tool("f", parameters={"type": "object", **({"properties": properties} if properties else {}), **schema})
