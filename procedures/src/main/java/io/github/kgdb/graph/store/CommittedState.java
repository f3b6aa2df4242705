package io.github.kgdb.graph.store;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.storageengine.api.TransactionIdStore;

import java.util.Optional;
import java.util.UUID;

/**
 * The committed state of a database. While {@link #latestTransaction} returns the same number,
 * reading the store again gives what was read after the first call.
 *
 * @param database unique to this database
 */
public record CommittedState(UUID database, TransactionIdStore transactions) {
    /** Returned while a commit is in progress. It equals no version. */
    public static final long UNSETTLED = -1;

    /**
     * Empty for callers that must not share what others have read: those with uncommitted changes,
     * and those without access to the whole graph.
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

    /** The number of the latest transaction, or {@link #UNSETTLED}. */
    public long latestTransaction() {
        // A transaction is committed first, then written to the store, then closed.
        long closed = transactions.getLastClosedTransactionId();
        return transactions.getLastCommittedTransactionId() == closed ? closed : UNSETTLED;
    }

    private static boolean seesAll(AccessMode mode) {
        try {
            return mode.allowsTraverseAllLabels()
                    && mode.allowsTraverseAllRelTypes()
                    && !mode.hasTraversePropertyRules()
                    && !mode.hasPropertyReadRules();
        } catch (NoSuchMethodError newerNeo4j) {
            // Neo4j 2026 asks for such rules by label and type: there, nothing is shared.
            return false;
        }
    }
}
