package io.github.kgdb.graph;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.storageengine.api.TransactionIdStore;

import java.util.Optional;
import java.util.UUID;

/**
 * What a database has committed. As long as {@link #latest} stays the same, what was read of the
 * store after asking for it is what would be read again.
 *
 * @param database its own number, which no other one has
 */
record Committed(UUID database, TransactionIdStore transactions) {
    /** Empty for callers with changes of their own: they see another state than the store's. */
    static Optional<Committed> of(GraphDatabaseService database, KernelTransaction transaction) {
        if (transaction.dataRead().transactionStateHasChanges()) {
            return Optional.empty();
        }
        GraphDatabaseAPI api = (GraphDatabaseAPI) database;
        return Optional.of(
                new Committed(
                        api.databaseId().databaseId().uuid(),
                        api.getDependencyResolver().resolveDependency(TransactionIdStore.class)));
    }

    long latest() {
        return transactions.getLastCommittedTransactionId();
    }
}
