"""Tools of TypeScript programs, with types of Zod or plain ones: Vercel's AI SDK, MCP servers, LangChain.

    const weather = tool({                              Tool("weather", "Weather of a city",
      description: "Weather of a city",           →          {"properties": {"city": {"type": "string"}}, …})
      inputSchema: z.object({ city: z.string() }),
    });
    server.tool("add", { a: z.number() }, run);         Tool("add", "", …)

The program is read token by token for these places, and never executed; all else in it is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from tooldec.errors import SignatureError
from tooldec.signatures.listings import json_tools
from tooldec.signatures.located import Object
from tooldec.signatures.source import Item, Source
from tooldec.signatures.typescript import js_values
from tooldec.signatures.typescript.declarations import PYTHON
from tooldec.signatures.typescript.fragments import braced, is_entry
from tooldec.signatures.typescript.program import Program
from tooldec.signatures.typescript.tokens import Tokens
from tooldec.signatures.zod.functions import MADE
from tooldec.signatures.zod.methods import FORMS, SIMPLE
from tooldec.signatures.zod.places import KEYS, Found, Tools
from tooldec.signatures.zod.types import Zod

_FUNCTIONS = "|".join(("coerce", "iso", *SIMPLE, *FORMS, *MADE))
_USED = rf"\b(?:{{}})\s*\.\s*(?:{_FUNCTIONS})\s*[(.]"
_IMPORTED = re.compile(
    r"""\bimport\s+(?:\*\s*as\s+)?([\w$]+)\s*(?:,\s*\{[^}]*\}\s*)?from\s*["']zod["'/]"""
    r"""|\bz\s+as\s+([\w$]+)[^}]*\}\s*from\s*["']zod["'/]"""
    r"""|\bz\s*:\s*([\w$]+)[^}]*\}\s*=\s*require\(\s*["']zod["'/]|\b([\w$]+)\s*=\s*require\(\s*["']zod["'/]"""
)
"""`import * as zod from "zod"` and its kin; bundled files have several, `z2`."""
_FILES = re.compile(r"""\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*["']\.""")
"""`import * as types from "./types.js"`: another file of the project."""
_TOOL = re.compile(
    r"\.\s*(?:tool|registerTool)\(\s*(?:'[^'\n]+'|\"[^\"\n]+\"|`[^`\n]+`)\s*,"  # of an MCP server
    r"|\.\s*registerTool\(\s*[\w$.]+\s*,\s*[\w${]"
    r"|\btool\(\s*\{[^;]{0,2000}?\b(?:inputSchema|parameters)\s*[:,}]"
    r"|\bsetRequestHandler\(\s*ListTools"
)
_SCRIPT = re.compile(r"^[ \t]*(?:const|let|var)[ \t]+\w+[ \t]*=[ \t]*(?:await[ \t]+)?new\b", re.MULTILINE)
_LISTED = re.compile(r"\b(?:inputSchema|parameters|input_schema)[\"']?\s*:\s*\{")
"""A tool of plain JSON Schema in a program that does more than name a list of them."""
_DATA = (
    re.compile(
        r"^[ \t]*(?:export[ \t]+(?:default[ \t]+)?)?(?:const|let|var|class|(?:async[ \t]+)?function)[ \t*]+[\w$\[{]"
        r"|\A\s*+(?:(?:await|return)[ \t]+)?[\w$.]+\((?:[^(){}]*,)?\s*\{",  # a call alone, `fetch(url, { tools: […] })`
        re.MULTILINE,
    ),
    re.compile(r"\btype[\"']?\s*:\s*(?:[\"'`]object[\"'`]|\w*Type\.OBJECT\b)"),
    re.compile(r"\b(?:name[\"']?\s*:\s*[\"'`\w]|function\s*:\s*\w)"),
    re.compile(rf"\b(?:{'|'.join(KEYS)})[\"']?\s*[:,}}]"),
)
"""What stands in a program that defines tools as data."""
_STATEMENT = re.compile(
    r"^(?:(?:export|const|let|var|async|function|class|enum|interface|type|await|for|if|try|return|throw)\b"
    r"|[\w$.]+[ \t]*[(=])",
    re.MULTILINE,
)
_COMMENT = re.compile(r"^[ \t]*+(?://[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))", re.MULTILINE)
_LIST = re.compile(r"(?:export[ \t]+)?(?:default\b|(?:(?:const|let|var)[ \t]+)?[\w$.]+[^=\n]*=)\s*[\[{]")
_JSON = re.compile(r'\ufeff?\s*+(?:\[\s*+)?\{\s*+"')


