package io.github.kgdb.graph;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the graphs that calls have named, until something is committed: reading the bookkeeping
 * again would be a fifth of a short call.
 */
final class KnowledgeGraphCache {
    private static final int MOST = 1000;
    private static final Map<Key, Version> LATEST = new ConcurrentHashMap<>();

    /**
     * @param entities those read of it since it is as it is
     * @param names those read of it since then, aliases and all
     * @param hubs those read of it since then
     * @param enclosed what is known of its relations since then
     */
    record CachedGraph(
            KnowledgeGraph graph,
            EntityCache entities,
            NameCache names,
            AdjacencyListCache hubs,
            EnclosedRelations enclosed) {
        static CachedGraph afresh(KnowledgeGraph graph) {
            return new CachedGraph(
                    graph,
                    new EntityCache(),
                    new NameCache(),
                    AdjacencyListCache.empty(),
                    EnclosedRelations.empty());
        }

        static CachedGraph unshared(KnowledgeGraph graph) {
            return new CachedGraph(
                    graph,
                    EntityCache.NONE,
                    NameCache.NONE,
                    AdjacencyListCache.NONE,
                    EnclosedRelations.NONE);
        }

        CachedGraph withoutNames() {
            return new CachedGraph(
                    graph, EntityCache.NONE, NameCache.NONE, hubs, enclosed);
        }
    }

    private record Key(UUID database, String name) {}

    private record Version(CachedGraph known, long committed) {}

    private KnowledgeGraphCache() {}

    /**
     * Refuses a name that no bookkeeping node has.
     *
     * @param name or null: the whole store
     */
    static CachedGraph named(GraphDatabaseService database, Transaction transaction, String name) {
        KernelTransaction kernel = ((InternalTransaction) transaction).kernelTransaction();
        Optional<CommittedState> committed = CommittedState.of(database, kernel);
        long now = committed.map(CommittedState::now).orElse(CommittedState.UNSETTLED);
        if (now == CommittedState.UNSETTLED) {
            return CachedGraph.unshared(read(transaction, name));
        }
        Key key = new Key(committed.get().database(), name);
        Version version = LATEST.get(key);
        if (version == null || version.committed() != now) {
            version = new Version(CachedGraph.afresh(read(transaction, name)), now);
            if (LATEST.size() >= MOST) {
                LATEST.clear();
            }
            LATEST.put(key, version);
        }
        CachedGraph known = version.known();
        return seesNames(kernel, known.graph()) ? known : known.withoutNames();
    }

    private static KnowledgeGraph read(Transaction transaction, String name) {
        return name == null ? KnowledgeGraph.wholeStore() : KnowledgeGraph.named(transaction, name);
    }

    private static boolean seesNames(KernelTransaction transaction, KnowledgeGraph graph) {
        TokenRead tokens = transaction.tokenRead();
        AccessMode mode = transaction.securityContext().mode();
        return mode.allowsReadPropertyAllLabels(tokens.propertyKey(graph.idProperty()))
                && mode.allowsReadPropertyAllLabels(tokens.propertyKey(graph.nameProperty()));
    }
}
