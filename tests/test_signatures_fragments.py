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


@pytest.mark.parametrize(
    "call",
    [
        "fetch(url, {{ method: 'POST', body: JSON.stringify({{ model: 'm', tools: {} }}) }});",
        "await client.chat.completions.create({{\n  model: 'm',\n  tools: {},\n}});",
    ],
)
def test_a_call_alone_is_given_tools(call: str) -> None:
    text = call.format(f"[{{ type: 'function', function: {{ name: 'get', parameters: {CITY} }} }}]")
    assert [tool.signature() for tool in parse_tools(text)] == ["get(city: str)"]


PATHS = """/movie/{id}:
  get:
    operationId: get-movie
    summary: Gets.
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
"""
OPERATION = '{"get": {"operationId": "get-movie", "summary": "Gets.", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]}}'


@pytest.mark.parametrize(
    "text",
    [
        *(PATHS, "---\n# ours\n" + PATHS, "paths:\n" + PATHS.replace("\n", "\n  ").replace("/movie", "  /movie")),
        "info: {title: x}\npaths: # all\n\n  " + PATHS.replace("\n", "\n  "),
        f'{{"/movie/{{id}}": {OPERATION}}}',
        f'{{"paths": {{"/movie/{{id}}": {OPERATION}}}}}',
    ],
)
def test_paths_of_a_document_without_its_head(text: str) -> None:
    assert format_of(text) == "openapi"
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description) == ("get_movie(id: int)", "Gets.")
    assert "get" in text.split("\n")[(tool.line or 1) - 1]


@pytest.mark.parametrize("text", ["paths: [a]\nf(a: int)", '{"paths": ["/a"]}', "paths:\n  a: /b"])
def test_other_paths_are_none(text: str) -> None:
    assert format_of(text) != "openapi"


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ('[{"name": "get", "description": "Gets the', 33),
        ('[{"name": "get", "description": "Gets \\"the', 33),
        ('[{"name": "get", "description": "Gets the\n', 33),
        ('[{"name": "get", "description": "Gets \\"the\n  ', 33),
        ('{"tools": [{"name": "put"}, {"name": "get", "desc', 45),
    ],
)
def test_a_text_that_ends_inside_of_a_string(text: str, column: int) -> None:
    _, errors = read_tools(text)
    assert (errors[-1].line, errors[-1].column) == (1, column)
    assert "the text ends inside of this string; paste the whole text, or close it" in str(errors[-1])


SCHEMA = '{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}'


@pytest.mark.parametrize("quote", ["'\\''", "'\"'\"'"])
def test_quotes_of_a_shell_in_a_request(quote: str) -> None:
    text = f"""curl https://x -H 'A: b' \\
  -d '{{"tools": [{{"name": "get", "description": "Gets it{quote}s {quote}", "input_schema": {SCHEMA}}}, {{"name": "put"}}]}}'"""
    get, put = parse_tools(text)
    assert (get.signature(), get.description) == ("get(city: str)", "Gets it's '")
    assert text.split("\n")[1][(put.column or 0) - 1 :].startswith('"put"')


def test_json_in_double_quotes_of_a_shell() -> None:
    data = f'{{"tools": [{{"name": "get", "description": "Gets.", "input_schema": {SCHEMA}}}]}}'
    text = 'curl https://x -H "A: b" \\\n  -d "' + data.replace('"', '\\"') + '"'
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description) == ("get(city: str)", "Gets.")
    assert text.split("\n")[1][(tool.column or 0) - 1 :].startswith('"get')
    _, errors = read_tools(text.replace("Gets.", 'a \\\\\\"b\\\\\\"'))
    assert errors


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("tools:\n  get:\n    description: Gets.\n    parameters: {type: object}\n  put:\n    parameters: {}", 3),
        ("TOOLS = {\n  'get': {'description': 'Gets.', 'parameters': {'type': 'object'}},\n  'put': {'parameters': {}}}", 2),
        ("const tools = {\n  get: { description: 'Gets.', parameters: { type: 'object' } },\n  put: { parameters: {} } };", 2),
    ],
)  # fmt: skip
def test_tools_by_their_names_in_other_notations(text: str, line: int) -> None:
    get, put = parse_tools(text)
    assert (get.signature(), get.description, get.line, put.signature()) == ("get()", "Gets.", line, "put()")


@pytest.mark.parametrize(
    "text",
    [
        f'{{"get": {{"description": "Gets.", "parameters": {SCHEMA}}}, "put": {{"inputSchema": {{}}}}}}',
        f'{{"tools": {{"get": {{"description": "Gets.", "parameters": {SCHEMA}}},\n"put": {{"parameters": {{}}}}}}}}',
        f'{{"name": "get", "description": "Gets.", "parameters": {SCHEMA}}},\n{{"name": "put"}},\n',
    ],
)
def test_tools_by_their_names_and_entries_without_their_list(text: str) -> None:
    get, put = parse_tools(text)
    assert (get.signature(), get.description, put.signature()) == ("get(city: str)", "Gets.", "put()")
    for tool in (get, put):
        assert text.split("\n")[(tool.line or 1) - 1][(tool.column or 1) - 1 :].startswith(f'"{tool.name}"')
