"""Types that contain themselves, in Python and TypeScript: kept under `$defs`, and nested as deep as the machine goes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tooldec.arguments import DUMPS, argument
from tooldec.automaton import DFA
from tooldec.errors import SignatureError
from tooldec.signatures import parse_tools, to_openai

NODE = "class Node(BaseModel):\n    v: int\n    kids: list['Node'] = []\n"
JSON = "JSON = Union[int, list['JSON']]\n"

# fmt: off
# (text, the tool as prompts list it, arguments that it takes, arguments that it doesn't)
READ: tuple[tuple[str, str, Any, Any], ...] = (
    (NODE + "def f(n: Node): ...", "f(n: {v: int, kids: list[Node] = []})",
     {"n": {"v": 1, "kids": [{"v": 2, "kids": [{"v": 3}]}]}}, {"n": {"v": 1, "kids": [{"v": "a"}]}}),
    (NODE, "Node(v: int, kids: list[{v: int, kids: list[Node] = []}] = [])",
     {"v": 1, "kids": [{"v": 2, "kids": []}]}, {"v": 1, "kids": [1]}),
    (NODE + "class T(BaseTool):\n    name: str = 't'\n    args_schema = Node\n    def _run(self, v, kids): ...",
     "t(v: int, kids: list[{v: int, kids: list[Node] = []}] = [])", {"v": 1, "kids": [{"v": 2}]}, {"kids": []}),
    ("class A:\n    b: 'B | None' = None\nclass B:\n    a: A\ndef f(b: B): ...", "f(b: {a: {b: B or null = null}})",
     {"b": {"a": {"b": {"a": {}}}}}, {"b": {"a": {"b": {}}}}),
    ("class A:\n    x: int\n    b: 'B | None' = None\nclass B(A):\n    y: str\ndef f(a: A): ...",
     "f(a: {x: int, b: {x: int, b: B or null = null, y: str} or null = null})",
     {"a": {"x": 1, "b": {"x": 1, "b": {"x": 2, "y": "c"}, "y": "d"}}}, {"a": {"x": 1, "b": {"y": "d"}}}),
    (JSON + "def f(j: JSON): ...", "f(j: int or list[JSON])", {"j": [1, [[2], 3]]}, {"j": [["a"]]}),
    ("interface N { v: number; kids: N[] }\nfunction f(n: N): void", "f(n: {v: float, kids: list[N]})",
     {"n": {"v": 1, "kids": [{"v": 2, "kids": []}]}}, {"n": {"v": 1, "kids": [{"v": 2}]}}),
    ("interface N { v: number; kids?: N[] }\ntype f = (_: N) => any;",
     "f(v: float, kids: list[{v: float, kids: list[N] = null}] = null)", {"v": 1, "kids": [{"v": 2}]}, {"kids": []}),
    ("interface N { v: number; kids?: N[] }\ninterface M extends N { w: string }\nfunction f(m: Omit<M, 'v'>): void",
     "f(m: {kids: list[{v: float, kids: list[N] = null}] = null, w: str})",
     {"m": {"kids": [{"v": 1, "kids": []}], "w": "a"}}, {"m": {"kids": [{}], "w": "a"}}),
    ("interface N { v: number; next?: N }\nfunction f(n: Partial<N>): void",
     "f(n: {v: float = null, next: {v: float, next: N = null} = null})",
     {"n": {"next": {"v": 1, "next": {"v": 2}}}}, {"n": {"next": {}}}),
)
# fmt: on


@pytest.mark.parametrize(("text", "signature", "valid", "invalid"), READ)
def test_read(text: str, signature: str, valid: Any, invalid: Any) -> None:
    (tool,) = tools = parse_tools(text)
    assert tool.signature() == signature
    assert parse_tools(to_openai(tools)) == tools
    dfa = DFA(argument(tool.parameters, DUMPS))
    state = dfa.read(json.dumps(valid).encode())
    assert state is not None and dfa.is_accepting(state)
    assert dfa.read(json.dumps(invalid).encode()) is None


def test_only_types_that_contain_themselves_are_kept_apart() -> None:
    text = "class Place:\n    city: str\n" + NODE + "def f(n: list[Node], p: Place): ...\ndef g(p: Place): ..."
    first, second = parse_tools(text)
    assert first.parameters["$defs"].keys() == {"Node"} and "$defs" not in second.parameters
    assert second.parameters["properties"]["p"]["properties"] == {"city": {"type": "string"}}


def test_an_error_in_a_type_that_contains_itself_is_shown_where_it_is_used() -> None:
    types = "class A:\n    b: 'B'\n    c: strng\nclass B:\n    a: A\n"
    for name in "AB":
        with pytest.raises(SignatureError, match="line 6, column 10: unknown type `strng`"):
            parse_tools(f"{types}def f(b: {name}): ...")
