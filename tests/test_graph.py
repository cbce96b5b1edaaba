from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from tooldec import SCHEMES, Tool, build_fsm, parse_tools, playground
from tooldec.arguments.literals import BOOLEAN, STRING, integer
from tooldec.automaton import table_of
from tooldec.outline import Outline
from tooldec.page.live import MODES, PARTS
from tooldec.schemes import FAMILIES, Scheme
from tooldec.views.graph import Picture, draw, drawable, to_dot, to_networkx
from tooldec.views.svg import along
from tooldec.views.titles import titles
from tooldec.vocabulary import Vocabulary

FOUR = "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)"
ALL = Vocabulary([*(bytes([b]) for b in range(256)), "<T>", "<EOS>"], eos=[257])
SVG = "{http://www.w3.org/2000/svg}"


def outline_of(tools: Any, **how: Any) -> Outline:
    tools = parse_tools(tools) if isinstance(tools, str) else tools
    return Outline(build_fsm(SCHEMES["special_token"].grammar(tools, **how), ALL))


@pytest.fixture(scope="module")
def figure() -> tuple[Outline, Picture]:
    outline = outline_of(FOUR)
    return outline, draw(outline)


def by_id(picture: Picture) -> dict[str, ET.Element]:
    root = ET.fromstring(picture.svg)
    found = [element for element in root.iter() if element.get("id")]
    return {str(element.get("id")): element for element in found}


def words(element: ET.Element) -> str:
    return " ".join("".join(text.itertext()) for text in element.iter(f"{SVG}text"))


def test_every_box_and_transition_is_an_element_with_its_id(figure: tuple[Outline, Picture]) -> None:
    _, picture = figure
    elements = by_id(picture)
    for box in picture.boxes:
        classes = str(elements[box.id].get("class")).split()
        assert "node" in classes and f"mode-{box.kind}" in classes and elements[box.id].get("data-state") == ""
        assert ("accepting" in classes) == box.accepting
    for edge in picture.view.edges:
        element = elements[edge.id]
        assert str(element.get("class")).startswith("edge ") and words(element).strip() == edge.label
    assert words(elements["loop"]).strip() == "Σ−{<T>}"
    extra = elements.keys() - {box.id for box in picture.boxes} - {edge.id for edge in picture.view.edges}
    assert extra == {"loop", "b0-copy"} and elements["b0-copy"].get("data-copy") == "b0"


def test_the_picture_of_figure_2(figure: tuple[Outline, Picture]) -> None:
    _, picture = figure
    elements = by_id(picture)
    shown = {words(elements[box.id]) for box in picture.boxes}
    assert {"s0", "s1", "s4", "s5 square", "s6 sqrt", "IntFSM side: int", "IntFSM a: int", "IntFSM b: int"} <= shown
    assert picture.collapsed == 0
    data = picture.to_json()
    assert data["svg"] is picture.svg and {box["title"] for box in data["boxes"]} >= {
        "Text mode",
        "A tool's name begins",
        "Inside a tool name",
        "A tool's name is complete",
        "Argument side of square",
    }
    assert [edge["label"] for edge in data["edges"] if edge["from"] == "b1"] == ["add", "exp", "sq"]


def test_an_opened_box_shows_its_submachine(figure: tuple[Outline, Picture]) -> None:
    outline, _ = figure
    box = next(box for box in outline.view().boxes if box.label.parameter == "side")
    elements = by_id(draw(outline, [box.id]))
    assert {f"{box.id}.{n}" for n in range(4)} <= elements.keys()
    assert [words(elements[f"{box.id}.{n}"]) for n in range(4)] == ["s10", "s11", "s12", "s13"]
    assert str(elements[box.id].get("class")).startswith("cluster") and words(elements[box.id]) == "IntFSM side: int"
    inner = {tuple(key.split(".")[1:]) for key in elements if key.startswith(f"{box.id}.") and key.count(".") == 2}
    assert inner == {("0", "1"), ("0", "2"), ("0", "3"), ("1", "2"), ("1", "3"), ("2", "2")}


