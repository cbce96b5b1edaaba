"""Values of arguments: how a question says them, and what a call writes.

`KINDS["price"](draw)` → `Value("$12.50", 12.5, {"type": "number"})`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tooldec.training.documents.draw import Draw
from tooldec.training.documents.pools import mixed
from tooldec.training.documents.words import ADJECTIVES, CITIES, COUNTRIES, FIRST_NAMES, FOODS, LAST_NAMES, THINGS

MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
COLORS = "red blue green yellow orange purple pink black white gray brown teal gold silver".split()
LANGUAGES = (
    "English French German Spanish Italian Dutch Polish Turkish Arabic Hindi Japanese Korean Chinese Swedish".split()
)
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
DOMAINS = "mail.com example.com example.org acme.io post.net corp.com web.de uni.edu shop.co.uk inbox.org".split()
MESSAGES = tuple(
    """
I'm running late|see you soon|don't forget the {n}|the {n} is {a}|call me back|happy birthday
thanks for the {n}|we won the {n}|meet me at the {n}|dinner is ready|I can't come today
the meeting moved to {k}|where's the {n}?|good luck with the {n}|please bring {k} {n}s|the {n} arrived
I'll be there at {k}|the server is down|it's {a} today|new {n} available|you're invited
let's talk about the {n}|no {n} left|{a} {n} wanted|we need {k} more {n}s|great job|what's for lunch?
the {n} broke again
""".strip()
    .replace("\n", "|")
    .split("|")
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value: as a question says it, as a call writes it, and the schema that it satisfies."""

    spoken: str
    value: Any
    schema: Mapping[str, Any]


INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
STRING = {"type": "string"}


def _int(low: int, high: int, words: float = 0.0) -> Callable[[Draw], Value]:
    def sample(draw: Draw) -> Value:
        value = draw.number(low, high)
        schema = NUMBER if draw.chance(0.15) else INTEGER
        if 0 <= value <= 12 and draw.chance(words):
            return Value(NUMBER_WORDS[value], value, schema)
        return Value(f"{value:,}" if high > 5000 and value > 999 and draw.chance(0.2) else str(value), value, schema)

    return sample


def _float(draw: Draw) -> Value:
    value = round(draw.rng.uniform(0, draw.pick((1, 10, 100, 1000))), draw.pick((1, 1, 2, 2, 3)))
    value = -value if draw.chance(0.1) else value
    return Value(str(value), value, NUMBER)


def _price(draw: Draw) -> Value:
    value: float = draw.number(1, draw.pick((20, 100, 900))) if draw.chance(0.6) else round(draw.rng.uniform(1, 200), 2)
    said = f"{value:.2f}" if isinstance(value, float) and draw.chance(0.6) else str(value)
    return Value(draw.pick(("${}", "{} dollars", "€{}", "{} euros", "{}", "{}", "£{}")).format(said), value, NUMBER)


def _percent(draw: Draw) -> Value:
    value = draw.number(1, 100)
    return Value(draw.pick(("{}%", "{} percent", "{} %")).format(value), value, draw.pick((INTEGER, NUMBER)))


def _text(make: Callable[[Draw], str], quote: float = 0.0, format: str = "") -> Callable[[Draw], Value]:
    def sample(draw: Draw) -> Value:
        text = make(draw)
        mark = draw.pick(("'", '"', '"')) if draw.chance(quote) else ""
        if mark == "'" and "'" in text:
            mark = '"'
        schema = {**STRING, "format": format} if format and draw.chance(0.5) else STRING
        return Value(f"{mark}{text}{mark}", text, schema)

    return sample


def _date(draw: Draw) -> Value:
    year, month, day = draw.number(2019, 2031), draw.number(1, 12), draw.number(1, 28)
    iso = f"{year}-{month:02}-{day:02}"
    if draw.chance(0.25):
        long = draw.pick(("{m} {d}, {y}", "{d} {m} {y}", "{m} {d} {y}")).format(m=MONTHS[month - 1], d=day, y=year)
        return Value(long, iso, {**STRING, "format": "date"})
    return Value(iso, iso, {**STRING, "format": "date"} if draw.chance(0.6) else STRING)


