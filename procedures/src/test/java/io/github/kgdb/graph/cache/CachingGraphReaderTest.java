package io.github.kgdb.graph.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.graph.csr.CsrGraph;
import io.github.kgdb.graph.csr.CsrGraphBuilder;
import io.github.kgdb.graph.csr.CsrGraphReader;
import io.github.kgdb.graph.store.CursorGraphReader;
import io.github.kgdb.graph.store.EnclosedRelations;
import io.github.kgdb.graph.store.GraphLabels;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.Labels;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.graph.store.RelationshipFilter;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.StepFilter;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** When a node's adjacency list enters the cache. */
class CachingGraphReaderTest {
    private static final StepFilter ANY = StepFilter.any(Direction.BOTH);
    private static final NodeFilter NO_FILTER = new NodeFilter(List.of(), false);

    @AutoClose private static final TestDatabase database = TestDatabase.with();

    @Test
    void aHubIsCachedAtItsFirstRead() {
        read(
                80,
                (reader, node) -> {
                    assertEquals(80, expand(reader, node, ANY));
                    assertNotNull(reader.cachedAdjacency(node));
                    assertEquals(80, expand(reader, node, ANY));
                });
    }

    @Test
    void aSparseNodeIsCachedAfterFourReads() {
        read(
                20,
                (reader, node) -> {
                    for (int times = 1; times <= 4; times++) {
                        assertTrue(reader.isSparse(node));
                        assertNull(reader.cachedAdjacency(node), "read " + (times - 1) + " times");
                        assertEquals(20, expand(reader, node, ANY));
                    }
                    assertNotNull(reader.cachedAdjacency(node));
                    assertEquals(20, expand(reader, node, ANY));
                    assertEquals(0, expand(reader, node, StepFilter.any(Direction.IN)));
                });
    }

    @Test
    void aNodeBelowTheMinimumDegreeIsNeverCached() {
        read(
                15,
                (reader, node) -> {
                    for (int times = 0; times < 100; times++) {
                        assertEquals(15, expand(reader, node, ANY));
                    }
                    assertNull(reader.cachedAdjacency(node));
                });
    }

    @Test
    void readsFromTheCopyInMemoryFillTheCacheToo() {
        readInMemory(
                80,
                (reader, node) -> {
                    assertNull(reader.cachedAdjacency(node));
                    assertEquals(80, expand(reader, node, ANY));
                    assertEquals(80, reader.cachedAdjacency(node).neighbors().length);
                });
        readInMemory(
                20,
                (reader, node) -> {
                    for (int times = 1; times <= 4; times++) {
                        assertNull(reader.cachedAdjacency(node), "read " + (times - 1) + " times");
                        assertEquals(20, expand(reader, node, ANY));
                    }
                    assertEquals(20, reader.cachedAdjacency(node).neighbors().length);
                });
    }

    private static int expand(GraphReader reader, long node, StepFilter steps) {
        int[] seen = {0};
        reader.expand(node, steps, (relation, direction, neighbor) -> seen[0]++);
        return seen[0];
    }

    /** A node with that many neighbors that no call has read before. */
    private static void read(int neighbors, BiConsumer<GraphReader, Long> check) {
        read(neighbors, (kernel, remembering) -> remembering, check);
    }

    private static void readInMemory(int neighbors, BiConsumer<GraphReader, Long> check) {
        read(neighbors, CachingGraphReaderTest::inMemory, check);
    }

    private static GraphReader inMemory(KernelTransaction kernel, CachingGraphReader remembering) {
        int mediator = new Labels(kernel.tokenRead()).number(Labels.MEDIATOR);
        CsrGraph copy = CsrGraphBuilder.build(
                        kernel,
                        GraphLabels.of(KnowledgeGraph.wholeStore(), kernel.tokenRead()),
                        mediator,
                        () -> {});
        return new CsrGraphReader(copy, NO_FILTER, remembering, () -> {});
    }

    private static void read(
            int neighbors,
            BiFunction<KernelTransaction, CachingGraphReader, GraphReader> opened,
            BiConsumer<GraphReader, Long> check) {
        database.rows("MATCH (n) DETACH DELETE n");
        database.rows(
                "CREATE (hub:G) FOREACH (i IN range(1, "
                        + neighbors
                        + ") | CREATE (hub)-[:r]->(:G))");
        try (Transaction transaction = database.service().beginTx()) {
            KernelTransaction kernel = ((InternalTransaction) transaction).kernelTransaction();
            Object node =
                    TestDatabase.rows(
                                    transaction,
                                    "MATCH (hub:G)-->() RETURN DISTINCT id(hub) AS node",
                                    Map.of())
                            .get(0)
                            .get("node");
            try (CursorGraphReader store =
                    new CursorGraphReader(
                            kernel,
                            KnowledgeGraph.wholeStore(),
                            NO_FILTER,
                            RelationshipFilter.NONE,
                            EnclosedRelations.NONE,
                            () -> {})) {
                CachingGraphReader remembering =
                        new CachingGraphReader(
                                store, AdjacencyListCache.empty(), NO_FILTER, () -> {});
                check.accept(opened.apply(kernel, remembering), (Long) node);
            }
        }
    }
}
