"""The schemas of the real data sets, one by one, and the judge that knows nothing of the machine.

Folders: TOOLDEC_DATA has the data sets, TOOLDEC_TOKENIZERS the tokenizers (default: `tokenizers` beside the data).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend, validator_for

from tooldec.vocabulary import Vocabulary


@dataclass(frozen=True)
class Case:
    """A schema with its name, the data set, and instances: (value, whether it is valid)."""

    name: str
    source: str
    schema: Any
    instances: tuple[tuple[Any, bool], ...] = field(default=(), compare=False)


SOURCES = ("jsonschemabench", "bfcl", "restbench", "toolbench")
"""The data sets; all but the first are tools."""


def data_folder() -> Path:
    return Path(os.environ["TOOLDEC_DATA"])


def cases(source: str) -> Iterator[Case]:
    """The different schemas of a data set."""
    seen: set[str] = set()
    for case in {"jsonschemabench": _bench, "bfcl": _bfcl, "restbench": _restbench, "toolbench": _toolbench}[source]():
        key = case.name if source == "jsonschemabench" else json.dumps([case.name, case.schema], sort_keys=True)
        if key not in seen:
            seen.add(key)
            yield case


def _rows(pattern: str) -> Iterator[Any]:
    for path in sorted(data_folder().glob(pattern)):
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)


def _bench() -> Iterator[Case]:
    for row in _rows("jsonschemabench.jsonl"):
        yield Case(
            row["id"], "jsonschemabench", row["schema"], tuple((one["data"], one["valid"]) for one in row["tests"])
        )


def _bfcl() -> Iterator[Case]:
    for row in _rows("bfcl_*.jsonl"):
        for function in row.get("functions", ()):
            yield Case(function["name"], "bfcl", function["parameters"])
    for functions in json.loads((data_folder() / "bfcl_multiturn_tools.json").read_text("utf-8")).values():
        for function in functions:
            yield Case(function["name"], "bfcl", function["parameters"])


def _restbench() -> Iterator[Case]:
    for row in _rows("restbench_*_tools.jsonl"):
        yield Case(
            row["name"], "restbench", _object([(p["name"], p["schema"], p["required"]) for p in row["parameters"]])
        )


def _toolbench() -> Iterator[Case]:
    for row in _rows("toolbench_apis.jsonl"):
        listed = [
            (p["name"], {k: v for k, v in p.items() if k in ("type", "format", "enum", "items")}, p["required"])
            for p in row["parameters"]
        ]
        yield Case(row["name"], "toolbench", _object(listed))


def _object(listed: list[tuple[str, Any, bool]]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: schema for name, schema, _ in listed},
        "required": [name for name, _, required in listed if required],
    }


def judge(schema: Any) -> Any:
    """A validator with format checks, of the draft that the schema names.

    OpenAPI's `nullable` becomes a list of types, and a bound that is written as a text the number that it spells.
    """
    plain = _without_nullable(schema)
    kind = validator_for(plain, default=Draft202012Validator)
    return extend(kind, {"multipleOf": _multiple_of})(plain, format_checker=kind.FORMAT_CHECKER)


def _multiple_of(validator: Any, step: float, value: Any, schema: Any) -> Iterator[ValidationError]:
    """Of exact decimals, as the machine counts: jsonschema divides binary numbers, 0.07 by 0.01 isn't 7 there."""
    if validator.is_type(value, "number") and Fraction(repr(value)) % Fraction(repr(step)):
        yield ValidationError(f"{value!r} is not a multiple of {step!r}")


def _without_nullable(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_nullable(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _without_nullable(value) for key, value in schema.items()}
    if plain.get("nullable") is True and isinstance(plain.get("type"), str):
        plain["type"] = [plain["type"], "null"]
        if isinstance(plain.get("enum"), list):
            plain["enum"] = [*plain["enum"], None]
    for keyword in ("minimum", "maximum"):
        if isinstance(plain.get(keyword), str):  # "50" is meant as 50, but no validator reads it
            plain[keyword] = json.loads(plain[keyword])
    return plain


def tokenizer_folder() -> Path:
    return Path(os.environ.get("TOOLDEC_TOKENIZERS", data_folder().parent / "tokenizers"))


def vocabularies(chosen: list[str] | None = None) -> Iterator[tuple[str, Any, Vocabulary]]:
    """Name, tokenizer and vocabulary of each tokenizer, and of the model in the box."""
    from transformers import AutoTokenizer

    folders = {path.name: path for path in sorted(tokenizer_folder().iterdir())}
    folders["embedded"] = Path(__file__).resolve().parent.parent / "tooldec" / "models" / "embedded"
    for name, folder in folders.items():
        if chosen is None or name in chosen:
            tokenizer = AutoTokenizer.from_pretrained(folder)
            yield name, tokenizer, Vocabulary.from_tokenizer(tokenizer)
