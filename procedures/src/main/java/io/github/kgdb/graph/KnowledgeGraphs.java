package io.github.kgdb.graph;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the graphs that calls have named, until something is committed: reading the bookkeeping
 * again would be a fifth of a short call.
 */
final class KnowledgeGraphs {
    private static final int MOST = 1000;
    private static final Map<Key, Known> KNOWN = new ConcurrentHashMap<>();

    private record Key(UUID database, String name) {}

    private record Known(KnowledgeGraph graph, long committed) {}

    private KnowledgeGraphs() {}

    /** Refuses a name that no bookkeeping node has. */
    static KnowledgeGraph named(
            GraphDatabaseService database, Transaction transaction, String name) {
        Optional<Committed> committed =
                Committed.of(database, ((InternalTransaction) transaction).kernelTransaction());
        if (committed.isEmpty()) {
            return KnowledgeGraph.named(transaction, name);
        }
        Key key = new Key(committed.get().database(), name);
        long latest = committed.get().latest();
        Known known = KNOWN.get(key);
        if (known == null || known.committed() != latest) {
            known = new Known(KnowledgeGraph.named(transaction, name), latest);
            if (KNOWN.size() >= MOST) {
                KNOWN.clear();
            }
            KNOWN.put(key, known);
        }
        return known.graph();
    }
}
