"""Tuning a language model on conversations: RefKG's knowledge-driven multi-task tuning (§3.4)."""

from __future__ import annotations

import importlib.util
import json
import random
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kgdb.errors import ModelMissing, UsageError
from kgdb.lab.training import cards
from kgdb.lab.training.corpus.conversations import Conversation, read_conversations
from kgdb.lab.training.llm.llm_card import Tuned, card
from kgdb.lab.training.llm.llm_settings import TuningSettings
from kgdb.lab.training.processes import is_main, process_count
from kgdb.lab.training.runs import Run, digest
from kgdb.lab.training.trained_run import outcome, train
from kgdb.language import weights_source
from kgdb.language.revisions import revision_of
from kgdb.optional_packages import optional
from kgdb.progress import Message, Report, silent
from kgdb.settings import Settings
from kgdb.wording import counted, short

RESULTS = "training.json"
_PACKAGES = ("torch", "transformers", "peft", "accelerate")
_LORA_TARGETS = "all-linear"


def tune(
    corpus: Path,
    output: Path,
    models: Settings,
    tuning: TuningSettings | None = None,
    *,
    dev: Path | None = None,
    report: Report = silent,
) -> Tuned:
    """Tune the model that ``models.llm`` names on a corpus of conversations.

    The folder ``output`` gets the weights (safetensors: an adapter, or the whole model), the card
    ``README.md``, the scores ``training.json`` and the picture ``loss.png``. A run that was killed
    goes on where it last saved, to the same result, when it is called again with the same
    arguments and number of threads. Dev scores are measured on the corpus ``dev``, or on rows that
    are held back. Started by ``torchrun`` or ``accelerate launch``, the processes work together.

    Raises :class:`kgdb.errors.UsageError` for a corpus, settings or a folder that cannot be used,
    and :class:`kgdb.errors.ModelMissing` for a model that cannot be loaded.
    """
    tuning = tuning or TuningSettings()
    _require_packages(tuning)
    rows = _drawn(list(read_conversations(corpus)), tuning)
    dev_rows = list(read_conversations(dev)) if dev is not None else None
    main = is_main()
    if not main:
        report = silent
    source = weights_source(models, report)
    told = (
        [digest(file) for file in (corpus, dev, tuning.deepspeed)],
        models.llm,
        revision_of(source),
        tuning.to_dict(),
        process_count(),
    )
    output = output.absolute()
    run = Run.open(output, told, RESULTS) if main else Run(output, "", RESULTS)
    with warnings.catch_warnings():
        # The libraries' advice to one another.
        warnings.simplefilter("ignore", FutureWarning)
        return _Tuning(models.llm, source, run, tuning, main, report).result(rows, dev_rows)


