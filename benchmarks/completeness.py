"""What the machine knows: how many schemas it enforces, and whether every valid instance can be written.

    TOOLDEC_DATA=… python benchmarks/completeness.py [--limit 100] [--vocabularies gpt2-50k]

For each data set: how many schemas compile, and the others by reason. For each instance: a valid one must be accepted
in its tokenizer's own tokens and in random other ones (with open objects and properties in any order; and closed,
where it has declared properties only), and an invalid one must be rejected.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from schemas import SOURCES, Case, cases, judge, vocabularies
from soundness import WRITINGS

from tooldec.arguments import argument
from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.token_fsm import TokenFSM
from tooldec.vocabulary import Vocabulary


def coverage(source: str, limit: int | None = None) -> tuple[Counter[str], int]:
    """The refusals of a data set by reason, and how many schemas there are."""
    refused: Counter[str] = Counter()
    total = 0
    for case in cases(source):
        if limit is not None and total == limit:
            break
        total += 1
        try:
            argument(case.schema, WRITINGS["dumps"])
        except SchemaError as error:
            refused[f"{error.keyword}: {error.message}"[:110]] += 1
    return refused, total


def canonical(tokenizer: Any, vocabulary: Vocabulary, text: bytes) -> list[int] | None:
    """A tokenizer's own tokens for a text that goes on; None where they spell something else."""
    tokens = tokenizer.encode(text.decode(), add_special_tokens=False)
    for shorter in (tokens, tokens[1:]):  # SentencePiece puts a space before every text
        if _spelled(vocabulary, shorter) == text:
            return list(shorter)
    tokens = tokenizer.encode("\n" + text.decode(), add_special_tokens=False)
    for cut in range(1, 4):
        if _spelled(vocabulary, tokens[cut:]) == text:
            return list(tokens[cut:])
    return None


def _spelled(vocabulary: Vocabulary, tokens: list[int]) -> bytes:
    spellings = [vocabulary.spelling(token) for token in tokens]
    return b"".join(s for s in spellings if isinstance(s, bytes))


def otherwise(vocabulary: Vocabulary, text: bytes, chance: random.Random) -> list[int] | None:
    """Random tokens that spell a text; None where the vocabulary can't."""
    trie, at, tokens = vocabulary.trie, 0, []
    while at < len(text):
        node, found, here = 0, [], at
        while here < len(text):
            node = trie.child(node, text[here])
            if node < 0:
                break
            here += 1
            found += [(here, token) for token in trie.ids_at(node)]
        if not found:
            return None
        at, token = chance.choice(found)
        tokens.append(token)
    return tokens


def reads(fsm: TokenFSM, tokens: list[int]) -> bool:
    """Whether a machine lets these tokens through, and may end."""
    state: int | None = fsm.initial
    for token in tokens:
        state = None if state is None else fsm.step(state, token)
    return state is not None and fsm.is_accepting(state)


def declared(schema: Any) -> set[str]:
    """All names that stand anywhere in a schema as a property."""
    found: set[str] = set()
    if isinstance(schema, list):
        return found.union(*map(declared, schema))
    if isinstance(schema, dict):
        found.update(schema.get("properties", {}) if isinstance(schema.get("properties"), dict) else ())
        found = found.union(*map(declared, schema.values()))
    return found


def _names(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(_names, value))
    return set(value).union(*map(_names, value.values())) if isinstance(value, dict) else set()


def instances(case: Case, tools: list[tuple[str, Any, Vocabulary]], chance: random.Random) -> Counter[str]:
    """Counts over the instances of one schema; what went wrong is printed."""
    counts: Counter[str] = Counter()
    try:
        machines = {way: DFA(argument(case.schema, WRITINGS[way])) for way in ("open", "any order", "spaced")}
        validator = judge(case.schema)
    except SchemaError:
        return Counter(refused=len(case.instances))
    for value, valid in case.instances:
        text = json.dumps(value, ensure_ascii=False).encode()
        if valid != (next(iter(validator.iter_errors(value)), None) is None):
            counts["disputed"] += 1  # the judge disagrees with the data: some checks of formats are optional
            continue
        only_declared = _names(value) <= declared(case.schema)
        counts["valid" if valid else "invalid"] += 1
        for way, dfa in machines.items():
            if way == "spaced" and valid:
                continue  # in the schema's order, and closed: only for invalid ones
            state = dfa.read(text)
            accepted = state is not None and dfa.is_accepting(state)
            if accepted != valid and (accepted or way == "open" or only_declared):
                counts[f"{way}: {'invalid accepted' if accepted else 'valid rejected'}"] += 1
                print("WRONG", way, "accepted" if accepted else "rejected", case.name, text.decode()[:300])
            elif accepted:
                counts[f"{way}: accepted"] += 1
        if valid:
            for _, tokenizer, vocabulary in tools:
                fsm = TokenFSM(machines["open"], vocabulary)
                ways = [
                    canonical(tokenizer, vocabulary, text),
                    *(otherwise(vocabulary, text, chance) for _ in range(3)),
                ]
                state = machines["open"].read(text)
                wanted = state is not None and machines["open"].is_accepting(state)
                for tokens in ways:
                    counts["tokenisations"] += tokens is not None
                    if tokens is not None and reads(fsm, tokens) != wanted:
                        counts["tokenisations that differ"] += 1
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, help="so many schemas of each data set")
    parser.add_argument("--sources", nargs="*", default=list(SOURCES), choices=SOURCES)
    parser.add_argument("--vocabularies", nargs="*")
    options = parser.parse_args()
    for source in options.sources:
        refused, total = coverage(source, options.limit)
        kept = total - sum(refused.values())
        print(f"{source}: {kept} of {total} schemas are enforced ({kept / max(total, 1):.1%})")
        for reason, times in refused.most_common():
            print(f"    {times:4} {reason}")
    if "jsonschemabench" in options.sources:
        tools, chance, counts = list(vocabularies(options.vocabularies)), random.Random(0), Counter[str]()
        for number, case in enumerate(cases("jsonschemabench")):
            if options.limit is None or number < options.limit:
                counts.update(instances(case, tools, chance))
        print(dict(counts))


if __name__ == "__main__":
    main()
