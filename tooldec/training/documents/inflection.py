"""Forms of verbs in questions: "cut back" → "cutting back", "to be cut back"."""

from __future__ import annotations

_PARTICIPLES = dict(
    pair.split("/")
    for pair in """
cut/cut put/put set/set send/sent get/got give/given take/taken bring/brought buy/bought find/found show/shown
begin/begun shut/shut hold/held sell/sold lend/lent pay/paid tell/told write/written read/read draw/drawn sing/sung
dig/dug build/built tear/torn make/made keep/kept let/let drive/driven throw/thrown freeze/frozen leave/left hit/hit
strike/struck feed/fed wake/woken teach/taught run/run go/gone see/seen hang/hung grind/ground grow/grown split/split
sow/sown sew/sewn shear/shorn spin/spun speak/spoken rebuild/rebuilt catch/caught weave/woven wind/wound ride/ridden
fight/fought spread/spread think/thought say/said have/had do/done lead/led light/lit bind/bound hide/hidden ring/rung
reset/reset typeset/typeset
""".split()
)


_STRESSED = frozenset(
    "debug unplug embed defer refer prefer transfer confer infer submit transmit permit admit commit omit emit patrol "
    "control program format equip occur recur incur regret forget begin compel expel propel reset typeset".split()
)
"""Verbs of several syllables that double their last letter."""


def _double(word: str) -> bool:
    """Whether the last letter is doubled before an ending: "trim", not "clean" or "order"."""
    if word in _STRESSED:
        return True
    vowels = "aeiou"
    if len(word) < 3 or word[-1] in "wxyaeiouhc" or word[-2] not in vowels or word[-3] in vowels:
        return False
    return sum(letter in vowels for letter in word) == 1


def past(verb: str) -> str:
    """The past participle: "zip up" → "zipped up"."""
    first, _, rest = verb.partition(" ")
    if first in _PARTICIPLES:
        form = _PARTICIPLES[first]
    elif first.endswith("e"):
        form = f"{first}d"
    elif first.endswith("y") and first[-2:-1] not in "aeiou":
        form = f"{first[:-1]}ied"
    else:
        form = f"{first}{first[-1] if _double(first) else ''}ed"
    return f"{form} {rest}".strip()


def present(verb: str) -> str:
    """The present participle: "write down" → "writing down"."""
    first, _, rest = verb.partition(" ")
    if first.endswith("e") and not first.endswith(("ee", "oe", "ye")):
        form = f"{first[:-1]}ing"
    else:
        form = f"{first}{first[-1] if _double(first) else ''}ing"
    return f"{form} {rest}".strip()
