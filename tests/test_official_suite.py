"""Every group of the JSON Schema Test Suite, as its authors judge it: nothing invalid is ever accepted.

The suite isn't in this repository: TOOLDEC_SUITE is a folder with its `tests` and `remotes`, such as that of
https://github.com/json-schema-org/JSON-Schema-Test-Suite or `json` in the source distribution of jsonschema. Remote
documents are put beside `$defs`, each under its address, as the specification has it for bundles.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tooldec.arguments import DUMPS, argument
from tooldec.automaton import DFA
from tooldec.errors import SchemaError

SUITE = os.environ.get("TOOLDEC_SUITE")
pytestmark = pytest.mark.skipif(not SUITE, reason="TOOLDEC_SUITE is not set")

OPEN = replace(DUMPS, any_order=True, open_objects=True)
DRAFTS = {
    "draft2020-12": ("https://json-schema.org/draft/2020-12/schema", "$defs", "$id"),
    "draft2019-09": ("https://json-schema.org/draft/2019-09/schema", "$defs", "$id"),
    "draft7": ("http://json-schema.org/draft-07/schema#", "definitions", "$id"),
    "draft6": ("http://json-schema.org/draft-06/schema#", "definitions", "$id"),
    "draft4": ("http://json-schema.org/draft-04/schema#", "definitions", "id"),
}
"""Draft → its address, where definitions stand, and what a schema's own address is called."""

NOT_WRITTEN = {
    "const": "constants are written in one way: 1, not 1.0, and members in their order",
    "enum": "constants are written in one way",
    "type": "integers are written without a fraction",
    "format": "formats are enforced",
    "optional/bignum": "decimals near a bound that no binary number holds are left out",
    "optional/float-overflow": "beside multiples no exponents are written",
    "optional/ecmascript-regex": "what ECMA-262 and Python's `re` match differently is left out",
    "optional/format/date-time": "leap seconds: validators disagree",
    "optional/format/time": "leap seconds: validators disagree",
    "optional/format/email": "quoted local parts and addresses in brackets: validators disagree",
    "optional/format/idn-hostname": "scripts with rules of their own, and long labels",
    "optional/format/ecmascript-regex": "escapes that languages read differently",
    "vocabulary": "the vocabularies of a metaschema aren't fetched",
}
"""File → why some of its valid instances aren't written. What is written is valid all the same."""

NO_VALUE = ("the schema `false` admits no value", "no value satisfies")
"""What the errors say of schemas that nothing satisfies."""

REFUSED = {
    "isn't in this document": "nothing is fetched",
    "need too many states": "multiples of a long decimal",
    "the opposite of `unevaluatedProperties` isn't built": "which of its parts hold would have to be told apart",
}
"""What the errors say of schemas that have values and aren't enforced, and why."""

MISTAKEN = {("dynamicRef", "$dynamicRef points to a boolean schema")}
"""A property that is said to be `false` by a reference is taken for a mistake."""

ANNOTATIONS = {"draft7": {"optional/content"}}
"""Files of keywords that only describe."""


def groups(draft: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The groups of a draft's files by their names, those for formats among them."""
    folder = Path(str(SUITE)) / "tests" / draft
    for path in sorted(folder.rglob("*.json")):
        for group in json.loads(path.read_text("utf-8")):
            yield str(path.relative_to(folder).with_suffix("")), group


def remotes(draft: str) -> dict[str, Any]:
    """The documents that schemas of a draft refer to, by their addresses."""
    folder = Path(str(SUITE)) / "remotes"
    own_address = DRAFTS[draft][2]
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*.json")):
        name = str(path.relative_to(folder))
        if name.startswith(f"{draft}/") or not name.startswith("draft"):
            document = json.loads(path.read_text("utf-8"))
            address = f"http://localhost:1234/{name}"
            if isinstance(document, dict) and "$schema" not in document.get(own_address, ""):
                found[address] = {own_address: address, **document}
    return found


def bundled(schema: Any, draft: str, others: dict[str, Any]) -> Any:
    """A schema with its draft's name, and with the documents that it may refer to."""
    address, definitions, _ = DRAFTS[draft]
    if not isinstance(schema, dict):
        return schema
    whole = {"$schema": address, **schema}
    if "localhost:1234" in json.dumps(schema) or "Ref" in json.dumps(schema):
        whole[definitions] = {**others, **schema.get(definitions, {})}
    return whole


@pytest.mark.parametrize("draft", DRAFTS)
def test_no_invalid_instance_is_written_and_few_valid_ones_are_missing(draft: str) -> None:
    counts: Counter[str] = Counter()
    wrong: list[tuple[str, ...]] = []
    others = remotes(draft)
    for name, group in groups(draft):
        try:
            dfa = DFA(argument(bundled(group["schema"], draft, others), OPEN))
        except SchemaError as error:
            counts["refused"] += 1
            has_values = any(test["valid"] for test in group["tests"])
            words = REFUSED if has_values and (name, group["description"]) not in MISTAKEN else (*REFUSED, *NO_VALUE)
            if not any(word in error.message for word in words):
                wrong.append((name, group["description"], error.message))
            continue
        for test in group["tests"]:
            text = json.dumps(test["data"], ensure_ascii=False).encode("utf-8", "surrogatepass")
            state = dfa.read(text)
            accepted = state is not None and dfa.is_accepting(state)
            counts["judged"] += 1
            if accepted and not test["valid"] and name not in ANNOTATIONS.get(draft, ()):
                wrong.append((name, group["description"], test["description"], "accepted"))
            elif test["valid"] and not accepted:
                counts["missing"] += 1
                if name not in NOT_WRITTEN:
                    wrong.append((name, group["description"], test["description"], "missing"))
    assert wrong == []
    assert counts["judged"] > 800 and counts["refused"] < 25 and counts["missing"] < 70, counts
