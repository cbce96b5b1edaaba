"""What a Python text defines beside its functions: aliases that are types, and constants that are defaults."""

from __future__ import annotations

from typing import Any

import pytest

from tooldec.signatures import parse_tools, read_tools

INT, STR, NULL = ({"type": kind} for kind in ("integer", "string", "null"))
UNIT = "class Unit(Enum):\n    C = 'c'\n    F = 'f'\n"

# fmt: off
# (what stands before the function, its parameter, the default)
KNOWN: tuple[tuple[str, str, Any], ...] = (
    ("LIMIT = 5", "a: int = LIMIT", 5),
    ("LIMIT: Final[int] = 5", "a: int = -LIMIT", -5),
    ("TAGS = ['x', {'y': None}]", "a: list = TAGS", ["x", {"y": None}]),
    ("TAGS = ('x',)", "a: list[str] = TAGS", ["x"]),
    ("LOW, HIGH = 1, 2\nMAX = 3", "a: list[int] = [MAX, 4]", [3, 4]),
    ("MAX = 3\nLIMIT = MAX", "a: int = LIMIT", 3),
    ("NONE = None", "a: Optional[int] = NONE", None),
    ("LIMIT = 5", "a: int = Field(default=LIMIT, ge=LIMIT)", 5),
    ("import x\ntry:\n    x()\nexcept ImportError:\n    LIMIT = 5", "a: int = LIMIT", 5),
    (UNIT + "UNIT = Unit.C", "a: Unit = UNIT", "c"),
    ("x = 1", "a: set[int] = {1, 2}", [1, 2]),
)

# what stands before the function, and its parameter; the default is found when the program runs
UNKNOWN = (
    ("", "a: int = MAX"), ("", "a: int = 60 * 60"), ("", "a: datetime = datetime.now()"), ("", "a: int = settings.MAX"),
    ("", "a: list[int] = [1, MAX]"), ("", "a: str = f'{x}'"), ("", "a: bytes = b''"), ("", "a: int = lambda: 3"),
    ("", "a: int = Field(MAX)"), ("", "a: int = Field(default=MAX)"), ("", "a: str = Option('x', help='y')"),
    ("MAX = 1\nMAX = 2", "a: int = MAX"), ("MAX = 1\nMAX += 2", "a: int = MAX"), ("MAX = load()", "a: int = MAX"),
)

# (the alias, the schema of its type)
ALIASES: tuple[tuple[str, Any], ...] = (
    ("T = int | None", {"anyOf": [INT, NULL]}),
    ("type T = int | None", {"anyOf": [INT, NULL]}),
    ("type  T = (\n    int |\n    None\n)", {"anyOf": [INT, NULL]}),
    ("type T = 'int | None'", {"anyOf": [INT, NULL]}),
    ("T: TypeAlias = 'int | None'", {"anyOf": [INT, NULL]}),
    ("T = str", STR),
    ("T = A | None\nclass A(TypedDict):\n    x: int",
     {"anyOf": [{"type": "object", "properties": {"x": INT}, "required": ["x"], "title": "A"}, NULL]}),
    ("T = NewType('T', int)", INT),
    ("A = NewType('A', str)\nT = A", STR),
    ("T = TypedDict('T', {'x': int, 'from': NotRequired[str]})",
     {"type": "object", "properties": {"x": INT, "from": STR}, "required": ["x"], "title": "T"}),
    ("T = TypedDict('T', {'x': int}, total=False)", {"type": "object", "properties": {"x": INT}, "title": "T"}),
    ("T = NamedTuple('T', [('x', int)])",
     {"type": "array", "prefixItems": [INT], "items": False, "minItems": 1, "maxItems": 1, "title": "T"}),
    ("T = conint(ge=1)", {**INT, "minimum": 1}),
)

