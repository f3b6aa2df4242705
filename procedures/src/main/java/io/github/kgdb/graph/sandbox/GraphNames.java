package io.github.kgdb.graph.sandbox;

import io.github.kgdb.cypher.ReadQuery.Kind;
import io.github.kgdb.graph.store.GraphLabels;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.ListedRelations;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;

import org.eclipse.collections.api.set.primitive.MutableIntSet;
import org.eclipse.collections.impl.set.mutable.primitive.IntHashSet;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.kernel.api.TokenSet;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.storageengine.api.RelationshipSelection;
import org.neo4j.token.api.TokenConstants;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * The names that the nodes and relationships of one graph have. The store may hold other graphs,
 * whose names a query must not learn, not even by guessing.
 *
 * <p>The graph is read until a name appears. Of a graph with more than {@link #MAX_READ} nodes and
 * relationships the rest is not read: a name of the store may then be one of the graph's.
 */
final class GraphNames implements KnownNames, AutoCloseable {
    /** So that looking for a name takes a small part of the time of a query. */
    static final int MAX_READ = 20_000;

    /** Nodes of each label of the query, which probably have what the query asks of them. */
    private static final int FIRST = 1000;

    private static final RelationshipSelection OUTGOING =
            RelationshipSelection.selection(Direction.OUTGOING);

    private final InternalTransaction transaction;
    private final KnowledgeGraph graph;
    private final Set<String> foreignLabels;
    private final GraphLabels inGraph;
    private final TokenRead tokens;
    private final Read read;
    private final NodeCursor node;
    private final NodeCursor neighbor;
    private final RelationshipTraversalCursor relationship;
    private final PropertyCursor property;
    private final TerminationTicker ticker;
    private final MutableIntSet labels = new IntHashSet();
    private final MutableIntSet types = new IntHashSet();
    private final MutableIntSet keys = new IntHashSet();

    private final Queue<Part> unread = new ArrayDeque<>();
    private ResourceIterator<Node> nodes;
    private int left;
    private int leftInPart;

    /** Nodes to read: at most {@code max} that have the label. */
    private record Part(String label, int max) {}

    /**
     * @param expected labels whose nodes are read first
     */
    GraphNames(
            InternalTransaction transaction,
            KnowledgeGraph graph,
            Collection<String> expected,
            Termination termination) {
        KernelTransaction kernel = transaction.kernelTransaction();
        CursorFactory cursors = kernel.cursors();
        CursorContext context = kernel.cursorContext();
        MemoryTracker memory = kernel.memoryTracker();
        this.transaction = transaction;
        this.graph = graph;
        this.foreignLabels = graph.foreignLabels(transaction);
        this.tokens = kernel.tokenRead();
        this.inGraph = GraphLabels.of(graph, tokens);
        this.read = kernel.dataRead();
        this.node = cursors.allocateNodeCursor(context, memory);
        this.neighbor = cursors.allocateNodeCursor(context, memory);
        this.relationship = cursors.allocateRelationshipTraversalCursor(context, memory);
        this.property = cursors.allocatePropertyCursor(context, memory);
        this.ticker = new TerminationTicker(termination);
        this.left = MAX_READ;
        expected.forEach(label -> unread.add(new Part(label, FIRST)));
        graph.labels().forEach(label -> unread.add(new Part(label, MAX_READ)));
    }

    @Override
    public boolean contains(Kind kind, String name) {
        return switch (kind) {
            case LABEL -> isLabel(name);
            case TYPE -> isType(name);
            case LABEL_OR_TYPE -> isLabel(name) || isType(name);
            case KEY -> isSeen(keys, tokens.propertyKey(name));
        };
    }

    @Override
    public List<String> all(Kind kind) {
        while (readNode()) {}
        List<String> names = new ArrayList<>();
        if (kind == Kind.LABEL || kind == Kind.LABEL_OR_TYPE) {
            labels.forEach(label -> names.add(tokens.labelGetName(label)));
            names.removeAll(foreignLabels);
        }
        if (kind == Kind.TYPE || kind == Kind.LABEL_OR_TYPE) {
            Set<String> all = new HashSet<>(ListedRelations.of(transaction, graph));
            types.forEach(type -> all.add(tokens.relationshipTypeGetName(type)));
            names.addAll(all);
        }
        if (kind == Kind.KEY) {
            keys.forEach(key -> names.add(tokens.propertyKeyGetName(key)));
        }
        return names;
    }

    @Override
    public void close() {
        if (nodes != null) {
            nodes.close();
        }
        property.close();
        relationship.close();
        neighbor.close();
        node.close();
    }

    private boolean isLabel(String name) {
        return graph.labels().contains(name)
                || !foreignLabels.contains(name) && isSeen(labels, tokens.nodeLabel(name));
    }

    private boolean isType(String name) {
        int type = tokens.relationshipType(name);
        return type != TokenConstants.NO_TOKEN
                && (ListedRelations.contain(transaction, graph, name)
                        || isSeen(types, type) && inGraph.use(type, read));
    }

    private boolean isSeen(MutableIntSet seen, int token) {
        if (token == TokenConstants.NO_TOKEN) {
            return false;
        }
        while (!seen.contains(token)) {
            if (!readNode()) {
                return left <= 0;
            }
        }
        return true;
    }

    /** Reads one more node with its relationships to others; false if none is left. */
    private boolean readNode() {
        while (left > 0) {
            if (nodes != null && leftInPart > 0 && nodes.hasNext()) {
                left--;
                leftInPart--;
                ticker.tick();
                read(transaction.elementIdMapper().nodeId(nodes.next().getElementId()));
                return true;
            }
            if (unread.isEmpty()) {
                return false;
            }
            if (nodes != null) {
                nodes.close();
            }
            Part next = unread.remove();
            nodes = transaction.findNodes(Label.label(next.label()));
            leftInPart = next.max();
        }
        return false;
    }

    private void read(long number) {
        read.singleNode(number, node);
        if (!node.next() || !inGraph.contain(node)) {
            return;
        }
        TokenSet present = node.labels();
        for (int i = 0; i < present.numberOfTokens(); i++) {
            labels.add(present.token(i));
        }
        node.properties(property);
        addKeys();
        node.relationships(relationship, OUTGOING);
        while (left > 0 && relationship.next()) {
            left--;
            ticker.tick();
            read.singleNode(relationship.otherNodeReference(), neighbor);
            if (neighbor.next() && inGraph.contain(neighbor)) {
                types.add(relationship.type());
                relationship.properties(property);
                addKeys();
            }
        }
    }

    private void addKeys() {
        while (property.next()) {
            keys.add(property.propertyKey());
        }
    }
}
