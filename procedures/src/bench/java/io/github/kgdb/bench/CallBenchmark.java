package io.github.kgdb.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Whole calls: Cypher, the procedure's frame, the look-up of the graph and of ids, the kernel. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 6, time = 2)
@Measurement(iterations = 5, time = 2)
public class CallBenchmark {
    @Benchmark
    public long nothing(OrdinaryEntities state) {
        return state.execute("CALL kgdb.relations.around([])", Map.of());
    }

    @Benchmark
    public long relationsAround(OrdinaryEntities state) {
        return call(state, "CALL kgdb.relations.around($nodes, {kg: 'bench'})", Map.of());
    }

    @Benchmark
    public long neighbors(OrdinaryEntities state) {
        return call(state, "CALL kgdb.neighbors($nodes, {kg: 'bench'})", Map.of());
    }

    @Benchmark
    public long follow(OrdinaryEntities state) {
        return call(
                state,
                "CALL kgdb.follow($nodes, $chain, {kg: 'bench'})",
                Map.of("chain", List.of("relation_1", "^relation_1", "relation_2")));
    }

    @Benchmark
    public long beam(OrdinaryEntities state) {
        return call(
                state,
                "CALL kgdb.beam($nodes, $hops, {kg: 'bench'})",
                Map.of("hops", state.hopsByName));
    }

    private static long call(BenchState state, String cypher, Map<String, Object> more) {
        Map<String, Object> parameters = new HashMap<>(more);
        parameters.put("nodes", List.of(state.ids[state.next()]));
        return state.execute(cypher, parameters);
    }
}
