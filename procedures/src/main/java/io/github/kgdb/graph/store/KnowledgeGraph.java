package io.github.kgdb.graph.store;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A loaded or adopted graph, as its bookkeeping node describes it.
 *
 * @param labels its entities have at least one of these; empty: the whole store
 * @param idProperty the property with the id, which is unique among the graph's entities, or null:
 *     ids are element ids
 * @param names where its entities have their names for people; the first that a node has counts
 * @param aliasProperties the properties with other names
 * @param namesIndex the full-text index over names and aliases
 * @param isAdopted whether the graph was in the store before kgdb, so that its relationships may
 *     lead to nodes of other graphs
 */
public record KnowledgeGraph(
        String name,
        List<String> labels,
        String idProperty,
        List<NameSource> names,
        List<String> aliasProperties,
        String namesIndex,
        boolean isAdopted) {
    private static final Label BOOKKEEPING = Label.label("KnowledgeGraph");
    private static final Set<String> BOOKKEEPING_LABELS =
            Set.of("KnowledgeGraph", "Relation", "KgdbThought");
    private static final String ID_PROPERTY = "id";
    private static final String NAME_PROPERTY = "name";
    private static final List<String> ALIAS_PROPERTIES = List.of("aliases");
    private static final int NAMES_SHOWN = 20;

    public static KnowledgeGraph wholeStore() {
        NameSource names = new NameSource(null, List.of(NAME_PROPERTY), false);
        return new KnowledgeGraph(
                null, List.of(), ID_PROPERTY, List.of(names), ALIAS_PROPERTIES, null, false);
    }

    /** A graph that kgdb loaded, with its own label and kgdb's properties. */
    public static KnowledgeGraph ofLabel(String name, String label) {
        return new KnowledgeGraph(
                name,
                List.of(label),
                ID_PROPERTY,
                List.of(new NameSource(label, List.of(NAME_PROPERTY), false)),
                ALIAS_PROPERTIES,
                indexName(label, "names"),
                false);
    }

    /** The graph of that name; fails if none is loaded. */
    public static KnowledgeGraph named(Transaction transaction, String name) {
        InternalTransaction internal = (InternalTransaction) transaction;
        try (NodeLookup lookup = new NodeLookup(internal, BOOKKEEPING.name(), "name", () -> {})) {
            long[] found = lookup.find(name, 1);
            if (found.length > 0) {
                return describedBy(internal.newNodeEntity(found[0]), name);
            }
        } catch (NotFoundException removed) {
            // Like a graph that was removed a moment before.
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
        ofEveryGraph(transaction, KnowledgeGraph::labels).forEach(foreign::addAll);
        labels.forEach(foreign::remove);
        return foreign;
    }

    public boolean isWholeStore() {
        return labels.isEmpty();
    }

    /** Whether the node has one of the labels. */
    public boolean contains(Node node) {
        return isWholeStore()
                || labels.stream().anyMatch(label -> node.hasLabel(Label.label(label)));
    }

    /** The vector index over names. */
    public String embeddingsIndex() {
        return indexName(labels.get(0), "embeddings");
    }

    /** What ids are, for messages: "property key". */
    public String describeIds() {
        return idProperty == null ? "element ids of the database" : "property " + idProperty;
    }

    /** The id of a node; without the property its element id. */
    public String id(Node node) {
        Object id = idProperty == null ? null : node.getProperty(idProperty, null);
        return id == null ? node.getElementId() : String.valueOf(id);
    }

    /** The name of a node for people; without one its id. */
    public String name(Node node) {
        for (NameSource source : names) {
            if (source.label() == null || node.hasLabel(Label.label(source.label()))) {
                String name =
                        source.name(
                                source.properties().stream()
                                        .map(property -> node.getProperty(property, null))
                                        .map(KnowledgeGraph::nameText)
                                        .toArray(String[]::new));
                if (name != null) {
                    return name;
                }
            }
        }
        return id(node);
    }

    private static String nameText(Object value) {
        return value == null || value.getClass().isArray() ? null : String.valueOf(value);
    }

    private static String indexName(String label, String kind) {
        return "kgdb_" + label + "_" + kind;
    }

    private static KnowledgeGraph describedBy(Node node, String name) {
        List<String> labels = labels(node);
        if (labels.isEmpty()) {
            throw KgdbException.usage(
                    "graph '"
                            + name
                            + "' has no label in its :KnowledgeGraph node; load or adopt it"
                            + " again");
        }
        boolean ofSeveral = node.hasProperty("labels");
        return new KnowledgeGraph(
                name,
                labels,
                (String) node.getProperty("idProperty", ofSeveral ? null : ID_PROPERTY),
                ofSeveral ? nameSources(node) : List.of(nameSource(node, labels.get(0))),
                texts(node, "aliasProperties", ALIAS_PROPERTIES),
                String.valueOf(node.getProperty("fulltext", indexName(labels.get(0), "names"))),
                Boolean.TRUE.equals(node.getProperty("adopted", false)));
    }

    private static NameSource nameSource(Node node, String label) {
        Object property = node.getProperty("nameProperty", NAME_PROPERTY);
        return new NameSource(label, List.of(String.valueOf(property)), false);
    }

    /** The labels of an adopted graph, or the one label of a loaded graph. */
    private static List<String> labels(Node node) {
        return node.getProperty("label", null) instanceof String label
                ? List.of(label)
                : texts(node, "labels", List.of());
    }

    /** The sources of names: a label for each property, in two lists. */
    private static List<NameSource> nameSources(Node node) {
        List<String> labels = texts(node, "nameLabels", List.of());
        List<String> properties = texts(node, "nameProperties", List.of());
        List<String> withLabel = texts(node, "labelledNames", List.of());
        Map<String, List<String>> byLabel = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(labels.size(), properties.size()); i++) {
            byLabel.computeIfAbsent(labels.get(i), unseen -> new ArrayList<>())
                    .add(properties.get(i));
        }
        return byLabel.entrySet().stream()
                .map(
                        entry ->
                                new NameSource(
                                        entry.getKey(),
                                        List.copyOf(entry.getValue()),
                                        withLabel.contains(entry.getKey())))
                .toList();
    }

    private static List<String> texts(Node node, String property, List<String> absent) {
        return node.getProperty(property, null) instanceof String[] texts
                ? List.of(texts)
                : absent;
    }

    private static List<String> names(Transaction transaction) {
        return ofEveryGraph(transaction, node -> String.valueOf(node.getProperty("name", "")))
                .stream()
                .sorted()
                .toList();
    }

    /** What the bookkeeping node of each graph says, without graphs that are removed meanwhile. */
    private static <T> List<T> ofEveryGraph(Transaction transaction, Function<Node, T> read) {
        List<T> all = new ArrayList<>();
        try (ResourceIterator<Node> nodes = transaction.findNodes(BOOKKEEPING)) {
            while (nodes.hasNext()) {
                try {
                    all.add(read.apply(nodes.next()));
                } catch (NotFoundException removed) {
                    // Another transaction deleted the node after the iterator had found it.
                }
            }
        }
        return all;
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
