package io.github.kgdb.graph.store;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.storageengine.api.TransactionIdStore;

import java.util.Optional;
import java.util.UUID;

/**
 * What a database has committed. As long as {@link #latestTransaction} gives the same, what was
 * read of the store after asking for it is what would be read again.
 *
 * @param database its own number, which no other one has
 */
public record CommittedState(UUID database, TransactionIdStore transactions) {
    /** While somebody's changes are on their way into the store. It equals nothing. */
    public static final long UNSETTLED = -1;

    /**
     * Empty for callers that may not see what another caller has read, or would see something else:
     * those with changes of their own, and those without access to all of the graph.
     */
    public static Optional<CommittedState> of(
            GraphDatabaseService database, KernelTransaction transaction) {
        if (transaction.dataRead().transactionStateHasChanges()
                || !seesAll(transaction.securityContext().mode())) {
            return Optional.empty();
        }
        GraphDatabaseAPI api = (GraphDatabaseAPI) database;
        return Optional.of(
                new CommittedState(
                        api.databaseId().databaseId().uuid(),
                        api.getDependencyResolver().resolveDependency(TransactionIdStore.class)));
    }

    /** The latest transaction, or {@link #UNSETTLED}. */
    public long latestTransaction() {
        // A transaction is committed, then in the store, then closed.
        long closed = transactions.getLastClosedTransactionId();
        return transactions.getLastCommittedTransactionId() == closed ? closed : UNSETTLED;
    }

    private static boolean seesAll(AccessMode mode) {
        return mode.allowsTraverseAllLabels()
                && mode.allowsTraverseAllRelTypes()
                && !mode.hasTraversePropertyRules()
                && !mode.hasPropertyReadRules();
    }
}
