"""Names of Python's types that need nothing in brackets, and the JSON Schema of each; PLAIN_TYPES has a row for each.

>>> [schema for schema, names in PLAIN_TYPES if "HttpUrl" in names]
[{'type': 'string', 'format': 'uri'}]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_SIGNS = {
    "Positive": "exclusiveMinimum",
    "NonNegative": "minimum",
    "Negative": "exclusiveMaximum",
    "NonPositive": "maximum",
}
_STRING: Mapping[str, Any] = {"type": "string"}
_SIZE = {"anyOf": [{**_STRING, "pattern": r"^\s*(\d*\.?\d+)\s*(\w+)?"}, {"type": "integer", "minimum": 0}]}


def _row(schema: Mapping[str, Any], names: str) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    return schema, tuple(names.split())


def _format(name: str, names: str) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    return _row({**_STRING, "format": name}, names)


def _signed() -> Iterator[tuple[Mapping[str, Any], tuple[str, ...]]]:
    for sign, keyword in _SIGNS.items():
        yield _row({"type": "integer", keyword: 0}, f"{sign}Int")
        yield _row({"type": "number", keyword: 0}, f"{sign}Float")


PLAIN_TYPES = (
    _row(
        _STRING,
        "str string Path pathlib.Path AnyStr Text LiteralString StrictStr SecretStr FilePath DirectoryPath NewPath",
    ),
    _row({"type": "integer"}, "int StrictInt Integral numbers.Integral integer"),
    _row({"type": "number"}, "float Decimal decimal.Decimal StrictFloat FiniteFloat number"),
    _row({"type": "boolean"}, "bool StrictBool boolean"),
    _format("date", "date datetime.date PastDate FutureDate"),
    _format("date-time", "datetime datetime.datetime AwareDatetime NaiveDatetime PastDatetime FutureDatetime"),
    _format("time", "time datetime.time"),
    _format("duration", "timedelta"),
    _format("uuid", "UUID uuid.UUID UUID1 UUID3 UUID4 UUID5 UUID6 UUID7 UUID8"),
    _format(
        "uri",
        """AnyUrl HttpUrl AnyHttpUrl AnyWebsocketUrl WebsocketUrl FileUrl FtpUrl PostgresDsn CockroachDsn MySQLDsn
        MariaDBDsn SnowflakeDsn ClickHouseDsn MongoDsn RedisDsn AmqpDsn KafkaDsn NatsDsn""",
    ),
    _format("ipv4", "IPv4Address ipaddress.IPv4Address"),
    _format("ipv6", "IPv6Address ipaddress.IPv6Address"),
    _format("email", "EmailStr"),
    _format("binary", "bytes bytearray StrictBytes SecretBytes"),
    _row(_SIZE, "ByteSize"),
    *_signed(),
    _row(
        _STRING,
        """Base64Str Base64UrlStr Base64Bytes Base64UrlBytes ImportString NameEmail IPvAnyAddress IPvAnyInterface
        IPvAnyNetwork IPv4Network IPv6Network IPv4Interface IPv6Interface ZoneInfo zoneinfo.ZoneInfo TimeZoneName
        PhoneNumber PaymentCardNumber CountryAlpha2 CountryAlpha3 SemanticVersion ULID MacAddress""",
    ),
    _row({"type": "number"}, "Number numbers.Number Real numbers.Real"),
    _row({}, "Any any"),
    _row({"type": "null"}, "NoneType types.NoneType null"),
)
"""A schema, and the names of the types that it is for; what a slip of the pen in a name means is said by the first."""
