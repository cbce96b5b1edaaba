from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from tooldec import SCHEMES, Tool, Trace, build_fsm, decode, load_model, parse_tools
from tooldec.boxes import View
from tooldec.outline import LIMIT, Outline
from tooldec.token_fsm import TokenFSM
from tooldec.vocabulary import Vocabulary

ALL = Vocabulary([*(bytes([b]) for b in range(256)), "<T>", "<EOS>", "<tool_call>", "</tool_call>"], eos=[257])
BYTES = Vocabulary([*(bytes([b]) for b in range(256)), "<EOS>"], eos=[256])
TYPED = """def on(flag: bool)
def say(text: str, loud: bool = False)
def plan(day: date, hours: list[int], *more: float)
def find(what: Literal["a", "b"], near: dict)
def now()"""
SCHEME_AND_RESULTS = [(name, results) for name in SCHEMES for results in (False, True)]


def machine(text: str, scheme: str = "special_token", vocabulary: Vocabulary = ALL, **how: Any) -> TokenFSM:
    return build_fsm(SCHEMES[scheme].grammar(parse_tools(text), **how), vocabulary)


def states(fsm: TokenFSM, called: bytes) -> list[int]:
    """The states of a call, symbol by symbol, from the marker on."""
    state, found = fsm.initial, []
    for symbol in ("<T>", *called):
        after = fsm.dfa.step(state, symbol)
        assert after is not None
        state = after
        found.append(state)
    return found


def check(view: View) -> None:
    """Ids are unique, edges lead from box to box, and every box is reached from the first."""
    ids = [box.id for box in view.boxes]
    assert len(set(ids)) == len(ids) and len({edge.id for edge in view.edges}) == len(view.edges)
    assert all(edge.source in ids and edge.target in ids for edge in view.edges)
    reached, queue = {ids[0]}, [ids[0]]
    for box in queue:
        more = [edge.target for edge in view.edges if edge.source == box and edge.target not in reached]
        reached.update(more)
        queue += more
    assert reached == set(ids)
    named = [box.name for box in view.boxes if box.kind in ("text", "name", "other", "result", "end")]
    assert len(set(named)) == len(named)


@pytest.mark.parametrize(("scheme", "results"), SCHEME_AND_RESULTS)
@pytest.mark.parametrize("vocabulary", [ALL, BYTES], ids=["tokens", "bytes"])
@pytest.mark.parametrize("start", ["text", "call"])
def test_every_machine_has_an_outline(scheme: str, results: bool, vocabulary: Vocabulary, start: Any) -> None:
    fsm = machine(TYPED, scheme, vocabulary, results=results, start=start)
    outline = Outline(fsm)
    view = outline.view()
    check(view)
    assert view.states >= len(view.boxes) and view.transitions >= len(view.edges)
    assert outline.view() == view  # looking changes nothing
    parameters = {(box.label.tool, box.label.parameter) for box in view.boxes if box.kind == "argument"}
    assert {("on", "flag"), ("say", "text"), ("plan", "hours"), ("plan", "more"), ("find", "near")} <= parameters
    assert outline.name(fsm.initial) == "s0"
    assert any(box.kind == "result" for box in view.boxes) == (results or scheme == "name_prompt")


def test_the_trie_of_names_is_folded_where_names_do_not_part() -> None:
    view = Outline(machine("def interstellar()\ndef internet()\ndef other()\ndef interstellar_map()")).view()
    labels = {edge.label for edge in view.edges}
    assert {"inter", "stellar", "net", "other", "_map", "()", "<T>"} <= labels
    check(view)


def test_a_name_that_begins_another_is_a_state_of_its_own() -> None:
    outline = Outline(machine("def a()\ndef ab()\ndef abc()"))
    assert [(box.name, box.entered, box.label.tool) for box in outline.view().boxes[1:] if box.kind == "name"] == [
        ("s1", "", None), ("s2", "a", "a"), ("s3", "ab", "ab"), ("s4", "abc", "abc"),
    ]  # fmt: skip


def test_boxes_hold_the_states_inside_of_them() -> None:
    fsm = machine("def f(a: int, b: int)\ndef g(b: bool)")
    outline = Outline(fsm)
    boxes = {box.id: box for box in outline.view().boxes}

    def at(text: str) -> tuple[str, str | None, str]:
        state = fsm.dfa.read(["<T>", *text.encode()])
        assert state is not None
        box = outline.box(state)
        assert box is not None
        return boxes[box].entered, outline.inner(state), outline.name(state)

    assert at("f(")[0] == "f(" == at("f(-")[0] == at("f(123")[0] and at("f(5,")[0] == "f(,"
    assert [at(text)[2] for text in ("f(", "f(-", "f(12")] == ["s10", "s11", "s12"]
    assert [(at(text)[1] or "").split(".")[1] for text in ("f(", "f(-", "f(12")] == ["0", "1", "2"]
    assert at("g(")[2] == "s20"  # BoolFSM begins with the next ten
    assert outline.inner(fsm.initial) is None and outline.box(fsm.initial) == "b0"


