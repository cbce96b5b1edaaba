"""OpenAPI documents: JSON and YAML, references, names, and what can't be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from tooldec.arguments import DUMPS, argument
from tooldec.automaton import DFA
from tooldec.errors import SignatureError
from tooldec.signatures import format_of, parse_tools, read_tools, to_openai
from tooldec.signatures.listings.references import SMALL

DOCUMENT = """
openapi: 3.0.3
info: {title: Films, version: "1"}
paths:
  /movie/{movie-id}:
    parameters:
      - $ref: '#/components/parameters/Id'
    get:
      operationId: get-movie
      summary: Details
      description: All that is known of a movie.
      parameters:
        - {name: "filter[year]", in: query, schema: {type: integer, minimum: 1900, exclusiveMinimum: true}}
        - {name: X-Key, in: header, required: true, schema: {type: string}}
    put:
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Movie'}
  /search:
    post:
      operationId: search
      requestBody:
        content:
          application/json:
            schema: {type: array, items: {type: string}}
components:
  parameters:
    Id: {name: movie-id, in: path, required: true, description: which one, schema: {$ref: '#/components/schemas/Id'}}
  schemas:
    Id: {type: integer, format: int64}
    Movie:
      type: object
      required: [title, cast]
      properties:
        id: {type: integer, readOnly: true}
        title: {type: string, nullable: true, example: Dune}
        cast: {type: array, items: {$ref: '#/components/schemas/Person'}}
    Person:
      type: object
      properties:
        name: {type: string}
        friends: {type: array, items: {$ref: '#/components/schemas/Person'}}
