"""Settings: where each value comes from, and what is refused with its origin."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from kgdb.errors import UsageError
from kgdb.settings import ENVIRONMENT, Settings, configuration_file, load_settings

pytestmark = pytest.mark.unit


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text("")
    return path


def test_every_setting_has_a_variable_of_its_own() -> None:
    assert set(ENVIRONMENT) == {field.name for field in fields(Settings)}
    assert len(set(ENVIRONMENT.values())) == len(ENVIRONMENT)


def test_an_argument_beats_the_environment_beats_the_file_beats_the_default(file: Path) -> None:
    file.write_text('username = "file"\npassword = "file"\nllm = "file"\n')
    environ = {
        "KGDB_CONFIG": str(file),
        "NEO4J_USERNAME": "environment",
        "NEO4J_PASSWORD": "environment",
    }
    settings = load_settings(environ, username="argument", password=None)
    assert settings.username == "argument"
    assert settings.password == "environment"
    assert settings.llm == "file"
    assert settings.encoder == "minilm"


def test_an_empty_variable_counts_as_unset(file: Path) -> None:
    settings = load_settings({"KGDB_CONFIG": str(file), "NEO4J_URI": "", "KGDB_HEAP": ""})
    assert settings.uri is None
    assert settings.heap is None


def test_an_empty_kgdb_config_counts_as_unset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_settings({"KGDB_CONFIG": ""}) == load_settings({})


def test_without_a_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    settings = load_settings({})
    assert settings == Settings(home=settings.home)
    assert settings.home.is_absolute()
    assert settings.home.name == "kgdb"


def test_a_named_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"KGDB_CONFIG names .*missing\.toml") as failure:
        load_settings({"KGDB_CONFIG": str(tmp_path / "missing.toml")})
    assert failure.value.hint


@pytest.mark.parametrize("content", [b"uri = ", b"\xff\xfe"])
def test_a_file_that_is_not_toml_is_refused_by_name(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"config\.toml is not valid TOML"):
        load_settings({"KGDB_CONFIG": str(file)})


def test_an_unknown_key_is_refused_with_its_file_and_the_known_ones(file: Path) -> None:
    file.write_text('url = "bolt://x"\n')
    with pytest.raises(UsageError, match=r"config\.toml: url is not a setting.*uri, username"):
        load_settings({"KGDB_CONFIG": str(file)})


def test_an_unknown_argument_is_refused() -> None:
    with pytest.raises(UsageError, match="port is not a setting"):
        load_settings({}, port=1)


@pytest.mark.parametrize("line", ["username = 5", "uri = true", "llm = ['a']", "[password]"])
def test_a_value_of_the_wrong_kind_is_refused(file: Path, line: str) -> None:
    file.write_text(line)
    with pytest.raises(UsageError, match=r"config\.toml: \w+ is .*; expected a text"):
        load_settings({"KGDB_CONFIG": str(file)})


@pytest.mark.parametrize("line", ["home = 5", "home = true", "java = ['a']", "java = ''"])
def test_a_folder_has_to_be_a_path(file: Path, line: str) -> None:
    file.write_text(line)
    with pytest.raises(UsageError, match=r"config\.toml: (home|java) is .*; expected a path"):
        load_settings({"KGDB_CONFIG": str(file)})


@pytest.mark.parametrize(
    "port", ["-1", "65536", "http", "7687.0", "", " 7687", "1e3", "9" * 5000, True, 1.5]
)
def test_a_port_that_is_none_is_refused_with_its_origin(port: object) -> None:
    with pytest.raises(UsageError, match=r"bolt_port is .*from 0 to 65535"):
        load_settings({}, bolt_port=port)


@pytest.mark.parametrize("port", [0, 1, 65535, "7687"])
def test_ports_come_as_numbers(port: object) -> None:
    assert load_settings({}, http_port=port).http_port == int(str(port))


def test_a_wrong_variable_is_named() -> None:
    with pytest.raises(UsageError, match="KGDB_BOLT_PORT is 'many'"):
        load_settings({"KGDB_BOLT_PORT": "many"})


def test_folders_are_expanded_and_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    settings = load_settings({"KGDB_HOME": "~/kg"}, java=Path("jdk"))
    assert settings.home == tmp_path / "kg"
    assert settings.java == tmp_path / "jdk"
    assert configuration_file({"KGDB_CONFIG": "~/x.toml"}) == tmp_path / "x.toml"


def test_a_home_of_nobody_is_refused() -> None:
    with pytest.raises(UsageError, match="KGDB_HOME is '~nobody-of-that-name/kg'"):
        load_settings({"KGDB_HOME": "~nobody-of-that-name/kg"})


def test_how_the_plugin_is_used_is_one_of_three_words(file: Path) -> None:
    environ = {"KGDB_CONFIG": str(file)}
    assert load_settings(environ).plugin == "auto"
    assert load_settings(environ | {"KGDB_PLUGIN": "never"}).plugin == "never"
    with pytest.raises(UsageError, match="KGDB_PLUGIN is 'no'; expected auto, required, never"):
        load_settings(environ | {"KGDB_PLUGIN": "no"})


@pytest.mark.parametrize("given", ["0.15,0.6", " 0.15 , 0.6", [0.15, 0.6], (0.15, 0.6)])
def test_prices_are_two_numbers(given: object) -> None:
    assert load_settings({}, llm_prices=given).llm_prices == (0.15, 0.6)


@pytest.mark.parametrize("given", ["1", "1,2,3", "a,b", "1,-2", "1,nan", "", [1], [1, "b"], 5, {}])
def test_prices_that_are_none_are_refused(given: object) -> None:
    with pytest.raises(UsageError, match=r"llm_prices is .*as 0\.15,0\.6"):
        load_settings({}, llm_prices=given)


@pytest.mark.parametrize("given", ["0", "-1", "inf", "nan", "soon", True, []])
def test_a_time_is_a_number_of_seconds(given: object) -> None:
    assert load_settings({}, llm_timeout="2.5").llm_timeout == 2.5
    with pytest.raises(UsageError, match=r"llm_timeout is .*seconds"):
        load_settings({}, llm_timeout=given)


@pytest.mark.parametrize("given", ["0", "1.5", "many", "1e999", False])
def test_a_context_is_a_number_of_tokens(given: object) -> None:
    assert load_settings({}, llm_context="8192").llm_context == 8192
    with pytest.raises(UsageError, match=r"llm_context is .*tokens"):
        load_settings({}, llm_context=given)


@pytest.mark.parametrize("given", ["float16", "bf16", "", 16, ["bfloat16"]])
def test_the_numbers_of_a_model_have_a_name(given: object) -> None:
    assert load_settings({"KGDB_LLM_DTYPE": "bfloat16"}).llm_dtype == "bfloat16"
    assert load_settings({}).llm_dtype is None
    with pytest.raises(UsageError, match=r"llm_dtype is .*; expected float32, bfloat16"):
        load_settings({}, llm_dtype=given)


@pytest.mark.parametrize(
    ("given", "value"), [("on", True), ("OFF", False), ("1", True), (False, False), ("true", True)]
)
def test_the_cache_is_on_or_off(file: Path, given: object, value: bool) -> None:
    assert load_settings({}, cache=given).cache is value
    file.write_text("cache = false")
    assert load_settings({"KGDB_CONFIG": str(file)}).cache is False
    with pytest.raises(UsageError, match="KGDB_CACHE is 'maybe'; expected on or off"):
        load_settings({"KGDB_CACHE": "maybe"})
