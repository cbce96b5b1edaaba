"""What a request of the page needs first: its tools, its model and their machine, each kept for the next.

What is wrong with a request raises a ToolDecError that says what was read, where, and what would work.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

from tooldec.choosing.revealing import Reveal, signatures_of
from tooldec.choosing.search import Search
from tooldec.errors import SchemaError, SignatureError, ToolDecError
from tooldec.grammar import Grammar
from tooldec.lint.finding import Inventory
from tooldec.methods import METHODS
from tooldec.models import Model, load_model, prompt_size
from tooldec.outline import Outline
from tooldec.page.request import Request
from tooldec.results import RESULTS
from tooldec.schemes import SCHEMES, Prompt, Scheme, Start, begun, quoting
from tooldec.schemes.host import text_of
from tooldec.signatures import read_tools
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.tools import Tool
from tooldec.views.export import Changes, changes
from tooldec.views.graph import Picture

Message = dict[str, Any]

SPELLED = ("react", "toolken")
"""Schemes whose calls are spelled in ordinary tokens by design: their marker is missed in no vocabulary."""

TOLD = 50
"""How many of the tools that are left out are told with every picture."""
SHOWN = 500
"""How many tools are listed with it."""
PROMPT_SHOWN = 4000
"""How many characters of the prompt are."""

log = logging.getLogger(__name__)


def error_message(error: ToolDecError) -> Message:
    """An error as the page shows it."""
    place = {"line": error.line, "column": error.column, "fix": error.fix}
    return {"kind": "error", "error": {"message": error.message, **place, "text": str(error)}}


def our_mistake() -> Message:
    """A mistake of ours: the page stays alive, the log has the details."""
    log.exception("a request failed")
    return error_message(ToolDecError("something went wrong here; the server's log has the details"))


@lru_cache(maxsize=4)
def _load(name: str) -> Model:
    return load_model(name)


class Locks:
    """A lock for each name, which is there as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._turn = threading.Lock()

    def of(self, name: str) -> threading.Lock:
        with self._turn:
            return self._locks.setdefault(name, threading.Lock())


_loading = Locks()


def loaded(name: str) -> Model:
    """The model of that name, loaded once; while a large one is loaded, others are there."""
    with _loading.of(name):
        return _load(name)


@lru_cache(maxsize=8)
def _read(text: str, format: str) -> tuple[tuple[Tool, ...], tuple[SignatureError, ...]]:
    return read_tools(text, format)


_reading = threading.Lock()


