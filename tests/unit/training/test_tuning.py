"""Tuning tiny models: what is learnt, written, resumed, shared out and refused."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from outcomes import complete
from tiny import tiny_adapter

from kgdb.errors import ModelMissing, UsageError
from kgdb.lab.training.corpus.conversations import Conversation, Turn, write_conversations
from kgdb.lab.training.llm import PRESETS, ZERO3, TuningSettings, tune
from kgdb.language import CompletionRequest, load_llm
from kgdb.optional_packages import installation
from kgdb.progress import Event, Message, Progress
from kgdb.settings import Settings

pytestmark = [pytest.mark.unit, pytest.mark.slow]

WORDS = ("director", "writer", "genre", "actors", "language", "year")
CHOICES = tuple(f"the {word} of this" for word in WORDS)
SMALL = TuningSettings(
    epochs=2, learning_rate=1e-2, batch_size=8, lora_rank=4, held_back=0.2, precision="float32"
)


def rows() -> list[Conversation]:
    chains = [
        Conversation(
            "chains",
            (Turn("user", f"Question {n}: which {word}? It asks for"),),
            f"the {word} of this",
            "films",
            "made up | here",
            "CC0",
            CHOICES,
            continues=True,
        )
        for n in range(10)
        for word in WORDS
    ]
    chats = [
        Conversation(
            "evidence", (Turn("user", f"Say {word} {n}"),), word, "films", "made up", "CC0"
        )
        for n in range(5)
        for word in WORDS
    ]
    return chains + chats


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("corpus") / "rows.jsonl"
    write_conversations(file, rows())
    return file


def models(folder: Path) -> Settings:
    return Settings(home=Path("nowhere"), llm=f"hf:{folder}")


def digest(folder: Path) -> str:
    return hashlib.sha256((folder / "adapter_model.safetensors").read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def tuned(tiny_folder: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    output = tmp_path_factory.mktemp("tuned") / "adapter"
    events: list[Event] = []
    result = tune(corpus, output, models(tiny_folder), SMALL, report=events.append)
    return result, output, events


def test_a_model_learns_the_replies(tuned: Any) -> None:
    result, _, _ = tuned
    assert result.after["loss"] < result.before["loss"] - 1
    assert result.after["choice"] > result.before["choice"]
    assert set(result.after) == {
        "loss", "loss_chains", "loss_evidence", "exact", "exact_chains", "exact_evidence",
        "choice", "choice_chains",
    }  # fmt: skip
    assert 0 < result.tuned_parameters < result.parameters / 2


def test_the_loss_is_that_of_the_library_on_the_replies(tiny_folder: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from kgdb.lab.training.llm.llm_dev_scores import IGNORED, padded, reply_logits
    from kgdb.lab.training.llm.llm_examples import examples_of
    from kgdb.language.local.prompt_tokens import Tokens

    tokens = Tokens(AutoTokenizer.from_pretrained(tiny_folder))
    model = AutoModelForCausalLM.from_pretrained(tiny_folder)
    batch = padded(examples_of(rows()[::7], tokens, 512)[0], 0)
    logits, labels = reply_logits(model, batch)
    loss = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED
    )
    assert loss.item() == pytest.approx(model(**batch).loss.item(), rel=1e-5)


def test_the_adapter_is_used_by_its_name(tuned: Any, tiny_folder: Path) -> None:
    result, output, _ = tuned
    assert result.name == f"hf:{tiny_folder}+{output}"
    request = CompletionRequest("Say director 1", choices=WORDS)
    plain = complete(load_llm(models(tiny_folder)), request)[0]
    adapted = complete(load_llm(replace(models(tiny_folder), llm=result.name)), request)[0]
    assert adapted.scores != plain.scores
    assert max(adapted.scores) > max(plain.scores)


def test_the_folder_holds_weights_without_code_and_a_card(tuned: Any) -> None:
    result, output, _ = tuned
    assert {path.name for path in output.iterdir()} == {
        "README.md", "adapter_config.json", "adapter_model.safetensors", "loss.png",
        "training.json",
    }  # fmt: skip
    assert (output / "loss.png").read_bytes().startswith(b"\x89PNG")
    card = (output / "README.md").read_text("utf-8")
    assert "| films | made up \\| here | CC0 | 60 |" in card
    assert f"| loss | {result.before['loss']:.4f} | {result.after['loss']:.4f} |" in card
    assert "| seed | 0 |" in card
    assert f"{result.seconds:,.0f} s in" in card
    told = json.loads((output / "training.json").read_text("utf-8"))
    assert told["scores"]["after"] == result.after
    assert told["settings"]["learning_rate"] == 1e-2
    for text in (card, json.dumps(told), (output / "adapter_config.json").read_text("utf-8")):
        assert str(output.parent) not in text


def test_progress_tells_steps_scores_and_the_time_left(tuned: Any) -> None:
    result, _, events = tuned
    steps = [event.done for event in events if isinstance(event, Progress)]
    assert steps == list(range(1, result.steps + 1))
    told = [event.text for event in events if isinstance(event, Message)]
    assert told[0].startswith("90 rows of 90: 72 to tune on, 18 held back.")
    assert any("s left" in text and "dev loss" in text for text in told)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(
    tiny_folder: Path, corpus: Path, tmp_path: Path
) -> None:
    short = replace(SMALL, tasks=("evidence",), epochs=1)
    for name, settings in (("one", short), ("again", short), ("other", replace(short, seed=1))):
        tune(corpus, tmp_path / name, models(tiny_folder), settings)
    assert digest(tmp_path / "again") == digest(tmp_path / "one") != digest(tmp_path / "other")


def test_all_weights_are_tuned_and_the_folder_is_a_model(
    tiny_folder: Path, corpus: Path, tmp_path: Path
) -> None:
    settings = replace(SMALL, strategy="full", tasks=("evidence",), epochs=1, accumulation=2)
    result = tune(corpus, tmp_path / "full", models(tiny_folder), settings)
    assert result.tuned_parameters == result.parameters
    assert result.data.used == {"evidence": 30}
    assert (tmp_path / "full" / "model.safetensors").is_file()
    assert not list((tmp_path / "full").glob("*.bin"))
    assert result.name == f"hf:{tmp_path / 'full'}"
    assert load_llm(replace(models(tiny_folder), llm=result.name)) is not None


def test_tuning_stops_early_and_keeps_the_best(
    tiny_folder: Path, corpus: Path, tmp_path: Path
) -> None:
    """At such a rate the loss soon rises."""
    settings = replace(
        SMALL, tasks=("evidence",), epochs=30, learning_rate=0.9, warmup=0, patience=2, clip=100
    )
    result = tune(corpus, tmp_path / "out", models(tiny_folder), settings)
    assert result.steps < result.all_steps
    assert result.best_step < result.steps
    losses = [log["eval_loss"] for log in result.history if "eval_loss" in log]
    assert result.after["loss"] == pytest.approx(min(losses), rel=1e-5)


def test_bfloat16_and_a_dev_file(tiny_folder: Path, corpus: Path, tmp_path: Path) -> None:
    settings = replace(SMALL, epochs=0.5, precision="bfloat16", dev_rows=7)
    result = tune(corpus, tmp_path / "out", models(tiny_folder), settings, dev=corpus)
    assert result.bfloat16
    assert result.data.held_back == 7
    assert result.data.used.total() == 90


PROGRAM = [sys.executable, "-m", "kgdb"]
TORCHRUN = [
    sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2",
    "--rdzv-backend", "c10d", "--rdzv-endpoint", "localhost:0", "--module", "kgdb",
]  # fmt: skip


def command(corpus: Path, model: Path, output: Path, *more: str) -> list[str]:
    return [
        "lab", "train", "llm", str(corpus), "--llm", f"hf:{model}", "--output", str(output),
        "--batch-size", "4", "--lora-rank", "4", "--held-back", "0.1", "--precision", "float32",
        *more,
    ]  # fmt: skip


def environment(home: Path) -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1", "KGDB_HOME": str(home)}


@pytest.mark.endurance
def test_a_run_that_is_killed_goes_on_to_the_same_weights(
    tiny_folder: Path, corpus: Path, tmp_path: Path
) -> None:
    settings = ("--epochs", "8", "--evaluations", "4", "--patience", "0")
    env = environment(tmp_path)
    whole = [*PROGRAM, *command(corpus, tiny_folder, tmp_path / "whole", *settings)]
    subprocess.run(whole, env=env, check=True, capture_output=True)

    killed = [*PROGRAM, *command(corpus, tiny_folder, tmp_path / "killed", *settings)]
    process = subprocess.Popen(killed, env=env, stderr=subprocess.DEVNULL)
    runs = tmp_path / "killed" / "run"
    deadline = time.monotonic() + 120
    while len(list(runs.glob("*/whole.json"))) < 2:
        assert time.monotonic() < deadline
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "killed" / "training.json").exists()
    # One more that the kill has cut off.
    cut = runs / "checkpoint-9999"
    cut.mkdir()
    (cut / "trainer_state.json").write_text("{", encoding="utf-8")

    done = subprocess.run(killed, env=env, check=True, capture_output=True, text=True)
    assert "Going on from step" in done.stderr
    assert digest(tmp_path / "killed") == digest(tmp_path / "whole")
    told = [
        json.loads((tmp_path / name / "training.json").read_text("utf-8"))
        for name in ("killed", "whole")
    ]
    assert told[0]["scores"] == told[1]["scores"]
    assert told[0]["steps"] == told[1]["steps"]
    assert not runs.exists()


@pytest.mark.endurance
def test_two_processes_tune_one_model(tiny_folder: Path, corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    more = command(corpus, tiny_folder, output, "--epochs", "1", "--json")
    done = subprocess.run(
        [*TORCHRUN, *more], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)  # of one of them alone
    assert told["processes"] == 2
    # 81 rows, 4 on each of two processes.
    assert told["steps"] == 11
    assert told["scores"]["after"]["loss"] < told["scores"]["before"]["loss"]
    assert digest(output)


def test_the_presets_are_those_of_table_6() -> None:
    table = {
        name: (each.strategy, each.epochs, each.max_tokens, each.learning_rate, each.accumulation,
               each.weight_decay)
        for name, each in PRESETS.items()
    }  # fmt: skip
    assert table == {
        "factkg": ("full", 3, 2048, 1e-5, 4, 0.01),
        "metaqa": ("full", 3, 256, 2e-5, 4, 0.01),
        "webqsp": ("lora", 50, 2048, 5e-5, 1, 0.01),
    }
    assert PRESETS["webqsp"].batch_size == 16


def test_the_deepspeed_configuration_that_ships_leaves_all_settings_to_the_trainer() -> None:
    """What stands in it would silently win over the options of the command."""
    config = json.loads(ZERO3.read_text("utf-8"))
    assert config["zero_optimization"]["stage"] == 3
    # Or the weights would be saved in pieces that only DeepSpeed reads.
    assert config["zero_optimization"]["stage3_gather_16bit_weights_on_model_save"] is True
    assert config["bf16"] == {"enabled": "auto"}
    for key in (
        "gradient_accumulation_steps",
        "gradient_clipping",
        "train_batch_size",
        "train_micro_batch_size_per_gpu",
    ):
        assert config[key] == "auto", key
    assert not {"optimizer", "scheduler", "fp16"} & set(config)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"epochs": 0}, "epochs is 0"),
        ({"learning_rate": float("nan")}, "learning_rate is nan"),
        ({"held_back": 0.9}, "held_back is 0.9"),
        ({"strategy": "half"}, "strategy is 'half'"),
        ({"precision": "int8"}, "precision is 'int8'"),
        ({"weights": {"chains": -1.0}}, "weight of 'chains' is -1.0"),
    ],
)
def test_settings_that_no_run_can_have_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said) as failure:
        replace(SMALL, **change)
    assert (failure.value.hint or "").startswith("Expected")


def test_a_folder_that_holds_something_else_is_left_alone(
    tuned: Any, tiny_folder: Path, corpus: Path, tmp_path: Path
) -> None:
    _, output, _ = tuned
    with pytest.raises(UsageError, match="holds a tuned model already"):
        tune(corpus, output, models(tiny_folder), SMALL)
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty"):
        tune(corpus, tmp_path, models(tiny_folder), SMALL)
    run = tmp_path / "out" / "run"
    run.mkdir(parents=True)
    (run / "run.json").write_text(
        '{"fingerprint": "of another", "seconds": 1, "before": {}}', encoding="utf-8"
    )
    with pytest.raises(UsageError, match="another corpus, model or settings"):
        tune(corpus, tmp_path / "out", models(tiny_folder), SMALL)
    assert (tmp_path / "mine.txt").is_file()


def test_an_empty_corpus_is_refused(tiny_folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "rows.jsonl"
    empty.write_text("\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is empty"):
        tune(empty, tmp_path / "out", models(tiny_folder), SMALL)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["openai:gpt", "none", "hf:model.gguf", "replay:file"])
def test_a_model_whose_weights_are_not_here_is_refused(
    corpus: Path, tmp_path: Path, name: str
) -> None:
    with pytest.raises(UsageError, match="no weights that can be tuned"):
        tune(corpus, tmp_path / "out", Settings(home=tmp_path, llm=name), SMALL)


def test_a_model_with_an_adapter_or_with_pickled_weights_is_refused(
    tiny_folder: Path, corpus: Path, tmp_path: Path
) -> None:
    adapter = tiny_adapter(tiny_folder, tmp_path / "adapter")
    with pytest.raises(UsageError, match="no weights that can be tuned"):
        tune(
            corpus,
            tmp_path / "out",
            Settings(home=tmp_path, llm=f"hf:{tiny_folder}+{adapter}"),
            SMALL,
        )
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    for file in tiny_folder.iterdir():
        if file.suffix != ".safetensors":
            (pickled / file.name).write_bytes(file.read_bytes())
    (pickled / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(ModelMissing, match="cannot be loaded for tuning"):
        tune(corpus, tmp_path / "out", models(pickled), SMALL)


def test_a_missing_package_is_named_before_any_work(
    monkeypatch: pytest.MonkeyPatch, tiny_folder: Path, corpus: Path, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match="'matplotlib' is not installed") as failure:
        tune(corpus, tmp_path / "out", models(tiny_folder), SMALL)
    assert failure.value.hint == installation("lab")


def test_deepspeed_is_asked_for_where_it_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, tiny_folder: Path, corpus: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr("kgdb.lab.training.llm.tuning.importlib.util.find_spec", lambda _: None)
    with pytest.raises(UsageError, match="'deepspeed' is not installed") as failure:
        tune(corpus, tmp_path / "out", models(tiny_folder), replace(SMALL, deepspeed=ZERO3))
    assert failure.value.hint == "pip install deepspeed"
