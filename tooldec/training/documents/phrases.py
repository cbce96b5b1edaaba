"""More kinds of values, mostly of several words: things, places, people as one speaks of them, names of computers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from tooldec.training.documents.draw import Draw
from tooldec.training.documents.pools import mixed
from tooldec.training.documents.values import COLORS, INTEGER, STRING, Value, _list, _text, city, person, title
from tooldec.training.documents.words import ADJECTIVES, FIRST_NAMES, LAST_NAMES, NOUNS, known

RELATIVES = (
    "Mum Dad Grandma Grandpa Mom Granny Uncle_{f} Aunt_{f} Cousin_{f} my_boss my_sister my_brother my_wife my_husband "
    "the_landlord the_neighbors the_office my_team our_accountant the_school"
).split()
TITLES = "Mr Mrs Ms Dr Prof Sir Nurse Captain Judge Coach Mr. Dr.".split()
BUILDINGS = "Station Park Square Tower Hotel Beach Center Airport Hall".split()
STREETS = "Street Road Lane Avenue Square Way Drive Court Hill Place".split()
SPOTS = (
    "airport harbor station library museum stadium market hospital post_office town_hall beach old_bridge city_park "
    "main_square north_gate parking_lot school shopping_center car_park bus_stop border lake ferry zoo university"
).split()
ROOMS = (
    "kitchen bedroom garage hall garden office attic bathroom living_room cellar nursery dining_room basement porch "
    "hallway study guest_room lounge studio workshop balcony laundry_room greenhouse library server_room"
).split()
ROLES = "cook driver manager nurse designer tester developer clerk guard teacher editor analyst mechanic".split()
ANIMALS = "dog cat rabbit hamster parrot pony goat turtle hen goldfish ferret mouse lizard".split()
SUBJECTS = (
    "Biology Chemistry History Latin Music Physics Spanish Statistics Geometry Ethics Drawing Philosophy Economics "
    "Modern_Art Organic_Chemistry World_History Creative_Writing Data_Science Music_Theory Public_Law"
).split()
REASONS = (
    "it is broken|it's too big|it doesn't work|wrong color|it arrived late|he is ill|a bad cold|the {n} is missing"
    "|she has a fever|it never arrived|bad quality|the {n} is torn|no time|too expensive|the dentist|it has a scratch"
    "|a family matter|the {n} doesn't fit|we moved|damaged in transit|ordered by mistake|the wrong {n}|flat tire"
).split("|")
SERVICES = (
    "api auth billing cache cart catalog chat checkout crawler database frontend gateway inventory login mailer "
    "notifications orders payments profile proxy queue ranking recommender reports scheduler search sessions shipping "
    "storage users web worker"
).split()
FOLDERS = "docs src backups photos music invoices downloads logs tmp projects notes old archive reports".split()
CURRENCIES = "EUR USD GBP JPY CHF SEK NOK PLN INR CAD AUD BRL CNY TRY KRW MXN".split()
CUISINES = (
    "Thai Greek Indian Mexican Italian Chinese Turkish French Korean Spanish Ethiopian Lebanese vegan Persian Polish"
).split()
ENDINGS = ("in", "ol", "ine", "ium", "ate", "ex", "an", "oxide", "ose")


@cache
def _nouns() -> tuple[str, ...]:
    return known(NOUNS, "train")


def thing(draw: Draw) -> str:
    """A thing as one speaks of it: "gear", "big gear", "garden hose", "red zantic"."""
    of = draw.rng.random()
    noun = draw.invented() if of < 0.25 else draw.word() if of < 0.5 else draw.pick(_nouns())
    chosen = draw.rng.random()
    if chosen < 0.22:
        return f"{draw.pick(ADJECTIVES)} {noun}"
    if chosen < 0.28:
        return f"{draw.word()} {draw.word()} {noun}"
    if chosen < 0.40:
        return f"{draw.pick(_nouns())} {noun}"
    if chosen < 0.45:
        return f"{draw.pick(COLORS)} {noun}"
    return noun


def who(draw: Draw) -> str:
    """Somebody: "Omar Lund", "Grandma", "Ms O'Hara", "my sister", "spotter42"."""
    chosen = draw.rng.random()
    if chosen < 0.55:
        return person(draw)
    if chosen < 0.72:
        return draw.pick(RELATIVES).format(f=draw.pick(FIRST_NAMES)).replace("_", " ")
    if chosen < 0.9:
        return titled(draw)
    return user(draw)


def titled(draw: Draw) -> str:
    """A name with a title: "Dr Haas"."""
    name = draw.pick(LAST_NAMES) if draw.chance(0.8) else draw.invented().capitalize()
    return f"{draw.pick(TITLES)} {name}"


def user(draw: Draw) -> str:
    """The name of an account: "jlund", "kite_77", "zantic.h"."""
    kind = draw.pick((0, 1, 2))
    word = draw.invented() if kind == 0 else draw.pick(FIRST_NAMES).lower() if kind == 1 else draw.pick(_nouns())
    forms = ("{w}{k}", "{w}_{k}", "{w}{c}", "{w}_{c}", "{c}{w}", "{w}.{c}", "{w}", "{C}{w}{k}")
    letter = draw.pick("abcdefhjklmnprstw")
    text = draw.pick(forms).format(w=word, k=draw.number(1, 99), c=letter, C=letter.upper())
    return text.encode("ascii", "ignore").decode()


def place(draw: Draw) -> str:
    """A place: "Oslo", "airport", "Mill Road 7", "Zantic Station"."""
    chosen = draw.rng.random()
    if chosen < 0.35:
        return city(draw)
    if chosen < 0.6:
        return draw.pick(SPOTS).replace("_", " ")
    if chosen < 0.8:
        return f"{_either(draw, _nouns).capitalize()} {draw.pick(BUILDINGS)}"
    return _address(draw)


def company(draw: Draw) -> str:
    """A company: "Zantic Foods", "Oak & Sons"."""
    word = (draw.invented() if draw.chance(0.5) else draw.pick(_nouns())).capitalize()
    return f"{word}{draw.pick(('', ' Inc', ' & Co', ' Labs', 'Soft', ' Group', ' Foods', ' Air', ' Ltd', ' & Sons'))}"


def _either(draw: Draw, words: Callable[[], Sequence[str]]) -> str:
    """An invented word or one of the words, evenly."""
    return draw.invented() if draw.pick((True, False)) else draw.pick(words())


def words_text(draw: Draw) -> str:
    """Three to seven words that make no special sense: "the late captain sings in winter"."""
    words = [
        draw.pick((draw.thing, draw.word, draw.word, draw.invented, draw.verb))() for _ in range(draw.number(2, 5))
    ]
    return f"{draw.pick(('', '', 'the ', 'my ', 'a '))}{' '.join(words)}".replace("_", " ")


def topic(draw: Draw) -> str:
    """What one looks for: "solar panels", "cheap flights to Oslo"."""
    text = thing(draw)
    chosen = draw.rng.random()
    if chosen < 0.2:
        return f"{text}s in {city(draw)}"
    return f"{text}s" if chosen < 0.5 else text


def _address(draw: Draw) -> str:
    kind = draw.pick((0, 1, 2))
    word = (draw.invented() if kind == 0 else draw.pick(_nouns() if kind == 1 else LAST_NAMES)).capitalize()
    street = f"{word} {draw.pick(STREETS)}"
    return f"{draw.number(1, 199)} {street}" if draw.chance(0.6) else f"{street} {draw.number(1, 99)}"


def _role(draw: Draw) -> str:
    return f"{draw.pick(('', '', 'head ', 'senior ', 'night '))}{draw.pick(ROLES)}"


def _room(draw: Draw) -> str:
    return draw.pick(ROOMS).replace("_", " ") if draw.chance(0.9) else draw.invented()


def _drug(draw: Draw) -> str:
    return draw.invented() + draw.pick(ENDINGS)


def _host(draw: Draw) -> str:
    word = _either(draw, lambda: SERVICES)
    forms = ("{w}-{k:02}", "{w}.example.com", "{w}{k}", "10.0.{k}.{j}", "{w}-prod", "{w}.local", "192.168.{k}.{j}")
    return draw.pick(forms).format(w=word, k=draw.number(1, 60), j=draw.number(2, 250))


def _folder(draw: Draw) -> str:
    word = draw.pick(FOLDERS) if draw.chance(0.6) else draw.thing().split()[-1]
    forms = ("/{w}", "/home/{u}/{w}", "/var/{w}", "{w}/", "{w}", "~/{w}", "/srv/{w}", "data/{w}")
    return draw.pick(forms).format(w=word, u=draw.pick(FIRST_NAMES).lower())


def _file(endings: str) -> Callable[[Draw], str]:
    def make(draw: Draw) -> str:
        word = draw.invented() if draw.pick((True, False)) else draw.thing().replace(" ", draw.pick("_-"))
        folder = draw.pick(("", "", "", f"{draw.pick(FOLDERS)}/"))
        return f"{folder}{word}{draw.pick(('', '', str(draw.number(1, 99))))}.{draw.pick(endings.split())}"

    return make


def _branch(draw: Draw) -> str:
    word = draw.thing().replace(" ", "-")
    return draw.pick((f"feature/{word}", f"fix/{word}", word, "main", "develop", f"{word}-{draw.number(1, 99)}"))


def _version(draw: Draw) -> str:
    a, b, c = draw.number(0, 9), draw.number(0, 30), draw.number(0, 12)
    return draw.pick((f"v{a}.{b}.{c}", f"{a}.{b}.{c}", f"v{a}.{b}", f"{a}.{b}", f"v{b}"))


def _table(draw: Draw) -> str:
    word = draw.pick(_nouns())
    return draw.pick((f"{word}s", word, f"{draw.pick(_nouns())}_{word}s", f"tmp_{word}", f"{word}_id"))


def _ticker(draw: Draw) -> str:
    return "".join(draw.pick("ABCDEGHKLMNOPRSTVXYZ") for _ in range(draw.pick((3, 3, 4))))


def _flight(draw: Draw) -> str:
    return f"{draw.pick('ABCDEFKLMOSTUXZ')}{draw.pick('AEFHKLNQRSUVYZ')}{draw.pick(('', ' '))}{draw.number(10, 9999)}"


def _reason(draw: Draw) -> str:
    return draw.pick(REASONS).format(n=draw.pick(_nouns()))


def _signed(draw: Draw) -> Value:
    value = draw.pick((45, 90, 180, 270, draw.number(1, 359)))
    value = -value if draw.chance(0.3) else value
    return Value(str(value), value, draw.pick((INTEGER, {"type": "number"})))


def formula(draw: Draw) -> str:
    """An expression as one types it: "x^2 - 4x + 3", "sin(t)/t", "3*x**2 + 2"."""
    x, power, times = draw.pick("xxxxtyzn"), draw.pick(("^", "**")), draw.pick(("", "", "*"))
    a, b, c = (draw.number(2, 12) for _ in range(3))
    sign, other = draw.pick("+-"), draw.pick("+-")
    name = draw.pick(("sin", "cos", "exp", "ln", "sqrt", "tan"))
    forms = (
        f"{x}{power}2 {sign} {a}{times}{x} {other} {b}",
        f"{a}{times}{x}{power}{draw.number(2, 4)} {sign} {b}{times}{x}",
        f"({x} {sign} {a})({x} {other} {b})",
        f"{name}({x})/{x}",
        f"{name}({a}*{x})",
        f"{x}{power}{draw.number(2, 5)}",
        f"{a}{times}{x} {sign} {b}",
        f"1/({x}{power}2 + {c})",
        f"{a}{times}{x} {sign} {b} = {c}",
        f"{name}({x}) {sign} {a}",
    )
    return draw.pick(forms)


PHRASES: Mapping[str, Callable[[Draw], Value]] = {
    "object": _text(mixed("things", thing)),
    "who": _text(who),
    "first": _text(lambda draw: draw.pick(FIRST_NAMES) if draw.chance(0.7) else draw.invented().capitalize()),
    "titled": _text(titled),
    "user": _text(user),
    "place": _text(mixed("places", place)),
    "company": _text(mixed("organisations", company)),
    "companies": _list(mixed("organisations", company), STRING),
    "emails": _list(lambda draw: f"{user(draw)}@{draw.invented()}.{draw.pick(('com', 'org', 'net', 'io'))}", STRING),
    "address": _text(_address),
    "room": _text(mixed("places", _room)),
    "role": _text(_role),
    "animal": _text(lambda draw: draw.pick(ANIMALS)),
    "subject": _text(lambda draw: draw.pick(SUBJECTS).replace("_", " ")),
    "reason": _text(mixed("notes", _reason), quote=0.1),
    "service": _text(lambda draw: draw.pick(SERVICES) if draw.chance(0.7) else draw.invented()),
    "version": _text(_version),
    "branch": _text(_branch),
    "host": _text(_host),
    "folder": _text(_folder),
    "picture": _text(_file("png jpg bmp gif webp tif svg")),
    "video": _text(_file("mp4 mov avi mkv")),
    "audio": _text(_file("mp3 wav ogg flac")),
    "table": _text(_table),
    "topic": _text(mixed("topics", topic), quote=0.1),
    "quoted": _text(mixed("messages titles", words_text), quote=0.8),
    "free": _text(mixed("notes tasks messages", words_text), quote=0.25),
    "letter": _text(lambda draw: draw.pick("abcdefghiklmnoprstuw")),
    "square": _text(lambda draw: draw.pick("abcdefgh") + str(draw.number(1, 8))),
    "ward": _text(lambda draw: draw.pick(("ward {}", "station {}", "room {}")).format(draw.number(1, 40))),
    "drug": _text(_drug),
    "invented": _text(lambda draw: draw.invented().capitalize()),
    "ticker": _text(_ticker),
    "flight": _text(_flight),
    "currency": _text(lambda draw: draw.pick(CURRENCIES)),
    "angle": _signed,
    "cuisine": _text(lambda draw: draw.pick(CUISINES)),
    "formula": _text(formula),
    "proper": _text(mixed("names titles", title), quote=0.15),
}
"""The kinds of values that templates name besides those of `values`."""
