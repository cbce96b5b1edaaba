"""From a model's name to a folder with its files, checked before anything large is read or downloaded."""

from __future__ import annotations

import json
import math
from pathlib import Path

from tooldec.errors import ModelError, ToolDecError

WEIGHTS = "model*.safetensors"
FILES = ("*.json", "*.jinja", "*.txt", "*.model", WEIGHTS)
"""What is fetched from the top folder of a repository; pickled weights and code never are."""

Lengths = tuple[int, ...]


def fetch(name: str, memory: int | None = None) -> Path:
    """The folder of a model: a local one, or the hub's files, from the cache where they are complete.

    `memory`: bytes that the weights may take; a download that is larger isn't begun.
    """
    folder = Path(name)
    if folder.is_dir():
        _check_folder(folder)
        return folder
    return _cached(name) or _download(name, memory)


def parameters(folder: Path) -> int:
    """How many numbers the weights hold, from the headers of the safetensors files.

    >>> parameters(Path("tooldec/models/embedded"))  # doctest: +SKIP
    7965120
    """
    return sum(math.prod(entry["shape"]) for file in folder.glob(WEIGHTS) for entry in _header(file).values())


def _header(file: Path) -> dict[str, dict[str, Lengths]]:
    """The header of a safetensors file: name of a tensor -> {"dtype", "shape", "data_offsets"}."""
    try:
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            if length > file.stat().st_size - 8:
                raise ValueError("the header is longer than the file")
            header: dict[str, dict[str, Lengths]] = json.loads(stream.read(length))
        header.pop("__metadata__", None)
        end = max((entry["data_offsets"][1] for entry in header.values()), default=0)
        if 8 + length + end > file.stat().st_size:
            raise ValueError("the file is cut off")
        return header
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"`{file}` is no safetensors file: {error}", fix="fetch the file again") from None


def _check_folder(folder: Path) -> None:
    """A folder must hold config.json and the safetensors files of a whole model."""
    if not (folder / "config.json").is_file():
        raise ModelError(f"the folder `{folder}` holds no config.json", fix="give the folder of a transformers model")
    if not any(folder.glob(WEIGHTS)):
        other = next((f.name for f in sorted(folder.glob("*")) if f.suffix in _OTHER_WEIGHTS), None)
        found = f" but {other}, and only safetensors are loaded" if other else ""
        raise ModelError(
            f"the folder `{folder}` holds no model.safetensors{found}",
            fix="save the model with `save_pretrained`, which writes safetensors",
        )
    missing = _missing(folder)
    if missing:
        raise ModelError(f"the folder `{folder}` lacks {missing[0]}", fix="fetch all files of the model")


_OTHER_WEIGHTS = (".bin", ".pt", ".pth", ".ckpt", ".gguf", ".h5", ".msgpack", ".safetensors")


def _missing(folder: Path) -> list[str]:
    """Files that the index of the weights names and the folder lacks."""
    try:
        index = json.loads((folder / "model.safetensors.index.json").read_text("utf-8"))
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise ModelError(f"`{folder}/model.safetensors.index.json` can't be read: {error}") from None
    return sorted(file for file in set(index["weight_map"].values()) if not (folder / file).is_file())


def _cached(name: str) -> Path | None:
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(name, local_files_only=True))
        _check_folder(folder)
    except (OSError, ValueError, ToolDecError):
        return None
    return folder


def _download(name: str, memory: int | None) -> Path:
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.constants import is_offline_mode
    from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, RepositoryNotFoundError

    if is_offline_mode():
        raise ModelError(
            f"`{name}` is no folder and isn't in the local cache, and HF_HUB_OFFLINE forbids to ask the hub",
            fix="unset HF_HUB_OFFLINE, give a local folder, or use `embedded` or `toy`",
        )
    try:
        files = HfApi().model_info(name, files_metadata=True, timeout=10).siblings or []
        weights = [f for f in files if Path(f.rfilename).match(WEIGHTS) and "/" not in f.rfilename]
        if not weights:
            raise ModelError(
                f"the hub's `{name}` has no model.safetensors",
                fix="choose one that has: nothing else is loaded",
            )
        size = sum(f.size or 0 for f in weights)
        if memory is not None and size > memory:
            raise ModelError(
                f"the weights of `{name}` take {gigabytes(size)}, and {gigabytes(memory)} are free",
                fix="choose a smaller model",
            )
        folder = Path(snapshot_download(name, allow_patterns=[*FILES], ignore_patterns=["*/*"]))
    except GatedRepoError:
        raise ModelError(
            f"the hub asks you to accept conditions before it gives out `{name}`",
            fix="accept them on its page and log in with `hf auth login`",
        ) from None
    except RepositoryNotFoundError:
        raise ModelError(
            f"`{name}` is no folder, and the hub has no model of that name that you may see",
            fix="check the spelling, or log in with `hf auth login` if it is private",
        ) from None
    except HfHubHTTPError as error:
        raise ModelError(f"the hub refused `{name}`: {first_line(error)}", fix="try again later") from None
    except ToolDecError:
        raise
    except Exception as error:  # whatever the HTTP client of this hub version raises
        reason = first_line(error)
        raise ModelError(
            f"`{name}` is no folder, isn't in the local cache, and the hub can't be reached: {reason}",
            fix="check the connection, give a local folder, or use `embedded` or `toy`",
        ) from None
    _check_folder(folder)
    return folder


def free_memory() -> int | None:
    """Bytes of main memory that are free for us, where the system says so; a container's limit counts."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text("ascii").splitlines())
        free = int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None
    for limit, used in _LIMITS:
        try:
            free = min(free, int(Path(limit).read_text()) - int(Path(used).read_text()))
        except (OSError, ValueError):
            continue
    return max(free, 0)


_GROUP = "/sys/fs/cgroup"
_LIMITS = (
    (f"{_GROUP}/memory.max", f"{_GROUP}/memory.current"),
    (f"{_GROUP}/memory/memory.limit_in_bytes", f"{_GROUP}/memory/memory.usage_in_bytes"),
)


def gigabytes(size: float) -> str:
    """`3221225472` → `3.0 GiB`."""
    return f"{size / 2**30:,.1f} GiB"


def first_line(error: BaseException) -> str:
    """What an exception says, in one line: its first one that isn't empty."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__
