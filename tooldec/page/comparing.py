"""One question, several ways: the runs of a comparison one after another, each with its verdict.

    {"kind": "lane", "lane": 0, "message": {"kind": "start"}}, …, {"kind": "verdict", "lane": 0, "word": "name", …}, …

A lane is what it sets of a request: {"method": "unguided", "temperature": 1.0, "seed": 3}. Its messages are those of
one run, so that a page can show it as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from tooldec.errors import ToolDecError, UsageError
from tooldec.methods import METHODS
from tooldec.page.live import told
from tooldec.page.prepared import Message, Prepared, error_message
from tooldec.page.request import Request
from tooldec.reading import Verdict, judge

MOST = 8
"""How many runs one comparison may have."""

OWN = ("method", "temperature", "top_p", "top_k", "seed", "start", "documentation", "reveal", "quote", "search")
"""What a lane may set."""

Wanted = Sequence[tuple[str, Mapping[str, Any]] | str]
"""The calls that answer a question: names with arguments, or names alone."""

NOT_RUN = "The call was not run."


def compare(data: Mapping[str, Any]) -> Iterator[Message]:
    """Run each lane; a lane that fails says so, and the next one is run."""
    lanes = lanes_of(data)
    wanted = wanted_of(data.get("wanted"))
    requests = [Request.read({**data, **lane}) for lane in lanes]
    requests[0].check_question()
    for index, request in enumerate(requests):
        taken: list[Message] = []
        try:
            for message in told(request):
                yield {"kind": "lane", "lane": index, "message": message}
                taken.append(message)
        except ToolDecError as error:
            yield {"kind": "lane", "lane": index, "message": error_message(error)}
            continue
        yield {"kind": "verdict", "lane": index, **told_verdict(request, taken, wanted, str(data.get("answer") or ""))}
    yield {"kind": "done"}


def lanes_of(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each lane sets; raises UsageError where that isn't a list of such."""
    lanes = data.get("lanes")
    if not isinstance(lanes, list) or not lanes or not all(isinstance(lane, dict) for lane in lanes):
        raise UsageError("there is nothing to compare", fix='send `lanes`, such as [{"method": "guided"}]')
    if len(lanes) > MOST:
        raise UsageError(f"{len(lanes)} runs are too many to compare", fix=f"choose at most {MOST}")
    return [{name: lane[name] for name in OWN if name in lane} for lane in lanes]


def wanted_of(calls: Any) -> Wanted | None:
    """The calls that answer the question, as [["multiply", {"a": 3.14, "b": 123}]]; names alone may do."""
    if calls is None:
        return None
    if not isinstance(calls, list) or not all(map(_is_call, calls)):
        raise UsageError("`wanted` is no list of calls", fix='use [["add", {"a": 1, "b": 2}]] or ["add"]')
    return tuple(call if isinstance(call, str) else (call[0], call[1]) for call in calls)


def _is_call(call: Any) -> bool:
    if isinstance(call, str):
        return True
    return isinstance(call, list) and len(call) == 2 and isinstance(call[0], str) and isinstance(call[1], dict)


def told_verdict(
    request: Request,
    messages: Sequence[Message],
    wanted: Wanted | None,
    answer: str,
) -> Message:
    """A finished run's verdict: one word, one sentence, and where the fault stands."""
    prepared = Prepared.of(request)
    text = str(messages[-1]["text"])
    steps = [message["step"] for message in messages if message["kind"] == "step"]
    verdict = Verdict("none") if request.start == "none" else judge(text, prepared.scheme, prepared.tools, wanted)
    if verdict.word == "wrong" and wanted and answer and answer in text:
        verdict = Verdict("valid", verdict.calls)  # other calls lead there, too
    word = verdict.word
    if word == "none" and answer:
        word = "right" if answer in text else "wrong_answer"
    return {
        "word": "correct" if word == "valid" and wanted is not None else word,
        "sentence": _sentence(verdict, text, request, [tool.name for tool in prepared.tools], wanted, answer),
        "fault": list(verdict.error.fault) if verdict.error else None,
        "masked": masked(steps),
    }


def masked(steps: Sequence[Mapping[str, Any]]) -> list[int]:
    """The steps at which the mask blocked the most probable token."""
    found = []
    for step in steps:
        first = max(step["candidates"], key=lambda one: one["before"], default=None)
        if first is not None and first["after"] == 0 and step["writer"] == "model":
            found.append(int(step["index"]))
    return found


def _sentence(
    verdict: Verdict,
    text: str,
    request: Request,
    names: Sequence[str],
    wanted: Wanted | None,
    answer: str,
) -> str:
    """What became of the answer, in words; names and values stand between backticks."""
    error = verdict.error
    if error is not None:
        message = error.message[:1].upper() + error.message[1:]
        if error.kind in ("format", "cut_off"):
            return f"{message}."
        if error.kind != "name" or error.name is None:
            return f"{message}. {NOT_RUN}"
        near = get_close_matches(text[slice(*error.name)], names, 1, 0.0)
        far = ", not near enough to replace it" if request.method == "fuzzy" else ""
        return f"{message}. Nearest name: `{near[0]}`{far}. {NOT_RUN}" if near else f"{message}. {NOT_RUN}"
    if verdict.word == "wrong":
        return f"Well-formed, but the question wanted {_calls(wanted or ())}."
    if verdict.word == "none":
        told = f"The answer is `{answer}`; there is no call to check." if answer else "There is no call to check."
        return f"{'No tool could be called' if request.start == 'none' else 'No tool was called'}. {told}"
    return "Every token was valid when it was chosen." if METHODS[request.method].guided else "The call can be read."


def _calls(wanted: Wanted) -> str:
    """`multiply(a=3.14, b=123)`, then the next."""
    spelled = (
        one if isinstance(one, str) else f"{one[0]}({', '.join(f'{name}={value!r}' for name, value in one[1].items())})"
        for one in wanted
    )
    return ", then ".join(f"`{call}`" for call in spelled) or "no call"
