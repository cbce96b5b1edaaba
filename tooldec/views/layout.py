"""Where Graphviz puts things: DOT → its layout as JSON.

The wheel of pygraphviz carries Graphviz, but its Python module also wants GLib and X11, which a bare server lacks.
Laying out needs neither, so the engine is called in the wheel's own libraries; letters are measured by Graphviz's
built-in tables then, and the same graph looks the same on every machine. Where there are no such libraries, the
module is tried, and last the `dot` of the system.
"""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
import threading
from functools import cache, lru_cache
from pathlib import Path

from tooldec.errors import ToolDecError

_lock = threading.Lock()
"""Graphviz works on one graph at a time."""


@lru_cache(maxsize=64)
def layout(dot: str) -> str:
    """Graphviz's layout of a graph, as JSON.

    >>> layout("digraph { a -> b }")  # doctest: +ELLIPSIS
    '{...
    """
    with _lock:
        engine = _engine()
        if engine is not None:
            return engine.layout(dot.encode()).decode()
        try:
            from pygraphviz import AGraph
        except ImportError:
            return _system(dot)
        return bytes(AGraph(string=dot).draw(format="json", prog="dot")).decode()


def _system(dot: str) -> str:
    program = shutil.which("dot")
    if program is None:
        raise ToolDecError("Graphviz isn't there to lay out the graph", fix="pip install pygraphviz")
    done = subprocess.run([program, "-Tjson"], input=dot.encode(), capture_output=True, check=True, timeout=60)
    return done.stdout.decode()


@cache
def _engine() -> _Engine | None:
    spec = importlib.util.find_spec("pygraphviz")  # where it is, without importing it
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parents[1] / "pygraphviz.libs"
    try:
        return _Engine(folder)
    except (OSError, ValueError, AttributeError):  # a library or a name in it isn't there
        return None


class _Plugin(ctypes.Structure):
    """A row of the table of plugins that are already loaded."""

    _fields_ = (("name", ctypes.c_char_p), ("address", ctypes.c_void_p))


class _Engine:
    """libgvc with two plugins: `dot`'s layout and the writing of JSON."""

    def __init__(self, folder: Path) -> None:
        self._graphs = _load(folder, "libcgraph")
        self._engine = _load(folder, "libgvc")
        self._plugins = (_Plugin * 3)()  # the last row stays empty: the end of the table
        for row, name in enumerate(("gvplugin_dot_layout", "gvplugin_core")):
            symbol = f"{name}_LTX_library"
            address = ctypes.addressof(ctypes.c_void_p.in_dll(_load(folder, f"lib{name}"), symbol))
            self._plugins[row] = _Plugin(symbol.encode(), address)
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        _declare(self._graphs, "agmemread", [text], pointer)
        _declare(self._graphs, "agclose", [pointer])
        _declare(self._engine, "gvContextPlugins", [ctypes.POINTER(_Plugin), ctypes.c_int], pointer)
        _declare(self._engine, "gvLayout", [pointer, pointer, text])
        results = [ctypes.POINTER(pointer), ctypes.POINTER(ctypes.c_size_t)]
        _declare(self._engine, "gvRenderData", [pointer, pointer, text, *results])
        _declare(self._engine, "gvFreeRenderData", [pointer], None)
        _declare(self._engine, "gvFreeLayout", [pointer, pointer])
        self._graphs.agseterr(3)  # no remarks on stderr: the tables have no width for `Σ` and the like
        self._context = self._engine.gvContextPlugins(self._plugins, 0)

    def layout(self, dot: bytes) -> bytes:
        graph = self._graphs.agmemread(dot)
        if not graph:
            raise ToolDecError("Graphviz can't read the graph")
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        try:
            if self._engine.gvLayout(self._context, graph, b"dot"):
                raise ToolDecError("Graphviz can't lay out the graph")
            failed = self._engine.gvRenderData(self._context, graph, b"json", ctypes.byref(data), ctypes.byref(size))
            if failed:
                raise ToolDecError("Graphviz can't write its layout")
            return ctypes.string_at(data, size.value)
        finally:
            if data:
                self._engine.gvFreeRenderData(data)
            self._engine.gvFreeLayout(self._context, graph)
            self._graphs.agclose(graph)


def _load(folder: Path, stem: str) -> ctypes.CDLL:
    """The library whose name begins so; the wheel puts a hash behind it."""
    found = next(iter(sorted(folder.glob(f"{stem}-*.so*"))), None)
    if found is None:
        raise OSError(f"{stem} isn't in {folder}")
    return ctypes.CDLL(str(found))


def _declare(library: ctypes.CDLL, name: str, arguments: list[object], result: object = ctypes.c_int) -> None:
    function = getattr(library, name)
    function.argtypes, function.restype = arguments, result
