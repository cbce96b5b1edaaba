"""The page in the browser: Gradio layout and event wiring.

What the buttons do is in `tooldec/playground.py`; what the visitor sees is in `static/`. One `gr.HTML` component
with a fixed template is the whole page: its value carries a request as JSON to the server and lists of messages as
JSON back, so nothing that a user, a tool or a model wrote ever enters a template.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from socket import getaddrinfo
from urllib.parse import quote

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr

from tooldec import playground
from tooldec.page.streaming import ALIVE, Turns, batches, packed

STATIC = Path(__file__).resolve().parent / "static"
STYLES = (  # in the order in which later ones outrank earlier ones
    *("playground", "inputs", "graph", "trace", "transport", "answer", "bars", "inspector", "screens"),
    *("branches", "check", "compare", "print"),
)
MAX_RUNS = 16  # runs that may wait or work at once; a model works on one at a time, and the others hear their place

MOUNT = """
const page = new URL('%s', document.baseURI);
import(page).then(module => module.mount(element, {
  options: props.options,
  ask: request => server.ask(JSON.stringify(request)).then(JSON.parse),
  run: request => { props.value = JSON.stringify(request); trigger('run'); },
  stop: () => trigger('stop'),
  receive: take => watch('value', () => take(props.value)),
}));
"""

HEAD = '<meta name="color-scheme" content="light dark">'
STYLE = '<link rel="stylesheet" href="%s">'
SCRIPT = '<link rel="modulepreload" href="%s">'


TURNS = Turns()


def address(path: Path) -> str:
    """A file of the page as its browser asks for it, whatever the folders are called."""
    return f"gradio_api/file={quote(path.as_posix())}"


def ask(request: str) -> str:
    """What can be answered at once, the machine of the tools for one; not queued."""
    return json.dumps(playground.ask(json.loads(request)))


def run(request: str) -> Iterator[str]:
    """Run a request; each value is a JSON list of new messages.

    The first message, `alive`, tells that the run is there, and can be stopped; it comes again where there is nothing
    else to tell for a while. The last one says that it is over: `end` with the whole trace, `done` of a comparison,
    `advice` of many questions, or `error`. If the request has a number, `run`, the first message of each list has it,
    too: a page hears the last words of one run when it has begun the next.
    """
    try:
        wanted = dict(json.loads(request))
    except (TypeError, ValueError) as error:
        text = f"the request is not a JSON object: {error}"
        yield packed([{"kind": "error", "error": {"message": text, "text": text}}])
        return
    number = wanted.pop("run", None)
    yield packed([ALIVE], number)
    for batch in batches(TURNS.take(playground.model_of(wanted), playground.run(wanted))):
        yield packed(batch, number)


def build(model: str = "embedded") -> gr.Blocks:
    """The page as a Gradio app, starting on a model."""
    gr.set_static_paths([STATIC])
    blocks = gr.Blocks(title="ToolDec Playground", analytics_enabled=False)
    with blocks:
        page = gr.HTML(
            html_template='<div class="tooldec" id="tooldec"></div>',
            js_on_load=MOUNT % address(STATIC / "playground.js"),
            server_functions=[ask],
            apply_default_css=False,
            elem_id="page",
            options=playground.options(model),
        )
        running = page.run(  # a custom event: MOUNT triggers it
            run,
            inputs=page,
            outputs=page,
            api_name="run",
            show_progress="hidden",
            concurrency_limit=MAX_RUNS,
            trigger_mode="multiple",
        )
        page.stop(None, cancels=running, api_visibility="private")
    return blocks


def launch(blocks: gr.Blocks, host: str, port: int | None = None, share: bool = False) -> tuple[gr.Blocks, str]:
    """Serve the page; returns at once, with its address."""
    styles = [STYLE % address(STATIC / f"{name}.css") for name in STYLES]
    _, local, public = blocks.launch(
        server_name=host,
        server_port=port,
        share=share,
        quiet=True,
        footer_links=[],
        favicon_path=STATIC / "favicon.svg",
        head="\n".join([HEAD, *styles, SCRIPT % address(STATIC / "playground.js")]),
        prevent_thread_lock=True,
    )
    return blocks, public or local


def _port(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= 65_535):
        raise argparse.ArgumentTypeError(f"`{text}` is no port; use 1 to 65535")
    return int(text)


def main(argv: Sequence[str] | None = None) -> None:
    """Start the page: `python app.py --port 7860`."""
    parser = argparse.ArgumentParser(prog="app.py", description="ToolDec Playground in the browser")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (0.0.0.0: everywhere)")
    parser.add_argument("--port", type=_port, default=None, help="port; the first free one from 7860 if not given")
    parser.add_argument("--model", default="embedded", help="embedded, toy, a hub id or a local folder")
    parser.add_argument("--share", action="store_true", help="also open a public address through Gradio's tunnel")
    arguments = parser.parse_args(argv)
    status = playground.model_status(arguments.model)
    if status["kind"] == "error":
        print(f"app.py: {status['error']['text']}", file=sys.stderr, flush=True)
        raise SystemExit(2)
    try:
        getaddrinfo(arguments.host, None)  # Gradio would try one port after the other
        blocks, where = launch(build(arguments.model), arguments.host, arguments.port, arguments.share)
    except OSError as error:  # the port is taken, or the host isn't this machine's
        place = f"{arguments.host}:{arguments.port or 7860}"
        raise SystemExit(f"app.py: can't listen on {place}: {error}\ntry another --port or --host") from None
    print(f"ToolDec Playground: {where} (device: {status['model']['device']})", flush=True)
    blocks.block_thread()


if __name__ == "__main__":
    main()
