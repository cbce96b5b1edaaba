"""What a program makes of its functions and classes where they don't stand: wrapped, registered, or listed.

    weather = FunctionTool.from_defaults(fn=get, name="weather")      Making("get", …, name="weather")
    Agent(tools=[search, Lookup()])                                   Making("search", …), Making("Lookup", …)

Only the calls and lists that may say so are parsed, each alone; nothing is ever executed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from tooldec.errors import SignatureError
from tooldec.signatures.python.fields import called
from tooldec.signatures.python.frameworks import CALLS, FUNCTIONS, LISTS, MAKER
from tooldec.signatures.python.scanner import closing, unquoted
from tooldec.signatures.python.syntax import UNREAD, expression, place
from tooldec.signatures.source import Item, Source
from tooldec.tools import Tool

_BEFORE = re.compile(r"(?:\b(?:def|class)[ \t]+|@|#[^\n]*)\Z")
_NAME = re.compile(r"[^\w.]")
FARTHEST = 1_000
"""How many characters of its line before a call are looked at."""


@dataclass(frozen=True, slots=True)
class Making:
    """What is made of a function or class of the text.

    name    the function's or the class's own; "" for one that isn't defined here, such as `chain.run`
    start   where the text starts that the places in `said` count from
    said    what is said of it beside its definition
    """

    name: str
    start: int
    said: tuple[ast.keyword, ...] = ()


@dataclass(frozen=True, slots=True)
class Makings:
    """What a text makes of functions and classes.

    of         what it makes of those that it defines, by their names
    foreign    the tools that it makes of others: the name of each, and what is made
    listed     what it doesn't define of its lists of tools, and of what it wraps without a name: the same
    """

    of: dict[str, list[Making]]
    foreign: list[tuple[str, Making]]
    listed: list[tuple[str, Making]]


def makings(source: Source, defined: Container[str], read: Container[int] = ()) -> Makings:
    """What a text makes of the functions and classes that it defines, and of others.

    Calls that start where `read` says are left out.

    >>> found = makings(Source.of("tools = [f, g, Tool(name='x', func=a.b)]"), ("f",))
    >>> list(found.of), [name for name, _ in found.foreign], [(name, one.start) for name, one in found.listed]
    (['f'], ['x'], [('g', 12), ('Tool', 15)])
    """
    found = Makings({}, [], [])
    for start, node in _expressions(source, read):
        for making in _listed(node, start, source.text) if isinstance(node, ast.List) else _wrapped(node, start):
            if making.name in defined:
                found.of.setdefault(making.name, []).append(making)
                continue
            said = next((word.value for word in making.said if word.arg == "name"), None)
            if isinstance(said, ast.Constant):
                found.foreign.append((str(said.value), making))
            elif making.name:
                found.listed.append((making.name, making))
    for name, many in found.of.items():  # what is wrapped may be listed, too
        found.of[name] = [one for one in many if one.said] or many[:1]
    return found


def each_made(makings: Sequence[Making], tool: Callable[[Making | None], Tool]) -> Iterator[Item]:
    """The tools that are made of one function or class, each name once; one, where nothing is said of it."""
    names = set[str]()
    for making in makings or (None,):
        try:
            made = tool(making)
        except SignatureError as error:
            yield error
            return
        if made.name not in names:
            yield made
        names.add(made.name)


def _expressions(source: Source, read: Container[int]) -> Iterator[tuple[int, ast.expr]]:
    """The calls and lists of a text that may make tools, and where each one starts; not those that start in `read`."""
    text = source.text
    for pattern in (CALLS, LISTS):
        for match in pattern.finditer(unquoted(text)):
            opened = match.end() - (pattern is CALLS)
            before = text[max(opened - FARTHEST, 0) : opened].rpartition("\n")[2]  # on the same line
            name = _NAME.split(before)[-1] if pattern is CALLS else ""
            start = opened - len(name)
            unmade = name and not MAKER.fullmatch(name.rpartition(".")[2])
            if unmade or start in read or _BEFORE.search(before.removesuffix(name)):
                continue
            try:
                end = closing(source, opened)
                if text.startswith("(", end):  # `register_for_llm(name="x")(f)`
                    end = closing(source, end)
                yield start, expression(text[start:end])
            except (SignatureError, *UNREAD):
                continue


def _wrapped(node: ast.expr, start: int) -> Iterator[Making]:
    """What `Tool(f, name="x")`, `Tool("x", f, "what it does")` and `tool("x")(f)` make."""
    if not isinstance(node, ast.Call):
        return
    outer, words, texts = node, list(node.keywords), [one for one in node.args if isinstance(one, ast.Constant)]
    if isinstance(node.func, ast.Call):
        outer = node.func
        words, texts = list(outer.keywords), [one for one in outer.args if isinstance(one, ast.Constant)]
    given = {word.arg: word.value for word in node.keywords}
    functions = [given[name] for name in FUNCTIONS if name in given] or node.args
    name = next((_name(one) for one in functions if _name(one)), "")
    if called(outer.func) == "FunctionTool":  # AutoGen's has the description behind the function
        texts = [ast.Constant(None), *texts]
    said = [ast.keyword(word, text) for word, text in zip(("name", "description"), texts, strict=False) if text.value]
    if name or any(one in given for one in FUNCTIONS):
        yield Making(name, start, (*said, *words))


def _listed(node: ast.List, start: int, text: str) -> Iterator[Making]:
    for one in node.elts:
        name = _name(one.func if isinstance(one, ast.Call) else one)
        if name:
            yield Making(name, start + place(text, start, one))


def _name(node: ast.expr) -> str:
    """The name of a function or class: `f`, and the method `f` in `self.f`."""
    of_self = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return called(node) if isinstance(node, ast.Name) or of_self else ""