def test_boxes_carry_their_types() -> None:
    """Those of one type are named after its submachine, others after the type; `+` stands where one can be opened."""
    tools = 'def f(a: int, b: list[str], unit: Literal["celsius", "fahrenheit", "kelvin"], d: int | None)'
    picture = draw(outline_of(tools))
    boxes = {box.label.parameter: words(by_id(picture)[box.id]) for box in picture.boxes if box.kind == "argument"}
    assert boxes == {
        "a": "IntFSM a: int",
        "b": "list[str] b: list[str]",
        "unit": "EnumFSM unit: celsius|fahre…",
        "d": "int or null d: int or null",
    }
    told = {box["parameter"]: box.get("opens") for box in picture.to_json()["boxes"] if "parameter" in box}
    assert told == {"a": True, "b": None, "unit": False, "d": None}
    signs = {box.label.parameter for box in picture.boxes if by_id(picture)[box.id].find(f"{SVG}path") is not None}
    assert signs == {"a"}


def test_new_states_are_marked(figure: tuple[Outline, Picture]) -> None:
    outline, _ = figure
    bigger = Outline(
        build_fsm(SCHEMES["special_token"].grammar(parse_tools(FOUR + "\ndef exp10(x: int)\ndef expand(x: int)")), ALL),
        base=outline.name_numbers,
    )
    old = outline.name_numbers.values()
    new = [box.id for box in bigger.view().boxes if box.kind == "name" and int(box.name[1:]) not in old]
    elements = by_id(draw(bigger, new=new))
    marked = [words(e) for e in elements.values() if "new" in str(e.get("class")).split()]
    assert sorted(marked) == ["s7 exp10 new", "s8 expand new"]


def test_what_is_folded_says_how_much() -> None:
    outline = outline_of("\n".join(f"def tool{n:04}(x: int)" for n in range(1500)))
    picture = draw(outline)
    assert picture.collapsed > 0 and picture.collapsed == sum(box.hidden for box in picture.boxes)
    folded = [words(e) for e in by_id(picture).values() if "folded" in str(e.get("class")).split()]
    assert folded and all(re.search(r"\+\d+", text) for text in folded)


def test_the_graph_is_a_value_of_networkx(figure: tuple[Outline, Picture]) -> None:
    outline, picture = figure
    graph = to_networkx(outline.view())
    assert isinstance(graph, nx.MultiDiGraph) and nx.is_weakly_connected(graph)
    assert graph.number_of_nodes() == len(picture.boxes) + 1 and graph.number_of_edges() == len(picture.view.edges) + 1
    assert graph.nodes["b0"]["accepting"] and not graph.nodes["b1"]["accepting"]


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_both_directions(figure: tuple[Outline, Picture], direction: str) -> None:
    outline, _ = figure
    assert f"rankdir={direction}" in to_dot(to_networkx(outline.view()), direction)
    width, height = map(float, re.findall(r'(?:width|height)="([\d.]+)"', draw(outline, direction=direction).svg)[:2])
    assert (width > height) == (direction == "LR")


@pytest.mark.parametrize(("term", "small"), [(integer(True), True), (BOOLEAN, True), (STRING, False)])
def test_small_submachines_of_ascii_are_drawable(term: Any, small: bool) -> None:
    assert drawable(table_of(term)) is small


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_the_label_of_a_loop_covers_neither_its_line_nor_its_state(
    figure: tuple[Outline, Picture], direction: str
) -> None:
    outline, _ = figure
    opened = [box.id for box in outline.view().boxes if box.label.parameter == "side"]
    elements = by_id(draw(outline, opened, direction=direction))
    states = {name.rpartition(".")[0]: name for name in elements if name.count(".") == 2}
    loops = {"loop": "b0"} | {name: both for both, name in states.items() if name.endswith(both.rpartition(".")[2])}
    assert len(loops) == 2  # text mode's and that of more digits
    for loop, state in loops.items():
        plate = elements[loop].find(f"{SVG}rect")
        line = elements[loop].find(f"{SVG}path")
        circle = elements[state].find(f"{SVG}circle")
        assert plate is not None and line is not None and circle is not None
        left, top, width, height = (float(plate.attrib[name]) for name in ("x", "y", "width", "height"))
        x, y, radius = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        points = [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+),(-?[\d.]+)", line.attrib["d"])]
        inside = [(a, b) for a, b in points if left < a < left + width and top < b < top + height]
        near = max(left, min(x, left + width)), max(top, min(y, top + height))
        assert not inside and math.dist(near, (x, y)) >= radius


