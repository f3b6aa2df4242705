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
import org.neo4j.values.ElementIdMapper;
import org.neo4j.values.storable.TextValue;
import org.neo4j.values.storable.Value;

/**
 * Reads ids and names from the store. A node without the id property has its element id as id; a
 * node without the name property has its id as name.
 */
public final class CursorDictionary implements Dictionary, AutoCloseable {
    private final Read read;
    private final TokenRead tokens;
    private final ElementIdMapper elementIds;
    private final KernelTransaction transaction;
    private NodeCursor node;
    private PropertyCursor property;
    private final int idKey;
    private final int nameKey;
    private final PropertySelection justId;
    private final PropertySelection idAndName;

    public CursorDictionary(
            KernelTransaction transaction, KnowledgeGraph graph, ElementIdMapper elementIds) {
        this.transaction = transaction;
        this.read = transaction.dataRead();
        this.tokens = transaction.tokenRead();
        this.elementIds = elementIds;
        this.idKey = tokens.propertyKey(graph.idProperty());
        this.nameKey = tokens.propertyKey(graph.nameProperty());
        this.justId = PropertySelection.selection(idKey);
        this.idAndName = PropertySelection.selection(idKey, nameKey);
    }

    @Override
    public String id(long reference) {
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
        String name = null;
        node.properties(property, idAndName);
        while (property.next()) {
            String text = text(property.propertyValue());
            if (property.propertyKey() == idKey) {
                id = text;
            }
            if (property.propertyKey() == nameKey) {
                name = text;
            }
        }
        if (id == null) {
            id = elementIds.nodeElementId(reference);
        }
        return new Entity(id, name == null ? id : name);
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
