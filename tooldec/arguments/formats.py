"""The formats of strings, as regular expressions over the string's content.

What a format's expression describes every validator accepts; rarely written forms that validators disagree about,
such as quoted local parts of e-mail addresses, are left out. Where a string must not have a format, they are left out,
too: what WIDEST describes some validator may accept.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tooldec.arguments.metaregex import EXPRESSION

_HOUR = "([01][0-9]|2[0-3])"
_YEAR = "([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"  # there is no year 0
_DAY = "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
_LEAP_YEAR = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)"
_DATE = f"({_YEAR}-{_DAY}|{_LEAP_YEAR}-02-29)"
_TIME = f"{_HOUR}:[0-5][0-9]:[0-5][0-9]([.][0-9]+)?([zZ]|[+-]{_HOUR}:[0-5][0-9])"
_PERIOD = "([0-9]+D|[0-9]+M([0-9]+D)?|[0-9]+Y([0-9]+M([0-9]+D)?)?)"
_CLOCK = "T([0-9]+S|[0-9]+M([0-9]+S)?|[0-9]+H([0-9]+M([0-9]+S)?)?)"

_LABEL = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_HOST = f"{_LABEL}([.]{_LABEL})*"
_PLAIN_LABEL = "[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*"
_ATOM = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+"

_BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = f"{_BYTE}([.]{_BYTE}){{3}}"
_H = "[0-9a-fA-F]{1,4}"
_TAIL = f"({_H}:{_H}|{_IPV4})"
_IPV6 = "|".join(
    [
        f"({_H}:){{6}}{_TAIL}",
        f"::({_H}:){{5}}{_TAIL}",
        f"({_H})?::({_H}:){{4}}{_TAIL}",
        *(f"({_H}(:{_H}){{0,{left}}})?::({_H}:){{{4 - left}}}{_TAIL}" for left in range(1, 5)),
        f"({_H}(:{_H}){{0,5}})?::{_H}",
        f"({_H}(:{_H}){{0,6}})?::",
    ]
)

_ESCAPE = "%[0-9a-fA-F]{2}"
_FOREIGN = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd"
"""Letters of most scripts, and emoji: an IRI may have them (RFC 3987), not only ASCII."""


def _reference(letters: str = "", absolute: bool = False) -> str:
    """A URI, or with `letters` an IRI; a reference may also leave out the scheme."""
    host = f"a-zA-Z0-9._~!$&'()*+,;={letters}"
    character = f"([{host}@:-]|{_ESCAPE})"
    name = f"([{host}-]|{_ESCAPE})*"
    user = f"([{host}:-]|{_ESCAPE})*@"
    more = f"(/{character}*)*"
    rooted = f"//({user})?({name}|\\[({_IPV6})\\])(:[0-9]*)?{more}|/({character}+{more})?"
    rest = f"(\\?({character}|[/?])*)?(#({character}|[/?])*)?"
    uri = f"[a-zA-Z][a-zA-Z0-9+.-]*:({rooted}|{character}+{more})?{rest}"
    return uri if absolute else f"({uri}|({rooted}|([{host}@-]|{_ESCAPE})+{more})?{rest})"


_POINTER = "(/([^~/]|~[01])*)*"

_VARIABLE = "[a-zA-Z0-9_]+([.][a-zA-Z0-9_]+)*(:[1-9][0-9]{0,2}|[*])?"
_TEMPLATE = f"([a-zA-Z0-9._~!$&()*+,;=:@/?#-]|{_ESCAPE}|[{{][+#./;?&]?{_VARIABLE}(,{_VARIABLE})*[}}])*"

_FOREIGN_ATOM = _ATOM.replace("a-z", f"{_FOREIGN}a-z")
_WORD = "a-z0-9\u00df-\u00f6\u00f8-\u00ff\u03b1-\u03c9\u0430-\u045f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3"
_ANY_WORD = f"({_PLAIN_LABEL}|[{_WORD}]{{1,11}})"
"""A label of ASCII, or a word in small letters, kana, Han or Hangul, which isn't longer than a label when encoded."""

_ANYTHING = "[\\s\\S]"
_LINE = "\\n?"  # Python's $ also stands before a last line end
_ANY_DATE = f"([0-9]{{4}}-{_DAY}|({_LEAP_YEAR}|0000)-02-29)"
_ANY_TIME = f"{_HOUR}:[0-5][0-9]:([0-5][0-9]|60)([.][0-9]+)?([zZ]|[+-]{_HOUR}:[0-5][0-9]){_LINE}"
_ANY_LABEL = "[a-zA-Z0-9_\u0080-\U0010ffff]([a-zA-Z0-9_\u0080-\U0010ffff-]*[a-zA-Z0-9_\u0080-\U0010ffff])?"
_ANY_REFERENCE = f'[^\\x00-\x20"<>\\\\^`{{|}}\x7f]*{_LINE}'

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "date": _DATE,
        "time": _TIME,
        "date-time": f"{_DATE}[tT]{_TIME}",
        "duration": f"P([0-9]+W|{_PERIOD}({_CLOCK})?|{_CLOCK})",
        "email": f"{_ATOM}([.]{_ATOM})*@{_LABEL}([.]{_LABEL})+",
        "idn-email": f"{_FOREIGN_ATOM}([.]{_FOREIGN_ATOM})*@{_ANY_WORD}([.]{_ANY_WORD})+",
        "hostname": _HOST,
        "idn-hostname": f"{_ANY_WORD}([.]{_ANY_WORD})*",
        "ipv4": _IPV4,
        "ipv6": _IPV6,
        "uri": _reference(absolute=True),
        "uri-reference": _reference(),
        "iri": _reference(_FOREIGN, absolute=True),
        "iri-reference": _reference(_FOREIGN),
        "uri-template": _TEMPLATE,
        "uuid": "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
        "json-pointer": _POINTER,
        "relative-json-pointer": f"(0|[1-9]+0?)(#|{_POINTER})",
        "regex": EXPRESSION,
        "color": "#[0-9a-fA-F]{6}",
    }
)
"""Formats that are enforced."""

WIDEST: Mapping[str, str] = MappingProxyType(
    {
        "date": _ANY_DATE,
        "time": _ANY_TIME,
        "date-time": f"{_ANY_DATE}[tT ]{_ANY_TIME}",
        "duration": f"[+-]?PT?[0-9.,+-]{_ANYTHING}*",
        "email": f"{_ANYTHING}*@{_ANYTHING}*",
        "idn-email": f"{_ANYTHING}*@{_ANYTHING}*",
        "hostname": f"{_ANY_LABEL}([.]{_ANY_LABEL})*[.]?{_LINE}",
        "ipv4": _IPV4,
        "ipv6": _IPV6,
        **dict.fromkeys(("uri", "iri"), f"[a-zA-Z][a-zA-Z0-9+.-]*:{_ANY_REFERENCE}"),
        **dict.fromkeys(("uri-reference", "iri-reference"), _ANY_REFERENCE),
        "uuid": f"{_ANYTHING}{{8}}(-{_ANYTHING}{{4}}){{3}}-{_ANYTHING}*",
        "json-pointer": _POINTER,
    }
)
"""What a string is not where it must not have a format: of other formats that isn't known."""

LONGEST: Mapping[str, int] = MappingProxyType({"hostname": 253, "idn-hostname": 63})
"""Formats with a greatest length."""