def test_a_run_that_stops_inside_of_a_transition_gets_a_box() -> None:
    fsm = machine("def interstellar(x: int)\ndef other(x: int)")
    outline = Outline(fsm)
    before = outline.view()
    inside = fsm.dfa.read(["<T>", *b"inter"])
    assert inside is not None and outline.box(inside) is None
    assert outline.follow([inside]) is True and outline.follow([inside]) is False
    after = outline.view()
    check(after)
    assert len(after.boxes) == len(before.boxes) + 1
    box = next(box for box in after.boxes if box.id == outline.box(inside))
    assert box.entered == "inter" and box.name == outline.name(inside)
    assert {"inter", "stellar"} <= {edge.label for edge in after.edges}
    kept = {b.id: b.name for b in before.boxes}
    assert {b.id: b.name for b in after.boxes if b.id in kept} == kept


def test_thousands_of_tools_are_folded_and_a_run_opens_its_way() -> None:
    names = [
        f"{a}{b}_{n}"
        for a in ("get", "set", "list", "make")
        for b in ("user", "file", "item", "page", "road")
        for n in range(100)
    ]
    fsm = machine("\n".join(f"def {name}(x: int)" for name in names))
    outline = Outline(fsm)
    view = outline.view()
    check(view)
    assert LIMIT <= len(view.boxes) < 2 * LIMIT
    folded = sum(box.hidden for box in view.boxes)
    assert 0 < folded < 2000
    *_, state = way = states(fsm, b"makeroad_97")
    outline.follow(way)
    assert outline.box(state) is not None and re.fullmatch(r"s\d+", outline.name(state))
    check(outline.view())


def test_what_comes_behind_an_argument_hangs_there_however_many_tools_there_are() -> None:
    """Also where a run stops there, and where boxes that were drawn would be beyond the limit by now."""
    names = [f"tool_{n}_{letter}" for n in range(134) for letter in ("alpha", "beta", "gamma")]
    fsm = machine("\n".join(f"def {name}_thing(x: int, name: str)" for name in names), results=True)
    outline = Outline(fsm)
    called = states(fsm, b'tool_7_beta_thing(5,"hello")=')
    places = []
    for before, state in pairwise([fsm.initial, *called]):
        outline.follow([before, state])
        places.append(outline.box(state))
        check(outline.view())
    outline.follow([called[-1], fsm.after_host(called[-1])])
    ways = {(edge.source, edge.target) for edge in outline.view().edges}
    assert None not in places
    assert all(one == two or (one, two) in ways for one, two in pairwise([*places, outline.box(fsm.initial)]))


@pytest.mark.parametrize(
    ("scheme", "results"), [("special_token", False), ("special_token", True), ("json_tags", True)]
)
def test_every_step_of_a_run_lies_in_a_box(scheme: str, results: bool) -> None:
    """The states of a run are boxes or get one, and their names are those of the steps."""
    model = load_model("toy")
    text = "def add(a: int, b: int)\ndef square(side: int)"
    try:
        fsm = machine(text, scheme, model.vocabulary, results=results)
        way = SCHEMES[scheme]
        outline = Outline(fsm)
        steps = decode(
            model,
            fsm,
            way.prompt(parse_tools(text), "area of a square"),
            outline=outline,
            host=way.host(parse_tools(text)),
        )
        trace = Trace.collect(steps)
    except Exception as error:
        assert "toy" in str(error) or "no token" in str(error)
        return
    assert all(re.fullmatch(r"s\d+|end", step.state_name) for step in trace.steps)
    assert len({step.state for step in trace.steps}) <= len({step.state_name for step in trace.steps}) + 3


def test_two_runs_name_states_by_themselves() -> None:
    fsm = machine("def interstellar(x: int)\ndef other(x: int)")
    one, two = Outline(fsm), Outline(fsm)
    inside = fsm.dfa.read(["<T>", *b"inter"])
    deeper = fsm.dfa.read(["<T>", *b"interste"])
    assert inside is not None and deeper is not None
    one.follow([inside])
    assert two.box(inside) is None and len(two.view().boxes) < len(one.view().boxes)
    two.follow([deeper])
    assert one.name(inside) == two.name(deeper)  # each takes the first free number


def test_a_second_call_stands_in_the_boxes_of_the_first() -> None:
    """Whatever text came before it: of ReAct's cells in a state, now one is found first, now the other."""
    model = load_model("embedded")
    way = SCHEMES["react"].for_model(model)
    tools = parse_tools("def get_time(city: str)\ndef convert(amount: float)")
    outline = Outline(build_fsm(way.grammar(tools, results=True), model.vocabulary))
    dfa = outline.dfa
    asked = b'Thought: a.\nAction: get_time\nAction Input: {"city": "x"}'
    boxes, at = [], dfa.initial
    for text in (asked, asked):
        for place, byte in enumerate(text):
            following = dfa.step(at, byte)
            assert following is not None
            at = following
            if text[:place].endswith(b"Action:"):  # the blank is read
                outline.follow([at])
                boxes.append(outline.box(at))
        at = outline.fsm.after_host(at)
    assert len(boxes) == 2 and boxes[0] == boxes[1] is not None
    check(outline.view())


