package io.github.kgdb.bench;

import static io.github.kgdb.bench.BenchState.UNLIMITED;

import io.github.kgdb.kernel.Beam;
import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.Follow;
import io.github.kgdb.kernel.Found;
import io.github.kgdb.kernel.Neighbors;
import io.github.kgdb.kernel.Paths;
import io.github.kgdb.kernel.RelationsAround;
import io.github.kgdb.kernel.Steps;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/** The kernels by themselves, on open cursors: no procedure call, no look-up of ids. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class KernelBenchmark {
    private static final long NO_CAP = Long.MAX_VALUE;
    private static final Steps ANY = Steps.any(Direction.BOTH);
    private static final int LIMIT = 1000;

    @Benchmark
    public Found<?> relationsAround(BenchState state) {
        return RelationsAround.find(
                state.view,
                state.nodes[state.next()],
                new RelationsAround.Query(ANY, false, LIMIT, NO_CAP));
    }

    @Benchmark
    public Found<?> neighbors(BenchState state) {
        return Neighbors.find(
                state.view,
                state.nodes[state.next()],
                new Neighbors.Query(ANY, false, LIMIT, NO_CAP, NO_CAP),
                UNLIMITED);
    }

    @Benchmark
    public Found<?> neighborsByOneRelation(BenchState state) {
        return Neighbors.find(
                state.view,
                state.nodes[state.next()],
                new Neighbors.Query(
                        Steps.only(state.chain.subList(0, 1)), false, LIMIT, NO_CAP, NO_CAP),
                UNLIMITED);
    }

    @Benchmark
    public Found<?> follow(BenchState state) {
        return Follow.run(
                state.view,
                state.nodes[state.next()],
                new Follow.Query(state.chain, LIMIT, 5, NO_CAP, 1_000_000),
                UNLIMITED);
    }

    @Benchmark
    public Found<?> pathsAll(BenchState state) {
        return Paths.find(
                state.view,
                state.pairs[state.next()],
                new Paths.Query(ANY, false, 3, false, false, 100, LIMIT, NO_CAP),
                UNLIMITED);
    }

    @Benchmark
    public Found<?> pathsShortest(BenchState state) {
        return Paths.find(
                state.view,
                state.pairs[state.next()],
                new Paths.Query(ANY, false, 4, true, false, 100, LIMIT, NO_CAP),
                UNLIMITED);
    }

    @Benchmark
    public Found<?> beam(BenchState state) {
        return Beam.search(
                state.view,
                state.nodes[state.next()],
                new Beam.Query(state.hops, false, 10, NO_CAP, NO_CAP),
                UNLIMITED);
    }

    @Benchmark
    public Found<?> beamOfBestRelations(BenchState state) {
        return Beam.search(
                state.view,
                state.nodes[state.next()],
                new Beam.Query(state.hops, false, 10, 3, NO_CAP),
                UNLIMITED);
    }
}
