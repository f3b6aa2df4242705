package io.github.kgdb.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.GraphReader;
import io.github.kgdb.kernel.Steps;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** When a node is copied. */
class RememberingReaderTest {
    private static final Steps ANY = Steps.any(Direction.BOTH);
    private static final NodeFilter NO_FILTER = new NodeFilter(List.of(), false);

    @AutoClose private static final TestDatabase database = TestDatabase.with();

    @BeforeEach
    void empty() {
        database.rows("MATCH (n) DETACH DELETE n");
    }

    @Test
    void aHubIsCopiedWhenItIsRead() {
        read(
                80,
                (reader, node) -> {
                    assertEquals(80, expand(reader, node, ANY));
                    assertNotNull(reader.copy(node));
                    assertEquals(80, expand(reader, node, ANY));
                });
    }

    @Test
    void aNodeOfFewRelationshipsIsCopiedWhenItHasBeenReadFourTimes() {
        read(
                20,
                (reader, node) -> {
                    for (int times = 1; times <= 4; times++) {
                        assertTrue(reader.isSparse(node));
                        assertNull(reader.copy(node), "read " + (times - 1) + " times");
                        assertEquals(20, expand(reader, node, ANY));
                    }
                    assertNotNull(reader.copy(node));
                    assertEquals(20, expand(reader, node, ANY));
                    assertEquals(0, expand(reader, node, Steps.any(Direction.IN)));
                });
    }

    @Test
    void aNodeOfHardlyAnyIsNeverCopied() {
        read(
                15,
                (reader, node) -> {
                    for (int times = 0; times < 100; times++) {
                        assertEquals(15, expand(reader, node, ANY));
                    }
                    assertNull(reader.copy(node));
                });
    }

    private static int expand(GraphReader reader, long node, Steps steps) {
        int[] seen = {0};
        reader.expand(node, steps, (relation, direction, neighbour) -> seen[0]++);
        return seen[0];
    }

    /** Of a node with so many neighbours, which nobody has read before. */
    private static void read(int neighbours, BiConsumer<RememberingReader, Long> check) {
        database.rows(
                "CREATE (hub:G) FOREACH (i IN range(1, "
                        + neighbours
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
                            EnclosedRelations.NONE,
                            () -> {})) {
                check.accept(
                        new RememberingReader(
                                store, RememberedHubs.empty(), NO_FILTER, () -> {}),
                        (Long) node);
            }
        }
    }
}
