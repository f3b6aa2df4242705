package io.github.kgdb.bench;

import io.github.kgdb.kernel.api.KernelResult;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/** The kernels at ordinary entities, on open cursors: no procedure call, no look-up of ids. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class KernelBenchmark {
    @Benchmark
    public KernelResult<?> relationsAround(OrdinaryEntities state) {
        return Kernels.relationsAround(state);
    }

    @Benchmark
    public KernelResult<?> neighbors(OrdinaryEntities state) {
        return Kernels.neighbors(state);
    }

    @Benchmark
    public KernelResult<?> neighborsByOneRelation(OrdinaryEntities state) {
        return Kernels.neighborsByOneRelation(state);
    }

    @Benchmark
    public KernelResult<?> follow(OrdinaryEntities state) {
        return Kernels.follow(state);
    }

    @Benchmark
    public KernelResult<?> pathsAll(OrdinaryEntities state) {
        return Kernels.pathsAll(state);
    }

    @Benchmark
    public KernelResult<?> pathsShortest(OrdinaryEntities state) {
        return Kernels.pathsShortest(state);
    }

    @Benchmark
    public KernelResult<?> beam(OrdinaryEntities state) {
        return Kernels.beam(state, Kernels.NO_LIMIT);
    }

    @Benchmark
    public KernelResult<?> beamOfBestRelations(OrdinaryEntities state) {
        return Kernels.beam(state, 3);
    }
}
