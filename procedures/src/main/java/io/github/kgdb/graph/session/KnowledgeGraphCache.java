package io.github.kgdb.graph.session;

import io.github.kgdb.graph.cache.AdjacencyListCache;
import io.github.kgdb.graph.cache.EntityCache;
import io.github.kgdb.graph.names.NameCache;
import io.github.kgdb.graph.store.CommittedState;
import io.github.kgdb.graph.store.EnclosedRelations;
import io.github.kgdb.graph.store.KnowledgeGraph;

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
import java.util.stream.Stream;

/**
 * Caches the graphs that calls have named, until the next commit. Reading the bookkeeping again
 * would take a fifth of a short call.
 */
final class KnowledgeGraphCache {
    private static final int MAX = 1000;
    private static final Map<Key, Version> LATEST = new ConcurrentHashMap<>();

    /**
     * @param entities cache of its ids and names
     * @param names cache of its names and aliases for linking
     * @param hubs cache of its adjacency lists
     * @param enclosed what is known of its relations
     */
    record CachedGraph(
            KnowledgeGraph graph,
            EntityCache entities,
            NameCache names,
            AdjacencyListCache hubs,
            EnclosedRelations enclosed) {
        static CachedGraph withEmptyCaches(KnowledgeGraph graph) {
            return new CachedGraph(
                    graph,
                    new EntityCache(),
                    new NameCache(),
                    AdjacencyListCache.empty(),
                    EnclosedRelations.empty());
        }

        static CachedGraph uncached(KnowledgeGraph graph) {
            return new CachedGraph(
                    graph,
                    EntityCache.NONE,
                    NameCache.NONE,
                    AdjacencyListCache.NONE,
                    EnclosedRelations.NONE);
        }

        CachedGraph withoutNames() {
            return new CachedGraph(graph, EntityCache.NONE, NameCache.NONE, hubs, enclosed);
        }
    }

    private record Key(UUID database, String name) {}

    private record Version(CachedGraph cached, long committed) {}

    private KnowledgeGraphCache() {}

    /**
     * The graph of that name; fails if none is loaded.
     *
     * @param name or null: the whole store
     */
    static CachedGraph named(GraphDatabaseService database, Transaction transaction, String name) {
        KernelTransaction kernel = ((InternalTransaction) transaction).kernelTransaction();
        Optional<CommittedState> committed = CommittedState.of(database, kernel);
        long now =
                committed.map(CommittedState::latestTransaction).orElse(CommittedState.UNSETTLED);
        if (now == CommittedState.UNSETTLED) {
            return CachedGraph.uncached(read(transaction, name));
        }
        Key key = new Key(committed.get().database(), name);
        Version version = LATEST.get(key);
        if (version == null || version.committed() != now) {
            version = new Version(CachedGraph.withEmptyCaches(read(transaction, name)), now);
            if (LATEST.size() >= MAX) {
                LATEST.clear();
            }
            LATEST.put(key, version);
        }
        CachedGraph cached = version.cached();
        return seesNames(kernel, cached.graph()) ? cached : cached.withoutNames();
    }

    private static KnowledgeGraph read(Transaction transaction, String name) {
        return name == null ? KnowledgeGraph.wholeStore() : KnowledgeGraph.named(transaction, name);
    }

    private static boolean seesNames(KernelTransaction transaction, KnowledgeGraph graph) {
        TokenRead tokens = transaction.tokenRead();
        AccessMode mode = transaction.securityContext().mode();
        Stream<String> names = graph.names().stream().flatMap(name -> name.properties().stream());
        return Stream.concat(Stream.ofNullable(graph.idProperty()), names)
                .mapToInt(tokens::propertyKey)
                .allMatch(mode::allowsReadPropertyAllLabels);
    }
}