ANNOTATIONS: tuple[tuple[str, Any], ...] = (
    ("Literal[Literal['a'], -2]", {"enum": ["a", -2]}),
    ("Literal[Literal['a', 'b'], Literal['c']]", {**STR, "enum": ["a", "b", "c"]}),
    ("Annotated[int, Ge(0), annotated_types.Lt(9)]", {**INT, "minimum": 0, "exclusiveMaximum": 9}),
    ("Annotated[int, Gt(0), Le(le=9), MultipleOf(3)]", {**INT, "exclusiveMinimum": 0, "maximum": 9, "multipleOf": 3}),
    ("Annotated[int, Interval(gt=0, le=9)]", {**INT, "exclusiveMinimum": 0, "maximum": 9}),
    ("Annotated[str, Len(1, 3)]", {**STR, "minLength": 1, "maxLength": 3}),
    ("Annotated[str, MinLen(1), 'who']", {**STR, "minLength": 1, "description": "who"}),
    ("Annotated[list[int], MaxLen(3)]", {"type": "array", "items": INT, "maxItems": 3}),
)
# fmt: on


@pytest.mark.parametrize(("before", "parameter", "default"), KNOWN)
def test_constants_are_defaults(before: str, parameter: str, default: Any) -> None:
    for text in (f"{before}\ndef f({parameter}): ...", f"def f({parameter}): ...\n{before}\n"):
        (tool,) = parse_tools(text)
        assert tool.parameters["properties"]["a"]["default"] == default and "required" not in tool.parameters
    (tool,) = parse_tools(f"{before}\nclass M(BaseModel):\n    {parameter}\n")
    assert tool.parameters["properties"]["a"]["default"] == default


@pytest.mark.parametrize(("before", "parameter"), UNKNOWN)
def test_a_default_that_is_not_known_is_left_out(before: str, parameter: str) -> None:
    (tool,) = parse_tools(f"{before}\ndef f({parameter}): ...")
    assert "required" not in tool.parameters and "default" not in tool.parameters["properties"]["a"]
    if ":" in parameter and "datetime" not in parameter:
        (bare,) = parse_tools(f"{before}\ndef f(a = {parameter.partition('= ')[2]}): ...")
        assert "Field" in parameter or bare.parameters["properties"] == {"a": {}}, "nobody knows its type"


def test_constants_stand_among_signatures_without_bodies() -> None:
    (tool,) = parse_tools("MAX: int = 3\nMAX_2 = [MAX]\nf(a: int = MAX, b: list[int] = [MAX])")
    assert tool.signature() == "f(a: int = 3, b: list[int] = [3])"


def test_a_call_that_takes_dots_has_no_default() -> None:
    (tool,) = parse_tools("def f(a: int = typer.Argument(..., help='x'), b: int = Form(...)): ...")
    assert tool.parameters["required"] == ["a", "b"]


@pytest.mark.parametrize(("alias", "schema"), ALIASES)
def test_aliases(alias: str, schema: Any) -> None:
    alone = not alias.endswith(("x: int", "conint(ge=1)", "= A"))  # or else only a module has it
    for body in ("", ":\n    pass") if alone else (":\n    pass",):
        (tool,) = parse_tools(f"{alias}\ndef f(a: T){body}")
        assert tool.parameters["properties"] == {"a": schema}


@pytest.mark.parametrize(("annotation", "schema"), ANNOTATIONS)
def test_annotations(annotation: str, schema: Any) -> None:
    assert parse_tools(f"def f(a: {annotation})")[0].parameters["properties"] == {"a": schema}


def test_a_value_is_no_type() -> None:
    _, (first, second) = read_tools("np = load()\nUNITS = ['c', 'f']\ndef f(a: np.ndarray, b: UNITS): ...")
    assert "unknown type `np.ndarray`" in str(first) and "unknown type `UNITS`" in str(second)


def test_a_class_that_is_assigned_elsewhere_is_one_tool() -> None:
    text = "import typing\nif typing.TYPE_CHECKING:\n    class A:\n        x: int\nelse:\n    A = load()\n"
    assert [tool.signature() for tool in parse_tools(text)] == ["A(x: int)"]


def test_self_is_no_argument_whatever_its_type() -> None:
    for first in ("self: 'A'", "self", "cls", "cls: type[A]"):
        (tool,) = parse_tools(f"class A:\n    def f({first}, x: int): ...")
        assert tool.signature() == "f(x: int)"
    assert parse_tools("f(cls: str)")[0].signature() == "f(cls: str)"
