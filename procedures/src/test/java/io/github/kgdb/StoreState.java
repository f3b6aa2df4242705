package io.github.kgdb;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;

import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * How much there is of all that a script could leave behind. Names are counted in the store's own
 * lists: those of db.labels() and its like hold only names in use.
 */
public record StoreState(Map<String, Long> counts) {
    public static StoreState of(GraphDatabaseService service) {
        try (Transaction transaction = service.beginTx()) {
            return new StoreState(
                    Map.of(
                            "nodes", count(transaction.getAllNodes()),
                            "relationships", count(transaction.getAllRelationships()),
                            "labels", count(transaction.getAllLabels()),
                            "types", count(transaction.getAllRelationshipTypes()),
                            "keys", count(transaction.getAllPropertyKeys()),
                            "indexes", count(transaction.schema().getIndexes()),
                            "constraints", count(transaction.schema().getConstraints())));
        }
    }

    private static long count(Iterable<?> items) {
        return StreamSupport.stream(items.spliterator(), false).count();
    }
}
