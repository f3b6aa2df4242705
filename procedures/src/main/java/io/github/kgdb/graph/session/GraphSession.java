package io.github.kgdb.graph.session;

import io.github.kgdb.graph.arguments.Conditions;
import io.github.kgdb.graph.arguments.EdgeResolver;
import io.github.kgdb.graph.arguments.NodeResolver;
import io.github.kgdb.graph.arguments.RelationTypes;
import io.github.kgdb.graph.arguments.RelationshipProperties;
import io.github.kgdb.graph.arguments.StartSets;
import io.github.kgdb.graph.cache.AdjacencyListCache;
import io.github.kgdb.graph.cache.CachingDictionary;
import io.github.kgdb.graph.cache.CachingGraphReader;
import io.github.kgdb.graph.cache.EntityCache;
import io.github.kgdb.graph.csr.CsrGraph;
import io.github.kgdb.graph.csr.CsrGraphCache;
import io.github.kgdb.graph.csr.CsrGraphReader;
import io.github.kgdb.graph.names.NameIndexes;
import io.github.kgdb.graph.store.CursorDictionary;
import io.github.kgdb.graph.store.CursorGraphReader;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.Labels;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.graph.store.NodeLookup;
import io.github.kgdb.graph.store.RelationshipFilter;
import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.linking.NameIndex;
import io.github.kgdb.kernel.pagerank.EdgeList;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One graph (or the whole store) as one call sees it, with the caller's own writes. */
public final class GraphSession implements AutoCloseable {
    private final GraphDatabaseService database;
    private final InternalTransaction transaction;
    private final KnowledgeGraphCache.CachedGraph cached;
    private final KnowledgeGraph graph;
    private final NodeFilter filter;
    private final RelationshipFilter relationships;
    private final boolean inMemory;
    private final Termination termination;
    private final CursorDictionary names;
    private final Dictionary dictionary;
    private final NodeLookup ids;
    private final List<NameIndexes> opened = new ArrayList<>();
    private CursorGraphReader store;
    private GraphReader reader;
    private RelationshipProperties properties;

    private GraphSession(
            GraphDatabaseService database,
            InternalTransaction transaction,
            KnowledgeGraphCache.CachedGraph cached,
            NodeFilter filter,
            List<?> where,
            boolean inMemory,
            Termination termination) {
        this.database = database;
        this.transaction = transaction;
        this.cached = cached;
        this.graph = cached.graph();
        this.filter = filter;
        this.relationships =
                new Conditions(relationTypes(), transaction.kernelTransaction().tokenRead())
                        .filter(where);
        this.inMemory = inMemory;
        this.termination = termination;
        this.names =
                new CursorDictionary(
                        transaction.kernelTransaction(), graph, transaction.elementIdMapper());
        this.dictionary =
                cached.entities() == EntityCache.NONE
                        ? names
                        : new CachingDictionary(names, cached.entities());
        this.ids = new NodeLookup(
                        transaction,
                        graph.isWholeStore() ? null : graph.labels().get(0),
                        graph.idProperty(),
                        termination);
    }

    /**
     * Opens a session; fails if the graph is not loaded.
     *
     * @param name of a loaded graph, or null for the whole store
     * @param where conditions on the properties of relationships, as the caller wrote them
     * @param inMemory whether to read relationships from a copy of the graph, if it can show what
     *     the caller must see
     */
    public static GraphSession open(
            GraphDatabaseService database,
            Transaction transaction,
            String name,
            NodeFilter filter,
            List<?> where,
            boolean inMemory,
            Termination termination) {
        KnowledgeGraphCache.CachedGraph cached =
                KnowledgeGraphCache.named(database, transaction, name);
        InternalTransaction internal = (InternalTransaction) transaction;
        // Checked even if nothing is read: an unknown label is the caller's mistake.
        new Labels(internal.kernelTransaction().tokenRead()).required(filter.labels());
        return new GraphSession(database, internal, cached, filter, where, inMemory, termination);
    }

    /** The start sets of the argument {@code nodes}. */
    public StartSets startSets(Object nodes) {
        return startSets("nodes", nodes);
    }

    /**
     * @param argument the name of the argument, for messages
     */
    public StartSets startSets(String argument, Object nodes) {
        return nodes().sets(argument, nodes);
    }

    /**
     * The edges of an argument: RELATIONSHIPs, or pairs of ids.
     *
     * @param argument the name of the argument, for messages
     */
    public EdgeList edges(String argument, Object relationships) {
        return new EdgeResolver(nodes(), termination).edges(argument, relationships);
    }

    private NodeResolver nodes() {
        return new NodeResolver(transaction, graph, ids, cached.entities(), termination);
    }

    public RelationTypes relationTypes() {
        return new RelationTypes(transaction, graph);
    }

    /**
     * The name indexes of the graph, open until the session is closed.
     *
     * @param labels an entity must have at least one of these; empty: any entity
     */
    public NameIndex nameIndex(List<String> labels) {
        NameIndexes indexes =
                new NameIndexes(
                        transaction.kernelTransaction(),
                        graph,
                        labels,
                        dictionary,
                        cached.entities(),
                        cached.names(),
                        termination);
        opened.add(indexes);
        return indexes;
    }

    /** The reader of the properties that rows show, open until the session is closed. */
    public RelationshipProperties relationshipProperties() {
        if (properties == null) {
            properties =
                    new RelationshipProperties(
                            transaction.kernelTransaction(),
                            nodes(),
                            relationTypes(),
                            relationships,
                            termination);
        }
        return properties;
    }

    /** The reader of relationships, opened when first used. */
    public GraphReader reader() {
        if (reader == null) {
            reader = openReader();
        }
        return reader;
    }

    private GraphReader openReader() {
        KernelTransaction kernel = transaction.kernelTransaction();
        store =
                new CursorGraphReader(
                        kernel, graph, filter, relationships, cached.enclosed(), termination);
        if (!relationships.isEmpty()) {
            // Caches and copies hold no properties.
            return store;
        }
        Optional<CsrGraph> copy =
                inMemory
                        ? CsrGraphCache.get(database, kernel, graph, termination)
                        : Optional.empty();
        GraphReader caching =
                cached.hubs() == AdjacencyListCache.NONE
                        ? store
                        : new CachingGraphReader(store, cached.hubs(), filter, termination);
        return copy.isPresent()
                ? new CsrGraphReader(copy.get(), filter, caching, termination)
                : caching;
    }

    public Dictionary dictionary() {
        return dictionary;
    }

    @Override
    public void close() {
        opened.forEach(NameIndexes::close);
        ids.close();
        names.close();
        if (properties != null) {
            properties.close();
        }
        if (store != null) {
            store.close();
        }
    }
}
