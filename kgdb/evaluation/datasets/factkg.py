"""FactKG (Kim et al., ACL 2023): claims about DBpedia."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.records import label_of, records, text_of
from kgdb.evaluation.questions import Claim


def read_factkg(data: Path, split: str = "dev") -> list[Claim]:
    """FactKG claims with their labels.

    Raises as :func:`read_metaqa`.
    """

    def claim(number: int, row: Mapping[str, Any]) -> Claim:
        return Claim(f"factkg/{split}/{number}", text_of(row["claim"]), label_of(row["label"]))

    return records(data / "factkg" / f"{split}.jsonl.gz", claim)
