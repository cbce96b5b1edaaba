"""One exception per thing that can go wrong; each says what was read, where, and what would work."""

from __future__ import annotations

from typing import Any


class ToolDecError(Exception):
    """Base of every error that a user's input can cause.

    `line` and `column` count from 1 and point into the text that was read, where there is one.
    `fix` says what would work.

    >>> str(ToolDecError("unknown type `strng`", line=2, column=9, fix="use `str`"))
    'line 2, column 9: unknown type `strng`; use `str`'
    """

    def __init__(
        self, message: str, *, line: int | None = None, column: int | None = None, fix: str | None = None
    ) -> None:
        self.message, self.line, self.column, self.fix = message, line, column, fix
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        """Its parts by name, so that it comes whole out of another process."""
        return _again, (type(self), self.__dict__), None

    @property
    def place(self) -> str:
        """Where it is, for people: `line 2, column 9`, or nothing."""
        if self.line is None:
            return ""
        return f"line {self.line}" + (f", column {self.column}" if self.column is not None else "")

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        return place + self.message + (f"; {self.fix}" if self.fix else "")


def _again(kind: type[ToolDecError], parts: dict[str, Any]) -> ToolDecError:
    error = kind.__new__(kind, parts["message"])
    error.__dict__.update(parts)
    return error


def cut(text: str, limit: int = 80) -> str:
    """A long text of the user's inside a message, without its middle.

    >>> cut("a" * 50 + "b" * 50, 12)
    'aaaaaa … bbbbbb'
    """
    half = limit // 2
    return text if len(text) <= limit else f"{text[:half]} … {text[-half:]}"


class SignatureError(ToolDecError):
    """The text of the tool signatures cannot be read.

    `kind` is `syntax`, `nothing` (the text has no tool), `duplicate` (a name stands twice), `type` (an unknown type),
    `undeclared` (a required parameter that isn't declared) or `provided` (a tool that the model's provider defines and
    runs). Where one word has to be replaced, `word` is it, and `replacement` the new one. `tool` is the name of the
    tool that is left out, where it can be read; `more` is what else is wrong in it.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        fix: str | None = None,
        kind: str = "syntax",
        word: str = "",
        replacement: str | None = None,
        tool: str = "",
    ) -> None:
        self.kind, self.word, self.replacement, self.tool = kind, word, replacement, tool
        self.more: tuple[SignatureError, ...] = ()
        super().__init__(message, line=line, column=column, fix=fix)


class SchemaError(ToolDecError):
    """A parameter's JSON Schema cannot be enforced; `path` is the place inside it, such as `$.a.items`.

    `empty` says that no value satisfies it; `tool` is the name of the tool that it belongs to, where that is known.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str = "$",
        keyword: str | None = None,
        empty: bool = False,
        tool: str | None = None,
        line: int | None = None,
        column: int | None = None,
        fix: str | None = None,
    ) -> None:
        self.path, self.keyword, self.empty, self.tool = path, keyword, empty, tool
        super().__init__(message, line=line, column=column, fix=fix)

    def __str__(self) -> str:
        return f"{self.path}: {super().__str__()}"


class VocabularyError(ToolDecError):
    """A tokenizer's vocabulary cannot be spelled out, or cannot say what the machine needs."""


class DeadEndError(VocabularyError):
    """A state that this vocabulary cannot leave."""


class ModelError(ToolDecError):
    """A model is unknown, cannot be loaded, or cannot take this input."""


class CallError(ToolDecError):
    """A tool call in a finished text is not valid.

    `kind` is the error class: `name`, `type`, `count`, `unknown`, `missing`, `format`, `end_token`,
    `illegal_symbol` or `cut_off` (Figures 7 and 8 of the paper); `start` and `end` count characters of the text,
    and so do `name`, where the call's name stands, and `fault`, where what is wrong stands.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        start: int,
        end: int,
        fix: str | None = None,
        name: tuple[int, int] | None = None,
        fault: tuple[int, int] | None = None,
    ) -> None:
        self.kind, self.start, self.end, self.name = kind, start, end, name
        self.fault = fault or (name if name and kind == "name" else (name[1] if name else start, end))
        super().__init__(message, fix=fix)


class HostError(ToolDecError):
    """The machine waits for text of the host (a tool's result), and there is no host."""


class UsageError(ToolDecError):
    """Wrong usage of the command line or of a setting."""
