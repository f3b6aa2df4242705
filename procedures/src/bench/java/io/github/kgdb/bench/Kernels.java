package io.github.kgdb.bench;

import static io.github.kgdb.bench.BenchState.UNLIMITED;

import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.beam.Beam;
import io.github.kgdb.kernel.follow.Follow;
import io.github.kgdb.kernel.neighbors.Neighbors;
import io.github.kgdb.kernel.neighbors.RelationsAround;
import io.github.kgdb.kernel.paths.Paths;

/** One run of each kernel, from the next of the nodes. */
final class Kernels {
    static final long NO_LIMIT = Long.MAX_VALUE;

    private static final StepFilter ANY = StepFilter.any(Direction.BOTH);
    private static final int LIMIT = 1000;

    private Kernels() {}

    static KernelResult<?> relationsAround(BenchState state) {
        return RelationsAround.find(
                state.view,
                state.nodes[state.next()],
                new RelationsAround.Query(ANY, false, LIMIT, NO_LIMIT),
                UNLIMITED);
    }

    static KernelResult<?> neighbors(BenchState state) {
        return Neighbors.find(
                state.view,
                state.nodes[state.next()],
                new Neighbors.Query(ANY, false, LIMIT, NO_LIMIT, NO_LIMIT),
                UNLIMITED);
    }

    static KernelResult<?> neighborsByOneRelation(BenchState state) {
        return Neighbors.find(
                state.view,
                state.nodes[state.next()],
                new Neighbors.Query(
                        StepFilter.only(state.chain.subList(0, 1)),
                        false,
                        LIMIT,
                        NO_LIMIT,
                        NO_LIMIT),
                UNLIMITED);
    }

    static KernelResult<?> follow(BenchState state) {
        return Follow.run(
                state.view,
                state.nodes[state.next()],
                new Follow.Query(state.chain, LIMIT, 5, NO_LIMIT, 1_000_000),
                UNLIMITED);
    }

    static KernelResult<?> pathsAll(BenchState state) {
        return Paths.find(
                state.view,
                state.pairs[state.next()],
                new Paths.Query(ANY, false, 3, false, false, 100, LIMIT, true, NO_LIMIT),
                UNLIMITED);
    }

    static KernelResult<?> pathsShortest(BenchState state) {
        return Paths.find(
                state.view,
                state.pairs[state.next()],
                new Paths.Query(ANY, false, 4, true, false, 100, LIMIT, true, NO_LIMIT),
                UNLIMITED);
    }

    static KernelResult<?> beam(BenchState state, long relationsPerNode) {
        return Beam.search(
                state.view,
                state.nodes[state.next()],
                new Beam.Query(state.hops, false, 10, relationsPerNode, NO_LIMIT),
                UNLIMITED);
    }
}
