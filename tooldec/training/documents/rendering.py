"""How the schemes write an answer, in pieces: what the model learns, and what the host writes.

    " The area is ", "<T>", "square(5)=", [host: "25"], ". So the answer is 25.", "<eos>"

Where the host may write, the model learns what it is to write when there is no host: mostly the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tooldec.schemes import SCHEMES
from tooldec.schemes.name_prompt import wording
from tooldec.tools import Tool
from tooldec.training.documents.asks import Ask, Call

EOS = "<eos>"
MARKER = "<T>"
Scheme = Literal["special_token", "json_tags", "react", "name_prompt"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an answer; the loss counts it when the model is to learn it.

    instead   the token to learn in the place of a stretch that the host writes
    call      whether it writes a call, with its arguments or with these alone
    """

    text: str
    learned: bool = True
    instead: str = ""
    call: bool = False


def prefix(scheme: Scheme, tools: Sequence[Tool], listed: bool) -> str:
    """What stands before the question: the system message of the scheme's prompt."""
    messages = SCHEMES[scheme].prompt(tools, "", documentation=listed).messages
    return messages[0]["content"] if len(messages) > 1 else ""


def render(scheme: Scheme, ask: Ask, results: bool = True, lead: bool = True, half: bool = False) -> tuple[Piece, ...]:
    """The answer as a scheme writes it; without `lead` a call comes first, as where a call is forced.

    Without `results` it ends where a result is needed. `half`: the second half of what `name_prompt` writes.
    """
    pieces: list[Piece] = []
    for piece in RENDERINGS[scheme](ask, lead, half):
        if not piece.instead:
            pieces.append(piece)
        elif results:
            pieces.append(piece)
        elif piece.instead == EOS:
            break
    return tuple(pieces) if pieces[-1].text == EOS else (*pieces, Piece(EOS))


def _special_token(ask: Ask, lead: bool, half: bool) -> list[Piece]:
    pieces: list[Piece] = []
    for position, part in enumerate(ask.answer):
        if isinstance(part, Call):
            pieces += [Piece(MARKER), Piece(f"{part.written()}=", call=True), _result(ask, part, part.result, ".")]
        elif position == 0:
            pieces.append(Piece(f" {part}" if lead or not ask.calls else " "))
        else:
            pieces.append(Piece(part))
    return [*pieces, Piece(EOS)]


def _name_prompt(ask: Ask, lead: bool, half: bool) -> list[Piece]:
    """The host asks for the name; then it writes the call anew, and the model the arguments."""
    first = f" {ask.answer[0]}"
    if not ask.calls:
        return [Piece(first), Piece(EOS)]
    call = ask.calls[0]
    name, arguments = call.written().split("(", 1)
    if not half:
        host = Piece(wording(ask.tools), learned=False)
        return [Piece(first), Piece(MARKER), host, Piece(f"{name})"), Piece(EOS)]
    rest = [Piece(part) for part in ask.answer[2:3] if isinstance(part, str)] if len(ask.calls) == 1 else []
    begin = Piece(f"{first}<{name}(", learned=False)
    return [begin, Piece(f"{arguments}=", call=True), _result(ask, call, call.result, "."), *rest, Piece(EOS)]


def _json_tags(ask: Ask, lead: bool, half: bool) -> list[Piece]:
    if not ask.calls:
        return [Piece(f" {ask.answer[0]}"), Piece(EOS)]
    pieces: list[Piece] = []
    for call in ask.calls:
        pieces.append(Piece(f" <tool_call>\n{call.as_json()}\n</tool_call>", call=True))
        pieces.append(_result(ask, call, f"\n<tool_response>\n{call.result}\n</tool_response>\n", " "))
    told = ask.answer[-1] != "."
    return [*pieces, Piece(f" The answer is {ask.calls[-1].result}." if told else " Done."), Piece(EOS)]


def _react(ask: Ask, lead: bool, half: bool) -> list[Piece]:
    pieces: list[Piece] = []
    for call in ask.calls:
        thought = "I need another tool." if pieces else "I need a tool."
        named = json.loads(call.as_json())
        said = f"Thought: {thought}\nAction: {named['name']}\nAction Input: {_dumps(named['arguments'])}"
        pieces += [Piece(said, call=True), Piece(f"\nObservation: {call.result}\n", False, EOS)]
    last = str(ask.answer[0])
    if ask.calls:
        last = ask.calls[-1].result if ask.answer[-1] != "." else "Done."
    final = _dumps({"return_type": "give_answer", "final_answer": last})
    thought = "I know the answer." if ask.calls else "I need no tool."
    return [*pieces, Piece(f"Thought: {thought}\nAction: Finish\nAction Input: {final}"), Piece(EOS)]


def _result(ask: Ask, call: Call, text: str, more: str) -> Piece:
    """The place of a result: without a host the answer ends, or goes on where no result is needed."""
    return Piece(text, False, more if ask.independent and call is not ask.calls[-1] else EOS)


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


RENDERINGS: Mapping[Scheme, Callable[[Ask, bool, bool], list[Piece]]] = {
    "special_token": _special_token,
    "json_tags": _json_tags,
    "react": _react,
    "name_prompt": _name_prompt,
}
"""The scheme → how it writes an answer."""
