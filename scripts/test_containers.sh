#!/bin/sh
# Runs integration tests on the server's image: sh scripts/test_containers.sh IMAGE TESTS…
# IMAGE is neo4j or newest. Without a container engine it says so, and ends with 0.
set -eu
cd "$(dirname "$0")/.."
image=$1
shift
DOCKER_HOST=$(sh scripts/container_engine.sh) || {
    echo "The tests on containers were left out."
    exit 0
}
export DOCKER_HOST TESTCONTAINERS_CONNECTION_MODE=docker_host
sh scripts/images.sh "$image"
if [ "$image" = newest ]; then
    export KGDB_TEST_IMAGE=kgdb-neo4j:newest
fi
exec .venv/bin/pytest -q -m integration --server container "$@"
