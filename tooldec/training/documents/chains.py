# ruff: noqa: E501 — a problem and its plan are one line
"""Answers of two calls, where the second uses the first one's result or answers a second request."""

from __future__ import annotations

import re

from tooldec.results import compute
from tooldec.tools import Tool
from tooldec.training.documents.asks import Ask, Call
from tooldec.training.documents.catalogues import (
    COMMUTATIVE,
    assistant_request,
    maths_call,
    maths_name,
    number,
    result_text,
    tail,
)
from tooldec.training.documents.composed import parts, request
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.knowledge import SUBJECTS, relations
from tooldec.training.documents.names import style
from tooldec.training.documents.stories import CHAINS
from tooldec.training.documents.templates import fill, wrap
from tooldec.training.documents.values import INTEGER, STRING, Value

PROBLEMS = """
{person} buys {a} {thing} at {b} dollars each and pays with {c} dollars. How much change is there?=>multiply a b;subtract c $
A {noun} costs {a} dollars and a {noun2} {b} dollars. How much do {c} of such pairs cost?=>add a b;multiply $ c
{a} {thing} and {b} {thing2} are shared by {c} people. How many things does each get?=>add a b;divide $ c
There are {a} rows of {b} seats, and {c} seats are taken. How many are free?=>multiply a b;subtract $ c
{person} earns {a} dollars an hour for {b} hours and spends {c}. What is left?=>multiply a b;subtract $ c
What is {a} plus {b}, times {c}?=>add a b;multiply $ c
What is {a} minus {b}, divided by {c}?=>subtract a b;divide $ c
Take {a} times {b} and add {c}.=>multiply a b;add $ c
Divide {a} by {b}, then multiply by {c}.=>divide a b;multiply $ c
A square has a side of {a}. How much larger is a field of {b}?=>square a;subtract b $
A square garden is {a} m wide and each square meter costs {b} dollars. What does it cost?=>square a;multiply $ b
The area of a square {noun} is {a}. How long are all four sides, that is {b} of them?=>sqrt a;multiply $ b
{person} has {a} bags of {b} {thing} and packs them into boxes of {c}. How many are left over?=>multiply a b;remainder $ c
{person} gives {a} of {b} {thing} away and splits the rest among {c} friends. How many does each get?=>subtract b a;divide $ c
A car drives {a} hours at {b} km an hour and then {c} km more. How far does it get?=>multiply a b;add $ c
What is the square root of the sum of {a} and {b}?=>add a b;sqrt $
What is the square of the difference of {a} and {b}?=>subtract a b;square $
Find the natural log of the product of {a} and {b}.=>multiply a b;ln $
Take the logarithm of {a} divided by {b}.=>divide a b;log $
A box holds {a} {thing}, {b} boxes make a crate. How many crates do {c} {thing} fill?=>multiply a b;divide c $
{person} saves {a} dollars a week. After {b} weeks, {c} dollars are added. How much is it?=>multiply a b;add $ c
What is the remainder of {a} times {b} divided by {c}?=>multiply a b;remainder $ c
{a} {thing} cost {b} dollars. How much do {c} cost?=>divide b a;multiply $ c
If {a} workers need {b} hours together, and each hour pays {c} dollars, what does the work cost?=>multiply a b;multiply $ c
There were {a} {thing}; {b} broke, then {c} were bought. How many are there now?=>subtract a b;add $ c
{a} people came, {b} more joined and {c} left. How many are there now?=>add a b;subtract $ c
What do you get when you square {a} and add {b}?=>square a;add $ b
Find the gcd of {a} and {b} and multiply it by {c}.=>gcd a b;multiply $ c
What is the least common multiple of {a} and {b}, plus {c}?=>lcm a b;add $ c
The sides of a square are {a} plus {b} meters long. What is its area?=>add a b;square $
How much is e to the power of {a} minus {b}?=>subtract a b;exp $
"""

JOINS = (
    "{a} and {b}",
    "{a}, then {b}",
    "{a} and then {b}",
    "{a}; {b}",
    "first {a}, then {b}",
    "{a}, and also {b}",
    "{a}. {B}",
)