def test_subtitles_are_in_nobodys_way() -> None:
    """A long name is spelled by the transitions alone; downwards a parameter stands in its box, a name beside it."""
    tools = "def get_current_weather(location_name: str)\ndef get_it(unit: str)"
    for direction in ("LR", "TB"):
        picture = draw(outline_of(tools), direction=direction)
        below = {}
        for group in ET.fromstring(picture.svg).iter(f"{SVG}g"):
            line = next((text for text in group.iter(f"{SVG}text") if "subtitle" in str(text.get("class"))), None)
            if line is not None:
                below[line.text] = group, line
        assert set(below) == {"get_it", "location_name: str", "unit: str"}
        assert {box.label.tool for box in picture.boxes} >= {"get_current_weather", "get_it"}
        group, line = below["location_name: str"]
        box = group.find("{*}rect")
        assert box is not None
        top, height = float(box.get("y", "0")), float(box.get("height", "0"))
        assert (top < float(line.get("y", "0")) < top + height) == (direction == "TB")
        group, line = below["get_it"]
        circle = group.find("{*}circle")
        assert circle is not None
        assert (float(line.get("x", "0")) > float(circle.get("cx", "0")) + 17) == (direction == "TB")
        assert ("right" in line.get("class", "")) == (direction == "TB")


