"""Tools composed of a verb and a noun, a third of them invented, with arguments of every type."""

from __future__ import annotations

from dataclasses import dataclass

from tooldec.tools import Tool
from tooldec.training.documents.asks import Ask, Call
from tooldec.training.documents.catalogues import result_text, tail, tool_of
from tooldec.training.documents.draw import Draw, synonyms
from tooldec.training.documents.names import style
from tooldec.training.documents.templates import sample, wrap
from tooldec.training.documents.values import Value
from tooldec.training.documents.words import ADJECTIVES

PARTS = """
person|name user customer owner employee who assignee contact author|for {v};of {v};from {v};belonging to {v};by {v}
city|city location place destination town area origin|in {v};near {v};around {v};for {v};to {v}
city|from_city origin source start from_place|from {v};starting in {v};leaving {v}
city|to_city destination target end to_place|to {v};towards {v};ending in {v}
language|source_language from_language source|from {v}
language|target_language to_language target|to {v};into {v}
date|start_date from_date check_in begin|from {v};starting {v};beginning on {v}
date|end_date to_date check_out until|to {v};until {v};ending {v}
clock|start_time opens begin from_time|from {v};starting at {v}
clock|end_time closes until to_time|until {v};ending at {v}
float|latitude longitude x y z temperature|
temp|temperature degrees celsius|to {v} degrees;at {v} degrees
year|year since season|from {v};in {v};of {v}
small|people guests seats persons|for {v} people;for {v};with {v} guests
small|minutes hours days nights weeks|for {v} {p};lasting {v} {p};in {v} {p}
thing|item thing object product|with {v};for {v}
country|country nation market region|in {v};for {v};from {v}
date|date day due_date start when deadline|on {v};for {v};by {v};dated {v};as of {v}
day|day when date period|on {v};for {v};due {v}
clock|time at hour start_time when|at {v};around {v};from {v}
small|count times quantity copies n number|{v} times;{v} of them
int|amount size limit max_results number weight id|up to {v};number {v}
int|length width height distance duration seconds|
float|value rate amount factor weight ratio score|by {v}
price|price cost amount budget fee|for {v};at {v};costing {v}
percent|percent level rate share discount|by {v};to {v}
email|to email recipient address|to {v};for {v};at {v}
phone|phone number contact|to {v};at {v}
url|url link address page|at {v};from {v}
path|path file filename source output|in {v};from {v};to {v};from the file {v}
color|color colour tint|in {v};painted {v}
language|language lang locale|in {v};into {v}
code|id code ref order_id key serial|{v};number {v};with id {v};{v}
word|name title label kind type category topic|called {v};named {v};about {v};for {v}
title|title name label subject event|called {v};titled {v};named {v};about {v}
text|text message note comment body reason|saying {v};with the note {v};: {v};because {v}
words|tags items labels keywords|tagged {v};with {v}
people|people guests names members users|with {v};for {v};together with {v}
ints|ids numbers values rows|{v};for {v}
food|food item product dish|with {v};of {v}
low|medium|high#priority level importance#with {v} priority;at {v} priority
small|medium|large#size format#in {v};of size {v}
fast|slow|auto#mode speed#in {v} mode;in {v} speed
pdf|csv|json|xml#format type output#as {v};in {v} format;to {v}
asc|desc#order sort direction#in {v} order
day|week|month|year#period range interval#per {v};for one {v};each {v}
public|private|hidden#visibility access#as {v};and make it {v}
north|south|east|west#direction side#to the {v};on the {v} side
red|green|blue#color light#in {v}
draft|active|archived#status state#as {v};with status {v}
meters|feet|miles#unit units#in {v}
email|sms|push#channel via#by {v};via {v}
bool|urgent public recursive silent verbose encrypted|
bool|force dry_run gift express insured draft async|
"""

GENERIC = (
    "with {p} {v}|with a {p} of {v}|{p} {v}|, {p} {v}|({p} {v})|where the {p} is {v}|using {v} as the {p}"
    "|, {p}: {v}|, {p}={v}|and set the {p} to {v}|, the {p} is {v}|with the {p} {v}|having {p} {v}"
    "|, {p} should be {v}|whose {p} is {v}"
).split("|")
FLAGS = ("{p}/not {p}", "with {p} on/with {p} off", ", {p}: yes/, {p}: no", "{p}/without {p}", ", {p}=true/, {p}=false")
HEADS = (
    "{v} the {n}|{v} a {n}|{v} my {n}|{v} {n}|{v} this {n}|{v} our {n}|{v} one {n}|{v} the {n}|{v} that {n}"
    "|{v} the {n}|{v} some {n}|{v} all the {n}s|{v} every {n}|{v} another {n}|{v} {n}s|{v} your {n}"
).split("|")
QUESTIONS = (
    "What is the {n}{a}?|What's the {n}{a}?|Show me the {n}{a}|Which {n} is there{a}?|I need the {n}{a}"
    "|Tell me the {n}{a}|How about the {n}{a}?|Can I see the {n}{a}?|Where's the {n}{a}?|Give me the {n}{a}"
    "|Is there a {n}{a}?|the {n}{a}?|Any {n}{a}?|I'd like the {n}{a}"
).split("|")


