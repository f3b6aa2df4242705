"""Files of every format with changes by chance: a seed gives the same file each time."""

# ruff: noqa: E501, PLR0911, S108, S311 - hostile names, kinds of changes, and chance that keeps no secret

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import re
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import duckdb
from file_samples import SAMPLES

TOKENS = [
    *"[{(<\"'|,;:]})>/\\#&!=\n\r\t\0",
    *(
        "null",
        "NaN",
        "-0",
        "1e999",
        "9" * 5_000,
        "true",
        "\\ud800",
        "\\u0000",
        '"":',
        '{"a":',
        "[[",
        "[" * 300,
    ),
    *(
        "<!DOCTYPE x [<!ENTITY a 'b'>]>",
        "&a;",
        "<!--",
        "<![CDATA[",
        "<?xml version='1.0' encoding='utf-7'?>",
        "xmlns=",
    ),
    *(
        "<a>" * 300,
        "<< ",
        "<<( ",
        "_:b",
        "@prefix",
        "\\",
        "^^",
        '"""',
        "{|",
        "[Term]",
        "id:",
        "\ufeff",
        "\x85",
        "\u2028",
    ),
    *(
        '"@context":',
        '"@id":',
        '"@graph":',
        '"id":',
        '"source":',
        '"type":',
        '"item"',
        '"identity":',
        '"kind":',
    ),
    *("é", "日", "🜂", "\x1f\x8b", "PK\x03\x04", "a" * 70_000, " " * 3_000, "../", "%s", "{}", "$1"),
]
RAW = [b"\xff", b"\xfe\xff", b"\xc3", b"\xed\xa0\x80", b"\x00" * 40, b"\xff\xff\xff\xff"]


def _parquet() -> bytes:
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file, duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 'a' AS head, 'r' AS relation, [1, 2] AS tail, {'x': 1} AS since) "
            f"TO '{file.name}' (FORMAT parquet)"
        )
        return Path(file.name).read_bytes()


def _mutated(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """The data after one change."""
    at, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
    end = min(end, at + chance.choice([1, 8, 64, 4_096]))
    part = data[at:end]
    match chance.randrange(9):
        case 0:
            return data[:at] + data[end:]
        case 1:
            return data[:end] + part * chance.choice([1, 2, 30, 1_000]) + data[end:]
        case 2 | 3 | 4:
            token = chance.choice(TOKENS).encode()
            return (
                data[:at]
                + token * chance.choice([1, 1, 1, 2, 400])
                + data[chance.choice([at, end]) :]
            )
        case 5:
            return data[:at] + chance.choice(RAW) + data[end:]
        case 6:
            return data[:at]
        case 7:
            begin = chance.randrange(len(other) + 1)
            return data[:at] + other[begin : begin + 200] + data[end:]
        case _:
            flipped = bytearray(data)
            for _ in range(chance.choice([1, 3, 20])):
                if flipped:
                    flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
            return bytes(flipped)


ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        5,
        1.5,
        10**400,
        1e308,
        "",
        "a",
        "\ud800",
        "\0",
        "9" * 5_000,
        "2001-02-03",
    ),
    *(
        [],
        {},
        [[]],
        [None],
        ["a", 1],
        {"": 1},
        {"id": "a"},
        {"id": None},
        {"data": None},
        [{"id": ["x"]}],
    ),
]


def _with_odd_value(chance: random.Random, value: Any) -> Any:
    """The JSON value with another one at some place in it."""
    if not isinstance(value, (dict, list)) or not value or chance.random() < 0.15:
        odd = chance.choice(ODD)
        for _ in range(chance.choice([0, 0, 0, 1, 50, 300])):
            odd = [odd] if chance.random() < 0.5 else {"a": odd}
        return odd
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = chance.choice(keys)
    changed = dict(value) if isinstance(value, dict) else list(value)
    match chance.randrange(6):
        case 0:
            del changed[key]
        case 1 if isinstance(changed, list):
            changed *= 3
        case 1:
            changed[
                str(chance.choice(["id", "type", "nodes", "source", "identity", "labels", "@id"]))
            ] = changed.pop(key)
        case _:
            changed[key] = _with_odd_value(chance, value[key])
    return changed


