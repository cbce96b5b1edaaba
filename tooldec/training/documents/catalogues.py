"""Asks from the two catalogues: everyday requests, and word problems of arithmetic and geometry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from tooldec.results import RESULTS, compute
from tooldec.tools import Tool
from tooldec.training.documents.arithmetic import ARITHMETIC, OTHER_NAMES
from tooldec.training.documents.asks import Ask, Call
from tooldec.training.documents.draw import Draw, synonyms
from tooldec.training.documents.lexicon import imperatives
from tooldec.training.documents.measures import MEASURES
from tooldec.training.documents.names import otherwise, style
from tooldec.training.documents.stories import LISTS, STORIES
from tooldec.training.documents.templates import Entry, fill, given, plain, read_catalogue, sample, wrap
from tooldec.training.documents.values import INTEGER, NUMBER, NUMBER_WORDS, Value, person, title

REQUESTS = tuple(
    replace(entry, suite=f"{path.name}: {entry.suite}")
    for path in sorted(files("tooldec.training.documents").joinpath("requests").iterdir(), key=lambda path: path.name)
    for entry in read_catalogue(path.read_text("utf-8"))
)
"""Everyday requests, written by hand: the catalogues in requests/."""
DIRECT = 0.6
"""How many requests are said plainly, where the catalogue has such wordings."""
SUITE = 10
"""So many neighbors of a suite may share a list."""
FUNCTIONS = len(read_catalogue(ARITHMETIC))
"""So many problems, the first ones, are about the functions of `results`; they are drawn more often."""
_TOLD: dict[str, tuple[str, ...]] = {}
for _line in STORIES.strip().splitlines():
    _name, _wording = _line.split("|", 1)
    _TOLD[_name] = (*_TOLD.get(_name, ()), _wording)
PROBLEMS = tuple(
    replace(entry, wordings=entry.wordings + _TOLD.get(entry.name, ()))
    for entry in read_catalogue(ARITHMETIC) + read_catalogue(MEASURES)
)
OF_LISTS = read_catalogue(LISTS)

_PAIRS = ("a b", "a b", "x y", "first second", "n m", "left right", "num1 num2", "value1 value2", "p q", "u v")
_SINGLE = ("x", "n", "number", "value", "num", "a", "arg")
_RESULT_WORDS = ("ok", "ok", "done", "true", "ok", "success", "1", "yes", "sent", "saved", "null", "OK")


def result_text(draw: Draw, kind: str) -> str:
    """What a host may write after a call: "ok", a number, a name or a JSON object."""
    if kind == "ok" and draw.chance(0.75):
        return draw.pick(_RESULT_WORDS)
    number = draw.number(1, 9999)
    forms = (
        str(number),
        f"{number / 100:.2f}",
        f'{{"id":{number}}}',
        f"{kind} {number}",
        person(draw),
        title(draw),
        str(number % 50),
    )
    return draw.pick(forms)


def tail(result: str) -> str:
    """How an answer about an action ends: a bare acknowledgement isn't repeated."""
    return "." if result in _RESULT_WORDS or result.startswith("{") else f". The result is {result}."


def tool_of(draw: Draw, name: str, values: Mapping[str, Value], optional: Mapping[str, Value]) -> Tool:
    """A tool with these required and optional arguments; optional ones have a default."""
    properties = {name: dict(value.schema) for name, value in values.items()}
    for parameter, value in values.items():
        if draw.chance(0.03) and not isinstance(value.value, int):  # "2602" or 2602? only a type tells
            properties[parameter] = {}
    for parameter, value in optional.items():
        default, schema = _default(draw, value), value.schema
        if default is None and len(schema) == 1 and draw.chance(0.3):
            schema = {"anyOf": [schema, {"type": "null"}]}
        properties[parameter] = {**schema, "default": default}
    return Tool(name, parameters={"type": "object", "properties": properties, "required": list(values)})


