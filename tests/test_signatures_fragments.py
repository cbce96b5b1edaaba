"""Parts of a program or a document that are pasted alone: keys without the braces around them."""

from __future__ import annotations

import pytest

from tooldec.signatures import format_of, parse_tools, read_tools

CITY = '{ type: "object", properties: { city: { type: "string" } }, required: ["city"] }'


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (f'tools: [\n  {{\n    name: "get",\n    description: "Gets.",\n    parameters: {CITY},\n  }},\n],', "assigned"),
        (f'tools: [{{ name: "get", description: "Gets.", parameters: {CITY} }}],', "assigned"),
        (f"// ours\nfunctions: [{{ name: 'get', description: 'Gets.', parameters: {CITY} }}],\n", "assigned"),
        (f'name: "get",\ndescription: "Gets.",\nparameters: {CITY},', "assigned"),
        (f'"name": "get",\n"description": "Gets.",\n"inputSchema": {CITY}', "assigned"),
        (f'parameters: {CITY},\nname: "get",\ndescription: "Gets."', "assigned"),
        (f'name: "get",\ndescription: "Gets.",\nparameters: {CITY},\nexecute: async ({{ city }}) => city,', "zod"),
        ('name: "get",\ndescription: "Gets.",\nparameters: z.object({ city: z.string() }),', "zod"),
        ('inputSchema: z.object({ city: z.string() }),\nname: "get",\ndescription: "Gets.",', "zod"),
        ('tools: {\n  get: tool({ description: "Gets.", parameters: z.object({ city: z.string() }) }),\n},', "zod"),
        (f"tools: [{{name: get, description: Gets., parameters: {CITY}}}]", "yaml"),
        (f"name: get\ndescription: Gets.\nparameters: {CITY}", "yaml"),
        (f"tools=[{{'name': 'get', 'description': 'Gets.', 'parameters': {CITY.replace('type', 'TYPE')}}}],".replace("TYPE", "type")
         .replace("type:", "'type':").replace("properties:", "'properties':").replace("city:", "'city':").replace("required:", "'required':"), "assigned"),
    ],
)  # fmt: skip
def test_keys_without_the_braces_around_them(text: str, format: str) -> None:
    assert format_of(text) == format
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description) == ("get(city: str)", "Gets.")
    assert text.split("\n")[(tool.line or 1) - 1][(tool.column or 1) - 1 :].startswith("get")


@pytest.mark.parametrize(
    ("text", "line", "column", "phrase"),
    [
        (f"parameters: {CITY},", 1, 1, "this tool has no name"),
        (
            "parameters: z.object({ a: z.string() }),",
            1,
            13,
            'this tool has no name in quotes; write `name: "…"` beside',
        ),
        ("parameters: {\n  type: object,", 2, 9, "a plain value is expected here, not `object`"),
        ('tools: [{ name: "get",', 1, 23, "`]` is expected here, not the end of the declaration"),
    ],
)
def test_what_a_part_lacks_is_told(text: str, line: int, column: int, phrase: str) -> None:
    tools, (error,) = read_tools(text)
    assert (tools, error.line, error.column) == ((), line, column)
    assert phrase in str(error)
