"""The trainer of transformers, with this package's order of rows, dev scores and progress."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import Dataset, SequentialSampler
from transformers import Trainer, TrainingArguments
from transformers.trainer_callback import EarlyStoppingCallback, PrinterCallback

from kgdb.lab.training.callbacks import EVALUATED, Saving, Telling
from kgdb.lab.training.hardware import computes_in_bfloat16
from kgdb.lab.training.llm.llm_dev_scores import (
    IGNORED,
    dev_scores,
    padded,
    padding_of,
    reply_logits,
)
from kgdb.lab.training.llm.llm_examples import Example
from kgdb.lab.training.llm.llm_settings import TuningSettings
from kgdb.lab.training.processes import cpu_backend
from kgdb.lab.training.runs import Run
from kgdb.language.local.prompt_tokens import Tokens
from kgdb.progress import Report


class _Rows(Dataset[Example]):
    """The examples in the order of the whole run."""

    def __init__(self, examples: Sequence[Example], order: Sequence[int]) -> None:
        self._examples = examples
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, index: int) -> Example:
        return self._examples[self._order[index]]


def arguments(
    settings: TuningSettings, run: Run, rows: Callable[[int], int], *, dev: bool
) -> TrainingArguments:
    """The library's arguments; ``rows(processes)`` are the steps between two evaluations.

    They have to be there before the model is: DeepSpeed shards it while it loads.
    """
    cpu = not torch.cuda.is_available()
    made = TrainingArguments(
        output_dir=str(run.folder),
        # The order has all epochs.
        num_train_epochs=1,
        per_device_train_batch_size=settings.batch_size,
        gradient_accumulation_steps=settings.accumulation,
        learning_rate=settings.learning_rate,
        weight_decay=settings.weight_decay,
        warmup_steps=settings.warmup,
        lr_scheduler_type="linear",
        max_grad_norm=settings.clip,
        optim="adamw_torch",
        bf16=computes_in_bfloat16(settings.precision),
        use_cpu=cpu,
        ddp_backend=cpu_backend() if cpu else None,
        ddp_find_unused_parameters=False,
        deepspeed=None if settings.deepspeed is None else str(settings.deepspeed),
        seed=settings.seed,
        save_strategy="steps",
        save_total_limit=2,
        eval_strategy="steps" if dev else "no",
        load_best_model_at_end=dev,
        metric_for_best_model="loss" if dev else None,
        greater_is_better=False if dev else None,
        logging_strategy="steps",
        remove_unused_columns=False,
        dataloader_pin_memory=not cpu,
        report_to="none",
        disable_tqdm=True,
        log_level="error",
    )
    # One process has one GPU; torchrun starts one for each.
    made._n_gpu = min(1, made.n_gpu)
    steps = rows(made.world_size)
    made.save_steps = made.eval_steps = steps
    made.logging_steps = max(1, steps // 5)
    return made


class Tuner(Trainer):  # type: ignore[misc]
    """Tunes a model on the examples in a given order, with scores on the dev examples."""

    def __init__(
        self,
        model: Any,
        args: TrainingArguments,
        tokens: Tokens,
        examples: Sequence[Example],
        order: Sequence[int],
        dev: Sequence[Example],
        patience: int,
        run: Run,
        report: Report,
    ) -> None:
        padding = padding_of(tokens.tokenizer)
        super().__init__(
            model=model,
            args=args,
            train_dataset=_Rows(examples, order),
            eval_dataset=_Rows(dev, range(len(dev))) if dev else None,
            data_collator=lambda rows: padded(rows, padding),
        )
        self._kgdb_tokens = tokens
        self._kgdb_dev = dev
        self.remove_callback(PrinterCallback)
        self.add_callback(Saving(run))
        self.add_callback(Telling(report, scores_text))
        if dev and patience:
            self.add_callback(EarlyStoppingCallback(patience))
        # It says that the vocabulary of the tokenizer was not aligned, which is on purpose.
        logging.getLogger("transformers.trainer").setLevel(logging.ERROR)

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        return SequentialSampler(train_dataset or self.train_dataset)

    def compute_loss(
        self,
        model: Any,
        inputs: Any,
        return_outputs: bool = False,  # noqa: ARG002
        num_items_in_batch: Any = None,
    ) -> Any:
        """Equation 8: the mean over the tokens of replies, in all batches of a step."""
        logits, labels = reply_logits(model, inputs)
        loss = cross_entropy(
            logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum"
        )
        if num_items_in_batch is None:
            return loss / (labels != IGNORED).sum()
        # The gradients of the processes are averaged.
        return loss * self.accelerator.num_processes / num_items_in_batch

    def scores(self) -> dict[str, float]:
        """The dev scores of the model as it is now."""
        return dev_scores(
            self.accelerator.unwrap_model(self.model),
            self._kgdb_tokens,
            self._kgdb_dev,
            batch_size=self.args.per_device_train_batch_size,
            autocast=self.accelerator.autocast(),
        )

    def evaluate(self, *args: Any, **named: Any) -> dict[str, float]:  # noqa: ARG002
        """The dev scores, as the library wants them."""
        metrics = {f"{EVALUATED}{name}": score for name, score in self.scores().items()}
        self.log(dict(metrics))
        self.control: Any = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics


def scores_text(scores: Mapping[str, float]) -> str:
    """The scores over all tasks in words."""
    told = [f"loss {scores['loss']:.3f}"]
    for name, words in (("exact", "exact"), ("choice", "of choices right")):
        if (score := scores.get(name)) is not None:
            told.append(f"{score:.1%} {words}")
    return ", ".join(told)
