"""ToolDec as an engine of the peer benchmark.

Runs where NumPy, torch and transformers are, without gradio or graphviz. The grammars are the benchmark's: calls
`name(1, "x")` with JSON's integers and numbers and `, ` between arguments; objects `{"name": …, "arguments": {…}}` as
json.dumps writes them, properties in schema order; no DEL in strings.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tooldec.arguments import Writing, argument
from tooldec.arguments.literals import BOOLEAN, HEX, STRING, integer, number, quoted
from tooldec.grammar import Choice, Grammar, Literal, Names, Repeat, Sequence, Submachine, SymbolClass, sequence
from tooldec.lifting.masks import prepare
from tooldec.matcher import Matcher
from tooldec.patterns.utf8 import characters
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.vocabulary import Vocabulary

WRITING = Writing(Literal(b", "), Literal(b": "))


@cache
def string() -> Submachine:
    """JSON strings without DEL, as the benchmark's other grammars have them."""
    raw = characters((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7E), (0x80, 0x10FFFF))
    escape = SymbolClass.of(b'"\\/bfnrt') | Sequence((Literal(b"u"), HEX, HEX, HEX, HEX))
    return quoted(Choice((raw, Sequence((Literal(b"\\"), escape)))).repeat())


def with_strings(term: Grammar) -> Grammar:
    """A grammar of values with these strings in the place of ours."""
    match term:
        case Sequence(parts):
            return Sequence(tuple(map(with_strings, parts)))
        case Choice(options):
            return Choice(tuple(map(with_strings, options)))
        case Repeat(body=body):
            return replace(term, body=with_strings(body))
        case _:
            return string() if term is STRING else term


@cache
def value(kind: str) -> Submachine:
    """A value of the call style."""
    if kind == "str":
        return string()
    return {"int": integer(False), "float": number(False), "bool": BOOLEAN}[kind]


@cache
def values(types: tuple[str, ...]) -> Grammar:
    """`(1, "x")`."""
    parts: list[Grammar | bytes] = [b"("]
    for index, kind in enumerate(types):
        parts += [b", "] if index else []
        parts.append(value(kind))
    return sequence(*parts, b")")


class ToolDec:
    """The engine: one vocabulary, any number of workloads."""

    name = "tooldec"

    def __init__(self, vocab: Any) -> None:
        names = vocab.hf.convert_ids_to_tokens(range(vocab.size))
        spellings = [names[i] if b is None else b for i, b in enumerate(vocab.bytes)]
        self.vocabulary = Vocabulary(spellings, eos=[vocab.eos])
        prepare(self.vocabulary, [string(), value("int"), value("float"), value("bool")])

    def compile(self, workload: Any) -> State:
        """The machine of a workload."""
        tools = sorted(workload.tools, key=lambda tool: tool.name.encode())
        words = tuple(tool.name.encode() for tool in tools)
        if workload.style == "call":
            grammar: Grammar = Names(words, lambda index: values(tools[index].types))
        else:

            def tail(index: int) -> Grammar:
                return sequence(b'", "arguments": ', with_strings(argument(tools[index].schema, WRITING)))

            grammar = sequence(b'{"name": "', Names(words, tail), b"}")
        fsm = build_fsm(grammar, self.vocabulary)
        fsm.ahead()
        return State(fsm)


class State:
    """One run after another through a machine."""

    def __init__(self, fsm: TokenFSM) -> None:
        self.matcher = Matcher(fsm)
        self.mask = np.zeros(self.matcher.width, dtype=np.uint8)
        self.size = fsm.vocabulary.size

    def reset(self) -> None:
        self.matcher.reset()

    def fill_mask(self) -> None:
        self.matcher.fill_mask(self.mask)

    def accept(self, token: int) -> None:
        if not self.matcher.accept(token):
            raise ValueError("rejected")

    def allowed(self) -> np.ndarray:
        return np.unpackbits(self.mask, count=self.size, bitorder="little").astype(bool)
