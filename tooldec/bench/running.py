"""Run a suite, question by question, and keep each answer on disk: what was stopped goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tooldec.bench.asking import Answer, Asker, Manner
from tooldec.bench.cases import some
from tooldec.bench.suite import Suite
from tooldec.errors import UsageError
from tooldec.models import Model


@dataclass(frozen=True, slots=True)
class Done:
    """How far a run is: this answer was the `count`-th of `total`."""

    answer: Answer
    count: int
    total: int


def run(
    suite: Suite,
    model: Model,
    data: Path,
    kept: Path,
    scheme: str | None = None,
    methods: Sequence[str] = (),
    limit: int | None = None,
    max_tokens: int | None = None,
) -> Iterator[Done]:
    """Ask all questions in all ways, each answer as soon as it is there; `kept` gets a row of JSON for each.

    methods     read by `Manner.of`; the suite's own by default
    limit       questions of each family; all by default

    An answer that `kept` has already, to the same question in the same way, isn't asked for again.
    Raises UsageError for a word that is no method, and for files that can't be read.
    """
    methods = tuple(methods) or suite.methods
    for method in methods:
        Manner.of(method)
    asker = Asker(model, suite, scheme or next(iter(suite.schemes)), max_tokens)
    cases = some(suite.cases(data), limit)
    before = {answer.key: answer for answer in read(kept)}
    numbers: dict[str, int] = {}
    numbered = []
    for case in cases:
        numbers[case.family] = numbers.get(case.family, -1) + 1
        numbered.append((numbers[case.family], case))
    total, count = len(cases) * len(suite.listed) * len(methods), 0
    with kept.open("a", encoding="utf-8") as file:
        for listed in suite.listed:
            for method in methods:
                for number, case in numbered:
                    answer = before.get(asker.unasked(case, number, method, listed).key)
                    if answer is None:
                        answer = asker.ask(case, number, method, listed)
                        file.write(json.dumps(answer.to_json(), ensure_ascii=False) + "\n")
                        file.flush()
                    count += 1
                    yield Done(answer, count, total)


def read(kept: Path) -> list[Answer]:
    """The answers that a run has left in a file, where there is one; a row that wasn't written to its end is cut off.

    Raises UsageError for a file of other rows.
    """
    if not kept.is_file():
        return []
    data, answers = kept.read_bytes(), []
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        kept.write_bytes(whole)
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            answers.append(Answer.from_json(json.loads(line)))
        except (ValueError, TypeError, KeyError) as error:
            raise UsageError(
                f"{kept}, line {number} is no answer of this benchmark: {error}", fix="give another folder with --out"
            ) from None
    return answers
