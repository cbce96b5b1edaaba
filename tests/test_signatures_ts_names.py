"""What names stand for in programs of TypeScript, and what is passed over in them."""

from __future__ import annotations

from time import process_time

import pytest

from tooldec.signatures import parse_tools, read_tools

HANDLERS = (
    """x.replace(/["'`(]/g, "").split(/[{(]/)""",
    """`${list.map((one) => `it's ${one.name} (${"}"}`).join("\\n")} isn't {`""",
    """`a ${b`""",
    "a / b / c",
    "return /[`'\"]/.test(x)",
)


@pytest.mark.parametrize("code", HANDLERS)
def test_what_tools_do_is_passed_over(code: str) -> None:
    text = (
        f"server.tool('a', {{ x: z.string() }}, (x) => {{ {code} }});\nserver.tool('b', 'B.', {{ y: z.int() }}, run);"
    )
    assert [tool.signature() for tool in parse_tools(text)] == ["a(x: str)", "b(y: int)"]


@pytest.mark.parametrize(
    "before",
    [
        'import * as zod from "zod";',
        'import zod from "zod";',
        'import { z as zod } from "zod/v4";',
        'const zod = require("zod");',
        'const { z: zod } = require("zod");',
    ],
)
def test_zod_may_have_another_name(before: str) -> None:
    (tool,) = parse_tools(f"{before}\nconst t = tool({{ inputSchema: zod.object({{ a: zod.string() }}) }});")
    assert tool.signature() == "t(a: str)"


def test_descriptions_and_places_follow_names() -> None:
    text = 'const NAMES = { get: "get_it" };\nconst WORDS = "Gets " + `it.`;\nserver.tool(NAMES.get, WORDS, { a: z.int() }, run);'
    (tool,) = parse_tools(text)
    assert (tool.description, tool.line, tool.column) == ("Gets it.", 1, 23)


@pytest.mark.parametrize("kids", ["kids: z.lazy(() => Tree.array())", "get kids() { return z.array(Tree); }"])
def test_types_that_contain_themselves(kids: str) -> None:
    text = f"const Tree: z.ZodType<T> = z.object({{ name: z.string(), {kids} }});\nserver.tool('grow', {{ tree: Tree }}, run);"
    (tool,) = parse_tools(text)
    reference = {"$ref": "#/$defs/Tree"}
    assert tool.parameters["properties"]["tree"] == reference
    properties = {"name": {"type": "string"}, "kids": {"type": "array", "items": reference}}
    assert tool.parameters["$defs"] == {
        "Tree": {"type": "object", "properties": properties, "required": ["name", "kids"]}
    }
    (itself,) = parse_tools(text.replace("{ tree: Tree }", "Tree.shape"))
    assert itself.parameters["properties"] == properties


def test_texts_that_are_joined() -> None:
    text = """server.registerTool("a", { description: ["It", "is."].join(" "), inputSchema: { x: z.int() } }, run);"""
    assert parse_tools(text)[0].description == "It is."


ERRORS = (
    ("import * as a from './a';\nserver.registerTool('x', { inputSchema: a.City }, run);", 2, 43),
    (
        'import { Base } from "./base";\nconst S = Base.extend({});\nserver.registerTool("x", { inputSchema: S }, run);',
        2,
        11,
    ),
    ("const S = z.object({ a: z.int() });\nserver.tool('x', { b: S.shape.b }, run);", 2, 31),
    ("server.registerTool(t.name, { inputSchema: z.object({}) }, run);", 1, 44),
    ("const A = [B];\nconst B = [A];\nserver.tool('x', { b: z.enum(A) }, run);", 3, 8),
    ('server.registerTool("x", config, run);', 1, 26),
    ("const U = ['a', x];\nserver.tool('x', { b: z.enum(U) }, run);", 1, 17),
    ("const U = { a: 'a' };\nserver.tool('x', { b: z.literal(U.b) }, run);", 2, 35),
    ("server.tool('x', { b: z.int().and(z.string()) }, run);", 1, 31),
)


@pytest.mark.parametrize(("text", "line", "column"), ERRORS)
def test_errors(text: str, line: int, column: int) -> None:
    tools, (error,) = read_tools(text)
    assert not tools and error.fix
    assert (error.line, error.column) == (line, column), str(error)


def test_many_functions_with_names_of_their_own_are_quick() -> None:
    lines = (
        f"function r{i}() {{ const s = z.object({{ a{i}: z.int() }}); server.registerTool('t{i}', {{ inputSchema: s }}, x); }}"
        for i in range(3_000)
    )
    text, begun = "\n".join(lines), process_time()
    assert parse_tools(text)[2_999].signature() == "t2999(a2999: int)"
    assert process_time() - begun < 10