def test_on_a_phone_names_and_titles_keep_clear() -> None:
    """Of states, labels and each other, of transitions where there is room; so do the titles of bands."""
    tools = "get_weather(a: int)\nget_time(a: int)\nset_alarm(a: int)\nsend_note(a: int)\nconvert(a: int, b: int)\nadd(a: int)"
    root = ET.fromstring(draw(outline_of(tools), direction="TB", modes=MODES).svg)

    def number(element: ET.Element, name: str) -> float:
        return float(element.get(name, "0"))

    names = []
    for text in root.iter(f"{SVG}text"):
        if "subtitle" in text.get("class", "") and text.text and ":" not in text.text:
            x, y, wide = number(text, "x"), number(text, "y"), 6.6 * len(text.text)
            names.append((x - wide if "left" in text.get("class", "") else x, y - 8, wide, 8.0))
    assert len(names) == 6
    circles = [(number(c, "cx") - 17, number(c, "cy") - 17, 34.0, 34.0) for c in root.iter(f"{SVG}circle")]
    plates = [
        tuple(number(rect, side) for side in ("x", "y", "width", "height"))
        for edge in root.iter(f"{SVG}g")
        if "edge" in edge.get("class", "")
        for rect in edge.iter(f"{SVG}rect")
    ]

    def apart(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
        return any(one[at] + one[at + 2] <= two[at] or two[at] + two[at + 2] <= one[at] for at in (0, 1))

    for index, name in enumerate(names):
        assert all(apart(name, other) for other in [*circles, *plates, *names[:index]])
    for band in (group for group in root.iter(f"{SVG}g") if "band" in group.get("class", "")):
        title = band.find("{*}text")
        assert title is not None and title.text
        left, base = number(title, "x"), number(title, "y")
        for line in (path for path in root.iter(f"{SVG}path") if path.get("class") == "line"):
            numbers = [float(one) for one in re.findall(r"-?[0-9.]+", line.get("d", ""))]
            points = along(list(zip(numbers[::2], numbers[1::2], strict=True)))
            assert not any(left < x < left + 6 * len(title.text) and base - 8 < y < base for x, y in points)


EXAMPLES = sorted(path for path in (playground.EXAMPLES).glob("*.json") if not path.name.endswith(".run.json"))


def drawn_parts(svg: str) -> Iterator[tuple[str, str, tuple[float, float, float, float], bool]]:
    """Labels, states and names: what it is, whose, left, top, right, bottom, and whether it is a circle."""
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        name, kinds = str(group.get("id")), str(group.get("class")).split()
        for part in group:
            x, y, wide, high = (float(part.get(side, "0")) for side in ("x", "y", "width", "height"))
            own = str(part.get("class")).split()
            if part.tag == f"{SVG}rect" and ("edge" in kinds or "node" in kinds):
                yield "label" if "edge" in kinds else "state", name, (x, y, x + wide, y + high), False
            elif part.tag == f"{SVG}circle" and "ring" not in own:
                x, y, radius = (float(part.attrib[side]) for side in ("cx", "cy", "r"))
                yield "state", name, (x - radius, y - radius, x + radius, y + radius), True
            elif "subtitle" in own:
                wide = 6.1 * len("".join(part.itertext()))
                left = x if "right" in own else x - wide if "left" in own else x - wide / 2
                yield "name", name, (left, y - 8, left + wide, y + 2), False


def covers(one: tuple[float, ...], other: tuple[float, ...], circle: bool) -> bool:
    """Whether two parts overlap by more than a point; the other one may be a circle."""
    if min(one[2], other[2]) - max(one[0], other[0]) <= 1 or min(one[3], other[3]) - max(one[1], other[1]) <= 1:
        return False
    x, y, radius = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2, (other[2] - other[0]) / 2
    near = min(max(x, one[0]), one[2]), min(max(y, one[1]), one[3])
    return not circle or math.dist(near, (x, y)) < radius - 1


@pytest.mark.parametrize("direction", ["LR", "TB"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_label_lies_over_a_state_a_name_or_another_label(path: Path, direction: str) -> None:
    example = json.loads(path.read_text("utf-8"))
    fields = {
        name: example[name] for name in ("tools", "base", "scheme", "start", "model", "results") if name in example
    }
    asked = {"ask": "draw", **fields, "direction": direction}
    closed = playground.ask(asked)["picture"]
    opening = [[box["tool"], box["parameter"], True] for box in closed["boxes"] if box.get("opens")][:2]
    for picture in (closed, *(playground.ask({**asked, "opened": [one]})["picture"] for one in opening)):
        parts = list(drawn_parts(picture["svg"]))
        assert len(parts) > 10
        for one, other in permutations(parts, 2):
            own = one[1] == other[1] and {one[0], other[0]} == {"state", "name"}
            if one[0] != "state" and not own:
                assert not covers(one[2], other[2], other[3]), (one, other)


@pytest.mark.parametrize("direction", ["LR", "TB"])
@pytest.mark.parametrize("path", EXAMPLES[:3] + EXAMPLES[9:11], ids=lambda path: path.stem)
def test_the_picture_is_as_large_as_what_is_drawn(path: Path, direction: str) -> None:
    """So that a page that fits it into a frame leaves no room empty."""
    example = json.loads(path.read_text("utf-8"))
    fields = {name: example[name] for name in ("tools", "scheme", "start", "model", "results") if name in example}
    svg = playground.ask({"ask": "draw", **fields, "direction": direction})["picture"]["svg"]
    root = ET.fromstring(svg)
    left, top, width, height = map(float, str(root.get("viewBox")).split())
    boxes = [part[2] for part in drawn_parts(svg)]
    for rect in root.iter(f"{SVG}rect"):
        x, y, wide, high = (float(rect.attrib[side]) for side in ("x", "y", "width", "height"))
        boxes.append((x, y, x + wide, y + high))
    for line in (path for path in root.iter(f"{SVG}path") if path.get("class") == "line"):
        numbers = [float(one) for one in re.findall(r"-?[0-9.]+", line.get("d", ""))]
        boxes += [(x, y, x, y) for x, y in along(list(zip(numbers[::2], numbers[1::2], strict=True)))]
    begin, start, end, stop = zip(*boxes, strict=True)
    drawn = min(begin), min(start), max(end), max(stop)
    room = drawn[0] - left, drawn[1] - top, left + width - drawn[2], top + height - drawn[3]
    assert all(5 <= one <= 10 for one in room), room


HOSTILE = [
    "<img src=x onerror=alert(1)>", "</text><script>alert(1)</script>", "${alert(1)}", "`${1}`", '"><g id="b0">', "&amp;&lt;",
    "a\\nb\\", 'label="x"', "x:y:z", "{a|b}", "-->", "]]>", "\u202eevil", "a\tb\nc", "名前é🙂", "'", "%s%(x)s",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "integer"}, "b": {"enum": [name, 1]}}, "required": [name]}
    outline = outline_of([Tool(name, name, schema), Tool("other" + name)])
    opened = [box.id for box in outline.view().boxes if box.kind == "argument"]
    for chosen in ([], opened[:1]):
        picture = draw(outline, chosen, opened)
        root = ET.fromstring(picture.svg)  # well-formed
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            "svg",
            "style",
            "g",
            "circle",
            "rect",
            "path",
            "text",
            "tspan",
        }
        assert all(not key.startswith("on") for element in root.iter() for key in element.keys())
        ids = [
            element.get("id")
            for element in root.iter()
            if element.get("id") and element.get("class") and str(element.get("class")).startswith("node")
        ]
        assert len(ids) == len(set(ids))
        assert "<img" not in picture.svg and "<script" not in picture.svg


