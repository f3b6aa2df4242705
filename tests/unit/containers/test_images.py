"""The Dockerfile, the compose file and what they share, without an engine."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from kgdb.runtime.jars import lock
from kgdb.runtime.jars.lock_file import parse
from kgdb.runtime.machine.server_memory import GIB, parse_size
from kgdb.settings import ENVIRONMENT

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())[
    "services"
]
IMAGES = ("neo4j", "kgdb")
PRESETS = sorted((ROOT / "docker" / "memory").glob("*.env"))


def stage(name: str) -> str:
    """The instructions of one stage."""
    found = re.search(rf"^FROM \S+ AS {name}\n(.*?)(?=^FROM |\Z)", DOCKERFILE, re.M | re.S)
    assert found, name
    return found[1]


def assembly() -> ModuleType:
    spec = importlib.util.spec_from_file_location("assemble", ROOT / "docker" / "assemble.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_base_is_pinned_by_its_digest_and_every_stage_starts_from_it() -> None:
    assert re.search(r"^ARG BASE=\S+@sha256:[0-9a-f]{64}$", DOCKERFILE, re.M)
    stages = re.findall(r"^FROM (\S+) AS (\S+)$", DOCKERFILE, re.M)
    assert len(stages) == len(re.findall(r"^FROM ", DOCKERFILE, re.M))
    names = {name for _, name in stages}
    assert {base for base, _ in stages} <= names | {"${BASE}", "wheel-${WHEEL}"}


@pytest.mark.parametrize("image", IMAGES)
def test_an_image_does_not_run_as_root(image: str) -> None:
    user = re.findall(r"^USER (\d+):(\d+)$", stage(image), re.M)[-1]
    assert "0" not in user


def test_images_of_others_are_pinned_and_not_root() -> None:
    assert re.fullmatch(r"\S+:server-b\d+", SERVICES["llm"]["image"])
    assert not SERVICES["llm"]["user"].startswith("0")


def test_services_have_health_checks() -> None:
    assert "HEALTHCHECK --interval" in stage("neo4j")
    assert SERVICES["llm"]["healthcheck"]["test"]
    assert SERVICES["kgdb"]["depends_on"]["neo4j"]["condition"] == "service_healthy"


def test_data_lie_in_volumes() -> None:
    for image, folder in (("neo4j", assembly().DATA), ("kgdb", "/var/lib/kgdb")):
        assert f"VOLUME {folder}\n" in stage(image)
        assert f"{image}:{folder}" in SERVICES[image]["volumes"]


def test_ports_are_those_of_the_configuration_and_open_on_this_machine_only(tmp_path: Path) -> None:
    module = assembly()
    exposed = {module.BOLT_PORT, module.HTTP_PORT}
    assert {
        int(port) for port in re.findall(r"^EXPOSE (.*)$", stage("neo4j"), re.M)[0].split()
    } == exposed
    ports = SERVICES["neo4j"]["ports"]
    assert {int(port.rsplit(":", 1)[1]) for port in ports} == exposed
    assert all(port.startswith("127.0.0.1:") for port in ports)
    assert SERVICES["kgdb"]["environment"]["NEO4J_URI"] == f"bolt://neo4j:{module.BOLT_PORT}"
    assert (
        f"/dev/tcp/127.0.0.1/{module.BOLT_PORT}" in (ROOT / "docker" / "healthcheck.sh").read_text()
    )


def test_variables_of_kgdb_exist() -> None:
    text = (ROOT / "compose.yaml").read_text() + DOCKERFILE
    named = set(re.findall(r"^ +(KGDB_\w+):", text, re.M)) | set(
        re.findall(r"\b(KGDB_HOME)=", text)
    )
    assert named
    assert named <= set(ENVIRONMENT.values())


def test_no_password_stands_in_the_compose_file() -> None:
    for name in ("neo4j", "kgdb"):
        values = [
            v
            for k, v in SERVICES[name]["environment"].items()
            if k in ("NEO4J_AUTH", "NEO4J_PASSWORD")
        ]
        assert values
        assert all("${NEO4J_PASSWORD:?" in value for value in values)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda path: path.stem)
def test_a_preset_leaves_memory_beside_heap_and_page_cache(preset: Path) -> None:
    sizes = dict(line.split("=") for line in preset.read_text().splitlines() if "=" in line)
    heap, page_cache = (parse_size(sizes[key], key) for key in ("KGDB_HEAP", "KGDB_PAGE_CACHE"))
    limit = parse_size(sizes["NEO4J_MEMORY"], "NEO4J_MEMORY")
    assert limit - heap - page_cache >= max(heap // 4, GIB // 2)
    assert heap <= 8 * GIB  # the collector was chosen for no more


def test_the_small_preset_is_the_default() -> None:
    text = (ROOT / "compose.yaml").read_text()
    for line in (ROOT / "docker" / "memory" / "small.env").read_text().splitlines():
        if "=" in line:
            key, value = line.split("=")
            assert f"${{{key}:-{value}}}" in text


def test_the_newest_lock_is_that_of_the_newest_release() -> None:
    locked = parse((ROOT / "docker" / "newest.lock").read_text(), "newest.lock")
    newest = lock.RELEASES["newest"]
    assert locked.version_of("org.neo4j:neo4j") == newest.neo4j
    assert locked.version_of("org.neo4j.gds:proc") == newest.gds


@pytest.mark.parametrize("auth", ["", "neo4j", "neo4j/short", "none", "other/password1"])
def test_a_first_start_without_a_password_is_refused(auth: str) -> None:
    done = subprocess.run(
        ["sh", str(ROOT / "docker" / "entrypoint.sh")],
        env={"NEO4J_AUTH": auth, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Set NEO4J_AUTH" in done.stderr
