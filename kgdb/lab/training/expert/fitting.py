"""Fits the network of an expert with PyTorch: the mean squared error of equation 5.

What is random in an epoch is drawn from the seed and the number of the epoch. So a run that goes on
after an epoch gives the same numbers as one that was never stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from kgdb.lab.training.expert.expert_settings import ExpertTraining

Array = NDArray[np.float32]

_STATE = "state.pt"


@dataclass(frozen=True, slots=True)
class Fitted:
    """The arrays of the network after its best epoch, and the errors of all epochs.

    ``history`` has for each epoch the error on the examples to train on (``loss``) and on those
    held back (``eval_loss``).
    """

    arrays: dict[str, Array]
    history: tuple[dict[str, float], ...]
    best_epoch: int


class Fitting:
    """A network under training; ``states`` of shape ``(examples, width)`` to ``labels``."""

    def __init__(
        self, states: Array, labels: Array, dev: tuple[Array, Array], settings: ExpertTraining
    ) -> None:
        self._settings = settings
        self._mean = states.mean(axis=0, dtype=np.float64).astype(np.float32)
        spread = states.std(axis=0, dtype=np.float64).astype(np.float32)
        self._spread = np.where(spread > 1e-6, spread, 1).astype(np.float32)
        self._states, self._labels = self._standard(states), torch.from_numpy(labels)
        self._dev = self._standard(dev[0]), torch.from_numpy(dev[1])
        torch.manual_seed(settings.seed)
        self._hidden = nn.Linear(states.shape[1], settings.width)
        self._out = nn.Linear(settings.width, 1)
        self._network = nn.Sequential(
            self._hidden, nn.ReLU(), nn.Dropout(settings.dropout), self._out
        )
        self._optimizer = torch.optim.AdamW(
            self._network.parameters(),
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
        )
        self._best = self._arrays()
        self._best_epoch = 0
        self._best_loss = self._dev_loss()
        self._history: list[dict[str, float]] = []

    @property
    def error_before(self) -> float:
        """The error on the examples held back, before the first epoch."""
        return self._best_loss

    def run(
        self,
        checkpoint: Path | None,
        save: Callable[[int, Callable[[Path], None]], None],
        watch: Callable[[int, dict[str, float]], None],
    ) -> Fitted:
        """Train from a checkpoint, or from the beginning, until the last epoch or an early stop.

        ``save`` is given the epoch and what writes a checkpoint into a folder.
        """
        if checkpoint is not None:
            self._load(checkpoint)
        for epoch in range(len(self._history) + 1, self._settings.epochs + 1):
            if self._is_over(epoch):
                break
            loss = self._epoch(epoch)
            dev = self._dev_loss()
            self._history.append({"step": epoch, "loss": loss, "eval_loss": dev})
            if dev < self._best_loss:
                self._best_loss, self._best_epoch, self._best = dev, epoch, self._arrays()
            save(epoch, self._save)
            watch(epoch, self._history[-1])
        return Fitted(self._best, tuple(self._history), self._best_epoch)

    def _is_over(self, epoch: int) -> bool:
        patience = self._settings.patience
        return bool(patience) and epoch - 1 - self._best_epoch >= patience

    def _epoch(self, epoch: int) -> float:
        size, seed = self._settings.batch_size, self._settings.seed
        torch.manual_seed((seed * 10_007 + epoch) % 2**63)
        order = torch.randperm(len(self._labels))
        self._network.train()
        total = 0.0
        for start in range(0, len(order), size):
            batch = order[start : start + size]
            loss = squared_error(self._scores(self._states[batch]), self._labels[batch])
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()
            total += loss.item() * len(batch)
        return total / len(order)

    def _dev_loss(self) -> float:
        self._network.eval()
        with torch.no_grad():
            return squared_error(self._scores(self._dev[0]), self._dev[1]).item()

    def _scores(self, states: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self._network(states.float())[:, 0])

    def _standard(self, states: Array) -> torch.Tensor:
        # Half precision: the states of a large corpus are most of the memory.
        return torch.from_numpy(((states - self._mean) / self._spread).astype(np.float16))

    def _arrays(self) -> dict[str, Array]:
        hidden, out = self._hidden, self._out
        own = {
            "hidden.weight": hidden.weight,
            "hidden.bias": hidden.bias,
            "out.weight": out.weight[0],
            "out.bias": out.bias,
        }
        arrays = {name: each.detach().numpy().copy() for name, each in own.items()}
        return {"mean": self._mean, "spread": self._spread, **arrays}

    def _save(self, folder: Path) -> None:
        state = {
            "network": self._network.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "best": {name: torch.from_numpy(each) for name, each in self._best.items()},
            "best_epoch": self._best_epoch,
            "best_loss": self._best_loss,
            "history": self._history,
        }
        torch.save(state, folder / _STATE)

    def _load(self, folder: Path) -> None:
        state: dict[str, Any] = torch.load(folder / _STATE, weights_only=True)
        self._network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._best = {name: each.numpy() for name, each in state["best"].items()}
        self._best_epoch, self._best_loss = state["best_epoch"], state["best_loss"]
        self._history = state["history"]


def squared_error(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """The mean squared error (equation 5)."""
    return ((scores - labels) ** 2).mean()
