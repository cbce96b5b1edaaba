"""Sampled calls: whatever the masks let through satisfies its schema, as `jsonschema` judges with format checks.

    TOOLDEC_DATA=… python benchmarks/soundness.py --out soundness.jsonl --calls 20 [--limit 100] [--minutes 30]

Tokens are drawn from the masks, at random or with a bent for what is rare: long tokens, merges across borders,
escapes, emoji, lone bytes. A run that is stopped goes on where it was; the last line printed has the counts.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from schemas import SOURCES, Case, cases, judge, vocabularies

from tooldec.arguments import DUMPS, Writing, argument, spaced
from tooldec.automaton import DFA
from tooldec.errors import DeadEndError, SchemaError
from tooldec.states.cells import LiteralCell
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.vocabulary import Vocabulary

_SPACED = spaced(2)
WRITINGS: dict[str, Writing] = {
    "dumps": DUMPS,
    "any order": Writing(DUMPS.comma, DUMPS.colon, any_order=True),
    "open": Writing(DUMPS.comma, DUMPS.colon, open_objects=True, any_order=True),
    "spaced": _SPACED,
}
BENTS = ("random", "long", "odd", "crossing")


class Sampler:
    """Draws tokens that a machine allows, with a bent for some of them."""

    def __init__(self, vocabulary: Vocabulary, seed: int) -> None:
        self.vocabulary, self.chance = vocabulary, random.Random(seed)
        spelled = [(t, s) for t in range(vocabulary.size) if isinstance(s := vocabulary.spelling(t), bytes)]
        self.pools = {
            "random": [t for t, _ in spelled],
            "long": [t for t, s in spelled if len(s) > 8],
            "odd": [t for t, s in spelled if not s.isascii() or b"\\" in s or any(b < 32 or b == 127 for b in s)],
            "crossing": [t for t, s in spelled if len(s) > 1 and any(b in b'",:{}[]' for b in s)],
        }
        self.bytes = {s[0]: t for t, s in spelled if len(s) == 1}

    def draw(self, fsm: TokenFSM, state: int, bent: str) -> int | None:
        """An allowed token; None where the text may only end."""
        pool = self.pools[bent] or self.pools["random"]
        for _ in range(12):  # most states of a string allow most tokens: then no mask is needed
            token = self.chance.choice(pool)
            if fsm.step(state, token) is not None:
                return token
        allowed = np.flatnonzero(fsm.allowed(state))
        allowed = allowed[~np.isin(allowed, self.vocabulary.eos)]
        return int(self.chance.choice(allowed.tolist())) if len(allowed) else None

    def call(self, fsm: TokenFSM, bent: str) -> bytes | None:
        """A whole text: some tokens as they are drawn, then the way to the end; None where none was found."""
        state, text = fsm.initial, bytearray()
        for _ in range(self.chance.choice((2, 5, 10, 25, 60))):
            token = self.draw(fsm, state, bent if self.chance.random() < 0.7 else "random")
            if token is None:
                break
            after = fsm.step(state, token)
            assert after is not None, f"the mask allows {token}, the machine doesn't"
            spelling = self.vocabulary.spelling(token)
            assert isinstance(spelling, bytes)
            text += spelling
            state = after
            if fsm.is_accepting(state) and self.chance.random() < 0.3:
                break
        end = to_the_end(fsm.dfa, state)
        return None if end is None else bytes(text) + end


def to_the_end(dfa: DFA, state: int, most: int = 5_000) -> bytes | None:
    """A way to an accepting state, by bytes, closing what can be closed; few bytes that read alike are tried."""
    stack, seen = [(state, b"")], {state}
    while stack and len(seen) < most:
        at, text = stack.pop()
        if dfa.is_accepting(at):
            return text
        first = sorted(symbol for symbol in dfa.first(at) if isinstance(symbol, int))
        words = [cell.text[cell.at] for cell in dfa.cells(at) if isinstance(cell, LiteralCell)]
        likely = [byte for byte in b'"}],:nt0aA1/.-@' if byte in first]
        for byte in reversed(
            dict.fromkeys([*(b for b in likely if b in b"}]"), *words, *likely, *first[:6], *first[-2:]])
        ):
            to = dfa.step(at, byte)
            if to is not None and to not in seen:
                seen.add(to)
                stack.append((to, text + bytes([byte])))
    return None


def check(case: Case, vocabulary: Vocabulary, sampler: Sampler, calls: int, way: str) -> dict[str, Any]:
    """Sample one schema: counts, and what was rejected."""
    try:
        fsm = build_fsm(argument(case.schema, WRITINGS[way]), vocabulary)
    except SchemaError as error:
        return {"refused": f"{error.keyword}: {error.message}"}
    try:
        validator = judge(case.schema)
    except Exception as error:  # the judge can't read the schema
        return {"unjudged": str(error)[:200]}
    counts: Counter[str] = Counter()
    rejected: list[str] = []
    for index in range(calls):
        try:
            text = sampler.call(fsm, BENTS[index % len(BENTS)])
        except DeadEndError as error:
            rejected.append(f"dead end: {error}"[:300])
            continue
        if text is None:
            counts["unfinished"] += 1
            continue
        problem = _problem(text, validator)
        counts["unjudged" if problem == "?" else "calls"] += 1
        if problem and problem != "?":
            rejected.append(f"{text.decode('utf-8', 'replace')[:300]} <- {problem}"[:600])
    return {**counts, "rejected": rejected}


def _problem(text: bytes, validator: Any) -> str | None:
    """Why a text isn't valid; `?` where the judge itself fails."""
    try:
        value = json.loads(text.decode())
    except ValueError as error:
        return f"no JSON: {error}"
    try:
        found = next(iter(validator.iter_errors(value)), None)
    except Exception:  # a reference that can't be fetched, a pattern that Python can't read, a number too large
        return "?"
    return None if found is None else f"{found.json_path}: {found.message}"


