"""What people say to the tools of an app: the lists in spoken/."""

from __future__ import annotations

import random
import re

import jsonschema
import pytest

from tooldec.errors import SignatureError
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.mixture import SPOKEN, Turn, document
from tooldec.training.documents.nouns import INTRODUCED, introduced
from tooldec.training.documents.spoken import read_list, spoken_ask, spoken_lists


def test_every_saying_is_a_valid_call_and_says_its_values() -> None:
    """Strings stand in the question as they are; a time of day is a string: a `time` has seconds and a zone."""
    sayings = [(said.tool, words, given) for part in spoken_lists() for said in part for words, given in said.sayings]
    assert len(sayings) > 5000 and len({words.lower() for _, words, _ in sayings}) == len(sayings)
    formats = jsonschema.FormatChecker()
    for tool, words, given in sayings:
        jsonschema.validate(given, dict(tool.parameters), format_checker=formats)
        for name, value in given.items():
            if "enum" in tool.parameters["properties"][name]:
                continue
            for item in value if isinstance(value, list) else [value]:
                assert not isinstance(item, str) or item in words, (words, item)


def test_tools_of_a_list_have_names_and_sayings_of_their_own() -> None:
    for part in spoken_lists():
        names = [said.tool.name for said in part]
        assert len(names) == len(set(names)) >= 4
        assert all(said.sayings for said in part), names


def test_a_list_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="calls none of pause_all"):
        read_list("# x\npause_all(until: date)\nstop => stop_all()")
    with pytest.raises(SignatureError, match="two tools are called `stop`"):
        read_list("# x\nstop()\nstop(now: bool)\nhalt => stop()")
    with pytest.raises(ValueError, match="no call with positional"):
        read_list("# x\npause_all(until: date)\nstop => pause_all(until=2)")


def test_other_signatures_are_told_apart() -> None:
    """No two tools of a list are called alike, however they are written; most tools have two other signatures."""
    for part in spoken_lists():
        names = [tool.name for said in part for tool in (said.tool, *said.others)]
        assert len(names) == len(set(names)), names
        for said in part:
            kinds = [parameter.schema for parameter in said.tool.arguments]
            assert all([parameter.schema for parameter in other.arguments] == kinds for other in said.others)
    more = [len(said.others) for part in spoken_lists() for said in part]
    assert sum(more) / len(more) > 1.5


def test_a_tool_is_written_as_others_would_have_declared_it() -> None:
    lines = ["# x", 'pause_all(until: date, reason: str = "")  # stop(day, why), halt_till(on, cause)']
    (said,) = read_list("\n".join([*lines, 'stop till 2026-03-01, frost => pause_all("2026-03-01", "frost")']))
    asked = {"pause_all": "until reason", "stop": "day why", "halt_till": "on cause"}
    assert [tool.name for tool in said.others] == ["stop", "halt_till"]
    found = set()
    for number in range(60):
        draw = Draw(random.Random(number), "train", spoken=(said,))
        (call,) = spoken_ask(draw).calls
        jsonschema.validate(dict(call.arguments), dict(call.tool.parameters))
        day, why = asked[draw.written["pause_all"][0].name].split()
        assert set(call.arguments) == {day, why}
        found.add(day)
    assert len(found) == 3


@pytest.mark.parametrize("other", ["stop(day)", "stop(day, day)", "stop(day, why, who)"])
def test_another_signature_has_as_many_parameters(other: str) -> None:
    with pytest.raises(ValueError, match="doesn't name the 2 parameters of pause_all"):
        read_list(f"# x\npause_all(until: date, reason: str)  # {other}\nx => pause_all('2026-03-01', 'x')")


def test_documents_draw_from_them() -> None:
    """About as many as are wanted; one list gives all the requests of a document, and the other tools of its list."""
    known = {words.lower().rstrip(".?!") for part in spoken_lists() for said in part for words, _ in said.sayings}

    def is_said(turn: Turn) -> bool:
        return (turn.ask.said or turn.ask.question).lower().rstrip(".?!") in known

    def requests(number: int, spoken: float = SPOKEN) -> list[Turn]:
        return [turn for turn in document(3, number, spoken=spoken).turns if turn.family == "assistant"]

    with_requests = [turns for turns in map(requests, range(150)) if turns]
    drawn = [turns for turns in with_requests if all(map(is_said, turns))]
    assert abs(len(drawn) / len(with_requests) - SPOKEN) < 0.1
    # Without a value, a wording of the catalogues may be the same by chance.
    others = [turn for turns in with_requests if turns not in drawn for turn in turns if turn.ask.calls[0].arguments]
    assert others and not any(map(is_said, others))
    alone = [turn for number in range(50) for turn in requests(number, spoken=0) if turn.ask.calls[0].arguments]
    assert alone and not any(map(is_said, alone))


def test_nouns_stand_beside_values_and_are_no_part_of_them() -> None:
    changed = 0
    for number in range(1500):
        draw = Draw(random.Random(number), "train")
        said = draw.pick(draw.pick(spoken_lists()))
        words, given = draw.pick(said.sayings)
        question = introduced(draw, words, said.tool, given)
        if question == words:
            continue
        changed += 1
        nouns = [(re.split(r"_|(?<=[a-z])(?=[A-Z])", name)[-1].lower(), value) for name, value in given.items()]
        beside = [
            noun
            for noun, value in nouns
            if isinstance(value, str)
            and re.search(rf"(?i)\b{noun} [\"'“‘]?{re.escape(value)}|{re.escape(value)} {noun}\b", question)
        ]
        assert any(noun not in words.lower() for noun in beside), question
        assert len(question.split()) - len(words.split()) in (1, 2)
        assert all(value in question for value in given.values() if isinstance(value, str) and value in words)
    assert 0.1 < changed / 1500 < INTRODUCED


def test_several_questions_ask_for_one_tool_which_is_written_alike() -> None:
    again = 0
    for number in range(60):
        turns = document(3, number, listed=True).turns
        questions = [turn.ask.question for turn in turns]
        assert len(set(questions)) == len(questions)
        tools = [tool for turn in turns for tool in turn.ask.tools]
        written = {tool.name: tool for tool in tools}
        assert all(tool == written[tool.name] for tool in tools)
        again += len(tools) > len(written)
    assert again > 20