def _rearranged(chance: random.Random, text: str) -> str:
    """The text with a change that its grammar may allow: of a JSON value, of elements, or of lines."""
    if text.startswith(("{", "[")):
        try:
            return json.dumps(_with_odd_value(chance, json.loads(text)))
        except ValueError:
            lines = text.splitlines()
            at = chance.randrange(len(lines))
            with_comma = lines[at].endswith(",")
            try:
                value = json.loads(lines[at].removesuffix(","))
            except ValueError:
                return text
            lines[at] = json.dumps(_with_odd_value(chance, value)) + "," * with_comma
            return "\n".join(lines) + "\n"
    parts = re.split(r"(<[^<>]*>|\n|\t|[|,;=]|\"[^\"]*\")", text)
    at, to = chance.randrange(len(parts)), chance.randrange(len(parts))
    if chance.random() < 0.5:
        same = [place for place, part in enumerate(parts) if part[:1] == parts[at][:1]]
        to = chance.choice(same)
    match chance.randrange(4):
        case 0:
            parts[at], parts[to] = parts[to], parts[at]
        case 1:
            parts[at] = parts[to]
        case 2:
            parts[at] *= chance.choice([0, 2, 300])
        case _:
            parts[at:at] = parts[min(at, to) : max(at, to)]
    return "".join(parts)


def _packed(chance: random.Random, name: str, data: bytes) -> tuple[str, bytes]:
    """The file as it is, or in a packed form, which may be damaged too."""
    match chance.randrange(20):
        case 0:
            name, data = f"{name}.gz", gzip.compress(data, mtime=0)
        case 1:
            name, data = f"{name}.bz2", bz2.compress(data)
        case 2:
            name, data = f"{name}.xz", lzma.compress(data)
        case 3:
            name, data = f"{name}.zip", _in_zip(chance, name, data)
        case 4:
            name, data = f"{name}.tar", _in_tar(chance, name, data)
        case _:
            return name, data
    for _ in range(chance.choice([0, 0, 1, 2])):
        data = _mutated(chance, data, b"\xff" * 64)
    return name, data


NAMES = [
    "a.csv",
    "d/" * 400 + "x",
    "../out",
    "/tmp/out",
    "ä\udcff",
    "a\\..\\b",
    "n" * 300,
    "con",
    ".hidden",
    "",
]


def _in_zip(chance: random.Random, name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(
        out, "w", chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    ) as archive:
        archive.writestr(name, data)
        if chance.random() < 0.3:
            archive.writestr(chance.choice(NAMES).encode("utf-8", "replace").decode() or "x", b"x")
    return out.getvalue()


def _in_tar(chance: random.Random, name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo(name if chance.random() < 0.7 else chance.choice(NAMES))
        member.size = len(data)
        member.type = chance.choice(
            [tarfile.REGTYPE] * 5 + [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE]
        )
        member.linkname = chance.choice(["/etc/passwd", "../x", name])
        if chance.random() < 0.4:
            key = chance.choice(
                ["size", "path", "GNU.sparse.map", "GNU.sparse.size", "GNU.sparse.major", "mtime"]
            )
            member.pax_headers = {
                key: chance.choice(["0", "-1", "zz", "9" * 30, "0,1,zz", "1\0", "20000000000,0"])
            }
            member.pax_headers["GNU.sparse.minor"] = chance.choice(["0", "1"])
        archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def trial_of(seed: int) -> tuple[str, str, bytes]:
    """The loader, the name and the content of the file of a trial."""
    chance = random.Random(seed)
    loader = chance.choice(list(SAMPLES))
    sample = chance.choice(SAMPLES[loader])
    for _ in range(chance.choice([0, 0, 1, 1, 2, 3])):
        sample = _rearranged(chance, sample) if sample else ""
    data = _parquet() if loader == "parquet" else sample.encode("utf-8", "surrogatepass")
    other = chance.choice(chance.choice(list(SAMPLES.values()))).encode()
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        data = _mutated(chance, data, other)
    if chance.random() < 0.05:
        data = data.decode("utf-8", "replace").encode(
            chance.choice(["utf-16", "latin-1", "utf-32"]), "replace"
        )
    name, data = ("x", data) if loader == "toml" else _packed(chance, "source", data)
    if loader not in {"toml", "parquet"} and chance.random() < 0.1:
        loader = chance.choice([each for each in SAMPLES if each != "toml"])
    return loader, name, data