@dataclass(frozen=True, slots=True)
class Part:
    """One argument of a composed tool: its name, value, and how the question says it."""

    name: str
    value: Value
    phrase: str


def _rows() -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    rows = []
    for line in PARTS.strip().splitlines():
        kind, names, phrases = line.split("#") if "#" in line else line.split("|")
        rows.append((kind, tuple(names.split()), tuple(filter(None, phrases.split(";")))))
    return tuple(rows)


ROWS = _rows()


def draw_part(draw: Draw) -> Part:
    """One argument, under a usual name or under an invented one that the question repeats."""
    kind, names, phrases = draw.pick(ROWS)
    value, name = sample(draw, kind), draw.pick(names)
    strange = draw.listed and draw.chance(0.2)
    if strange:
        name = draw.noun() if draw.chance(0.7) else f"{draw.pick(ADJECTIVES)}_{draw.noun()}"
    if kind == "bool":
        true, false = draw.template(FLAGS).split("/")
        return Part(name, value, (true if value.value else false).format(p=name.replace("_", " ")))
    if "|" in kind and draw.listed and draw.chance(0.35):
        options = list(dict.fromkeys([draw.noun() for _ in range(draw.number(2, 4))]))
        choice = draw.pick(options)
        value = Value(choice, choice, {"type": "string", "enum": options})
        phrases = ()
    usual = phrases and not strange and draw.chance(0.6)
    phrase = draw.pick(phrases) if usual else draw.template(GENERIC)
    return Part(name, value, phrase.format(p=name.replace("_", " "), v=value.spoken))


def parts(draw: Draw) -> list[Part]:
    """No, one or several arguments, each name once."""
    count = draw.pick((0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4) if draw.listed else (1, 1, 1, 2))
    return list({part.name: part for part in (draw_part(draw) for _ in range(count))}.values())


def composed_tool(draw: Draw, name: str) -> Tool:
    """A tool of this name that nobody asks for, with arguments by chance."""
    drawn = [(part.name, part.value) for part in parts(draw)]
    cut = draw.number(0, len(drawn)) if draw.chance(0.3) else len(drawn)
    return tool_of(draw, name, dict(drawn[:cut]), dict(drawn[cut:]))


def request(draw: Draw) -> tuple[str, Call, frozenset[str]]:
    """A request before it is wrapped, its call and its topics: "flurb the lamp at 7:30", flurb_lamp("7:30")."""
    verb, noun = draw.verb(), draw.noun()
    if draw.chance(0.2):
        noun = f"{draw.pick(ADJECTIVES) if draw.chance(0.6) else draw.noun()}_{noun}"
    said = draw.pick(synonyms(verb)) if draw.listed and draw.chance(0.35) else verb
    arguments = parts(draw)
    cut = draw.number(0, len(arguments)) if draw.chance(0.25) else len(arguments)
    required, optional = arguments[:cut], arguments[cut:]
    spoken = required + optional[: draw.number(0, len(optional))]
    phrases = [part.phrase for part in spoken]
    if draw.chance(0.35):
        draw.rng.shuffle(phrases)
    ending = "".join(phrase if phrase[0] in ",:" else f" {phrase}" for phrase in phrases)
    verb_words, noun_words = said.replace("_", " "), noun.replace("_", " ")
    form = draw.rng.random()
    if form < 0.08:
        name, text = verb, f"{verb_words}{ending}" if ending else f"{verb_words} it"
    elif form < 0.22:
        name = draw.pick((noun, f"get_{noun}", f"{noun}_info", f"find_{noun}", noun))
        text = draw.template(QUESTIONS).format(n=noun_words, a=ending)
    else:
        name = f"{verb}_{noun}" if draw.chance(0.93) else f"{verb}_{noun}s"
        text = f"{draw.template(HEADS).format(v=verb_words, n=noun_words)}{ending}"
    tool = tool_of(draw, style(draw, name), {p.name: p.value for p in required}, {p.name: p.value for p in optional})
    call = Call(tool, {part.name: part.value.value for part in spoken}, result_text(draw, "ok"))
    return text, call, frozenset({name, *(f"{other}_{noun}" for other in synonyms(verb))})


def composed_ask(draw: Draw) -> Ask:
    """One request of a composed tool: `Done: <T>flurb_lamp("7:30")=ok.`"""
    text, call, topics = request(draw)
    return Ask(wrap(draw, text), ("Done: ", call, tail(call.result)), topics)