def _default(draw: Draw, value: Value) -> Any:
    """A default that tells nothing about the value that a question gives."""
    kind = value.schema.get("type")
    if kind == "boolean":
        return draw.chance(0.3)
    if "enum" in value.schema:
        return draw.pick(value.schema["enum"]) if draw.chance(0.7) else None
    if kind in ("integer", "number") and draw.chance(0.4):
        return draw.pick((0, 1, 1, 5, 10, 20, 50, 100))
    return "" if kind == "string" and draw.chance(0.05) else None


def assistant_request(draw: Draw) -> tuple[str, Call, frozenset[str]]:
    """A request before it is wrapped, the call that it asks for and its topics."""
    entry = draw.pick(draw.suite or REQUESTS)
    direct = draw.split != "phrasing" and bool(entry.direct) and draw.chance(DIRECT)
    wording = draw.pick(entry.direct) if direct else draw.template(entry.wordings)
    values = given(draw, entry, wording)
    name = draw.pick(entry.names) if draw.chance(0.7 if draw.listed else 0.4) else entry.name
    words = name.split("_")
    text = fill(draw, wording, values)
    if draw.listed:
        entry, values = otherwise(draw, entry, values)
    if len(entry.names) == 1 and draw.chance(0.3) and len(synonyms(words[0])) > 1:
        name = "_".join((draw.pick(synonyms(words[0])), *words[1:]))
    elif draw.chance(0.05):
        name = f"{name}_{draw.pick(('v2', 'api', 'now', 'request', 'tool'))}"
    required = {key: values[key] for key, _, optional in entry.parameters if not optional}
    others = {}
    for key, kind, optional in entry.parameters:
        if optional and (key in values or draw.chance(0.6)):
            others[key] = values[key] if key in values else sample(draw, kind)
        elif optional:
            break
    call = Call(
        tool_of(draw, style(draw, name), required, others),
        {key: value.value for key, value in values.items()},
        result_text(draw, entry.result),
    )
    topics = {entry.name} if draw.suite else {entry.name, f"does {words[0]}"}
    return text, call, frozenset(topics)


def suite(draw: Draw) -> tuple[Entry, ...]:
    """Tools that one pastes together: some neighbors of the same suite."""
    place = draw.number(0, len(REQUESTS) - 1)
    first = last = place
    size = draw.number(4, SUITE)
    while last - first + 1 < size:
        left = first > 0 and REQUESTS[first - 1].suite == REQUESTS[place].suite
        right = last + 1 < len(REQUESTS) and REQUESTS[last + 1].suite == REQUESTS[place].suite
        if not left and not right:
            break
        if left and (not right or draw.chance(0.5)):
            first -= 1
        else:
            last += 1
    return REQUESTS[first : last + 1]


def assistant_ask(draw: Draw) -> Ask:
    """One everyday request: `Done: <T>set_alarm("7:30")=ok.`"""
    text, call, topics = assistant_request(draw)
    firsts = [value[0] if isinstance(value, list) else value for value in call.arguments.values()]
    begins = any(isinstance(value, str) and text.startswith(value) for value in firsts)
    request = not text[0].islower() or text.split()[0] in imperatives()
    wrapped = request and not begins and draw.chance(0.5)
    question = wrap(draw, text) if wrapped else plain(draw, text, not begins)
    return Ask(question, ("Done: ", call, tail(call.result)), topics)


def maths_ask(draw: Draw) -> Ask:
    """One word problem: `The area is <T>square(5)=25. So the answer is 25.`"""
    entry = draw.pick(PROBLEMS[:FUNCTIONS] if draw.chance(0.65) else PROBLEMS)
    entry = draw.pick(OF_LISTS) if draw.chance(0.08) else entry
    values = _numbers(draw, entry)
    wording = draw.template(entry.wordings)
    question = wrap(draw, fill(draw, wording, values))
    if entry.name in COMMUTATIVE:
        values = {key: values[key] for key in sorted(values, key=lambda key: wording.index(f"{{{key}}}"))}
    name = maths_name(draw, entry.name)
    call = maths_call(draw, name, entry.name, [(key, value) for key, value in values.items()])
    return Ask(
        question, (f"The {entry.result} is ", call, f". So the answer is {call.result}."), frozenset({entry.name})
    )