def finished(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("soundness.jsonl"))
    parser.add_argument("--calls", type=int, default=20, help="calls for each schema, vocabulary and way of writing")
    parser.add_argument("--limit", type=int, help="so many schemas of each data set")
    parser.add_argument("--sources", nargs="*", default=list(SOURCES), choices=SOURCES)
    parser.add_argument("--vocabularies", nargs="*")
    parser.add_argument("--ways", nargs="*", default=["dumps", "open"], choices=list(WRITINGS))
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    done = {tuple(row["key"]) for row in finished(options.out)}
    with options.out.open("a", encoding="utf-8") as out:
        for name, _, vocabulary in vocabularies(options.vocabularies):
            sampler = Sampler(vocabulary, options.seed)
            for source in options.sources:
                for number, case in enumerate(cases(source)):
                    if options.limit is not None and number >= options.limit:
                        break
                    for way in options.ways:
                        key = (name, source, f"{number} {case.name}", way, options.seed)
                        if key in done or time.monotonic() > end:
                            continue
                        result = check(case, vocabulary, sampler, options.calls, way)
                        out.write(json.dumps({"key": key, **result}) + "\n")
                        out.flush()
    report(options.out)


def report(path: Path) -> None:
    """Counts by data set and vocabulary, and every rejection."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in finished(path):
        one = counts.setdefault((row["key"][1], row["key"][0]), Counter())
        one.update(schemas=1, calls=row.get("calls", 0), unfinished=row.get("unfinished", 0))
        one.update(refused="refused" in row, rejected=len(row.get("rejected", ())))
        one.update(unjudged=row["unjudged"] if isinstance(row.get("unjudged"), int) else "unjudged" in row)
        for text in row.get("rejected", ()):
            print("REJECTED", row["key"], text)
    total: Counter[str] = Counter()
    for key, one in sorted(counts.items()):
        print(*key, dict(one))
        total.update(one)
    print("all", dict(total))


if __name__ == "__main__":
    main()
