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

/** The kernels that read little of a hub. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class HubBenchmark {
    @Benchmark
    public KernelResult<?> relationsAround(LargestHub state) {
        return Kernels.relationsAround(state);
    }

    @Benchmark
    public KernelResult<?> neighborsByOneRelation(LargestHub state) {
        return Kernels.neighborsByOneRelation(state);
    }

    @Benchmark
    public KernelResult<?> follow(LargestHub state) {
        return Kernels.follow(state);
    }

    @Benchmark
    public KernelResult<?> beam(LargestHub state) {
        return Kernels.beam(state, Kernels.NO_LIMIT);
    }
}