def _day(draw: Draw) -> str:
    month_day = f"{draw.pick(MONTHS)} {draw.number(1, 28)}"
    return draw.pick(
        (
            draw.pick(DAYS),
            draw.pick(DAYS),
            "tomorrow",
            "today",
            "next week",
            f"next {draw.pick(DAYS)}",
            month_day,
        )
    )


def _clock(draw: Draw) -> str:
    hour, minute = draw.number(0, 23), draw.pick(("00", "05", "15", "30", "45", f"{draw.number(0, 59):02}"))
    if draw.chance(0.35):
        return draw.pick(("{} am", "{} pm", "{}am", "{}pm", "{}:{m} pm")).format(draw.number(1, 12), m=minute)
    return f"{hour:02}:{minute}" if draw.chance(0.6) else f"{hour}:{minute}"


def person(draw: Draw) -> str:
    """A first name, or a first and a last name: "Zoë", "Omar O'Brien"."""
    first = draw.invented().capitalize() if draw.chance(0.12) else draw.pick(FIRST_NAMES)
    return f"{first} {draw.pick(LAST_NAMES)}" if draw.chance(0.5) else first


def city(draw: Draw) -> str:
    """A city, sometimes an invented one."""
    name = draw.invented().capitalize() if draw.chance(0.15) else draw.pick(CITIES)
    return f"{draw.pick(('New', 'Port', 'San', 'Upper', 'East', 'Saint', 'Bad'))} {name}" if draw.chance(0.1) else name


def food(draw: Draw) -> str:
    """Something to eat or to drink, often of two words: "tea", "roast duck", "cold lentil soup"."""
    name = draw.pick(FOODS)
    before = draw.pick((draw.word(), draw.pick(ADJECTIVES), draw.pick(FOODS)))
    if draw.chance(0.55):
        return name
    return f"{before} {name}" if draw.chance(0.8) else f"{before} {draw.word()} {name}"


def _thing(draw: Draw) -> str:
    name = draw.pick(THINGS)
    return f"{draw.pick((draw.word(), draw.pick(ADJECTIVES)))} {name}" if draw.chance(0.4) else name


def title(draw: Draw) -> str:
    """A title of a song, book or event: "The Silent River", "Zantic 7"."""
    if draw.chance(0.3):
        words = [draw.word().capitalize() for _ in range(draw.pick((1, 2, 2, 3, 4)))]
        between = draw.pick((" ", " ", " ", " of ", " and the ", ": "))
        return between.join((words[0], " ".join(words[1:]))) if words[1:] else words[0]
    word = (draw.invented() if draw.chance(0.2) else draw.thing()).title()
    other = draw.thing().title()
    number = draw.number(1, 99)
    forms = (
        "The {w}",
        "{w}",
        "{w} and {o}",
        "{w} of {o}",
        "{w} {k}",
        "My {w}",
        "{p}'s {w}",
        "A {w}",
        "{w} {o}",
    )
    return draw.pick(forms).format(w=word, o=other, k=number, p=draw.pick(FIRST_NAMES))


def _message(draw: Draw) -> str:
    if draw.chance(0.3):
        text = " ".join(draw.word() for _ in range(draw.number(2, 8)))
        return text.capitalize() if draw.chance(0.4) else text
    noun, adjective = (
        draw.thing() if draw.chance(0.6) else draw.word(),
        draw.pick(("ready", "late", "cold", "gone", "great", "red", "open", "fine")),
    )
    return draw.pick(MESSAGES).format(n=noun, a=adjective, k=draw.number(2, 12))


def _email(draw: Draw) -> str:
    name = draw.pick(FIRST_NAMES).lower() if draw.chance(0.75) else draw.invented()
    extra = draw.pick(("", "", f".{draw.pick(LAST_NAMES).lower()}", str(draw.number(1, 99)), f"_{draw.pick('abcxyz')}"))
    return f"{name}{extra}@{draw.pick(DOMAINS)}".replace("'", "").encode("ascii", "ignore").decode()


def _url(draw: Draw) -> str:
    host = draw.pick(DOMAINS) if draw.chance(0.5) else f"{draw.invented()}.com"
    host = draw.pick((host, host, f"{draw.word()}.{host}"))
    form = draw.pick(("https://{}", "http://{}", "www.{}", "https://{}/{}", "{}", "https://{}/{}/{}", "{}/{}.{}"))
    return form.format(host, draw.word(), draw.pick((draw.word(), f"{draw.word()}.html", str(draw.number(1, 9999)))))


