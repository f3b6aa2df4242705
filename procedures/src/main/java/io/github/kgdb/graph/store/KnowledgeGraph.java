package io.github.kgdb.graph.store;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A loaded graph, as its bookkeeping node describes it.
 *
 * @param label the label of its entities, or null: the whole store
 * @param idProperty the property with the id, which is unique among the graph's entities
 * @param nameProperty the property with the name for people
 * @param isAdopted whether the graph was in the store before kgdb, so that its relationships may
 *     lead to nodes of other graphs
 */
public record KnowledgeGraph(
        String name, String label, String idProperty, String nameProperty, boolean isAdopted) {
    private static final Label BOOKKEEPING = Label.label("KnowledgeGraph");
    private static final Set<String> BOOKKEEPING_LABELS =
            Set.of("KnowledgeGraph", "Relation", "KgdbThought");
    private static final String DEFAULT_ID_PROPERTY = "id";
    private static final String DEFAULT_NAME_PROPERTY = "name";
    private static final int NAMES_SHOWN = 20;

    public static KnowledgeGraph wholeStore() {
        return new KnowledgeGraph(null, null, DEFAULT_ID_PROPERTY, DEFAULT_NAME_PROPERTY, false);
    }

    /** The graph of that name; fails if none is loaded. */
    public static KnowledgeGraph named(Transaction transaction, String name) {
        InternalTransaction internal = (InternalTransaction) transaction;
        try (NodeLookup lookup = new NodeLookup(internal, BOOKKEEPING.name(), "name", () -> {})) {
            long[] found = lookup.find(name, 1);
            if (found.length > 0) {
                return describedBy(internal.newNodeEntity(found[0]), name);
            }
        }
        List<String> names = names(transaction);
        throw KgdbException.usage(
                "no graph "
                        + CypherValues.quote(name)
                        + "; "
                        + loaded(names)
                        + Suggestions.didYouMean(name, names.stream()));
    }

    /** The loaded graphs for a message: "loaded: demo, metaqa". */
    public static String loaded(Transaction transaction) {
        return loaded(names(transaction));
    }

    /** The labels that no node of this graph has: those of other graphs and of the bookkeeping. */
    public Set<String> foreignLabels(Transaction transaction) {
        Set<String> foreign = new HashSet<>(BOOKKEEPING_LABELS);
        try (ResourceIterator<Node> nodes = transaction.findNodes(BOOKKEEPING)) {
            nodes.forEachRemaining(
                    node -> foreign.add(String.valueOf(node.getProperty("label", ""))));
        }
        foreign.remove(label);
        return foreign;
    }

    public boolean isWholeStore() {
        return label == null;
    }

    private static KnowledgeGraph describedBy(Node node, String name) {
        Map<String, Object> properties =
                node.getProperties("label", "idProperty", "nameProperty", "adopted");
        if (!(properties.get("label") instanceof String label)) {
            throw KgdbException.usage(
                    "graph '"
                            + name
                            + "' has no label in its :KnowledgeGraph node; load or adopt it again");
        }
        return new KnowledgeGraph(
                name,
                label,
                String.valueOf(properties.getOrDefault("idProperty", DEFAULT_ID_PROPERTY)),
                String.valueOf(properties.getOrDefault("nameProperty", DEFAULT_NAME_PROPERTY)),
                Boolean.TRUE.equals(properties.get("adopted")));
    }

    private static List<String> names(Transaction transaction) {
        try (ResourceIterator<Node> nodes = transaction.findNodes(BOOKKEEPING)) {
            return nodes.stream()
                    .map(node -> String.valueOf(node.getProperty("name", "")))
                    .sorted()
                    .toList();
        }
    }

    private static String loaded(List<String> names) {
        if (names.isEmpty()) {
            return "none is loaded";
        }
        String shown = names.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "));
        int hidden = names.size() - NAMES_SHOWN;
        return "loaded: " + shown + (hidden > 0 ? " and " + hidden + " more" : "");
    }
}
