package io.github.kgdb.graph.arguments;

import io.github.kgdb.graph.store.RelationshipFilter;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.Termination;

import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.storageengine.api.RelationshipSelection;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.ArrayValue;
import org.neo4j.values.storable.Value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the properties of the relationships that rows name by the ids of their ends. */
public final class RelationshipProperties implements AutoCloseable {
    /** The most parallel relationships whose properties are read. */
    public static final int MOST = 10;

    private static final String ARGUMENT = "properties";
    private static final int CHECK_EVERY = 1024;

    private final KernelTransaction kernel;
    private final TokenRead tokens;
    private final NodeResolver nodes;
    private final RelationTypes relations;
    private final RelationshipFilter filter;
    private final Termination termination;
    private final NodeCursor node;
    private final RelationshipTraversalCursor relationship;
    private final PropertyCursor properties;
    private final Map<String, Long> resolved = new HashMap<>();

    /**
     * @param filter relationships that it does not allow are passed over
     */
    public RelationshipProperties(
            KernelTransaction kernel,
            NodeResolver nodes,
            RelationTypes relations,
            RelationshipFilter filter,
            Termination termination) {
        CursorFactory cursors = kernel.cursors();
        CursorContext context = kernel.cursorContext();
        MemoryTracker memory = kernel.memoryTracker();
        this.kernel = kernel;
        this.tokens = kernel.tokenRead();
        this.nodes = nodes;
        this.relations = relations;
        this.filter = filter;
        this.termination = termination;
        this.node = cursors.allocateNodeCursor(context, memory);
        this.relationship = cursors.allocateRelationshipTraversalCursor(context, memory);
        this.properties = cursors.allocatePropertyCursor(context, memory);
    }

    /**
     * For each step of a path the properties of its relationships, of up to {@link #MOST} parallel
     * ones.
     *
     * @param ids of the nodes of the path
     * @param specs the relations between them; {@code ^r}: against the direction of r
     */
    public List<List<Map<String, Object>>> ofPath(List<String> ids, List<String> specs) {
        List<List<Map<String, Object>>> steps = new ArrayList<>(specs.size());
        for (int i = 0; i < specs.size(); i++) {
            RelationStep step = relations.step(specs.get(i));
            steps.add(between(number(ids.get(i)), number(ids.get(i + 1)), step));
        }
        return steps;
    }

    @Override
    public void close() {
        properties.close();
        relationship.close();
        node.close();
    }

    private List<Map<String, Object>> between(long from, long to, RelationStep step) {
        termination.check();
        // A hub at one end costs nothing where the other end has few relationships.
        boolean turned = degree(to, step.reversed()) < degree(from, step);
        long start = turned ? to : from;
        long end = turned ? from : to;
        List<Map<String, Object>> found = new ArrayList<>();
        kernel.dataRead().singleNode(start, node);
        if (!node.next()) {
            return found;
        }
        node.relationships(relationship, selection(turned ? step.reversed() : step));
        for (long seen = 1; found.size() < MOST && relationship.next(); seen++) {
            if (seen % CHECK_EVERY == 0) {
                termination.check();
            }
            if (relationship.otherNodeReference() == end
                    && filter.allows(relationship, properties)) {
                found.add(read());
            }
        }
        return found;
    }

    private Map<String, Object> read() {
        Map<String, Object> values = new TreeMap<>();
        relationship.properties(properties);
        while (properties.next()) {
            values.put(name(properties.propertyKey()), plain(properties.propertyValue()));
        }
        return values;
    }

    /** The value as a procedure returns it: Java's arrays have no equality. */
    private static Object plain(Value value) {
        if (!(value instanceof ArrayValue list)) {
            return value.asObject();
        }
        List<Object> items = new ArrayList<>(list.intSize());
        for (AnyValue item : list) {
            items.add(((Value) item).asObject());
        }
        return items;
    }

    private String name(int property) {
        try {
            return tokens.propertyKeyName(property);
        } catch (KernelException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private long degree(long start, RelationStep step) {
        kernel.dataRead().singleNode(start, node);
        return node.next() ? node.degree(selection(step)) : 0;
    }

    private static RelationshipSelection selection(RelationStep step) {
        return RelationshipSelection.selection(
                new int[] {step.relation()},
                step.direction() == Direction.OUT
                        ? org.neo4j.graphdb.Direction.OUTGOING
                        : org.neo4j.graphdb.Direction.INCOMING);
    }

    private long number(String id) {
        return resolved.computeIfAbsent(id, unseen -> nodes.single(ARGUMENT, id));
    }
}