def test_the_same_outline_is_the_same_picture(figure: tuple[Outline, Picture]) -> None:
    outline, picture = figure
    assert draw(outline).svg == picture.svg == draw(outline_of(FOUR)).svg


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_reacts_parts_lie_in_bands_of_their_own(direction: str) -> None:
    """Every state of a mode stands on its band, opened submachines included; the ids of frames stay those of boxes."""
    fsm = build_fsm(SCHEMES["react"].grammar(parse_tools("def add(a: int, b: int)"), results=True), ALL)
    outline = Outline(fsm)
    opened = [box.id for box in outline.view().boxes if box.kind == "argument" and box.label.parameter == "a"]
    picture = draw(outline, opened, direction=direction, modes=PARTS["react"])
    root = ET.fromstring(picture.svg)
    bands: dict[str, list[float]] = {}
    for group in root.iter(f"{SVG}g"):
        classes = group.get("class", "").split()
        if "band" in classes:
            frame = group.find("{*}rect")
            assert frame is not None
            bands[str(group.findtext("{*}text"))] = [float(frame.get(n, "0")) for n in ("x", "y", "width", "height")]
    assert list(bands) == ["Thought", "Action", "Action Input", "Observation"]
    inside = 0
    for group in root.iter(f"{SVG}g"):
        classes = group.get("class", "").split()
        kind = next((name.removeprefix("mode-") for name in classes if name.startswith("mode-")), "")
        circle = group.find("{*}circle")
        if "node" not in classes or circle is None or kind not in PARTS["react"] or group.get("data-copy"):
            continue
        x, y, width, height = bands[PARTS["react"][kind]]
        assert x < float(circle.get("cx", "0")) < x + width and y < float(circle.get("cy", "0")) < y + height
        inside += 1
    assert (
        inside >= 8 and [g.get("id") for g in root.iter(f"{SVG}g") if "cluster" in g.get("class", "").split()] == opened
    )
    assert "band" not in draw(outline).svg.split("</style>")[1]


