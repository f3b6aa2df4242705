#!/bin/sh
# Runs random queries by kgdb.cypher.read for so many processor seconds (default 600) and tells which ended late or
# otherwise than with a row, and what that did to a bystander: sh scripts/fuzz_expressions.sh [SECONDS [FIRST_SEED]].
# The same seed makes the same query. What it finds belongs, made small, into tests/corpus/read/bombs.
set -eu
cd "$(dirname "$0")/../procedures"
mvn -B -q test-compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
    -Dmdep.outputFile=target/test-classpath.txt -Dmdep.includeScope=test
java -Xmx1g --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED \
    --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \
    -cp "target/classes:target/test-classes:$(cat target/test-classpath.txt)" \
    io.github.kgdb.cypher.ExpressionFuzzer "${1:-600}" "${2:-1}"
