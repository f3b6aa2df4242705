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
        ".[server,models,openai,baselines,fast,gds,html,networkx,pandas,polars,py2neo,rdf,docs,dev]"
    "$folder/bin/pytest" -q -m unit -n auto --dist loadfile || failed="$failed Python-$version"
    "$folder/bin/kgdb" load demo --replace && "$folder/bin/kgdb" answer --graph demo --llm none \
        "Who wrote The Tuesday Engine?" || failed="$failed demo-$version"
done
for image in neo4j newest; do
    sh scripts/test_containers.sh "$image" tests/integration || failed="$failed server-$image"
done
if [ -n "$failed" ]; then
    echo "Failed:$failed"
    exit 1
fi