@pytest.mark.parametrize("direction", ["LR", "TB"])
@pytest.mark.parametrize("results", [False, True])
@pytest.mark.parametrize(("way", "scheme"), [*SCHEMES.items(), *FAMILIES.items()])
def test_the_modes_of_every_scheme_are_bands_that_do_not_overlap(
    way: str, scheme: Scheme, results: bool, direction: str
) -> None:
    fsm = build_fsm(scheme.grammar(parse_tools("def add(a: int, b: int)\ndef f()"), results=results), ALL)
    picture = draw(Outline(fsm), direction=direction, modes=PARTS.get(way, MODES))
    rectangles = {}
    for group in ET.fromstring(picture.svg).iter(f"{SVG}g"):
        frame = group.find("{*}rect")
        if "band" in group.get("class", "").split() and frame is not None:
            x, y, width, height = (float(frame.get(n, "0")) for n in ("x", "y", "width", "height"))
            rectangles[group.findtext("{*}text")] = (x, y, x + width, y + height)
    names, kinds = PARTS.get(way, MODES), {box.kind for box in picture.boxes}
    assert (
        {names[kind] for kind in ("name", "argument")}
        <= set(rectangles)
        <= {names.get(kind) for kind in (*kinds, "between")}
    )
    for one, two in combinations(rectangles.values(), 2):
        assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


def test_bands_keep_the_order_of_the_tools() -> None:
    outline = outline_of(FOUR)
    svg = ET.fromstring(draw(outline, modes=MODES).svg)
    heights = {
        group.get("id"): float(circle.get("cy", "0"))
        for group in svg.iter(f"{SVG}g")
        if (circle := group.find("{*}circle")) is not None
    }
    names = [box.id for box in outline.view().boxes if box.entered in ("add", "exp", "sq")]
    assert [heights[name] for name in names] == sorted(heights[name] for name in names)


def test_titles_tell_how_far_a_name_is() -> None:
    tools = parse_tools("exp(x: int), exp10(x: int), stop()")
    told = {}
    for scheme in ("special_token", "json_tags", "name_prompt"):
        fsm = build_fsm(
            SCHEMES[scheme].grammar(tools), Vocabulary([*(bytes([b]) for b in range(256)), "<T>", "<tool_call>"])
        )
        view = Outline(fsm).view()
        told[scheme] = {box.entered: titles(view)[box.id] for box in view.boxes if box.kind == "name"}
    assert told["special_token"] == {
        "": "A tool's name begins",
        "exp": "A tool's name is complete",
        "exp10": "A tool's name is complete",
        "stop": "A tool's name is complete",
    }
    assert told["json_tags"][""] == "A call begins"
    assert told["json_tags"]['\n{"name": "'] == "A tool's name begins"
    assert told["name_prompt"]["stop)"] == "The call ends"


def test_titles_tell_what_the_states_around_arguments_are() -> None:
    """Of a run that stops in each of them, the last ones behind an argument that may be followed by another."""
    vocabulary = Vocabulary([*(bytes([b]) for b in range(256)), "<T>", "<tool_call>", "</tool_call>"])
    told = {}
    for scheme, text in (
        ("json_tags", '\n{"name": "f", "arguments": {"a": 1, "b": "x"}}\n'),
        ("special_token", 'f(1,"x")'),
    ):
        outline = Outline(build_fsm(SCHEMES[scheme].grammar(parse_tools("f(a: int, b: str = 'y')")), vocabulary))
        start = outline.dfa.read([SCHEMES[scheme].marker])
        assert start is not None
        ends = [outline.dfa.read(text[: length + 1].encode(), start) for length in range(len(text))]
        states = [state for state in ends if state is not None]
        for state in states:
            outline.follow([state])
        titled = titles(outline.view())
        found = [titled[outline.box(state) or ""] for state in states]
        told[scheme] = [(text[at], title) for at, title in enumerate(found) if at == 0 or title != found[at - 1]]
    assert told["special_token"] == [
        ("f", "A tool's name is complete"),
        ("(", "Argument a of f"),
        (",", "Argument b of f"),
        ('"', "The call ends"),
        (")", "Text mode"),
    ]
    assert told["json_tags"] == [
        ("\n", "A call begins"),
        ('"', "A tool's name begins"),
        ("f", "A tool's name is complete"),
        ('"', "Before argument a"),
        (" ", "Argument a of f"),
        (",", "Before argument b"),
        (" ", "Argument b of f"),
        ('"', "The arguments end"),
        ("}", "The call ends"),
    ]
