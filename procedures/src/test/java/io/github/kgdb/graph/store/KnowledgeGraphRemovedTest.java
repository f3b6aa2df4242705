package io.github.kgdb.graph.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** A reader goes on if another transaction removes a graph between its search and its reading. */
class KnowledgeGraphRemovedTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'kept', label: 'Kept'})",
                    "CREATE (:KnowledgeGraph {name: 'own', label: 'Own'})");

    @Test
    void theLabelsOfOtherGraphsAreThoseOfTheGraphsThatAreLeft() {
        database.rows("CREATE (:KnowledgeGraph {name: 'removed', label: 'Removed'})");
        try (Transaction transaction = database.service().beginTx()) {
            KnowledgeGraph own = KnowledgeGraph.named(transaction, "own");
            assertEquals(
                    Set.of("Kept", "KnowledgeGraph", "Relation", "KgdbThought"),
                    own.foreignLabels(removingWhatIsFound(transaction)));
        }
    }

    @Test
    void aMessageNamesTheGraphsThatAreLeft() {
        database.rows("CREATE (:KnowledgeGraph {name: 'removed', label: 'Removed'})");
        try (Transaction transaction = database.service().beginTx()) {
            assertEquals(
                    "loaded: kept, own", KnowledgeGraph.loaded(removingWhatIsFound(transaction)));
        }
    }

    /** A transaction beside which the graph 'removed' goes as soon as a search has found nodes. */
    private static Transaction removingWhatIsFound(Transaction transaction) {
        return (Transaction)
                Proxy.newProxyInstance(
                        Transaction.class.getClassLoader(),
                        new Class<?>[] {Transaction.class},
                        (proxy, method, arguments) -> {
                            try {
                                Object found = method.invoke(transaction, arguments);
                                return found instanceof ResourceIterator<?> nodes
                                        ? removedFirst(nodes)
                                        : found;
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
    }

    private static ResourceIterator<?> removedFirst(ResourceIterator<?> nodes) {
        var all = nodes.stream().toList();
        database.rows("MATCH (graph:KnowledgeGraph {name: 'removed'}) DELETE graph");
        var left = all.iterator();
        return new ResourceIterator<Object>() {
            @Override
            public boolean hasNext() {
                return left.hasNext();
            }

            @Override
            public Object next() {
                return left.next();
            }

            @Override
            public void close() {
                nodes.close();
            }
        };
    }
}