def maths_chain(draw: Draw) -> Ask:
    """A word problem in two steps: `First, <T>multiply(3,4)=12. Then <T>subtract(20,12)=8. So the answer is 8.`"""
    wording, plan = draw.template(PROBLEMS.strip().splitlines() + CHAINS.strip().splitlines()).split("=>")
    while True:
        fractions = draw.chance(0.2)
        values = {key: number(draw, fractions) for key in sorted(set(re.findall(r"\{([abc])\}", wording)))}
        calls: list[Call] = []
        for step in plan.split(";"):
            function, *keys = step.split()
            if function in COMMUTATIVE and "$" not in keys:
                keys.sort(key=lambda key: wording.index(f"{{{key}}}"))
            numbers = [_earlier(calls[-1].result) if key == "$" else values[key] for key in keys]
            if compute(function, [value.value for value in numbers]) is None:
                break
            names = ["a", "b"] if len(keys) == 2 else ["x"]
            name = maths_name(draw, function)
            calls.append(maths_call(draw, name, function, list(zip(names, numbers, strict=True))))
        else:
            break
    if calls[0].tool.name == calls[1].tool.name:
        calls[1] = Call(calls[0].tool, _same_tool(calls[0].tool, calls[1]), calls[1].result)
    question = wrap(draw, fill(draw, wording, values))
    functions = frozenset(step.split()[0] for step in plan.split(";"))
    end = f". So the answer is {calls[1].result}."
    return Ask(question, ("First, ", calls[0], ". Then ", calls[1], end), functions)


def lookup_chain(draw: Draw) -> Ask:
    """A fact that an action needs: `First, <T>email_of("Ann")="a@b.c". Then <T>greet_email("a@b.c")=ok.`"""
    noun, kind, argument, _ = draw.pick(relations())
    if draw.chance(0.5):
        noun = draw.noun()
    readable, subject = noun.replace("_", " "), SUBJECTS[kind](draw)
    lookup_name = style(draw, draw.pick(("get_{}", "{}_of", "find_{}", "lookup_{}", "{}")).format(noun))
    schema = {"type": "object", "properties": {argument: STRING}, "required": [argument]}
    result = str(SUBJECTS[draw.pick(("person", "place", "work", "company"))](draw))
    value: str | int = result
    if draw.chance(0.4):
        value = draw.number(1, 99999)
        result = str(value)
    verb = draw.verb()
    act_name = style(draw, f"{verb}_{noun if not draw.listed or draw.chance(0.6) else draw.noun()}")
    first = draw.pick((readable.split()[-1], "value", "target", "item", "id", "name"))
    others = [part for part in parts(draw)[:1] if part.name != first]
    properties = {
        first: INTEGER if isinstance(value, int) else STRING,
        **{part.name: part.value.schema for part in others},
    }
    act = Tool(act_name, parameters={"type": "object", "properties": properties, "required": list(properties)})
    ending = "".join(part.phrase if part.phrase[0] in ",:" else f" {part.phrase}" for part in others)
    fact = draw.pick((f"the {readable} of {subject}", f"{subject}'s {readable}"))
    action = verb.replace("_", " ")
    text = draw.pick(
        (f"{action} {fact}{ending}", f"find {fact} and {action} it{ending}", f"{action}{ending}, using {fact}")
    )
    final = result_text(draw, "ok")
    calls = (
        Call(Tool(lookup_name, parameters=schema), {argument: subject}, result),
        Call(act, {first: value, **{part.name: part.value.value for part in others}}, final),
    )
    if lookup_name == act_name:
        return lookup_chain(draw)
    answer = ("First, ", calls[0], ". Then ", calls[1], tail(final))
    return Ask(wrap(draw, text), answer, frozenset({noun, f"{verb}_{noun}"}))


def double_ask(draw: Draw) -> Ask:
    """Two requests in one: `First, <T>lock_door("hall")=ok. Then <T>call_contact("Ann")=ok.`"""
    while True:
        (text, call, topics), (text2, call2, topics2) = (
            draw.pick((request, assistant_request, assistant_request))(draw) for _ in range(2)
        )
        requests = all(t[0].islower() and t[-1] not in "?.!" for t in (text, text2))
        if requests and call.tool.name != call2.tool.name and not topics & topics2:
            break
    both = draw.pick(JOINS).format(a=text, b=text2, B=text2[0].upper() + text2[1:])
    answer = ("First, ", call, ". Then ", call2, tail(call2.result))
    return Ask(wrap(draw, both), answer, topics | topics2, independent=True)


def chain_ask(draw: Draw) -> Ask:
    """One of the three sorts of chains."""
    return draw.pick((maths_chain, maths_chain, lookup_chain, double_ask))(draw)


def _earlier(result: str) -> Value:
    value = float(result) if "." in result else int(result)
    return Value(result, value, {"type": "number"})


def _same_tool(tool: Tool, call: Call) -> dict[str, object]:
    numbers: list[object] = []
    for value in call.arguments.values():
        numbers.extend(value if isinstance(value, list) else [value])
    if tool.arguments[0].variadic:
        return {tool.arguments[0].name: numbers}
    return dict(zip((parameter.name for parameter in tool.arguments), numbers, strict=True))
