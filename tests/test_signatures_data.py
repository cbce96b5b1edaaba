"""Real tools by the thousand: every list of functions in the shared data is read, and loses nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tooldec.errors import SignatureError
from tooldec.signatures import parse_tools, to_openai
from tooldec.tools import Tool

pytestmark = pytest.mark.data

PYTHON_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}  # array, object: as in JSON


def rows(path: Path) -> Iterator[Any]:
    return map(json.loads, filter(None, path.read_text("utf-8").split("\n")))


def loads(functions: list[dict[str, Any]]) -> tuple[Tool, ...]:
    """The tools of a list of functions, which must lose nothing."""
    tools = parse_tools(json.dumps(functions))
    assert [tool.name for tool in tools] == [function["name"] for function in functions]
    for tool, function in zip(tools, functions, strict=True):
        assert list(tool.parameters["properties"]) == list(function["parameters"].get("properties", {}))
        assert tool.description == function["description"]
        assert tool.parameters == {"type": "object", "properties": {}, **function["parameters"]}
        Draft202012Validator.check_schema(tool.parameters)
    assert parse_tools(to_openai(tools)) == tools
    return tools


@pytest.mark.parametrize("name", ["bfcl_single", "bfcl_live", "bfcl_irrelevance"])
def test_bfcl(data_folder: Path, name: str) -> None:
    for row in rows(data_folder / f"{name}.jsonl"):
        if row["functions"]:  # a few questions of the benchmark come without any function
            assert parse_tools(json.dumps(row)) == loads(row["functions"]), "a whole row is a format, too"


def test_bfcl_multiturn(data_folder: Path) -> None:
    for functions in json.loads((data_folder / "bfcl_multiturn_tools.json").read_text("utf-8")).values():
        loads(functions)


def object_of(parameters: list[dict[str, Any]]) -> dict[str, Any]:
    """The schema of an arguments object, from a list of parameters."""
    kept = ("type", "format", "description")
    properties = {p["name"]: {k: v for k, v in {**p.get("schema", {}), **p}.items() if k in kept} for p in parameters}
    required = [p["name"] for p in {p["name"]: p for p in parameters}.values() if p["required"]]
    return {"type": "object", "properties": properties, "required": required}


@pytest.mark.parametrize("name", ["toolbench_apis", "restbench_tmdb_tools", "restbench_spotify_tools"])
def test_converted_apis(data_folder: Path, name: str) -> None:
    loads(
        [
            {"name": row["name"], "description": row["description"], "parameters": object_of(row["parameters"])}
            for row in rows(data_folder / f"{name}.jsonl")
        ]
    )


def test_sixteen_thousand_tools(data_folder: Path) -> None:
    lines, expected = [], []
    for row in rows(data_folder / "tools_16k.jsonl"):
        kinds = {name: kind for name, kind, _ in row["params"] if name.isidentifier()}
        # nine rows name a parameter twice
        required = list(dict.fromkeys(name for name, _, needed in row["params"] if needed and name in kinds))
        if all(part.isidentifier() for part in row["name"].split(".")):
            written = (
                f"{name}: {PYTHON_TYPES.get(kind, kind)}{'' if name in required else ' = ...'}"
                for name, kind in kinds.items()
            )
            lines.append(f"def {row['name']}({', '.join(written)})")
            schema = {"type": "object", "properties": {name: {"type": kind} for name, kind in kinds.items()}}
            expected.append(Tool(row["name"], "", {**schema, "required": required} if required else schema))
    tools = parse_tools("\n".join(lines))
    assert len(tools) == 15_999
    assert tools == tuple(expected)
    assert [tool.line for tool in tools] == list(range(1, len(lines) + 1))
    assert parse_tools(to_openai(tools)) == tools


def test_kamel_has_five_names_twice(data_folder: Path) -> None:
    def signature(name: str, arguments: list[str]) -> str:
        return f"{name}({', '.join(re.sub(r'[^a-z]+', '_', argument) for argument in arguments)})"

    relations = list(rows(data_folder / "kamel_relations.jsonl"))
    assert len(parse_tools("\n".join(signature(row["unique_name"], row["args"]) for row in relations))) == 234
    with pytest.raises(SignatureError, match="two tools are called"):
        parse_tools("\n".join(signature(row["name"], row["args"]) for row in relations))
