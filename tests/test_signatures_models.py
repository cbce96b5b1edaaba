"""Pydantic's models and what else programs use as types: roots, aliases that are made, types with parameters."""

from __future__ import annotations

from typing import Any

import pytest

from tooldec.signatures import parse_tools, read_tools

INT, STR, NULL = ({"type": kind} for kind in ("integer", "string", "null"))
LEVELS = "class P(str, Enum):\n    LOW = 'low'\n    HIGH = 'high'\nTOP = 'top'\nMOST = 9\n"
PAGE = "T = TypeVar('T')\nclass Page(BaseModel, Generic[T]):\n    items: list[T]\n"


def list_of(schema: Any) -> Any:
    return {"type": "object", "properties": {"items": {"type": "array", "items": schema}}, "required": ["items"]}


# fmt: off
# (what stands before the function, the type of its parameter, the schema)
KINDS: tuple[tuple[str, str, Any], ...] = (
    ("class A(RootModel[list[str]]):\n    'Tags.'", "A",
     {"type": "array", "items": STR, "description": "Tags.", "title": "A"}),
    ("class A(RootModel):\n    root: int", "A", {**INT, "title": "A"}),
    ("class A(BaseModel):\n    __root__: int", "A", {**INT, "title": "A"}),
    ("class A(str):\n    'A name.'", "A", {**STR, "description": "A name.", "title": "A"}),
    ("class A(list[int]): ...", "A", {"type": "array", "items": INT, "title": "A"}),
    (PAGE, "Page[int]", {**list_of(INT), "title": "Page_int"}),
    (PAGE, "Page", {**list_of({}), "title": "Page"}),
    (PAGE + "class B(BaseModel):\n    x: int\n", "Page[B]",
     {**list_of({"type": "object", "properties": {"x": INT}, "required": ["x"], "title": "B"}), "title": "Page_B"}),
    ("T = TypeVar('T', bound=int)", "T", INT),
    ("T = TypeVar('T', int, str)", "T", {"anyOf": [INT, STR]}),
    ("A = namedtuple('A', 'x y')", "A",
     {"type": "array", "prefixItems": [{}, {}], "items": False, "minItems": 2, "maxItems": 2, "title": "A"}),
    ("A = namedtuple('A', ['x'])", "A",
     {"type": "array", "prefixItems": [{}], "items": False, "minItems": 1, "maxItems": 1, "title": "A"}),
    (LEVELS, "Literal[P.HIGH]", {**STR, "enum": ["high"]}),
    (LEVELS, "Literal[P.LOW, TOP, 'P']", {**STR, "enum": ["low", "top", "P"]}),
    (LEVELS, "Annotated[int, Field(le=MOST, description='up to ' + TOP)]",
     {**INT, "maximum": 9, "description": "up to top"}),
    ("", "Annotated[str, BeforeValidator(strip), Doc('it')]", {**STR, "description": "it"}),
    ("", "Annotated[int, ..., 'it']", {**INT, "description": "it"}),
)
# fmt: on


@pytest.mark.parametrize(("before", "annotation", "schema"), KINDS)
def test_kinds_of_types(before: str, annotation: str, schema: Any) -> None:
    (tool,) = parse_tools(f"{before}\n@tool\ndef f(a: {annotation}): ...")
    assert tool.parameters["properties"] == {"a": schema} and tool.parameters["required"] == ["a"]


@pytest.mark.parametrize(
    "config",
    [
        "model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)",
        "model_config = ConfigDict(alias_generator=AliasGenerator(alias=alias_generators.to_camel))",
        "model_config = {'alias_generator': to_camel}",
        "class Config:\n        alias_generator = to_camel",
    ],
)
def test_names_that_a_model_makes(config: str) -> None:
    text = (
        f"class Base(BaseModel):\n    {config}\nclass A(Base):\n    first_name: str\n    b_2: int = Field(alias='c')\n"
    )
    assert [tool.signature() for tool in parse_tools(text)] == ["A(firstName: str, c: int)"]
    tools, (error, _) = read_tools(text.replace("to_camel", "my_own"))
    assert tools == () and error.line in (2, 3) and "gives to the fields aren't known; use `to_camel`" in str(error)


def test_a_default_in_a_note_may_be_left_out_and_null_is_said_once() -> None:
    (tool,) = parse_tools("class A(TypedDict):\n    a: Annotated[Optional[int], None, 'how']\n    b: int")
    assert tool.parameters["required"] == ["b"]
    (tool,) = parse_tools("def f(a: int | None = Field(None, description='A.')): ...")
    assert tool.parameters["properties"]["a"] == {"anyOf": [INT, NULL], "description": "A.", "default": None}


def test_classes_that_are_no_objects_are_no_tools() -> None:
    text = "class Name(str): ...\nclass A(BaseModel):\n    name: str\n"
    assert [tool.name for tool in parse_tools(text)] == ["A"]


def test_a_class_and_its_faults_stand_where_they_are_written() -> None:
    (tool,), (error,) = read_tools("class c(BaseModel):\n    a: int\nclass B(BaseModel):\n    é: strng")
    assert (tool.line, tool.column) == (1, 7)  # not the `c` of `class`
    assert (error.line, error.column) == (4, 8)  # `é` is two bytes