class _Tuning:
    """One run, in this process or as one of several."""

    def __init__(
        self, llm: str, source: str, run: Run, tuning: TuningSettings, main: bool, report: Report
    ) -> None:
        self._llm = llm
        self._source = source
        self._run = run
        self._tuning = tuning
        self._main = main
        self._report = report

    def result(
        self, rows: Sequence[Conversation], dev_rows: Sequence[Conversation] | None
    ) -> Tuned:
        from transformers import set_seed

        from kgdb.lab.training.callbacks import scores_of_best
        from kgdb.lab.training.hardware import computes_in_bfloat16
        from kgdb.lab.training.llm.llm_examples import examples_of, split, training_order
        from kgdb.lab.training.llm.llm_trainer import Tuner, arguments, scores_text
        from kgdb.language.local.prompt_tokens import Tokens

        tuning, run = self._tuning, self._run
        tokenizer = self._loaded_tokenizer()
        tokens = Tokens(tokenizer)
        examples, data = examples_of(rows, tokens, tuning.max_tokens, tuning.tasks)
        if dev_rows is None:
            examples, dev = split(examples, tuning.held_back, tuning.dev_rows, tuning.seed)
        else:
            dev, _ = examples_of(dev_rows, tokens, tuning.max_tokens, tuning.tasks)
            dev = dev[: tuning.dev_rows]
        data.held_back = len(dev)
        order = training_order(
            examples, tuning.weights, tuning.epochs, tuning.seed, tuning.batch_size
        )
        self._report(Message(_told(data, len(examples))))

        def between_evaluations(processes: int) -> int:
            rows_of_step = tuning.batch_size * tuning.accumulation * processes
            rows_of_epoch = len(order) / max(1.0, tuning.epochs)
            return max(1, int(rows_of_epoch / rows_of_step / tuning.evaluations))

        args = arguments(tuning, run, between_evaluations, dev=bool(dev))
        set_seed(tuning.seed)
        model = self._loaded_model()
        trainer = Tuner(
            model, args, tokens, examples, order, dev, tuning.patience, run, self._report
        )
        train(trainer, run, scores_text, self._report, measured=bool(dev))
        after = scores_of_best(trainer.state)
        self._save(trainer, tokenizer)
        bfloat16 = computes_in_bfloat16(tuning.precision)
        result = Tuned(
            base=self._base_name,
            name=self._tuned_name,
            settings=tuning,
            data=data,
            **outcome(run, trainer.state, after, _parameters(model), _PACKAGES, bfloat16=bfloat16),
        )
        if self._main:
            self._describe(result)
        return result

    @property
    def _base_name(self) -> str:
        if self._llm == "smollm2":
            return "SmolLM2-135M-Instruct"
        path = Path(self._source)
        return path.resolve().name if path.exists() else self._source

    @property
    def _tuned_name(self) -> str:
        lora = self._tuning.strategy == "lora"
        return f"{self._llm}+{self._run.output}" if lora else f"hf:{self._run.output}"

    def _loaded_tokenizer(self) -> Any:
        from transformers import AutoTokenizer
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        try:
            return AutoTokenizer.from_pretrained(self._source)
        except Exception as error:
            raise self._missing(error) from error

    def _loaded_model(self) -> Any:
        """The model, with an adapter to tune where only that is tuned."""
        import torch
        from transformers import AutoModelForCausalLM

        from kgdb.lab.training.hardware import computes_in_bfloat16

        tuning = self._tuning
        lora = tuning.strategy == "lora"
        # What is tuned needs the digits of float32. What is frozen would be cast at each step.
        half = lora and computes_in_bfloat16(tuning.precision)
        try:
            model = AutoModelForCausalLM.from_pretrained(
                self._source,
                dtype=torch.bfloat16 if half else torch.float32,
                # Weights in Python's pickle could run code.
                use_safetensors=True,
            )
        except Exception as error:
            raise self._missing(error) from error
        model.config.use_cache = False
        if not lora:
            return model
        from peft import LoraConfig, get_peft_model

        config = LoraConfig(
            task_type="CAUSAL_LM",
            r=tuning.lora_rank,
            lora_alpha=tuning.lora_alpha,
            lora_dropout=tuning.lora_dropout,
            target_modules=_LORA_TARGETS,
        )
        return get_peft_model(model, config)

    def _missing(self, error: Exception) -> ModelMissing:
        reason = str(error).partition("\n")[0] or type(error).__name__
        return ModelMissing(
            f"The model {short(self._llm)} cannot be loaded for tuning: {reason}",
            hint="Expected a folder or hub name with config.json, the tokenizer's files and "
            "*.safetensors.",
        )

    def _save(self, trainer: Any, tokenizer: Any) -> None:
        """The weights and what is needed to load them, and nothing that holds code."""
        output = self._run.output
        trainer.model.config.use_cache = True
        # All processes: with ZeRO-3 each has a part of the weights.
        trainer.save_model(str(output))
        if not self._main:
            return
        (output / "training_args.bin").unlink(missing_ok=True)
        if self._tuning.strategy == "full":
            tokenizer.save_pretrained(output)
            return
        file = output / "adapter_config.json"
        config = json.loads(file.read_text("utf-8"))
        # The folder on this machine says nothing elsewhere.
        config["base_model_name_or_path"] = self._base_name
        file.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")

    def _describe(self, result: Tuned) -> None:
        from kgdb.lab.training.plots import plot

        output = self._run.output
        plot(output / cards.PICTURE, result.history, result.before, "nats per token of the reply")
        (output / cards.FILE).write_text(card(result), encoding="utf-8")
        # Last: it says that the model is complete.
        text = json.dumps(result.to_dict(), indent=2, ensure_ascii=False)
        (output / RESULTS).write_text(text + "\n", encoding="utf-8")
        self._run.end()


def _require_packages(tuning: TuningSettings) -> None:
    """Before hours of work, not after them."""
    for name in (*_PACKAGES, "safetensors", "matplotlib"):
        optional(name, "lab")
    if tuning.deepspeed is None:
        return
    if importlib.util.find_spec("deepspeed") is None:
        raise UsageError(
            "The Python package 'deepspeed' is not installed.", hint="pip install deepspeed"
        )
    try:
        json.loads(tuning.deepspeed.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{short(str(tuning.deepspeed))} is no DeepSpeed configuration: {error}.",
            hint="Expected a JSON file, or zero3 for the one that ships.",
        ) from None


def _drawn(rows: list[Conversation], tuning: TuningSettings) -> list[Conversation]:
    if tuning.tasks:
        there = [row for row in rows if row.task in tuning.tasks]
        # Without any, the error names the tasks that there are.
        rows = there or rows
    if not tuning.max_rows or len(rows) <= tuning.max_rows:
        return rows
    return random.Random(tuning.seed).sample(rows, tuning.max_rows)


def _told(data: Any, training: int) -> str:
    text = f"{counted(data.used.total(), 'row')} of {data.rows:,}: {training:,} to tune on, "
    text += f"{data.held_back:,} held back."
    for reason, number in data.dropped.most_common():
        text += f"\nDropped {counted(number, 'row')}: {reason}."
    if data.contradictions:
        share = data.contradictions / max(1, data.rows)
        text += (
            f"\n{counted(data.contradictions, 'row')} ({share:.1%}) have another reply than the "
            "usual one to their prompt."
        )
    return text


def _parameters(model: Any) -> Iterator[tuple[int, bool]]:
    # With ZeRO-3 this process has an empty tensor with the size beside it.
    for each in model.parameters():
        yield getattr(each, "ds_numel", None) or each.numel(), each.requires_grad