"""


@pytest.mark.parametrize("text", [DOCUMENT, json.dumps(yaml.safe_load(DOCUMENT), indent=1)], ids=["yaml", "json"])
def test_operations(text: str) -> None:
    assert format_of(text) == "openapi"
    get, put, search = tools = parse_tools(text)
    assert parse_tools(to_openai(tools)) == tools
    assert (get.name, get.description) == ("get_movie", "Details\nAll that is known of a movie.")
    assert get.parameters["title"] == "GET /movie/{movie-id}" and get.parameters["x-name"] == "get-movie"
    movie_id = {"type": "integer", "format": "int64", "description": "which one", "x-in": "path", "x-name": "movie-id"}
    assert get.parameters["properties"] == {
        "movie_id": movie_id,
        "filter_year": {"type": "integer", "exclusiveMinimum": 1900, "x-in": "query", "x-name": "filter[year]"},
    }
    assert get.parameters["required"] == ["movie_id"]
    assert put.name == "put_movie_movie_id" and put.parameters["required"] == ["movie_id", "title", "cast"]
    assert put.parameters["properties"]["cast"]["items"] == {"$ref": "#/$defs/Person"}
    assert put.parameters["$defs"]["Person"]["properties"]["friends"]["items"] == {"$ref": "#/$defs/Person"}
    assert put.parameters["properties"]["title"]["nullable"] is True and "id" not in put.parameters["properties"]
    assert search.parameters["properties"]["body"] == {"type": "array", "items": {"type": "string"}, "x-in": "body"}
    assert "required" not in search.parameters
    lines = text.split("\n")
    assert [lines[tool.line - 1].strip(' ":{') for tool in tools if tool.line] == ["get", "put", "post"]


def paths(value: Any, **more: Any) -> str:
    return json.dumps({"openapi": "3.1.0", "paths": value, **more})


def test_names_are_made_callable_and_their_own() -> None:
    operations = {"post": {"operationId": "a/b"}, "get": {"operationId": "a-b"}}
    tools = parse_tools(paths({"/x": operations, "/y/{z}": {"get": {}}}))
    assert [tool.name for tool in tools] == ["a_b", "a_b_2", "get_y_z"]
    assert tools[1].parameters["x-name"] == "a-b" and tools[2].signature() == "get_y_z(z: str)"
    tools, errors = read_tools(paths({"/x": {"get": operations["get"], "put": operations["get"]}}))
    assert len(tools) == 1 and [error.kind for error in errors] == ["duplicate"]
    both = [{"name": "id", "in": "path", "schema": {}}, {"name": "id", "in": "query", "schema": {}}]
    (tool,) = parse_tools(paths({"/x/{id}": {"get": {"parameters": both}}}))
    assert list(tool.parameters["properties"]) == ["id", "id_query"]
    assert tool.parameters["properties"]["id_query"]["x-name"] == "id"


ERRORS = (
    (json.dumps({"openapi": "3.1.0"}), "has no paths"),
    ("swagger: '1.2'\npaths: {}", "version `1.2`"),
    (paths({}), "has no paths"),
    (
        json.dumps({"openapi": "3.1.0", "webhooks": {"paid": {"post": {}}}}),
        "no paths, but webhooks, which the API calls",
    ),
    (paths({"/x": {"post": {"parameters": [{"name": "b", "in": "body"}]}}}), "`body` is no place of a request"),
    (paths({"/x": {"post": {"parameters": [{"name": "b", "in": {}}]}}}), "`{}` is no place of a request"),
    (paths({"/x": {"post": {"parameters": 5}}}), "POST /x: parameters: this isn't a list"),
    (
        paths(
            {
                "/x": {
                    "post": {
                        "requestBody": {"content": {"a/json": {"schema": {"required": 5, "properties": {"a": {}}}}}}
                    }
                }
            }
        ),
        "POST /x: the body's `required`: this isn't a list",
    ),
    (paths({"/x": {"get": {"parameters": [{"in": "query"}]}}}), "GET /x: parameters: a parameter without a name"),
    (
        paths({"/x": {"get": {"parameters": [{"$ref": "#/nowhere"}]}}}),
        "GET /x: the reference `#/nowhere` leads nowhere",
    ),
    (paths({"/x": {"get": {"parameters": [{"$ref": "other.yaml#/a"}]}}}), "leads out of this document"),
    (
        paths({"/x": {"post": {"requestBody": {"content": {"a/json": {"schema": {"items": {"properties": "a"}}}}}}}}),
        "items.properties: this isn't an object",
    ),
    (paths({"/x": {"$ref": "#/paths/~1x"}}), "lead to each other"),
    ("openapi: 3.1.0\npaths: {/x: {get: [}}", "this isn't YAML"),
    ("openapi: 3.1.0\na: &a [*a]\npaths: {}", "too large"),
    ("openapi: 3.1.0\npaths: !!python/object:os.system {}", "this isn't YAML"),
)


@pytest.mark.parametrize(("text", "phrase"), ERRORS)
def test_errors(text: str, phrase: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_tools(text)
    assert phrase in str(caught.value) and caught.value.line and caught.value.fix


def test_required_may_hold_anything_beside_what_only_answers_have() -> None:
    inner = {"type": "object", "properties": {"id": {"readOnly": True}, "a": {}}, "required": [{}, "id"]}
    with pytest.raises(SignatureError, match="this isn't a list of names"):
        parse_tools(body({"type": "object", "properties": {"inner": inner}}))


def test_one_bad_operation_leaves_the_others() -> None:
    bad = {"parameters": [{"$ref": "#/nowhere"}]}
    tools, errors = read_tools(paths({"/a": {"get": bad}, "/b": {"get": {}}}))
    assert [tool.name for tool in tools] == ["get_b"] and len(errors) == 1


def test_aliases_that_multiply_are_refused() -> None:
    levels = "\n".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9))
    with pytest.raises(SignatureError, match="too large"):
        parse_tools(f"openapi: 3.1.0\na0: &a0 [x]\n{levels}\npaths: {{}}")


def body(schema: Any, version: str = "3.1.0", **components: Any) -> str:
    """A document of one operation with this body, which must be given."""
    content = {"application/json": {"schema": schema}}
    post = {"operationId": "make", "requestBody": {"required": True, "content": content}}
    return json.dumps({"openapi": version, "paths": {"/x": {"post": post}}, "components": components})


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_what_stands_beside_a_reference_holds_since_3_1(version: str) -> None:
    field = {"$ref": "#/components/schemas/Code", "minLength": 2, "description": "which", "x-order": 1, "example": "ab"}
    schemas = {"Code": {"type": "string", "maxLength": 5}}
    (tool,) = parse_tools(body({"type": "object", "properties": {"code": field}}, version, schemas=schemas))
    both = {"allOf": [schemas["Code"], {"minLength": 2}]} if version == "3.1.0" else schemas["Code"]
    assert tool.parameters["properties"]["code"] == {**both, "description": "which", "x-in": "body"}


def test_a_body_that_asks_for_something_as_a_whole_stays_one_argument() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "dependentRequired": {"a": ["b"]}}
    (tool,) = parse_tools(body(schema))
    assert tool.parameters["properties"] == {"body": {**schema, "x-in": "body"}}


@pytest.mark.parametrize("said", [{}, {"required": False}, {"required": True}])
def test_the_fields_that_a_body_requires_are_required(said: dict[str, bool]) -> None:
    """Without them no body that is sent is valid; a body that is one argument may be left out."""
    fields = {"name": {"type": "string"}, "tag": {"type": "string"}, "id": {"type": "integer", "readOnly": True}}
    for schema, name, required in (
        ({"type": "object", "properties": fields, "required": ["name", "id"]}, "name", ["name"]),
        ({"type": "array", "items": {"type": "string"}}, "body", ["body"] if said.get("required") else None),
    ):
        post = {"requestBody": {**said, "content": {"application/json": {"schema": schema}}}}
        (tool,) = parse_tools(paths({"/x": {"post": post}}))
        assert tool.arguments[0].name == name and tool.parameters.get("required") == required


def test_recursive_schemas_of_one_name_are_kept_apart() -> None:
    def node(pointer: str, kind: str) -> dict[str, Any]:
        return {"type": "object", "properties": {"next": {"$ref": pointer}, "value": {"type": kind}}}

    one, two = "#/components/schemas/Node", "#/components/headers/Node"
    schema = {"type": "object", "properties": {"a": {"$ref": one}, "b": {"$ref": two}}}
    (tool,) = parse_tools(body(schema, schemas={"Node": node(one, "string")}, headers={"Node": node(two, "integer")}))
    for name, kind in (("a", "string"), ("b", "integer")):
        inner = tool.parameters["properties"][name]["$ref"].rpartition("/")[2]
        assert tool.parameters["$defs"][inner]["properties"]["value"] == {"type": kind}


@pytest.mark.parametrize("count", [2, 20, 300])
@pytest.mark.parametrize("step", [1, 7])
def test_schemas_that_refer_to_each_other_are_kept_once(count: int, step: int) -> None:
    """Each one written out where it is named, twenty of them had no end."""

    def of(number: int) -> dict[str, str]:
        return {"$ref": f"#/components/schemas/S{number % count}"}

    schemas = {
        f"S{number}": {
            "type": "object",
            "properties": {"next": of(number + 1), "other": of(step * number + 3), "v": {}},
        }
        for number in range(count)
    }
    (tool,) = parse_tools(body(of(0), schemas=schemas))
    assert tool.parameters["properties"]["next"] == {"$ref": "#/$defs/S1", "x-in": "body"}
    assert tool.parameters["$defs"].keys() == schemas.keys()
    dfa = DFA(argument(tool.parameters, DUMPS))
    assert dfa.read(b'{"next": {"other": {"v": 1}}}') is not None and dfa.read(b'{"next": {"other": 1') is None


def test_a_large_schema_is_kept_once_and_a_small_one_is_put_in_place() -> None:
    schemas = {
        "Page a~1b": {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(SMALL)}},
        "Small": {"type": "object", "properties": {"a": {"type": "string"}}},
        "Outer": {"$ref": "#/components/schemas/Page a~01b"},
    }
    fields = {"small": {"$ref": "#/components/schemas/Small"}, "outer": {"$ref": "#/components/schemas/Outer"}}
    (tool,) = parse_tools(body({"properties": fields}, schemas=schemas))
    assert tool.parameters["properties"] == {
        "small": {**schemas["Small"], "x-in": "body"},
        "outer": {"$ref": "#/$defs/Outer", "x-in": "body"},
    }
    assert tool.parameters["$defs"] == {"Outer": {"$ref": "#/$defs/Page_a_01b"}, "Page_a_01b": schemas["Page a~1b"]}
    for pointer in ("Page a~01b", "Outer"):
        (tool,) = parse_tools(body({"$ref": f"#/components/schemas/{pointer}"}, schemas=schemas))
        assert len(tool.arguments) == SMALL and "$defs" not in tool.parameters, "the fields of a body are arguments"


def test_keywords_beside_a_parameters_name_are_its_schema() -> None:
    limit = {"name": "n", "in": "query", "type": "integer", "maximum": 3, "required": "true"}
    of = {"name": "m", "in": "query", "schema": {"type": "integer"}, "minimum": 1}
    (tool,) = parse_tools(paths({"/x": {"get": {"parameters": [limit, of]}}}))
    assert tool.parameters["properties"] == {
        "n": {"type": "integer", "maximum": 3, "x-in": "query"},
        "m": {"type": "integer", "minimum": 1, "x-in": "query"},
    }
    assert tool.parameters["required"] == ["n"]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"get": {"parameters": [{"name": "a", "in": "qurey"}]}}, "`qurey` is no place of a request; did you mean `query`"),
        ({"get": {"parameters": [{"name": "a", "in": "Query"}]}}, "did you mean `query`"),
        ({"get": {"parameters": [{"name": "a", "in": "body"}]}}, "describe it under `requestBody`"),
        ({"get": {"parameters": [{"name": "a"}]}}, "parameter `a`: `in` is missing; write one of path, query"),
        ({"get": {"parameters": [{"name": "a", "in": "query", "shema": {}}]}}, "`shema`.*did you mean `schema`"),
        ({"post": {"requestbody": {}}}, "POST /x: .*`requestbody` is no key of OpenAPI here; did you mean `requestBody`"),
        ({"get": {"paramaters": []}}, "did you mean `parameters`"),
        ({"paramaters": []}, "/x: `paramaters` .*did you mean `parameters`"),
        ({"pots": {}}, "/x: `pots` .*did you mean `post`"),
        ({"GET": {}}, "did you mean `get`"),
        ({"fetch": {"responses": {}}}, "`fetch` is no method; write one of get, put"),
        ({"post": {"requestBody": {"required": True}}}, "a body without `content`"),
    ],
)  # fmt: skip
def test_no_key_of_an_operation_is_dropped_in_silence(entry: dict[str, Any], told: str) -> None:
    tools, errors = read_tools(paths({"/x": entry, "/y": {"get": {}}}))
    assert [tool.name for tool in tools] == ["get_y"]
    with pytest.raises(SignatureError, match=told):
        raise errors[0]


def test_what_only_answers_hold_is_asked_nowhere_in_a_body() -> None:
    owner = {"properties": {"id": {"type": "integer", "readOnly": True}, "name": {}}, "required": ["id", "name"]}
    dated = {"properties": {"made": {"$ref": "#/components/schemas/Day", "readOnly": True}}}
    both = {"allOf": [{"required": ["made", "a"]}, dated]}
    schemas = {"Owner": owner, "Day": {"type": "string"}}
    fields = {"owner": {"$ref": "#/components/schemas/Owner"}, "both": both}
    (tool,) = parse_tools(body({"type": "object", "properties": fields}, "3.0.3", schemas=schemas))
    assert tool.parameters["properties"] == {
        "owner": {"properties": {"name": {}}, "required": ["name"], "x-in": "body"},
        "both": {"allOf": [{"required": ["a"]}, {"properties": {}}], "x-in": "body"},
    }


def test_what_only_answers_hold_is_asked_nowhere_though_a_large_schema_says_so() -> None:
    large = {f"p{number}": {"type": "string"} for number in range(SMALL)}
    base = {"properties": {"id": {"$ref": "#/components/schemas/Id"}, **large}, "required": ["id"]}
    schemas = {"Base": base, "Id": {"type": "integer", "readOnly": True}}
    both = {"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["id", "a"]}]}
    (tool,) = parse_tools(body({"type": "object", "properties": {"both": both}}, schemas=schemas))
    assert tool.parameters["properties"]["both"]["allOf"] == [{"$ref": "#/$defs/Base"}, {"required": ["a"]}]
    assert tool.parameters["$defs"]["Base"] == {"properties": large, "required": []}


def test_references_below_conditions_are_put_in_place() -> None:
    document = """{"openapi": "3.1.0", "paths": {"/p": {"post": {"operationId": "p", "requestBody": {"content": {
      "application/json": {"schema": {"type": "object", "properties": {"a": {"type": "integer"}},
        "if": {"$ref": "#/components/schemas/N"}, "dependentSchemas": {"a": {"$ref": "#/components/schemas/N"}}}}}}}}},
      "components": {"schemas": {"N": {"required": ["a"]}}}}"""
    (tool,) = parse_tools(document)
    body = tool.parameters["properties"]["body"]
    assert body["if"] == body["dependentSchemas"]["a"] == {"required": ["a"]}


def test_operations_stand_where_their_keys_do_and_not_where_a_text_names_them() -> None:
    text = (
        "openapi: 3.0.0\npaths:\n  /a:\n    post:\n      description: 'use get: or /b: of'\n      operationId: a\n"
        "    get:\n      operationId: g\n  /b:\n    get:\n      operationId: b\n"
    )
    assert [(tool.name, tool.line, tool.column) for tool in parse_tools(text)] == [
        ("a", 4, 5),
        ("g", 7, 5),
        ("b", 10, 5),
    ]
    bare = text.partition("paths:\n")[2]
    assert [tool.line for tool in parse_tools(bare)] == [2, 5, 8]


def test_the_version_may_stand_behind_all_schemas() -> None:
    schemas = "".join(f"    s{number}: {{description: 'Its {{}} (a)', type: string}}\n" for number in range(5_000))
    tail = "openapi: 3.0.0\npaths:\n  /now:\n    get: {operationId: now}\n"
    assert [tool.name for tool in parse_tools(f"components:\n  schemas:\n{schemas}{tail}")] == ["now"]


SWAGGER = """
swagger: "2.0"
info: {title: Films, version: "1"}
basePath: /api
consumes: [application/json]
parameters:
  Film: {name: film, in: body, required: true, schema: {$ref: "#/definitions/Film"}}
