package io.github.kgdb.graph.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

class EnclosedRelationsTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (a:G)-[:within]->(b:G), (b)-[:within]->(b), (a)-[:leaves]->(:Other),"
                            + " (a)-[:leaves]->(b), (:Other)-[:enters]->(a), (a)-[:enters]->(b),"
                            + " (:Other)-[:elsewhere]->(:Other)");

    @Test
    void aRelationIsEnclosedWhereBothItsEndsAlwaysAre() {
        assertTrue(isEnclosed("within", new EnclosedRelations(0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"leaves", "enters", "elsewhere"})
    void aRelationWithOneRelationshipOutOfTheGraphIsNotEnclosed(String relation) {
        EnclosedRelations enclosed = new EnclosedRelations(0);
        assertFalse(isEnclosed(relation, enclosed));
        assertFalse(isEnclosed(relation, enclosed));
    }

    @Test
    void theCountsOfARelationAreReadAfterManyRequests() {
        EnclosedRelations enclosed = new EnclosedRelations(3);
        int asked = 0;
        while (!isEnclosed("within", enclosed)) {
            asked++;
        }
        assertEquals(3, asked);
        assertTrue(isEnclosed("within", enclosed));
    }

    @Test
    void withoutSharingNoRelationIsEnclosed() {
        for (int i = 0; i < 300; i++) {
            assertFalse(isEnclosed("within", EnclosedRelations.NONE));
        }
    }

    private static boolean isEnclosed(String relation, EnclosedRelations enclosed) {
        try (Transaction transaction = database.service().beginTx()) {
            KernelTransaction kernel = ((InternalTransaction) transaction).kernelTransaction();
            return enclosed.contains(
                    kernel.tokenRead().relationshipType(relation),
                    kernel.dataRead(),
                    GraphLabels.of(KnowledgeGraph.ofLabel("g", "G"), kernel.tokenRead()));
        }
    }
}
