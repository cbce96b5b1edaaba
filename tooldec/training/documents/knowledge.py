"""Facts about persons, places and works: `capital_of("France")`; the results are invented, the host would know them.

Each line is the relation's noun, the kind of its subject, the name of its argument, and wordings without the noun.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from tooldec.tools import Tool
from tooldec.training.documents.asks import Ask, Call
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.names import style
from tooldec.training.documents.templates import wrap
from tooldec.training.documents.values import KINDS, STRING, city, person, title

RELATIONS = """
capital|country|country|Which city governs {s}?|Where does the government of {s} sit?
population|place|place|How many people live in {s}?|How many inhabitants does {s} have?
currency|country|country|What money is used in {s}?|How do people pay in {s}?
official_language|country|country|What language is spoken in {s}?|Which tongue do people speak in {s}?
continent|country|country|On which continent is {s}?|What part of the world is {s} in?
area|place|place|How large is {s}?|How many square kilometers does {s} cover?
mayor|city|city|Who runs the city of {s}?|Who is in charge of {s}?
president|country|country|Who leads {s}?|Who is the head of {s}?
neighbors|country|country|Which countries border {s}?|What lies next to {s}?
time_zone|place|place|What zone do the clocks of {s} follow?
elevation|place|place|How high above the sea is {s}?|How high is {s}?
river|city|city|What water flows through {s}?
founder|company|company|Who founded {s}?|Who started {s}?
founding_year|company|company|When was {s} founded?|In what year was {s} established?
headquarters|company|company|Where is {s} based?|Where does {s} have its main office?
ceo|company|company|Who heads {s}?|Who is the boss of {s}?
owner|thing|name|Who owns {s}?|To whom does {s} belong?
employees|company|company|How many people work at {s}?|How big is the staff of {s}?
industry|company|company|What business is {s} in?|What does {s} do?
products|company|company|What does {s} make?|What can one buy from {s}?
author|work|title|Who wrote {s}?|Whose book is {s}?
director|work|film|Who directed {s}?|Who made the film {s}?
producer|work|film|Who produced {s}?
composer|work|title|Who composed {s}?|Who wrote the music of {s}?
singer|work|song|Who sings {s}?|Whose song is {s}?
publisher|work|book|Who published {s}?|Which house brought out {s}?
publication_year|work|book|When did {s} come out?|When was {s} published?
release_date|work|title|When was {s} released?|When did {s} first appear?
genre|work|title|What kind of work is {s}?|What sort of thing is {s}?
cast_members|work|film|Who plays in {s}?|Which actors appear in {s}?
characters|work|book|Who appears in the story {s}?
screenwriter|work|film|Who wrote the script of {s}?
duration|work|title|How long does {s} last?|How many minutes is {s}?
narrative_location|work|title|Where does {s} take place?|Where is {s} set?
based_on|work|title|What is {s} based on?|What was the model for {s}?
sequel|work|title|What comes after {s}?|What follows {s}?
birth_date|person|person|When was {s} born?|On what day was {s} born?
birth_place|person|person|Where was {s} born?|In which town was {s} born?
death_date|person|person|When did {s} die?|On which day did {s} die?
death_place|person|person|Where did {s} die?
burial_place|person|person|Where is {s} buried?|Where is the grave of {s}?
spouse|person|person|Who is {s} married to?|Whom did {s} marry?
children|person|person|What kids does {s} have?|Who are the sons and daughters of {s}?
father|person|person|Who is the dad of {s}?
mother|person|person|Who is the mum of {s}?
siblings|person|person|What brothers and sisters does {s} have?|Who is a brother or sister of {s}?
profession|person|person|What does {s} do for a living?|What is {s}'s job?
nationality|person|person|What country does {s} come from?|Which passport does {s} hold?
education|person|person|Where did {s} study?|What school did {s} go to?
employer|person|person|Who does {s} work for?|Where does {s} work?
religion|person|person|What does {s} believe in?|Which faith does {s} follow?
awards|person|person|What prizes did {s} win?|What has {s} been honored with?
instrument|person|person|What does {s} play?|On what does {s} make music?
team|person|player|Which side does {s} play for?|Who does {s} play for?
position|person|player|Where on the field does {s} play?
political_party|person|person|Which party is {s} a member of?
military_rank|person|person|What rank did {s} reach?
residence|person|person|Where does {s} live?|In which place does {s} have a home?
height|thing|name|How tall is {s}?
weight|thing|name|How heavy is {s}?
color|thing|name|What does {s} look like, blue or red?
price|thing|item|How much does {s} cost?|What do I pay for {s}?
inventor|thing|name|Who invented {s}?|Who came up with {s}?
material|thing|name|What is {s} made of?|What does {s} consist of?
architect|building|building|Who designed {s}?|Who built {s}?
opening_date|building|building|When did {s} open?|Since when has {s} been open?
floors|building|building|How many levels does {s} have?
location|building|building|Where is {s}?|Where can I find {s}?
coach|team|team|Who trains {s}?|Who coaches {s}?
stadium|team|team|Where does {s} play its games?
league|team|team|In which competition does {s} take part?
members|band|band|Who belongs to {s}?|Who plays in the band {s}?
record_label|band|band|Who releases the records of {s}?
origin|band|band|Where does {s} come from?
habitat|animal|animal|Where do {s} live in nature?
diet|animal|animal|What do {s} eat?
lifespan|animal|animal|How old do {s} get?
symbol|element|element|How is {s} abbreviated?
atomic_number|element|element|How many protons does {s} have?
boiling_point|element|element|At what temperature does {s} boil?
discoverer|element|element|Who discovered {s}?|Who found {s} first?
ingredients|food|dish|What goes into {s}?|What do I need for {s}?
calories|food|food|How much energy is in {s}?
opposite|word|word|What is the contrary of {s}?
plural|word|word|What are many {s} called?
rhyme|word|word|What sounds like {s}?
programming_language|software|software|What is {s} written in?
license|software|software|Under what terms is {s} published?
developer|software|software|Who develops {s}?|Who programmed {s}?
operating_system|software|software|What does {s} run on?
website|company|company|Where is {s} on the web?
phone_number|person|name|How can I ring {s}?|Under what number do I reach {s}?
email_address|person|name|How do I mail {s}?
home_address|person|name|Where do I send letters to {s}?
age|person|person|How old is {s}?
salary|person|employee|How much does {s} earn?|What is {s} paid?
manager|person|employee|Who does {s} report to?
departments|company|company|What parts does {s} consist of?
platform|work|game|What can {s} be played on?|Which console runs {s}?
airline_hub|company|airline|From which airport does {s} mainly fly?
"""

FORMS = (
    "What is the {r} of {s}?|Who or what is the {r} of {s}?|{S}'s {r}?|What's {s}'s {r}?|find the {r} of {s}"
    "|Can you tell me the {r} of {s}?|What {r} does {s} have?|Which {r} does {s} have?|look up the {r} of {s}"
    "|tell me the {r} of {s}|I need the {r} of {s}.|{s}: {r}?|Do you know the {r} of {s}?|give me {s}'s {r}"
    "|I want to know the {r} of {s}.|Please name the {r} of {s}.|The {r} of {s} is what?|{r} of {s}?"
).split("|")
NAMES = (
    "{r}_of",
    "{r}",
    "get_{r}",
    "find_{r}",
    "{r}_lookup",
    "lookup_{r}",
    "{r}_by_{a}",
    "get_{a}_{r}",
    "{a}_{r}",
    "fetch_{r}",
)
ANIMALS = (
    "lions wolves eagles frogs bats whales horses owls tigers snakes bees foxes bears camels rabbits turtles".split()
)
ELEMENTS = "hydrogen helium iron gold silver copper zinc carbon oxygen neon tin lead nickel argon sodium sulfur".split()


def _company(draw: Draw) -> str:
    word = (draw.invented() if draw.chance(0.5) else draw.thing().split()[-1]).capitalize()
    return f"{word}{draw.pick(('', ' Inc', ' & Co', ' Labs', 'Soft', ' Group', ' Foods', ' Air'))}"


def _country(draw: Draw) -> str:
    return str(KINDS["country"](draw).value)


def _band(draw: Draw) -> str:
    return f"The {draw.thing().title()}s"


def _figure(draw: Draw) -> str:
    return str(draw.number(1, 2030))


def _building(draw: Draw) -> str:
    return draw.pick(("the {} Tower", "{} Castle", "the {} Museum", "{} Hall", "the {} Bridge", "{} Station")).format(
        draw.pick((city, title))(draw)
    )


SUBJECTS: Mapping[str, Callable[[Draw], str]] = {
    "person": person,
    "city": city,
    "work": title,
    "company": _company,
    "software": _company,
    "building": _building,
    "country": _country,
    "place": lambda draw: draw.pick((city, _country))(draw),
    "thing": lambda draw: draw.pick((_company, _building, title))(draw),
    "team": lambda draw: f"{draw.pick(('FC ', 'SC ', 'Real ', ''))}{city(draw)}{draw.pick(('', ' United', ' Bears'))}",
    "band": lambda draw: draw.pick((title, _band))(draw),
    "animal": lambda draw: draw.pick(ANIMALS),
    "element": lambda draw: draw.pick(ELEMENTS),
    "food": lambda draw: draw.pick((KINDS["food"](draw).value, draw.invented())),
    "word": lambda draw: draw.thing(),
}


@cache
def relations() -> tuple[tuple[str, str, str, tuple[str, ...]], ...]:
    """The lines of `RELATIONS`: noun, kind of subject, argument, wordings."""
    rows = (line.split("|") for line in RELATIONS.strip().splitlines())
    return tuple((noun, kind, argument, tuple(wordings)) for noun, kind, argument, *wordings in rows)


def knowledge_ask(draw: Draw) -> Ask:
    """One fact: `What is the capital of France?` → `The capital is <T>capital_of("France")=Paris. So …`."""
    noun, kind, argument, wordings = draw.pick(relations())
    if draw.split == "names" or draw.chance(0.3):
        noun = f"{draw.pick(('', '', draw.invented() + '_'))}{draw.noun()}"
        wordings = ()
    subject = SUBJECTS[kind](draw)
    readable = noun.replace("_", " ")
    if wordings and draw.chance(0.45) and (draw.split != "phrasing" or len(wordings) > 1):
        question = draw.pick(
            wordings[1:] if draw.split == "phrasing" else wordings[:1] if len(wordings) < 3 else wordings
        )
        question = question.format(s=subject)
    else:
        shown = f'"{subject}"' if kind in ("work", "word") and draw.chance(0.3) else subject
        question = draw.template(FORMS).format(r=readable, s=shown, S=shown[0].upper() + shown[1:])
    forms = NAMES if draw.listed else NAMES[:3]
    name = style(draw, draw.pick(forms).format(r=noun, a=argument))
    parameter = (
        argument if draw.chance(0.7) else draw.pick(("name", "subject", "entity", "x", "query", "of", "title", "id"))
    )
    schema = {"type": "object", "properties": {parameter: STRING}, "required": [parameter]}
    result = draw.pick((person, city, title, _figure))(draw)
    call = Call(Tool(name, parameters=schema), {parameter: subject}, result)
    topics = frozenset({noun, readable.split()[-1]})
    lead = f"The {readable} is " if wordings and draw.chance(0.6) else "The answer is "
    return Ask(wrap(draw, question), (lead, call, f". So the answer is {result}."), topics)