def test_a_folded_subtree_is_unfolded() -> None:
    """More of it is drawn, up to some sixty boxes more; ids and names of what stood there stay."""
    fsm = machine("\n".join(f"def {letter}{n:04}(x: int)" for letter in "abcd" for n in range(400)))
    folded = Outline(fsm).view()
    one = next(box for box in folded.boxes if box.hidden)
    assert one.kind == "name" and one.entered
    outline = Outline(fsm, unfolded=[one.entered.encode()])
    view = outline.view()
    check(view)
    boxes = {box.entered: box for box in view.boxes if box.kind == "name"}
    assert boxes[one.entered].hidden == 0 and boxes[one.entered].name == one.name
    below = [box for entered, box in boxes.items() if entered.startswith(one.entered) and entered != one.entered]
    assert len(below) >= one.hidden and len(folded.boxes) < len(view.boxes) < len(folded.boxes) + 80
    outline.follow(states(fsm, b"d039"))
    assert {box.entered for box in below} <= {box.entered for box in outline.view().boxes}, "a run keeps it so"


def test_only_an_argument_of_one_type_has_a_submachine() -> None:
    view = Outline(machine("def f(a: int, b: int | None, c: list[int], d: str)")).view()
    found = {box.label.parameter: box.table and box.table.name for box in view.boxes if box.kind == "argument"}
    assert found == {"a": "IntFSM", "b": None, "c": None, "d": "StringFSM"}


def test_long_lists_are_drawn_as_quickly_as_short_ones() -> None:
    """Bounds on the number of items are no copies of what is drawn."""
    import time

    start = time.perf_counter()
    text = '[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}, "minItems": 100, "maxItems": 100000000}}}}]'
    check(Outline(machine(text)).view())
    assert time.perf_counter() - start < 2


def test_the_number_of_states_and_transitions_of_figure_2() -> None:
    view = Outline(machine("def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)")).view()
    boxes = [box for box in view.boxes if box.table is None]
    inner = [(len(box.table), 8) for box in view.boxes if box.table is not None]
    assert view.states == len(boxes) + sum(size for size, _ in inner) == 7 + 5 * 4
    assert view.transitions == len(view.edges) + 5 * 6  # sign, digits, zero; digits, zero; digits


def test_a_run_that_stops_in_a_loop_grows_no_copies_of_its_rounds() -> None:
    """ReAct's five rounds are drawn as one, also where a run has stopped inside of `Thought:` or a keyword."""
    fsm = machine("def sqrt(x: float)\ndef find(city: str)", "react", BYTES, results=True)
    outline = Outline(fsm)
    before = len(outline.view().boxes)
    state, stops = fsm.initial, 0
    for byte in b"Thought: so\nAction: sqrt\nAction Input: {":
        after = fsm.dfa.step(state, byte)
        assert after is not None
        state = after
        stops += outline.follow([state])
    view = outline.view()
    assert len(view.boxes) <= before + stops and all(box.hidden == 0 for box in view.boxes)
    check(view)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("naïve_café", "other"), {"naïve_café", "other"}),
        (("nä", "nö"), {"n⟨C3⟩", "⟨A4⟩", "⟨B6⟩"}),
        (("a b", "天気"), {"a␣b", "天気"}),
    ],
)
def test_letters_beyond_ascii_are_written_as_they_are(names: tuple[str, ...], labels: set[str]) -> None:
    tools = [Tool(name) for name in names]
    fsm = build_fsm(SCHEMES["special_token"].grammar(tools, start="call"), ALL)
    assert {edge.label for edge in Outline(fsm).view().edges} == {"<T>", "()", *labels}


def test_arguments_that_are_not_declared_share_a_box() -> None:
    """Where any may come, and where their names must differ: one box for all of them, with ways to the declared ones."""
    for more in ({}, {"minProperties": 3}):
        schema = {
            "properties": {"a": {"type": "integer"}},
            "required": ["a"],
            "additionalProperties": {"type": "string"},
        }
        tools = parse_tools([{"name": "f", "parameters": {"type": "object", **schema, **more}}])
        view = Outline(build_fsm(SCHEMES["json_tags"].grammar(tools), ALL)).view()
        boxes = {box.id: box for box in view.boxes}
        (others,) = (box for box in view.boxes if box.label.parameter == "…")
        (declared,) = (box for box in view.boxes if box.label.parameter == "a")
        assert others.kind == "argument" and len(boxes) < 12
        ways = {
            (boxes[edge.source].label.parameter, boxes[edge.target].label.parameter, edge.label) for edge in view.edges
        }
        assert {("…", "a", '"a":␣'), ("a", "…", ",␣")} <= ways
        assert {edge.source for edge in view.edges if boxes[edge.target].kind == "text"} >= {others.id}
        assert (declared.id in {edge.source for edge in view.edges if boxes[edge.target].kind == "text"}) or more
