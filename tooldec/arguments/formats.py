"""The formats of strings, as regular expressions over the string's content.

What a format's expression describes every validator accepts; rarely written forms that validators disagree about,
such as quoted local parts of e-mail addresses, are left out. Where a string must not have a format, they are left out,
too: what WIDEST describes some validator may accept.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

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
_PCHAR = f"([a-zA-Z0-9._~!$&'()*+,;=:@-]|{_ESCAPE})"
_NO_COLON = f"([a-zA-Z0-9._~!$&'()*+,;=@-]|{_ESCAPE})"
_REG_NAME = f"([a-zA-Z0-9._~!$&'()*+,;=-]|{_ESCAPE})*"
_USER = f"([a-zA-Z0-9._~!$&'()*+,;=:-]|{_ESCAPE})*@"
_AUTHORITY = f"({_USER})?({_REG_NAME}|\\[({_IPV6})\\])(:[0-9]*)?"
_MORE = f"(/{_PCHAR}*)*"
_ABSOLUTE = f"//{_AUTHORITY}{_MORE}|/({_PCHAR}+{_MORE})?"
_REST = f"(\\?({_PCHAR}|[/?])*)?(#({_PCHAR}|[/?])*)?"
_URI = f"[a-zA-Z][a-zA-Z0-9+.-]*:({_ABSOLUTE}|{_PCHAR}+{_MORE})?{_REST}"
_URI_REFERENCE = f"({_URI}|({_ABSOLUTE}|{_NO_COLON}+{_MORE})?{_REST})"
_POINTER = "(/([^~/]|~[01])*)*"

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
        "idn-email": f"{_ATOM}([.]{_ATOM})*@{_LABEL}([.]{_LABEL})+",
        "hostname": _HOST,
        "idn-hostname": f"{_PLAIN_LABEL}([.]{_PLAIN_LABEL})*",
        "ipv4": _IPV4,
        "ipv6": _IPV6,
        "uri": _URI,
        "uri-reference": _URI_REFERENCE,
        "iri": _URI,
        "iri-reference": _URI_REFERENCE,
        "uri-template": f"([a-zA-Z0-9._~!$&()*+,;=:@/?#-]|{_ESCAPE}|[{{][a-zA-Z0-9_]+[}}])*",
        "uuid": "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
        "json-pointer": _POINTER,
        "relative-json-pointer": f"(0|[1-9][0-9]*)(#|{_POINTER})",
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

UNENFORCED: Mapping[str, str] = MappingProxyType({"regex": "regular expressions aren't a regular language"})
"""Formats that validators check, and why no machine here does."""
