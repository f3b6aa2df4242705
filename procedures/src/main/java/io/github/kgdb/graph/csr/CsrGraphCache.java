package io.github.kgdb.graph.csr;

import static org.neo4j.token.api.TokenConstants.NO_TOKEN;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.store.CommittedState;
import io.github.kgdb.graph.store.GraphLabels;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.Labels;
import io.github.kgdb.kernel.api.Termination;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.kernel.api.KernelTransaction;

import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the latest copy of each graph as far as memory allows. A copy is valid until the next
 * commit, and only for callers who see exactly the committed state.
 */
public final class CsrGraphCache {
    private static final Map<Key, Entry> ENTRIES = new ConcurrentHashMap<>();
    private static final long NODE_BYTES = 16;
    private static final long RELATIONSHIP_BYTES = 16;
    private static final long MEGABYTE = 1 << 20;
    private static final long WAIT_MS = 20;

    /** While it is built, a copy takes twice its final size. */
    private static final int HEAP_SHARE = 4;

    private record Key(UUID database, List<String> labels) {}

    private record Version(SoftReference<CsrGraph> adjacency, long transaction) {}

    /** Shared by all calls that need the same copy. */
    private static final class Entry {
        private final ReentrantLock lock = new ReentrantLock();
        private Version version = new Version(new SoftReference<>(null), -1);
    }

    private CsrGraphCache() {}

    /** Empty if no copy can show what the caller must see; the caller then reads from the store. */
    public static Optional<CsrGraph> get(
            GraphDatabaseService database,
            KernelTransaction transaction,
            KnowledgeGraph graph,
            Termination termination) {
        Optional<CommittedState> committed = CommittedState.of(database, transaction);
        if (committed.isEmpty()) {
            return Optional.empty();
        }
        Labels labels = new Labels(transaction.tokenRead());
        Key key = new Key(committed.get().database(), graph.labels());
        Entry entry = ENTRIES.computeIfAbsent(key, unseen -> new Entry());
        lock(entry, termination);
        try {
            long now = committed.get().latestTransaction();
            if (now == CommittedState.UNSETTLED) {
                return Optional.empty();
            }
            CsrGraph cached = entry.version.adjacency().get();
            if (cached != null && entry.version.transaction() == now) {
                return Optional.of(cached);
            }
            requireRoom(transaction.dataRead());
            CsrGraph built =
                    CsrGraphBuilder.build(
                            transaction,
                            GraphLabels.of(graph, transaction.tokenRead()),
                            labels.number(Labels.MEDIATOR), termination);
            if (committed.get().latestTransaction() != now) {
                // A commit happened meanwhile, and the copy may contain part of it.
                return Optional.empty();
            }
            entry.version = new Version(new SoftReference<>(built), now);
            return Optional.of(built);
        } finally {
            entry.lock.unlock();
        }
    }

    /** Waits for another call that builds the copy, as long as this call may wait. */
    private static void lock(Entry entry, Termination termination) {
        try {
            while (!entry.lock.tryLock(WAIT_MS, TimeUnit.MILLISECONDS)) {
                termination.check();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw KgdbException.usage("inMemory: interrupted while another call made the copy");
        }
    }

    /** Running out of memory would stop the server. */
    private static void requireRoom(Read read) {
        requireRoom(
                read.nodesGetCount() * NODE_BYTES
                        + read.relationshipsGetCount() * RELATIONSHIP_BYTES);
    }

    /**
     * @param needed bytes
     */
    static void requireRoom(long needed) {
        long room = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        if (needed > room) {
            throw KgdbException.usage(
                    "inMemory: a copy of the graph takes about "
                            + needed / MEGABYTE
                            + " MB, more than a quarter of the server's heap ("
                            + room / MEGABYTE
                            + " MB); leave inMemory out, or give the server a larger heap");
        }
    }
}
