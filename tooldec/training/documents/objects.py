"""Requests that name the thing to act on: "Cut back the rose bush" → prune_plant("rose bush")."""

from __future__ import annotations

from tooldec.training.documents.asks import Ask, Call
from tooldec.training.documents.catalogues import result_text, tail, tool_of
from tooldec.training.documents.composed import Part, draw_part
from tooldec.training.documents.draw import Draw, synonyms
from tooldec.training.documents.inflection import past, present
from tooldec.training.documents.lexicon import groups
from tooldec.training.documents.names import style
from tooldec.training.documents.templates import plain, sample, wrap
from tooldec.training.documents.values import KINDS, Value
from tooldec.training.documents.words import held_out

KINDS_OF_OBJECTS = """
object object object object object object who first proper proper code code int path user place company topic invented
invented service host room emails people words companies
""".split()
"""What requests act on; common nouns take an article."""

WITH_ARTICLE = frozenset(("object", "room", "topic"))

BARE = (
    "{v} {o}|{v} {o}|{v} {o}|{v} {o}|{v} {o}|{O} needs {ving}|{O} should be {ved}|{O} has to be {ved}"
    "|I want {o} {ved}|it's time to {v} {o}|have {o} {ved}|get {o} {ved}|{O} must be {ved}|go and {v} {o}"
    "|can {o} be {ved}?|we ought to {v} {o}|let somebody {v} {o}|start {ving} {o}|{O}: {v}|make sure to {v} {o}"
    "|{O} isn't {ved} yet, do it|somebody has to {v} {o}|how about {ving} {o}?|I'd love to see {o} {ved}"
    "|{v} {o} for me|{O} needs to be {ved}|what about {o}? {V} it.|don't forget to {v} {o}"
).split("|")
"""The question says the verb and the thing."""

NOUN_TOO = (
    "{v} the {n} {o}|{v} {n} {o}|{v} the {n} called {o}|{v} my {n} {o}|{v} the {n} named {o}|{v} the {o} {n}"
    "|the {n} {o} needs {ving}|the {n} {o} should be {ved}|the {n} {o} has to be {ved}|{v} our {n}, it's {o}"
    "|please take the {n} {o} and {v} it|I want the {n} {o} {ved}|{v} {o}, that's the {n}|{n} {o}: {v}"
    "|{v} this {n}: {o}|{v} a {n}, namely {o}|get the {n} {o} {ved}|{v} {n} number {o}|the {n} is {o}, {v} it"
    "|there's a {n} {o}, {v} it|my {n} {o} must be {ved}|could the {n} {o} be {ved}?"
).split("|")
"""The question says the verb, the noun and the thing."""

NOUN_ONLY = (
    "what is the {n} of {o}?|{o}'s {n}?|what's {o}'s {n}|the {n} of {o}|show the {n} of {o}|{n} for {o}"
    "|which {n} does {o} have?|I'd like to know the {n} of {o}|tell me {o}'s {n}|{O}: {n}?|{n} of {o}, please"
    "|how is the {n} of {o}?|has {o} got a {n}?|can I see the {n} for {o}?|is there a {n} for {o}?"
    "|what about the {n} of {o}?|give me the {n} of {o}|what {n} has {o}?|I need {o}'s {n}|any {n} for {o}?"
).split("|")
"""The question asks for something that the tool is named after."""

PARAMETERS = "name id item target title label key object ref value x arg query subject which text".split()


def _verb(draw: Draw) -> tuple[str, str]:
    """A verb as the tool has it and as the question says it: ("prune", "cut back")."""
    if draw.split == "names" or draw.chance(0.5):
        verb = draw.verb()
        return verb, draw.pick(synonyms(verb)) if draw.chance(0.3) else verb
    verb = draw.pick([verb for verb in groups("verbs") if not held_out(verb)])
    return verb, draw.pick(groups("verbs")[verb]) if draw.chance(0.5) else verb


def _noun(draw: Draw) -> tuple[str, str]:
    """A noun as the tool has it and as the question says it."""
    if draw.split == "names" or draw.chance(0.65):
        noun = draw.noun()
        return noun, noun
    noun = draw.pick([noun for noun in groups("nouns") if not held_out(noun)])
    return noun, draw.pick(groups("nouns")[noun]) if draw.chance(0.5) else noun


