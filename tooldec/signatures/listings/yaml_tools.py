"""Lists of tools in YAML, as agents' settings hold them: the forms that `json_tools` knows, written with indents.

tools:                                        Tool("now", "The time.", …)
  - name: now
    description: The time.               →
    parameters: {type: object, properties: {}}
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tooldec.signatures.listings import json_tools
from tooldec.signatures.listings.keys import LISTS
from tooldec.signatures.listings.yaml_text import yaml_value
from tooldec.signatures.source import Item, Source

_BLANK = r"\A\ufeff?(?:[ \t]*(?:#[^\n]*|---[ \t]*)?\n)*"
_KEYS = "|".join(LISTS)
_NAMED = r"[ \t]+[\"']?[\w.-]+[\"']?:[ \t]*\n"
_LISTED = rf"[ \t]*(?:{_KEYS})[ \t]*:[ \t]*(?:\[|(?:#[^\n]*)?\n(?:\s*-[ \t]|{_NAMED}))"
_ENTRY = r"[ \t]*(?:-[ \t]+(?:&\w+[ \t]+)?\{?)?[\"']?(?:name|type|function|description)[\"']?[ \t]*:(?:[ \t]|\n)"
_YAML = re.compile(f"{_BLANK}(?:{_LISTED}|{_ENTRY})")
_MAPPING = re.compile(rf"{_BLANK}[\w\"'][\w\"'.-]*[ \t]*:(?:[ \t]|\n)")
_LATER = re.compile(rf"^{_LISTED}", re.MULTILINE)


def recognises(text: str) -> bool:
    """Whether the text begins with a list of tools, or with a tool, in YAML; or is a mapping that has such a list.

    >>> recognises("- name: now\\n"), recognises("tools: [{name: now}]"), recognises("now()")
    (True, True, False)
    >>> recognises("version: 1\\ntools:\\n- name: now"), recognises("version: 1\\ntool: now")
    (True, False)
    >>> recognises("tools:\\n  now:\\n    parameters: {}")
    True
    """
    start = text[:20_000]
    return _YAML.match(start) is not None or (_MAPPING.match(start) is not None and _LATER.search(text) is not None)


def items(source: Source) -> Iterator[Item]:
    """The tools of a document, with the places of their names.

    >>> [tool.name for tool in items(Source.of("- name: now\\n- name: add\\n"))]
    ['now', 'add']
    """
    value, _ = yaml_value(source)
    if not isinstance(value, list | dict):
        raise source.error("this isn't a list of tools", 0, "write `- name: …` for each tool")
    yield from json_tools.items_of(value, source)