COMMUTATIVE = ("add", "multiply", "lcm", "gcd")
"""Functions whose arguments come in the order of the question."""


def maths_name(draw: Draw, name: str) -> str:
    """The function's name, or another one for the same function."""
    if not draw.listed or draw.chance(0.6):
        return name
    if draw.chance(0.7) and name in OTHER_NAMES:
        return style(draw, draw.pick(OTHER_NAMES[name].split()))
    return style(draw, f"{draw.pick(('calc', 'compute', 'calculate', 'get', 'find', 'do', 'eval', 'math'))}_{name}")


def maths_call(draw: Draw, name: str, function: str, values: Sequence[tuple[str, Value]]) -> Call:
    """A call of a mathematical tool; names and types of its arguments vary."""
    keys = [key for key, _ in values]
    if keys in (["a", "b"], ["b", "a"]):
        keys = draw.pick(_PAIRS).split()
    elif len(keys) == 1 and draw.chance(0.4):
        keys = [draw.pick(_SINGLE)]
    numbers: list[Any] = []
    for _, value in values:
        numbers.extend(value.value if isinstance(value.value, list) else [value.value])
    whole = all(isinstance(number, int) for number in numbers)
    kind: Mapping[str, Any] = draw.pick((INTEGER, INTEGER, NUMBER)) if whole else NUMBER
    if draw.chance(0.06):
        kind = {}
    result = compute(function, numbers) if function in RESULTS else None
    text = result or str(draw.number(1, draw.pick((9, 99, 999, 9999))))
    many = isinstance(values[0][1].value, list)
    if many or (function in ("add", "multiply", "lcm", "gcd") and draw.chance(0.25)):
        key = draw.pick(("numbers", "args", "values", "xs", "nums"))
        schema: dict[str, Any] = {"type": "array", "items": kind}
        if not many or draw.chance(0.5):
            schema["x-variadic"] = True
        required = [] if schema.get("x-variadic") else [key]
        parameters = {"type": "object", "properties": {key: schema}, "required": required}
        return Call(Tool(name, parameters=parameters), {key: numbers}, text)
    parameters = {"type": "object", "properties": {key: kind for key in keys}, "required": keys}
    return Call(Tool(name, parameters=parameters), dict(zip(keys, numbers, strict=True)), text)


def number(draw: Draw, fractions: bool) -> Value:
    """A number of a word problem, whole or with a fraction, small or large."""
    if fractions and draw.chance(0.6):
        return Value(
            str(x := round(draw.rng.uniform(0.1, draw.pick((10, 100, 1000))), draw.pick((1, 2, 2, 3)))), x, NUMBER
        )
    if draw.chance(0.05):
        return Value(NUMBER_WORDS[x := draw.number(2, 12)], x, INTEGER)
    x = draw.number(2, draw.pick((12, 20, 50, 100, 1000, 10000)))
    return Value(f"{x:,}" if x > 999 and draw.chance(0.15) else str(x), x, INTEGER)


def _numbers(draw: Draw, entry: Entry) -> dict[str, Value]:
    fractions = draw.chance(0.25)
    values: dict[str, Value] = {}
    for key, kind, _ in entry.parameters:
        if kind == "n":
            values[key] = number(draw, fractions)
        elif kind == "int":
            values[key] = number(draw, False)
        elif kind == "list":
            values[key] = sample(draw, "floats" if fractions else "ints")
        else:
            value = sample(draw, kind)
            if kind == "small" and not value.spoken.isdigit():
                value = Value(str(value.value), value.value, value.schema)
            values[key] = value
    if entry.name == "subtract" and values["a"].value < values["b"].value:
        values["a"], values["b"] = values["b"], values["a"]
    return values
