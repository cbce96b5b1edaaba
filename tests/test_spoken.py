"""What people say to the tools of an app: the lists in spoken/."""

from __future__ import annotations

import jsonschema
import pytest

from tooldec.training.documents import SPOKEN, Turn, document
from tooldec.training.spoken import read_list, spoken_lists


def test_every_saying_is_a_valid_call_and_says_its_values() -> None:
    """Strings stand in the question as they are."""
    sayings = [(said.tool, words, given) for part in spoken_lists() for said in part for words, given in said.sayings]
    assert len(sayings) > 5000 and len({words.lower() for _, words, _ in sayings}) == len(sayings)
    for tool, words, given in sayings:
        jsonschema.validate(given, dict(tool.parameters))
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
    with pytest.raises(ValueError, match="no call with positional"):
        read_list("# x\npause_all(until: date)\nstop => pause_all(until=2)")


def test_documents_draw_from_them() -> None:
    """About as many as are wanted; one list gives all the requests of a document, and the other tools of its list."""
    known = {words.lower().rstrip(".?!") for part in spoken_lists() for said in part for words, _ in said.sayings}

    def is_said(turn: Turn) -> bool:
        return turn.ask.question.lower().rstrip(".?!") in known

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
