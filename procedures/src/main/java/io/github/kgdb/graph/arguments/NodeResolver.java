package io.github.kgdb.graph.arguments;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.cache.EntityCache;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.NodeLookup;
import io.github.kgdb.kernel.api.Termination;

import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Turns nodes and ids, as callers pass them, into the store's numbers. */
public final class NodeResolver {
    private static final String EXPECTED =
            "a NODE, an entity id (STRING, with config kg), a LIST of one of these or a LIST of"
                    + " such LISTs";
    private static final int IDS_SHOWN = 3;
    private static final long MISSING = -1;

    private final InternalTransaction transaction;
    private final KnowledgeGraph graph;
    private final NodeLookup ids;
    private final EntityCache cache;
    private final Termination termination;

    /**
     * @param ids finds nodes of the graph by their id
     * @param cache ids that earlier calls have looked up
     */
    public NodeResolver(
            InternalTransaction transaction,
            KnowledgeGraph graph,
            NodeLookup ids,
            EntityCache cache,
            Termination termination) {
        this.transaction = transaction;
        this.graph = graph;
        this.ids = ids;
        this.cache = cache;
        this.termination = termination;
    }

    /**
     * Several start sets if {@code nodes} is a list of lists, otherwise one; none if it is empty.
     *
     * @param argument the name of the argument, for messages
     */
    public StartSets sets(String argument, Object nodes) {
        List<?> items = nodes instanceof List<?> list ? list : singleton(argument, nodes);
        if (items.isEmpty()) {
            return new StartSets(List.of(), false);
        }
        if (!(items.get(0) instanceof List<?>)) {
            return new StartSets(List.of(set(argument, items)), false);
        }
        List<long[]> sets = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof List<?> set)) {
                throw KgdbException.usage(
                        argument
                                + ": item "
                                + (i + 1)
                                + " is "
                                + CypherValues.describe(items.get(i))
                                + " but the first is a LIST; give either start sets or nodes");
            }
            sets.add(set(argument, set));
        }
        return new StartSets(sets, true);
    }

    /** The distinct nodes in the order given. */
    private long[] set(String argument, List<?> items) {
        LongHashSet seen = new LongHashSet();
        LongArrayList found = new LongArrayList(items.size());
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            termination.check();
            Object item = items.get(i);
            requireSameKind(argument, item, items.get(0), i);
            long number = item instanceof Node node ? number(argument, node) : find(argument, item);
            if (number == MISSING) {
                missing.add((String) item);
            } else if (seen.add(number)) {
                found.add(number);
            }
        }
        if (!missing.isEmpty()) {
            throw KgdbException.usage(notFound(argument, missing));
        }
        return found.toArray();
    }

    private static List<Object> singleton(String argument, Object nodes) {
        if (nodes == null) {
            throw KgdbException.usage(argument + ": expected " + EXPECTED + ", got null");
        }
        return List.of(nodes);
    }

    private static void requireSameKind(String argument, Object item, Object first, int index) {
        if (!(item instanceof Node) && !(item instanceof String)) {
            throw KgdbException.usage(
                    argument + ": expected " + EXPECTED + ", got " + CypherValues.describe(item));
        }
        if (item instanceof Node != first instanceof Node) {
            throw KgdbException.usage(
                    argument
                            + ": item "
                            + (index + 1)
                            + " is "
                            + CypherValues.describe(item)
                            + " but the first is "
                            + CypherValues.describe(first)
                            + "; give either nodes or ids, not both");
        }
    }

    /** The number of the entity with that id. */
    public long single(String argument, String id) {
        long number = find(argument, id);
        if (number == MISSING) {
            throw KgdbException.usage(notFound(argument, List.of(id)));
        }
        return number;
    }

    long number(String argument, Node node) {
        try {
            if (!graph.contains(node)) {
                throw KgdbException.usage(
                        argument
                                + ": "
                                + CypherValues.describe(node)
                                + " is not in graph '"
                                + graph.name()
                                + "', it lacks "
                                + (graph.labels().size() == 1 ? "the label " : "the labels ")
                                + String.join(", ", graph.labels()));
            }
            return transaction.elementIdMapper().nodeId(node.getElementId());
        } catch (NotFoundException deleted) {
            throw KgdbException.usage(
                    argument + ": " + CypherValues.describe(node) + " was deleted");
        }
    }

    private long find(String argument, Object item) {
        String id = (String) item;
        if (graph.isWholeStore()) {
            throw KgdbException.usage(
                    argument
                            + ": "
                            + CypherValues.describe(id)
                            + " is an entity id, which needs config kg, the graph it is in; "
                            + KnowledgeGraph.loaded(transaction));
        }
        long node = cache.node(id, MISSING);
        if (node != MISSING) {
            return node;
        }
        if (graph.idProperty() != null) {
            node = findByProperty(argument, id);
        }
        if (node == MISSING && graph.idProperty() != null && isInteger(id)) {
            // An adopted graph may have numbers as ids; callers always see text.
            node = findByProperty(argument, Long.valueOf(id));
        }
        if (node == MISSING) {
            node = findWithoutId(id);
        }
        if (node != MISSING) {
            cache.putNode(id, node);
        }
        return node;
    }

    private long findByProperty(String argument, Object id) {
        long[] found = ids.find(id, 2);
        if (found.length > 1) {
            throw KgdbException.usage(
                    argument
                            + ": more than one entity has the id "
                            + CypherValues.quote(id.toString())
                            + " in graph '"
                            + graph.name()
                            + "'; its property "
                            + graph.idProperty()
                            + " is no id");
        }
        return found.length == 0 ? MISSING : found[0];
    }

    /**
     * A node of the graph by its element id, if it has no id property. Rows show its element id as its id, so
     * procedures must accept it.
     */
    private long findWithoutId(String elementId) {
        try {
            Node node = transaction.getNodeByElementId(elementId);
            return graph.contains(node)
                            && (graph.idProperty() == null
                                    || !node.hasProperty(graph.idProperty()))
                    ? transaction.elementIdMapper().nodeId(elementId)
                    : MISSING;
        } catch (NotFoundException | IllegalArgumentException none) {
            return MISSING;
        }
    }

    private static boolean isInteger(String id) {
        try {
            return Long.toString(Long.parseLong(id)).equals(id);
        } catch (NumberFormatException text) {
            return false;
        }
    }

    private String notFound(String argument, List<String> ids) {
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
                + "'; "
                + argument
                + " takes ids ("
                + graph.describeIds()
                + "), not names: kgdb.entities.link finds the ids of a name";
    }
}