def recognises(text: str) -> bool:
    """Whether a type of Zod stands in the text, or a tool whose type may be imported, and no function of Python.

    >>> recognises("const now = tool({ inputSchema: z.object({}) });"), recognises("now(z: int)")
    (True, False)
    >>> recognises('[{"name": "now", "description": "as z.date() has it"}]')
    False
    """
    start = text[:200_000]
    if _JSON.match(text):
        return False
    listed = (_SCRIPT.search(start) and _LISTED.search(start)) or _defines(start) or (is_entry(start) and "=>" in start)
    return bool(listed or _types(start) or _TOOL.search(start)) and PYTHON.search(text) is None


def _defines(text: str) -> bool:
    """Whether a program defines tools as data, and more than one list of them, which is read as it is.

    >>> tools = 'const tools = [{ name: "now", parameters: { type: "object" } }];'
    >>> _defines(tools), _defines(tools + "\\nrun(tools);")
    (False, True)
    """
    text = _COMMENT.sub("", text)
    if not all(one.search(text) for one in _DATA):
        return False
    statements = list(islice(_STATEMENT.finditer(text), 2))
    return len(statements) > 1 or not (statements and _LIST.match(text, statements[0].start()))


def _types(text: str) -> bool:
    """Whether a type of Zod stands in a text, whatever it calls Zod."""
    names = "|".join(map(re.escape, sorted(_imported(text))))
    return re.search(_USED.format(names), text) is not None


def items(source: Source) -> Iterator[Item]:
    """The tools of a program, and an error with its place for each one that can't be read.

    >>> [tool.signature() for tool in items(Source.of("server.tool('add', { a: z.number() }, run)"))]
    ['add(a: float)']
    """
    tokens = _renamed(Tokens.of(source, any_mark=True))
    try:
        program = Program(braced(tokens) if is_entry(source.text) else tokens)
        tokens = program.tokens
        tools, zod = Tools(program), Zod(tokens, program)
    except SignatureError as error:  # what is never closed
        yield error
        return
    count = 0
    for at in tools.places:
        program.followed = 0
        try:
            found = tools.at(at)
            if found is not None:
                count += 1
                yield _tool(found, tools, zod)
        except SignatureError as error:
            count += 1
            yield error
        except RecursionError:
            yield source.nested_too_deep(program.row[at].start)
    if not count:
        fix = 'write it as `tool({ name: "now", parameters: z.object({ … }) })`, or as `const now = tool({ … })`'
        yield source.error("there are types in this program, but no tool", 0, fix)


def _imported(text: str) -> set[str]:
    """What a program calls Zod: `z`, where it says nothing else."""
    return {name for found in _IMPORTED.finditer(text) for name in found.groups() if name} or {"z"}


def _renamed(tokens: Tokens) -> Tokens:
    """A program that calls Zod `z`, and what other files of the project have `City`, not `types.City`."""
    text, row = tokens.source.text, tokens.tokens
    names, files = _imported(text) - {"z"}, set(_FILES.findall(text))
    if names:
        row = [replace(token, text="z") if token.kind == "word" and token.text in names else token for token in row]
    if files:
        dots = [at for at in range(1, len(row)) if row[at].text == "." and row[at - 1].text in files]
        left_out = {place for at in dots for place in (at - 1, at)}
        row = [token for at, token in enumerate(row) if at not in left_out]
    return tokens.part(row)


def _tool(found: Found, tools: Tools, zod: Zod) -> Item:
    """The tool; raises SignatureError where its type can't be read."""
    name, offset = found.name
    given = Object()
    for key, said in (("name", name), ("description", tools.names.words(found.description)), ("parameters", {})):
        given.add(key, said, offset)
    if found.type is not None:
        kind, at = tools.kind(found.type), tools.settled(found.type)
        tokens = zod.tokens.seen_from(at)
        given["parameters"] = js_values.whole(tokens) if kind == "json" else zod.parameters(tokens)
    return next(json_tools.items_of(given, zod.tokens.source, offset))
