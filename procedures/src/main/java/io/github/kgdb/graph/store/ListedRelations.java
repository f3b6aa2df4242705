package io.github.kgdb.graph.store;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

import java.util.List;

/** The relations of a graph by its bookkeeping nodes: those that join two of its own nodes. */
public final class ListedRelations {
    private static final Label RELATION = Label.label("Relation");

    private ListedRelations() {}

    public static boolean contain(Transaction transaction, KnowledgeGraph graph, String name) {
        try (ResourceIterator<Node> found =
                transaction.findNodes(RELATION, "kg", graph.name(), "id", name)) {
            return found.hasNext();
        }
    }

    public static List<String> of(Transaction transaction, KnowledgeGraph graph) {
        try (ResourceIterator<Node> found =
                transaction.findNodes(RELATION, "kg", graph.name())) {
            return found.stream().map(node -> String.valueOf(node.getProperty("id", ""))).toList();
        }
    }
}
