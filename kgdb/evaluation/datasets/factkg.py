"""FactKG (Kim et al., ACL 2023): claims about DBpedia."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.claim_kinds import claim_kind
from kgdb.evaluation.datasets.reading import label_of, records, text_of
from kgdb.evaluation.questions import Claim


def read_factkg(data: Path, split: str = "dev") -> list[Claim]:
    """FactKG claims with their labels, and with kinds as :func:`claim_kind` recognises them.

    Raises as :func:`read_metaqa`.
    """

    def claim(number: int, row: Mapping[str, Any]) -> Claim:
        text = text_of(row["claim"])
        return Claim(f"factkg/{split}/{number}", text, label_of(row["label"]), claim_kind(text))

    return records(data / "factkg" / f"{split}.jsonl.gz", claim)
