"""How often the kinds of FactKG's claims are recognised as a reader labelled them.

python -m benchmarks.claim_kinds ../shared/data
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from pathlib import Path

from kgdb.evaluation import read_factkg

_LABELS = Path(__file__).parent / "factkg_kinds.toml"


def main(data: Path) -> None:
    """Print a line of JSON for each kind: how many were labelled so, and recognised as what."""
    claims = read_factkg(data, "dev")
    labels = tomllib.loads(_LABELS.read_text(encoding="utf-8"))
    right = 0
    for kind, lines in labels.items():
        found = Counter(str(claims[line - 1].type) for line in lines)
        right += found[kind]
        told = {"labelled": kind, "claims": len(lines), "recognised as": dict(found.most_common())}
        print(json.dumps(told))
    print(json.dumps({"agree": right, "of": sum(map(len, labels.values()))}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
