"""The paper's experiments, measured on any model: `tooldec bench SUITE --data DIR --out DIR`.

    data set --cases--> Case --asking--> Answer --report--> the paper's table, a curve

A suite says which questions are asked, and which answers are right; `Asker` decodes them by a method, and `running`
keeps them, so that a run that was stopped goes on. The data sets aren't part of this package: the head of each suite's
module says which files it reads, and what they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tooldec.bench import bfcl, funcqa, kamel, restbench, tooleval
from tooldec.bench.asking import Answer, Asker, Manner
from tooldec.bench.cases import Case
from tooldec.bench.report import curve, figures, report
from tooldec.bench.running import run
from tooldec.bench.suite import Suite

__all__ = ["SUITES", "Answer", "Asker", "Case", "Manner", "Suite", "curve", "figures", "report", "run"]

SUITES: Mapping[str, Suite] = MappingProxyType(
    {
        "tooleval": tooleval.SUITE,
        "funcqa": funcqa.SUITE,
        "kamel": kamel.SUITE,
        "restbench": restbench.SUITE,
        "bfcl": bfcl.SUITE,
    }
)
"""The suites by name, in the paper's order; `bfcl` isn't the paper's."""
