"""Messages on their way to the browser: in batches, and one run at a time on each model."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any

BATCH_SECONDS = 0.05
SILENT_SECONDS = 1.0
ALIVE = {"kind": "alive"}


def batches(
    messages: Iterator[dict[str, Any]], seconds: float = BATCH_SECONDS, silent: float = SILENT_SECONDS
) -> Iterator[list[dict[str, Any]]]:
    """Pass messages on at once, or together where the last ones went less than `seconds` ago; closing closes them.

    An iterator can't be closed while it waits: where no message comes for `silent` seconds, it gives ALIVE.
    """
    done = object()
    ready: queue.SimpleQueue[Any] = queue.SimpleQueue()
    stopped = threading.Event()
    next_time = 0.0

    def pump() -> None:
        try:
            for message in messages:
                ready.put(message)
                if stopped.is_set():
                    break
        except BaseException as error:  # passed on to the caller below
            ready.put(error)
        finally:
            if hasattr(messages, "close"):
                messages.close()
            ready.put(done)

    threading.Thread(target=pump, name="run", daemon=True).start()
    try:
        while True:
            try:
                batch = [ready.get(timeout=silent)]
            except queue.Empty:
                yield [ALIVE]
                continue
            time.sleep(max(0.0, next_time - time.monotonic()))  # meanwhile more messages gather
            next_time = time.monotonic() + seconds
            while not ready.empty():
                batch.append(ready.get())
            told = [message for message in batch if isinstance(message, dict)]
            if told:
                yield told
            for message in batch:
                if isinstance(message, BaseException):
                    raise message
                if message is done:
                    return
    finally:
        stopped.set()


def packed(batch: list[dict[str, Any]], run: object = None) -> str:
    """Messages as JSON in which nothing looks like markup; the first of them says of which run they are.

    >>> packed([{"kind": "step"}], 7)
    '[{"kind": "step", "run": 7}]'
    """
    batch = batch if run is None else [{**batch[0], "run": run}, *batch[1:]]
    return json.dumps(batch).replace("<", "\\u003c")


class Turns:
    """One run at a time on each model: those who wait hear their place in the queue."""

    def __init__(self) -> None:
        self._queues: dict[str, list[object]] = {}
        self._moved = threading.Condition()

    def take(self, model: str, messages: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Pass on `messages` when it is their turn; closing this gives the place to the next."""
        ticket = object()
        with self._moved:
            waiting = self._queues.setdefault(model, [])
            waiting.append(ticket)
        try:
            while place := waiting.index(ticket):
                yield {"kind": "queue", "position": place}
                with self._moved:
                    self._moved.wait_for(lambda: waiting.index(ticket) != place, timeout=0.5)
            yield from messages
        finally:
            with self._moved:
                waiting.remove(ticket)
                if not waiting:
                    del self._queues[model]
                self._moved.notify_all()
