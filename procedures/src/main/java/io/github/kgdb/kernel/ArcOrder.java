package io.github.kgdb.kernel;

import java.util.BitSet;
import java.util.Comparator;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Puts the arcs into one node of {@link LayeredGraph} in order before they are gone through. */
@FunctionalInterface
interface ArcOrder {
    /** As they were read. */
    ArcOrder AS_FOUND = (level, place) -> {};

    void arrange(int level, int place);

    /** By the ids of the entities they come from; a node's arcs are sorted when first needed. */
    static ArcOrder byId(LayeredGraph walks, LongFunction<Entity> entities) {
        BitSet[] arranged =
                walks.levels().stream().map(level -> new BitSet()).toArray(BitSet[]::new);
        return (level, place) -> {
            if (!arranged[level].get(place)) {
                arranged[level].set(place);
                sort(
                        walks.levels().get(level),
                        place,
                        walks.levels().get(level - 1).nodes(),
                        entities);
            }
        };
    }

    private static void sort(
            LayeredGraph.Level level, int place, long[] nodesBefore, LongFunction<Entity> entities) {
        record Arc(int origin, int parallels, Entity entity) {}

        int first = level.offsets()[place];
        Arc[] arcs =
                IntStream.range(first, level.offsets()[place + 1])
                        .mapToObj(
                                arc ->
                                        new Arc(
                                                level.origins()[arc],
                                                level.parallels()[arc],
                                                entities.apply(nodesBefore[level.origins()[arc]])))
                        .sorted(Comparator.comparing(Arc::entity, Entity.BY_ID))
                        .toArray(Arc[]::new);
        for (int i = 0; i < arcs.length; i++) {
            level.origins()[first + i] = arcs[i].origin();
            level.parallels()[first + i] = arcs[i].parallels();
        }
    }
}
