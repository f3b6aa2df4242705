package io.github.kgdb.bench;

import io.github.kgdb.kernel.api.KernelResult;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What takes long at a hub. Each run is timed by itself: a second would hold few of them. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 50)
@Measurement(iterations = 50)
public class SlowHubBenchmark {
    @Benchmark
    public KernelResult<?> neighbors(LargestHub state) {
        return Kernels.neighbors(state);
    }

    @Benchmark
    public long neighborsCalled(LargestHub state) {
        return state.execute(
                "CALL kgdb.neighbors($nodes, {kg: 'bench'})",
                Map.of("nodes", List.of(state.ids[0])));
    }

    @Benchmark
    public KernelResult<?> pathsAll(LargestHub state) {
        return Kernels.pathsAll(state);
    }

    @Benchmark
    public KernelResult<?> pathsAllBetweenHubs(TwoHubs state) {
        return Kernels.pathsAll(state);
    }

    @Benchmark
    public KernelResult<?> pathsShortest(LargestHub state) {
        return Kernels.pathsShortest(state);
    }

    @Benchmark
    public KernelResult<?> pathsShortestBetweenHubs(TwoHubs state) {
        return Kernels.pathsShortest(state);
    }
}
