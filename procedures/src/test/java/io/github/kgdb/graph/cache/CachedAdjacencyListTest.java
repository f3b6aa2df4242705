package io.github.kgdb.graph.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;

/** A cached adjacency list returns the same arcs as a full scan. */
class CachedAdjacencyListTest {
    private static final int NODES = 60;
    private static final int RELATIONS = 4;

    private record Arc(int relation, Direction direction, long other) {}

    @Test
    void findsTheArcsToSomeOthers() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            // With parallel arcs, and relations with few arcs or none.
            List<Arc> arcs =
                    random.ints(random.nextInt(200), 0, NODES)
                            .mapToObj(
                                    other ->
                                            new Arc(
                                                    random.nextInt(1 + random.nextInt(RELATIONS)),
                                                    random.nextBoolean()
                                                            ? Direction.OUT
                                                            : Direction.IN,
                                                    other))
                            .toList();
            CachedAdjacencyList hub = CachedAdjacencyList.read(reader(arcs), 0, other -> true);
            long[] others =
                    random.longs(random.nextInt(NODES), 0, NODES).distinct().sorted().toArray();
            StepFilter steps =
                    random.nextBoolean()
                            ? StepFilter.any(Direction.BOTH)
                            : StepFilter.only(
                                    List.of(
                                            new RelationStep(0, Direction.OUT),
                                            new RelationStep(1, Direction.IN)));
            List<Arc> expected =
                    arcs.stream()
                            .filter(arc -> steps.allows(arc.relation(), arc.direction()))
                            .filter(arc -> Arrays.binarySearch(others, arc.other()) >= 0)
                            .toList();
            List<Arc> found = new ArrayList<>();
            hub.visit(
                    steps,
                    others,
                    (relation, direction, other) -> found.add(new Arc(relation, direction, other)));
            assertEquals(counted(expected), counted(found), "seed " + seed);
        }
    }

    @Test
    void aListIsCachedOnceTheMissesReachItsDegree() {
        AdjacencyListCache hubs = AdjacencyListCache.empty();
        assertFalse(hubs.isMissed(7));
        hubs.recordMiss(7, 60);
        hubs.recordMiss(8, 60);
        assertTrue(hubs.isMissed(7));
        assertFalse(hubs.isDue(7, 100));
        hubs.recordMiss(7, 60);
        assertTrue(hubs.isDue(7, 100));
        assertFalse(hubs.isDue(7, 100));
        assertFalse(hubs.isMissed(7));
    }

    @Test
    void theDegreeIsComputedAtEachDoublingOfTheMisses() {
        AdjacencyListCache hubs = AdjacencyListCache.empty();
        List<Integer> asked = new ArrayList<>();
        for (int reads = 1; reads <= 1000; reads++) {
            if (hubs.recordMiss(7, 1)) {
                asked.add(reads);
            }
        }
        assertEquals(List.of(16, 32, 64, 128, 256, 512), asked);
    }

    @Test
    void theCountOfMissesDoesNotOverflow() {
        AdjacencyListCache hubs = AdjacencyListCache.empty();
        for (int i = 0; i < 10; i++) {
            assertTrue(hubs.recordMiss(9, Long.MAX_VALUE));
            assertTrue(hubs.recordMiss(9, Long.MAX_VALUE));
            assertTrue(hubs.isDue(9, Long.MAX_VALUE));
        }
    }

    @Test
    void theTwoLargestOfThreeHubsInTheSameSlotsStay() {
        long[] sharing = {1 << 20, (1 << 20) + 1, 1 << 21};
        int[][] orders = {{100, 80, 90}, {80, 90, 100}, {90, 100, 80}};
        for (int[] sizes : orders) {
            AdjacencyListCache hubs = AdjacencyListCache.empty();
            for (int i = 0; i < sizes.length; i++) {
                if (hubs.hasRoomFor(sharing[i], sizes[i])) {
                    hubs.put(hub(sharing[i], sizes[i]));
                }
            }
            for (int i = 0; i < sizes.length; i++) {
                CachedAdjacencyList found = hubs.get(sharing[i]);
                assertEquals(sizes[i] > 80, found != null, Arrays.toString(sizes));
                assertTrue(found == null || found.node() == sharing[i]);
            }
        }
    }

    @Test
    void aHubThatIsCachedAgainKeepsItsSlot() {
        AdjacencyListCache hubs =
                new AdjacencyListCache(
                        1, AdjacencyListCache.bytes(120) + AdjacencyListCache.bytes(130));
        hubs.put(hub(1, 100));
        hubs.put(hub(1, 120));
        assertEquals(120, hubs.get(1).size());
        assertTrue(hubs.hasRoomFor(2, 130));
        assertFalse(hubs.hasRoomFor(2, 131));
    }

    private static CachedAdjacencyList hub(long node, int size) {
        Arc arc = new Arc(0, Direction.OUT, 5);
        return CachedAdjacencyList.read(
                reader(Collections.nCopies(size, arc)), node, other -> true);
    }

    private static List<String> counted(List<Arc> arcs) {
        List<String> told = new ArrayList<>(arcs.stream().map(Arc::toString).toList());
        Collections.sort(told);
        return told;
    }

    /** A graph with a single node that has arcs. */
    private static GraphReader reader(List<Arc> arcs) {
        return new GraphReader() {
            @Override
            public void expand(
                    long node,
                    StepFilter steps,
                    LongPredicate exempt,
                    RelationshipVisitor visitor) {
                arcs.forEach(arc -> visitor.visit(arc.relation(), arc.direction(), arc.other()));
            }

            @Override
            public boolean expandIfSparse(
                    long node,
                    StepFilter steps,
                    LongPredicate exempt,
                    RelationshipVisitor visitor) {
                return false;
            }

            @Override
            public boolean mayVisit(long node) {
                return true;
            }

            @Override
            public boolean staysInside(int relation) {
                return true;
            }

            @Override
            public long degree(long node, StepFilter steps) {
                return arcs.size();
            }

            @Override
            public long degreeUpTo(long node, StepFilter steps, long limit) {
                return arcs.size();
            }

            @Override
            public boolean isSparse(long node) {
                return false;
            }

            @Override
            public void degreesByType(long node, DegreeVisitor visitor) {}

            @Override
            public boolean isMediator(long node) {
                return false;
            }
        };
    }
}
