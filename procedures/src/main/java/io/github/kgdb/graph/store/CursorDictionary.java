package io.github.kgdb.graph.store;

import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.Entity;

import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.storageengine.api.PropertySelection;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.ElementIdMapper;
import org.neo4j.values.storable.ArrayValue;
import org.neo4j.values.storable.TextValue;
import org.neo4j.values.storable.Value;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reads ids and names from the store. A node without the id property has its element id as id; a
 * node without a name has its id as name.
 */
public final class CursorDictionary implements Dictionary, AutoCloseable {
    private final Read read;
    private final TokenRead tokens;
    private final ElementIdMapper elementIds;
    private final KernelTransaction transaction;
    private NodeCursor node;
    private PropertyCursor property;
    private final int idKey;
    private final List<Source> sources;
    private final int[] nameKeys;
    private final PropertySelection justId;
    private final PropertySelection idAndNames;

    /**
     * @param anyNode whether every node of the graph has the label
     * @param label the number of the label; no node has one that the store does not know
     * @param values the places of the values among those of all names
     */
    private record Source(NameSource source, boolean anyNode, int label, int[] values) {}

    public CursorDictionary(
            KernelTransaction transaction, KnowledgeGraph graph, ElementIdMapper elementIds) {
        this.transaction = transaction;
        this.read = transaction.dataRead();
        this.tokens = transaction.tokenRead();
        this.elementIds = elementIds;
        this.idKey =
                graph.idProperty() == null
                        ? TokenConstants.NO_TOKEN
                        : tokens.propertyKey(graph.idProperty());
        List<String> names =
                graph.names().stream()
                        .flatMap(name -> name.properties().stream())
                        .distinct()
                        .toList();
        this.nameKeys = names.stream().mapToInt(tokens::propertyKey).toArray();
        // All nodes of a graph of one label have it.
        boolean oneLabel = graph.labels().size() < 2;
        this.sources =
                graph.names().stream()
                        .map(
                                name ->
                                        new Source(
                                                name,
                                                oneLabel,
                                                oneLabel
                                                        ? TokenConstants.NO_TOKEN
                                                        : tokens.nodeLabel(name.label()),
                                                name.properties().stream()
                                                        .mapToInt(names::indexOf)
                                                        .toArray()))
                        .toList();
        this.justId = PropertySelection.selection(idKey);
        this.idAndNames =
                PropertySelection.selection(
                        IntStream.concat(IntStream.of(idKey), Arrays.stream(nameKeys)).toArray());
    }

    @Override
    public String id(long reference) {
        if (idKey == TokenConstants.NO_TOKEN) {
            return elementIds.nodeElementId(reference);
        }
        moveTo(reference);
        node.properties(property, justId);
        return property.next()
                ? text(property.propertyValue())
                : elementIds.nodeElementId(reference);
    }

    @Override
    public Entity entity(long reference) {
        moveTo(reference);
        String id = null;
        String[] names = new String[nameKeys.length];
        node.properties(property, idAndNames);
        while (property.next()) {
            Value value = property.propertyValue();
            int key = property.propertyKey();
            if (key == idKey) {
                id = text(value);
            }
            for (int i = 0; i < nameKeys.length; i++) {
                // A list is no name.
                if (key == nameKeys[i] && !(value instanceof ArrayValue)) {
                    names[i] = text(value);
                }
            }
        }
        if (id == null) {
            id = elementIds.nodeElementId(reference);
        }
        String name = name(names);
        return new Entity(id, name == null ? id : name);
    }

    /** The name of the node at the cursor, or null. */
    private String name(String[] values) {
        for (Source source : sources) {
            if (source.anyNode() || node.hasLabel(source.label())) {
                String[] parts = new String[source.values().length];
                Arrays.setAll(parts, i -> values[source.values()[i]]);
                String name = source.source().name(parts);
                if (name != null) {
                    return name;
                }
            }
        }
        return null;
    }

    @Override
    public String relation(int relation) {
        try {
            return tokens.relationshipTypeName(relation);
        } catch (KernelException impossible) {
            throw new IllegalStateException("the store has a relationship of no type", impossible);
        }
    }

    private void moveTo(long reference) {
        open();
        read.singleNode(reference, node);
        if (!node.next()) {
            throw KgdbException.usage(
                    "node "
                            + elementIds.nodeElementId(reference)
                            + " was deleted while the call ran; call again");
        }
    }

    /** Opened lazily: most calls find all ids and names in the cache. */
    private void open() {
        if (node == null) {
            CursorFactory cursors = transaction.cursors();
            CursorContext context = transaction.cursorContext();
            MemoryTracker memory = transaction.memoryTracker();
            node = cursors.allocateNodeCursor(context, memory);
            property = cursors.allocatePropertyCursor(context, memory);
        }
    }

    @Override
    public void close() {
        if (node != null) {
            property.close();
            node.close();
        }
    }

    private static String text(Value value) {
        return value instanceof TextValue text ? text.stringValue() : value.prettyPrint();
    }
}
