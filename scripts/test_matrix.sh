#!/bin/sh
# Unit tests and the demo on each supported Python that is here, integration tests on each supported Neo4j.
set -eu
cd "$(dirname "$0")/.."
failed=
for version in 3.11 3.12 3.13; do
    python=$(command -v "python$version") || {
        echo "Python $version: not here, left out"
        continue
    }
    folder=build/matrix/$version
    "$python" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check --editable \
        ".[server,models,lab,openai,fast,gds,serve,html,networkx,pandas,polars,py2neo,langchain,llama-index,neo4j-graphrag,haystack,docs,dev]"
    "$folder/bin/pytest" -q -m unit -n auto --dist loadfile || failed="$failed Python-$version"
    "$folder/bin/kgdb" load demo --replace && "$folder/bin/kgdb" answer --graph demo --llm none \
        "Who wrote The Tuesday Engine?" || failed="$failed demo-$version"
done
sh scripts/test_containers.sh neo4j tests/integration || failed="$failed Neo4j-5.26"
# No supported version yet: what fails there is told, and fails nothing.
sh scripts/test_containers.sh newest tests/integration || echo "Neo4j 2026: not supported yet"
if [ -n "$failed" ]; then
    echo "Failed:$failed"
    exit 1
fi
