package io.github.kgdb.graph;

import io.github.kgdb.kernel.Dictionary;
import io.github.kgdb.kernel.Edges;
import io.github.kgdb.kernel.GraphReader;
import io.github.kgdb.kernel.NameIndex;
import io.github.kgdb.kernel.Termination;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.ArrayList;
import java.util.List;

/** One graph (or the whole store) as one call sees it, the caller's own writes included. */
public final class GraphSession implements AutoCloseable {
    private final InternalTransaction transaction;
    private final KnowledgeGraph graph;
    private final Termination termination;
    private final CursorGraphReader store;
    private final GraphReader reader;
    private final CursorDictionary names;
    private final Dictionary dictionary;
    private final RememberedEntities remembered;
    private final NodeLookup ids;
    private final List<NameIndexes> opened = new ArrayList<>();

    private GraphSession(
            InternalTransaction transaction,
            KnowledgeGraph graph,
            Termination termination,
            CursorGraphReader store,
            GraphReader reader,
            CursorDictionary names,
            RememberedEntities remembered) {
        this.transaction = transaction;
        this.graph = graph;
        this.termination = termination;
        this.store = store;
        this.reader = reader;
        this.names = names;
        this.remembered = remembered;
        this.dictionary =
                remembered == RememberedEntities.NONE
                        ? names
                        : new RememberingDictionary(names, remembered);
        this.ids = new NodeLookup(transaction, graph.label(), graph.idProperty());
    }

    /**
     * @param name of a loaded graph, or null for the whole store
     * @param inMemory whether relationships are read from a copy of the graph, where that can show
     *     what the caller must see
     */
    public static GraphSession open(
            GraphDatabaseService database,
            Transaction transaction,
            String name,
            NodeFilter filter,
            boolean inMemory,
            Termination termination) {
        KnowledgeGraphs.Known known = KnowledgeGraphs.named(database, transaction, name);
        KnowledgeGraph graph = known.graph();
        InternalTransaction internal = (InternalTransaction) transaction;
        KernelTransaction kernel = internal.kernelTransaction();
        CursorGraphReader store =
                new CursorGraphReader(kernel, graph, filter, known.enclosed(), termination);
        GraphReader reader =
                known.hubs() == RememberedHubs.NONE
                        ? store
                        : new RememberingReader(store, known.hubs(), filter, termination);
        if (inMemory) {
            reader =
                    AdjacencyCache.get(database, kernel, graph, termination)
                            .<GraphReader>map(
                                    copy -> new AdjacencyReader(copy, filter, store, termination))
                            .orElse(reader);
        }
        return new GraphSession(
                internal,
                graph,
                termination,
                store,
                reader,
                new CursorDictionary(kernel, graph, internal.elementIdMapper()),
                known.entities());
    }

    /** What a caller passed as {@code nodes}. */
    public StartSets startSets(Object nodes) {
        return startSets("nodes", nodes);
    }

    /**
     * @param argument what the caller knows it as, for messages
     */
    public StartSets startSets(String argument, Object nodes) {
        return nodes().sets(argument, nodes);
    }

    /**
     * RELATIONSHIPs, or pairs of ids.
     *
     * @param argument what the caller knows it as, for messages
     */
    public Edges edges(String argument, Object relationships) {
        return new EdgeResolver(nodes()).edges(argument, relationships);
    }

    private NodeResolver nodes() {
        return new NodeResolver(transaction, graph, ids, remembered, termination);
    }

    public RelationTypes relationTypes() {
        return new RelationTypes(transaction.kernelTransaction().tokenRead());
    }

    /**
     * The names of the graph; open until the session is closed.
     *
     * @param labels one of which an entity must carry, or none: any entity
     */
    public NameIndex nameIndex(List<String> labels) {
        NameIndexes indexes =
                new NameIndexes(transaction.kernelTransaction(), graph, labels, dictionary);
        opened.add(indexes);
        return indexes;
    }

    public GraphReader reader() {
        return reader;
    }

    public Dictionary dictionary() {
        return dictionary;
    }

    @Override
    public void close() {
        opened.forEach(NameIndexes::close);
        ids.close();
        names.close();
        store.close();
    }
}