paths:
  /film/{id}:
    put:
      operationId: putFilm
      schemes: [https]
      parameters:
        - $ref: "#/parameters/Film"
        - {name: id, in: path, required: true, type: integer, minimum: 0, exclusiveMinimum: true}
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: csv}
    post:
      consumes: [multipart/form-data]
      parameters:
        - {name: poster, in: formData, type: file, required: true, description: the picture}
        - {name: kind, in: formData, type: string, enum: [big, small], default: big}
  /films:
    post:
      parameters:
        - {name: all, in: body, required: true, schema: {type: array, items: {$ref: "#/definitions/Film"}}}
definitions:
  Film:
    type: object
    required: [title]
    properties:
      id: {type: integer, readOnly: true}
      title: {type: string}
      year: {$ref: "#/definitions/Year", maximum: 3}
  Year: {type: integer}
"""


@pytest.mark.parametrize("text", [SWAGGER, json.dumps(yaml.safe_load(SWAGGER)), SWAGGER[SWAGGER.index("paths:") :]])
def test_swagger_has_bodies_and_forms_among_the_parameters(text: str) -> None:
    tools, errors = read_tools(text)
    if not text.lstrip().startswith(("swagger", "{")):  # without the shared ones
        assert len(errors) == 1 and "`#/parameters/Film` leads nowhere" in errors[0].message
    else:
        put = tools[0]
        assert put.signature() == "putFilm(title: str, year: int = null, id: int, tags: list[str] = null)"
        assert put.parameters["properties"]["id"] == {"type": "integer", "exclusiveMinimum": 0, "x-in": "path"}
        assert put.parameters["properties"]["year"] == {"type": "integer", "x-in": "body"}
    post, films = tools[-2:]
    assert post.parameters["properties"] == {
        "poster": {"type": "string", "format": "binary", "description": "the picture", "x-in": "body"},
        "kind": {"type": "string", "enum": ["big", "small"], "default": "big", "x-in": "body"},
        "id": {"type": "string", "x-in": "path"},
    }
    assert post.parameters["required"] == ["poster", "id"]
    assert films.parameters["required"] == ["body"] and films.parameters["properties"]["body"]["type"] == "array"


DISCOVERY: dict[str, Any] = {
    "kind": "discovery#restDescription",
    "parameters": {"key": {"type": "string", "location": "query"}},
    "resources": {
        "films": {
            "methods": {
                "get": {
                    "id": "tv.films.get",
                    "path": "v1/{+name}:look",
                    "httpMethod": "GET",
                    "description": "Details.",
                    "parameters": {
                        "name": {"type": "string", "location": "path", "required": True, "pattern": "^films/[^/]+$"},
                        "part": {"type": "string", "location": "query", "repeated": True, "enum": ["a", "b"]},
                        "size": {
                            "type": "integer",
                            "location": "query",
                            "minimum": "1",
                            "maximum": "50",
                            "default": "5",
                        },
                    },
                }
            },
            "resources": {
                "reviews": {
                    "methods": {
                        "insert": {
                            "id": "tv.films.reviews.insert",
                            "httpMethod": "POST",
                            "request": {"$ref": "Review"},
                        },
                        "lost": {"id": "tv.films.reviews.lost", "httpMethod": "POST", "request": {"$ref": "Nothing"}},
                    }
                }
            },
        }
    },
    "schemas": {
        "Review": {
            "id": "Review",
            "type": "object",
            "properties": {
                "text": {"type": "string", "required": True, "annotations": {"required": ["tv.films.reviews.insert"]}},
                "made": {"type": "string", "readOnly": True},
                "answers": {"type": "array", "items": {"$ref": "Review"}},
                "more": {"type": "object", "additionalProperties": {"type": "any"}},
            },
        }
    },
}


def test_google_describes_methods() -> None:
    tools, errors = read_tools(json.dumps(DISCOVERY, indent=1))
    get, insert = tools
    assert (get.name, get.description) == ("tv_films_get", "Details.")
    assert (get.parameters["title"], get.parameters["required"]) == ("GET /v1/{name}:look", ["name"])
    assert get.parameters["properties"] == {
        "name": {"type": "string", "pattern": "^films/[^/]+$", "x-in": "path"},
        "part": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "x-in": "query"},
        "size": {"type": "integer", "minimum": 1, "maximum": 50, "default": 5, "x-in": "query"},
    }
    assert list(insert.parameters["properties"]) == ["text", "answers", "more"]
    assert insert.parameters["required"] == ["text"] and "$defs" in insert.parameters
    assert (get.line, get.column) == (12, 5)
    assert [error.message for error in errors] == ["POST /: the reference `#/schemas/Nothing` leads nowhere"]
    with pytest.raises(SignatureError, match="no methods"):
        parse_tools(json.dumps({**DISCOVERY, "resources": {}}))
