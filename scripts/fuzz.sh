#!/bin/sh
# Throws texts at the parser of graphs of thought for so many seconds (default 600), guided by which
# of its branches they reach: sh scripts/fuzz.sh [SECONDS]. It starts from the corpus in tests/corpus/got;
# what it finds is left in procedures/target/fuzz/findings and belongs, made small, into that corpus.
set -eu
cd "$(dirname "$0")/../procedures"
seconds=${1:-600}
mvn -B -q -Pfuzz test-compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
    -Dmdep.outputFile=target/fuzz-classpath.txt -Dmdep.includeScope=test
classpath="target/classes:target/test-classes:$(cat target/fuzz-classpath.txt)"
mkdir -p target/fuzz/findings target/fuzz/reached
java -cp "$classpath" io.github.kgdb.thought.ThoughtFuzzer target/fuzz/seeds
java -Xmx1g -cp "$classpath" com.code_intelligence.jazzer.Jazzer \
    --target_class=io.github.kgdb.thought.ThoughtFuzzer \
    --instrumentation_includes='io.github.kgdb.thought.**' \
    --custom_hook_excludes='**' \
    --reproducer_path=target/fuzz/findings \
    -dict=../tests/corpus/got/words.dict \
    -artifact_prefix=target/fuzz/findings/ \
    -max_total_time="$seconds" -max_len=20000 -timeout=2 -rss_limit_mb=0 -print_final_stats=1 \
    target/fuzz/reached target/fuzz/seeds
