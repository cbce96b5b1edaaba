"""Masks are xgrammar's, bit for bit, but for two differences, both explained here and neither ours to lose.

1. xgrammar lets special tokens through inside of strings (`<|im_start|>`, spelled as text); ours are symbols.
2. Its JSON grammar lets DEL stand in a string. JSON does too, and so do our own strings; the benchmark's grammars
   leave it out, and the plugin's strings are the benchmark's.

Needs the benchmark's workloads beside TOOLDEC_DATA, and to compare masks xgrammar, where the peers are measured.
"""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

DATA = os.environ.get("TOOLDEC_DATA")
if DATA is None:
    pytest.skip("TOOLDEC_DATA isn't set", allow_module_level=True)
SHARED = Path(DATA).parent
sys.path[:0] = [str(SHARED / "bench"), str(Path(__file__).parent.parent / "benchmarks")]

import bench_peers  # noqa: E402  # found by the lines above
import peer_plugin  # noqa: E402
import workloads  # noqa: E402

pytestmark = [pytest.mark.data, pytest.mark.slow]


WORKLOADS = ("math4", "funcqa13", "kg234", "json10")


@pytest.fixture(scope="module", params=sorted(path.name for path in (SHARED / "tokenizers").iterdir()))
def engine(request):
    vocabulary = bench_peers.Vocab(str(SHARED / "tokenizers" / request.param))
    return vocabulary, peer_plugin.ToolDec(vocabulary)


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_plugin_writes_the_samples_of_the_benchmark(engine, name):
    vocabulary, ours = engine
    workload = workloads.build(name)
    state = ours.compile(workload)
    for sample in workload.samples:
        state.reset()
        for token in [*vocabulary.encode(sample), vocabulary.eos]:
            state.fill_mask()
            assert state.allowed()[token], sample
            state.accept(token)


@pytest.mark.parametrize("name", WORKLOADS)
def test_masks_are_xgrammars(engine, name):
    pytest.importorskip("xgrammar", reason="xgrammar isn't installed")
    vocabulary, ours = engine
    theirs = bench_peers.XGrammar(vocabulary)
    workload = workloads.build(name)
    one, two = theirs.compile(workload), ours.compile(workload)
    explained = np.zeros(vocabulary.size, dtype=bool)
    explained[sorted(vocabulary.special - {vocabulary.eos})] = True
    if workload.style == "json":
        explained[[token for token, spelling in enumerate(vocabulary.bytes) if spelling and b"\x7f" in spelling]] = True
    rng = np.random.default_rng(5)
    compared = 0
    for sample in workload.samples:
        for start in (None, int(rng.integers(1, 12))):  # as written, and off the track from some step on
            compared += _compare(vocabulary.encode(sample), start, one, two, explained, rng, vocabulary)
    assert compared > 200


def _compare(ids, start, one, two, explained, rng, vocabulary):
    one.reset()
    two.reset()
    for step in range(40):
        one.fill_mask()
        two.fill_mask()
        theirs, ours = one.allowed(), two.allowed()
        different = np.flatnonzero(theirs != ours)
        assert explained[different].all(), [(int(t), vocabulary.bytes[t], bool(ours[t])) for t in different][:10]
        assert not ours[explained].any()
        if start is None or step < start:
            if step >= len(ids):
                return step + 1
            token = ids[step]
        else:
            choices = np.flatnonzero(ours)
            choices = choices[choices != vocabulary.eos]
            if not len(choices):
                return step + 1
            token = int(rng.choice(choices))
        assert ours[token]
        one.accept(token)
        two.accept(token)
    return 40