def _path(draw: Draw) -> str:
    word, ending = (
        draw.thing().replace(" ", draw.pick("_-")),
        draw.pick("txt pdf csv png jpg py md json log docx".split()),
    )
    folder = draw.pick(("", "", "", "docs/", "/tmp/", "data/", "src/", f"/home/{draw.pick(FIRST_NAMES).lower()}/"))
    word = draw.pick((word, word, draw.invented(), f"{draw.invented()}_{draw.word()}"))
    more = draw.pick(
        ("", "", str(draw.number(1, 30)), f"_{draw.number(1, 12):02}", f"-{draw.number(2019, 2031)}", "_final")
    )
    return f"{folder}{word}{more}.{ending}"


def _code(draw: Draw) -> str:
    letters = "".join(draw.pick("ABCDEFGHKLMNPRSTUVWXYZ") for _ in range(draw.number(1, 3)))
    forms = (
        f"{letters}{draw.number(1, 999)}",
        f"{letters}-{draw.number(10, 9999)}",
        f"{letters.lower()}{draw.number(1, 99)}",
        f"{letters} {draw.number(1, 9999)}",
        f"{letters}-{draw.number(2019, 2031)}-{draw.number(1, 999)}",
        "".join(draw.pick("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789") for _ in range(draw.number(4, 9))),
    )
    whole = str(draw.number(1, 10 ** draw.number(1, 6)))
    return draw.pick((*forms, whole, whole, whole, f"{draw.pick(THINGS)[:-1]}-{draw.number(1, 99)}"))


def _key(draw: Draw) -> Value:
    """An identifier; one of digits alone is often an integer."""
    text = _code(draw)
    if text.isdigit() and text[0] != "0" and draw.chance(0.6):
        return Value(text, int(text), INTEGER)
    return Value(text, text, STRING)


def _word(draw: Draw) -> str:
    return draw.pick((draw.thing, draw.word, draw.invented))()


def _list(make: Callable[[Draw], Any], schema: Mapping[str, Any]) -> Callable[[Draw], Value]:
    def sample(draw: Draw) -> Value:
        values = [make(draw) for _ in range(draw.pick((1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8)))]
        if schema is STRING:
            values = list(dict.fromkeys(values))[:4]
        spoken = [str(value) for value in values]
        text = ", ".join(spoken)
        if len(spoken) > 1 and draw.chance(0.7):
            text = ", ".join(spoken[:-1]) + draw.pick((" and ", ", and ")) + spoken[-1]
        return Value(text, values, {"type": "array", "items": schema})

    return sample


KINDS: Mapping[str, Callable[[Draw], Value]] = {
    "int": _int(1, 999),
    "small": _int(1, 20, words=0.3),
    "big": _int(100, 99999),
    "temp": _int(-30, 240),
    "year": _int(1900, 2035),
    "float": _float,
    "price": _price,
    "percent": _percent,
    "person": _text(person),
    "city": _text(city),
    "country": _text(lambda draw: draw.pick(COUNTRIES)),
    "food": _text(mixed("foods", food)),
    "title": _text(mixed("titles", title), quote=0.3),
    "text": _text(mixed("messages notes tasks", _message), quote=0.35),
    "word": _text(mixed("things names topics", _word), quote=0.15),
    "thing": _text(mixed("things", _thing)),
    "color": _text(lambda draw: draw.pick(COLORS)),
    "language": _text(lambda draw: draw.pick(LANGUAGES)),
    "noun": _text(lambda draw: draw.thing().split()[-1]),
    "weekday": _text(lambda draw: draw.pick(DAYS)),
    "day": _text(_day),
    "date": _date,
    "clock": _text(_clock),
    "email": _text(_email, format="email"),
    "phone": _text(lambda draw: f"{draw.pick(('+', '0', '555-'))}{draw.number(10000, 99999999)}"),
    "url": _text(_url),
    "path": _text(_path, quote=0.15),
    "code": _key,
    "words": _list(mixed("things foods names", _word), STRING),
    "people": _list(person, STRING),
    "foods": _list(mixed("foods", food), STRING),
    "ints": _list(lambda draw: draw.number(1, 200), INTEGER),
    "floats": _list(lambda draw: round(draw.rng.uniform(0, 100), 1), NUMBER),
}
"""The kinds of values that templates name."""