def read(request: Request) -> tuple[tuple[Tool, ...], tuple[SignatureError, ...]]:
    """The tools of a request's text, and why others can't be read; what draws and what checks share one reading."""
    with _reading:
        return _read(request.tools, request.tools_format)


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine of a text, its tools, and why others are left out of it."""

    fsm: TokenFSM
    tools: tuple[Tool, ...]
    left_out: tuple[ToolDecError, ...]


def _machine_of(request: Request) -> Machine:
    """The machine of a request; raises where there is no tool that it could hold."""
    quoted = (request.question, *map(text_of, request.values.values())) if request.quote else None
    return _machine(
        request.tools, request.tools_format, request.scheme, request.start, request.results, request.model,
        request.method, quoted,
    )  # fmt: skip


@lru_cache(maxsize=16)
def _machine(
    text: str, format: str, scheme_name: str, start: Start, results: bool, model_name: str, method: str,
    quoted: tuple[str, ...] | None,
) -> Machine:  # fmt: skip
    tools, errors = read(Request(tools=text, tools_format=format))
    if not tools:
        raise errors[0].with_traceback(None)  # it is kept, and would remember every request
    model = loaded(model_name)
    scheme = SCHEMES[scheme_name].for_model(model)
    if quoted is not None:
        scheme = quoting(scheme, tools, *quoted)
    grammar, kept, refused = _grammar(Inventory(text, tools, errors, format=format), scheme, start, results)
    if not METHODS[method].guided:
        grammar = METHODS[method].grammar(scheme, kept, start, results)
    left_out = sorted((*errors, *refused), key=lambda error: (error.line or 0, error.column or 0))
    return Machine(build_fsm(grammar, model.vocabulary), kept, tuple(left_out))


def _grammar(
    inventory: Inventory, scheme: Scheme, start: Start, results: bool
) -> tuple[Grammar, tuple[Tool, ...], tuple[ToolDecError, ...]]:
    """The grammar of the tools that a machine can hold, these tools, and why it refuses others; raises where all."""
    tools = inventory.tools
    try:
        return scheme.grammar(tools, start, results), tools, ()
    except ToolDecError:
        refused = _refused(inventory, scheme)
    kept = tuple(tool for tool in tools if tool.name not in refused)
    if not kept:
        raise next(iter(refused.values()))
    return scheme.grammar(kept, start, results), kept, tuple(refused.values())


def _refused(inventory: Inventory, scheme: Scheme) -> dict[str, ToolDecError]:
    """name → why no machine can hold the tool, at its place in the text: the schema's, or else the tool's."""
    refused: dict[str, ToolDecError] = {}
    for tool in inventory.tools:
        try:
            scheme.grammar([tool])
        except ToolDecError as error:
            part = inventory.part(tool, error.path) if isinstance(error, SchemaError) else None
            if part is not None:
                error.line, error.column, _ = inventory.place(part.hit(error.message, ""))
            elif error.line is None:
                error.line, error.column = tool.line, tool.column
            refused[tool.name] = error
    return refused


def _is_provided(error: ToolDecError) -> bool:
    return isinstance(error, SignatureError) and error.kind == "provided"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request's tools, model and machine.

    `left_out` says why tools of the text aren't in it; of those that their provider runs only Check speaks.
    """

    tools: tuple[Tool, ...]
    model: Model
    scheme: Scheme
    fsm: TokenFSM
    left_out: tuple[ToolDecError, ...]
    warnings: tuple[Message, ...]

    @classmethod
    def of(cls, request: Request) -> Prepared:
        model = loaded(request.model)
        scheme = SCHEMES[request.scheme].for_model(model)
        machine = _machine_of(request)
        warnings: list[Message] = []
        if not model.vocabulary.ids(scheme.marker) and request.scheme not in SPELLED:
            message = f"{model.name} has no token {scheme.marker}: its spelling starts a call, and may occur in a text"
            warnings.append({"line": None, "message": message})
        left_out = tuple(error for error in machine.left_out if not _is_provided(error))
        return cls(machine.tools, model, scheme, machine.fsm, left_out, tuple(warnings))

    def outline(self, request: Request) -> tuple[Outline, Changes | None]:
        """The machine's outline; where it grew out of older tools, states keep their names, and changes are told."""
        unfolded = [entered.encode("utf-8", "surrogatepass") for entered in request.unfolded]
        if request.base and request.base != request.tools:
            try:
                old = _machine_of(replace(request, tools=request.base, tools_format="auto"))
            except ToolDecError:  # nothing could be read of it
                return Outline(self.fsm, unfolded=unfolded), None
            if {tool.name for tool in old.tools} & {tool.name for tool in self.tools}:
                before = Outline(old.fsm, unfolded=unfolded)
                after = Outline(self.fsm, before.name_numbers, unfolded)
                return after, changes(before.view(), after.view())
        return Outline(self.fsm, unfolded=unfolded), None

    def prompt(self, request: Request) -> tuple[Prompt, tuple[Message, ...]]:
        """The prompt, and a warning where the list of tools doesn't fit and is left out."""
        bare = self.scheme.prompt(self.tools, request.question, documentation=False)
        if not request.documentation:
            return bare, ()
        listed = self.scheme.prompt(self.tools, request.question)
        room = self.model.context - min(request.max_tokens, self.model.context // 4)
        if prompt_size(self.model, listed, room)[0] <= room:
            return listed, ()
        message = (
            f"the list of {len(self.tools):,} tools doesn't fit the model's context of {self.model.context:,} tokens "
            "and is left out of the prompt; the machine still knows every tool"
        )
        return bare, ({"line": None, "message": message},)

    def prompt_facts(self, request: Request) -> tuple[Message, tuple[Message, ...]]:
        """The prompt as the model reads it, the first PROMPT_SHOWN characters, and its size; and the same warning."""
        prompt, notes = self.prompt(request)
        bare = self.scheme.prompt(self.tools, request.question, documentation=False)
        text = self.model.render(prompt)
        facts = {
            "tokens": self.model.prompt_tokens(prompt),
            "tokens_without_documentation": self.model.prompt_tokens(bare),
            "left_out": bool(notes),
            "text": text[:PROMPT_SHOWN],
            "characters": len(text),
        }
        return facts, notes

    def reveal(self, request: Request, prompt: Prompt) -> Reveal | None:
        """What shows signatures in calls: of a shortlist where tools are documented and weighed, or where asked for."""
        listed = prompt != self.scheme.prompt(self.tools, request.question, documentation=False)
        wanted = METHODS[request.method].weighed if request.documentation else False
        if not wanted and (listed or not request.reveal):
            return None
        return signatures_of(self.scheme, self.tools, request.question)

    def search(self, request: Request) -> Search | None:
        """How arguments are searched for, where that is asked for."""
        if not request.search or not METHODS[request.method].guided:
            return None
        return Search(alone=signatures_of(self.scheme, self.tools, request.question))

    def facts(self, request: Request, picture: Picture) -> Message:
        """What the page shows around the graph."""
        prompt, notes = self.prompt_facts(request)
        first = [
            {"name": t.name, "signature": t.signature(), "line": t.line, "computed": t.name in RESULTS}
            for t in self.tools[:SHOWN]
        ]
        vocabulary = self.model.vocabulary
        ends = ", ".join(vocabulary.text(token) for token in vocabulary.eos)
        return {
            "tools": first,
            "tool_count": len(self.tools),
            "left_out": [error_message(error)["error"] for error in self.left_out[:TOLD]],
            "left_out_count": len(self.left_out),
            "model": model_facts(self.model),
            "machine": {
                "states": picture.view.states,
                "transitions": picture.view.transitions,
                "folded": picture.collapsed,
                "vocabulary": vocabulary.size,
                "start": request.start,
                "end": ends,
            },
            "prompt": prompt,
            "warnings": [*self.warnings, *notes],
        }


def model_facts(model: Model) -> Message:
    """Name and place of a model, and the settings that suit it."""
    knows_marker = bool(model.vocabulary.ids(SCHEMES["special_token"].marker))
    scheme = "json_tags" if model.has_tool_template and not knows_marker else "special_token"
    start = "text" if knows_marker or model.has_tool_template else "call"
    return {
        "name": model.name,
        "device": model.device,
        "dtype": model.dtype,
        "vocabulary": model.vocabulary.size,
        "context": model.context,
        "suggested": {"scheme": scheme, "start": start},
        "begins": {"json_tags": begun(SCHEMES["json_tags"].for_model(model))},
    }
