"""Schemes whose schemas may ask for more than a machine can see to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

from tooldec.schemes.base import Scheme

S = TypeVar("S", bound=Scheme)


def written(scheme: S, **changes: Any) -> S:
    """The scheme with another way to write values: fields of `arguments.Writing`."""
    plain = cast(Any, scheme)
    return cast(S, replace(plain, writing=replace(plain.writing, **changes)))


def relaxing(scheme: S) -> S:
    """The scheme, with what can't be enforced left unchecked in place of an error: that a group comes again.

    So is a `type` that no value of the `enum` beside it is of. `TokenFSM.warnings` tells what it is. Any other schema
    that no value satisfies is an error still.

    >>> from tooldec import SCHEMES, Vocabulary, build_fsm, parse_tools
    >>> word = {"type": "string", "pattern": r"^(.)\\1$"}
    >>> tools = parse_tools([{"name": "find", "parameters": {"properties": {"word": word}}}])
    >>> vocabulary = Vocabulary([*(bytes([byte]) for byte in range(256)), "<eos>"], eos=[256])
    >>> build_fsm(relaxing(SCHEMES["json_tags"]).grammar(tools), vocabulary).warnings[0][:47]
    '$.word: in `find`: `pattern` is left unchecked:'
    """
    return written(scheme, relax=True)
