"""JavaScript functions whose types stand in their JSDoc comments, and what TypeScript's types keep or refuse."""

from __future__ import annotations

from typing import Any

import pytest

from tooldec.signatures import parse_tools, read_tools

STR, NUM, NULL = ({"type": kind} for kind in ("string", "number", "null"))
CITY = {"type": "object", "properties": {"city": {**STR, "description": "where"}, "n": {**NUM, "default": 3}}}


@pytest.mark.parametrize(
    ("lines", "parameter", "schema", "required"),
    [
        ("{number} x - the first", "x", {**NUM, "description": "the first"}, True),
        ('{string} [x="a"] - second', "x", {**STR, "default": "a", "description": "second"}, False),
        ("[x=[1]] third", "x", {"default": [1], "description": "third"}, False),
        ("{number=} x", "x", NUM, False),
        ("{?string} x", "x", {"anyOf": [STR, NULL]}, True),
        ("{Array.<string>|null} x", "x", {"anyOf": [{"type": "array", "items": STR}, NULL]}, True),
        ("{Object<string, number>} x", "x", {"type": "object", "additionalProperties": NUM}, True),
        ("{'a'|'b'} x", "x = 'a'", {**STR, "enum": ["a", "b"], "default": "a"}, False),
        ("{...number} x", "...x", {"type": "array", "items": NUM, "x-variadic": True}, False),
        ("{*} x", "x", {}, True),
        ("{Elsewhere} x own", "x", {"description": "own"}, True),
        ("{Object} x\n * @param {string} x.city where\n * @param {number} [x.n=3]", "x", {**CITY, "required": ["city"]}, True),
        ("{Object[]} x\n * @param {string} x[].city where\n * @param {number} [x[].n=3]", "x", {"type": "array", "items": {**CITY, "required": ["city"]}}, True),
        ("{Object} x\n * @param {Object} x.a\n * @param {string} x.a.city where\n * @param {number} [x.a.n=3]", "x", {"type": "object", "properties": {"a": {**CITY, "required": ["city"]}}, "required": ["a"]}, True),
        ("{string} x the code has the type", "x: number", {**NUM, "description": "the code has the type"}, True),
    ],
)  # fmt: skip
def test_jsdoc_gives_types(lines: str, parameter: str, schema: dict[str, Any], required: bool) -> None:
    (tool,) = parse_tools(
        f"/**\n * Does.\n * @param {lines}\n * @returns {{number}} it\n */\nfunction f({parameter}) {{}}"
    )
    assert tool.description == "Does."
    assert tool.parameters["properties"] == {"x": schema}
    assert tool.parameters.get("required", []) == ["x"] * required


def test_a_choice_that_stands_twice_is_kept_but_an_enum_has_each_value_once() -> None:
    choice, enum = parse_tools("function f(x: 'a' | 'a'): void;\nenum E { A = 1, B = 1 }\nfunction g(x: E): void;")
    assert choice.parameters["properties"]["x"]["enum"] == ["a", "a"]
    assert enum.parameters["properties"]["x"]["enum"] == [1]


def test_a_template_is_no_open_text() -> None:
    _, (error,) = read_tools("type f = (_: { x: `id-${string}` }) => any;")
    assert (error.line, error.column) == (1, 19)
    assert "`id-${string}`` is put together from parts; write `string` for such a type" in str(error)


@pytest.mark.parametrize("parameter", ["{ city, n = 3 }", "{ n, city } = {}", "{ city: where, n }"])
@pytest.mark.parametrize("name", ["args", "root0"])
def test_jsdoc_says_what_is_taken_apart(parameter: str, name: str) -> None:
    comment = f"/** Does.\n * @param {{Object}} {name}\n * @param {{string}} {name}.city where\n * @param {{number}} [{name}.n=3]\n */"
    for function in (f"async function f({parameter}) {{}}", f"const f = ({parameter}) => 1;"):
        (tool,) = parse_tools(f"{comment}\n{function}")
        assert tool.parameters == {**CITY, "required": ["city"]}
    _, (error,) = read_tools(f"{comment}\nfunction f({{ other }}) {{}}")
    assert "taken apart has no name" in str(error)


def test_names_of_what_is_taken_apart_are_kept_without_a_line_of_their_own() -> None:
    comment = "/** Does.\n * @param {string} args.city where\n * @param {number} args.days how many\n */"
    (tool,) = parse_tools(f"{comment}\nfunction f({{ city, days = 3, unit: u = 'c', at = now(), more, ...rest }}) {{}}")
    assert tool.parameters["properties"] == {
        "city": {"type": "string", "description": "where"},
        "days": {"type": "number", "description": "how many", "default": 3},
        "unit": {"type": "string", "default": "c"},
        "at": {},
        "more": {},
    }
    assert tool.parameters["required"] == ["city", "more"]