def _parameter(draw: Draw, kind: str, noun: str, many: bool) -> str:
    plural = "s" if many else ""
    forms = (noun, noun, noun, f"{noun}_id", f"{noun}_name", draw.pick(PARAMETERS), draw.pick(PARAMETERS), kind)
    chosen = draw.pick(forms)
    chosen = chosen if chosen not in ("proper", "invented", "first", "int") else "name"
    return chosen if chosen.endswith("s") else f"{chosen}{plural}"


def _others(draw: Draw, taken: str) -> list[Part]:
    count = draw.pick((0, 0, 0, 1, 1, 1, 2, 2, 3))
    found = {part.name: part for part in (draw_part(draw) for _ in range(count))}
    return [part for part in found.values() if part.name != taken]


def object_request(draw: Draw) -> tuple[str, Call, frozenset[str], frozenset[str]]:
    """A request before it is wrapped, its call, its topics and the words of the name that it leaves out."""
    (verb, said), (noun, noun_said) = _verb(draw), _noun(draw)
    kind = draw.pick(KINDS_OF_OBJECTS)
    value = sample(draw, kind)
    if kind == "int":
        value = Value(str(number := draw.number(1, 99999)), number, KINDS["int"](draw).schema)
    many = isinstance(value.value, list)
    first = Part(_parameter(draw, kind, noun, many), value, "")
    others = _others(draw, first.name)
    cut = draw.number(0, len(others)) if draw.chance(0.3) else len(others)
    required, optional = others[:cut], others[cut:]
    spoken = required + optional[: draw.number(0, len(optional))]
    phrases = [part.phrase for part in spoken]
    if draw.chance(0.5):
        draw.rng.shuffle(phrases)
    ending = "".join(phrase if phrase[0] in ",:" else f" {phrase}" for phrase in phrases)
    article = draw.pick(("the ", "the ", "the ", "my ", "our ", "", "that ")) if kind in WITH_ARTICLE else ""
    name, forms, unsaid = _named(draw, verb, noun, many)
    if forms is not BARE:
        article = "" if forms is NOUN_TOO else article
    spoken_object = f"{article}{value.spoken}"
    text = draw.template(forms).format(
        v=said.replace("_", " "),
        V=said.replace("_", " ").capitalize(),
        ving=present(said.replace("_", " ")),
        ved=past(said.replace("_", " ")),
        n=noun_said.replace("_", " "),
        o=spoken_object,
        O=spoken_object[:1].upper() + spoken_object[1:] if kind in WITH_ARTICLE else spoken_object,
    )
    end = text[-1] if text[-1] in "?." else ""
    text = f"{text.rstrip('?.')}{ending}{end}"
    parts = {first.name: first.value} | {part.name: part.value for part in required}
    if draw.listed and draw.chance(0.2):
        keys = list(parts)
        draw.rng.shuffle(keys)
        parts = {key: parts[key] for key in keys}
    tool = tool_of(draw, style(draw, name), parts, {part.name: part.value for part in optional})
    arguments = {first.name: value.value} | {part.name: part.value.value for part in spoken}
    verbs = {verb, said, *groups("verbs").get(verb, ()), *synonyms(verb)}
    topics = frozenset({noun, *(f"does {one}" for one in verbs)})
    return text, Call(tool, arguments, result_text(draw, "ok")), topics, unsaid


def _named(draw: Draw, verb: str, noun: str, many: bool) -> tuple[str, tuple[str, ...] | list[str], frozenset[str]]:
    """The tool's name, the forms of its questions, and the words that these leave out."""
    form = draw.rng.random()
    plural = f"{noun}s" if many else noun
    if form < 0.12:
        return verb, BARE, frozenset()
    if form < 0.55:
        return f"{verb}_{plural}", BARE, frozenset({noun, plural})
    if form < 0.82:
        return f"{verb}_{plural}", NOUN_TOO, frozenset()
    names = (noun, f"get_{noun}", f"{noun}_of", f"find_{noun}", f"{noun}_info", f"check_{noun}")
    return draw.pick(names), NOUN_ONLY, frozenset()


def object_ask(draw: Draw) -> Ask:
    """One such request: `Done: <T>prune_plant("rose bush")=ok.`"""
    text, call, topics, unsaid = object_request(draw)
    value = next(iter(call.arguments.values()), "")
    begins = isinstance(value, str) and text.startswith(value)
    question = wrap(draw, text) if draw.chance(0.6) and not begins else plain(draw, text, not begins)
    return Ask(question, ("Done: ", call, tail(call.result)), topics, unsaid=unsaid)
