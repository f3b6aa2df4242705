package io.github.kgdb.graph;

import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.Termination;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.MultipleFoundException;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns what a caller passed as {@code nodes} into the store's numbers. */
final class StartNodes {
    private static final String EXPECTED =
            "a NODE, an entity id (STRING, with config kg) or a LIST of one of these";
    private static final int IDS_SHOWN = 3;

    private final InternalTransaction transaction;
    private final KnowledgeGraph graph;
    private final Termination termination;

    StartNodes(InternalTransaction transaction, KnowledgeGraph graph, Termination termination) {
        this.transaction = transaction;
        this.graph = graph;
        this.termination = termination;
    }

    /** In the order given, each once. */
    long[] resolve(Object nodes) {
        List<?> items = nodes instanceof List<?> list ? list : singleton(nodes);
        Set<Long> found = new LinkedHashSet<>();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            termination.check();
            Object item = items.get(i);
            requireSameKind(item, items.get(0), i);
            if (item instanceof Node node) {
                found.add(number(node));
            } else {
                String id = (String) item;
                find(id).ifPresentOrElse(found::add, () -> missing.add(id));
            }
        }
        if (!missing.isEmpty()) {
            throw KgdbException.usage(notFound(missing));
        }
        return found.stream().mapToLong(Long::longValue).toArray();
    }

    private static List<Object> singleton(Object nodes) {
        if (nodes == null) {
            throw KgdbException.usage("nodes: expected " + EXPECTED + ", got null");
        }
        return List.of(nodes);
    }

    private static void requireSameKind(Object item, Object first, int place) {
        if (!(item instanceof Node) && !(item instanceof String)) {
            throw KgdbException.usage(
                    "nodes: expected " + EXPECTED + ", got " + CypherValues.describe(item));
        }
        if (item instanceof Node != first instanceof Node) {
            throw KgdbException.usage(
                    "nodes: item "
                            + (place + 1)
                            + " is "
                            + CypherValues.describe(item)
                            + " but the first is "
                            + CypherValues.describe(first)
                            + "; give either nodes or ids, not both");
        }
    }

    private long number(Node node) {
        try {
            if (!graph.isWholeStore() && !node.hasLabel(Label.label(graph.label()))) {
                throw KgdbException.usage(
                        "nodes: "
                                + CypherValues.describe(node)
                                + " is not in graph '"
                                + graph.name()
                                + "', it lacks the label "
                                + graph.label());
            }
            return transaction.elementIdMapper().nodeId(node.getElementId());
        } catch (NotFoundException deleted) {
            throw KgdbException.usage("nodes: " + CypherValues.describe(node) + " was deleted");
        }
    }

    private OptionalLong find(String id) {
        if (graph.isWholeStore()) {
            throw KgdbException.usage(
                    "nodes: "
                            + CypherValues.describe(id)
                            + " is an entity id, which needs config kg, the graph it is in; "
                            + KnowledgeGraph.loaded(transaction));
        }
        Node node = findByProperty(id);
        if (node == null && isInteger(id)) {
            // An adopted graph may keep its ids as numbers; everyone outside sees them as text.
            node = findByProperty(Long.valueOf(id));
        }
        return node == null
                ? OptionalLong.empty()
                : OptionalLong.of(transaction.elementIdMapper().nodeId(node.getElementId()));
    }

    private Node findByProperty(Object id) {
        try {
            return transaction.findNode(Label.label(graph.label()), graph.idProperty(), id);
        } catch (MultipleFoundException ambiguous) {
            throw KgdbException.usage(
                    "nodes: more than one entity has the id '"
                            + id
                            + "' in graph '"
                            + graph.name()
                            + "'; its property "
                            + graph.idProperty()
                            + " is no id");
        }
    }

    private static boolean isInteger(String id) {
        try {
            return Long.toString(Long.parseLong(id)).equals(id);
        } catch (NumberFormatException text) {
            return false;
        }
    }

    private String notFound(List<String> ids) {
        String shown =
                ids.stream()
                        .limit(IDS_SHOWN)
                        .map(CypherValues::quote)
                        .collect(Collectors.joining(", "));
        int hidden = ids.size() - IDS_SHOWN;
        return "no "
                + (ids.size() == 1 ? "entity " : "entities ")
                + shown
                + (hidden > 0 ? " and " + hidden + " more" : "")
                + " in graph '"
                + graph.name()
                + "'; nodes takes ids (property "
                + graph.idProperty()
                + "), not names";
    }
}
