package io.github.kgdb.graph.store;

import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;

import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.neo4j.exceptions.KernelException;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.internal.kernel.api.IndexQueryConstraints;
import org.neo4j.internal.kernel.api.IndexReadSession;
import org.neo4j.internal.kernel.api.InternalIndexState;
import org.neo4j.internal.kernel.api.NodeValueIndexCursor;
import org.neo4j.internal.kernel.api.PropertyIndexQuery;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.schema.IndexDescriptor;
import org.neo4j.internal.schema.IndexType;
import org.neo4j.internal.schema.SchemaDescriptors;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

/**
 * Finds nodes by label and property value. Opens the index once, because opening it takes longer
 * than a search in it.
 */
public final class NodeLookup implements AutoCloseable {
    private final InternalTransaction transaction;
    private final String label;
    private final String property;
    private final Termination termination;
    private boolean opened;
    private int key;
    private IndexReadSession index;
    private NodeValueIndexCursor cursor;

    public NodeLookup(
            InternalTransaction transaction,
            String label,
            String property,
            Termination termination) {
        this.termination = termination;
        this.transaction = transaction;
        this.label = label;
        this.property = property;
    }

    /** The nodes with the value, at most {@code max}. */
    public long[] find(Object value, int max) {
        try {
            open();
            return index == null ? scan(value, max) : seek(value, max);
        } catch (KernelException dropped) {
            // The index was dropped meanwhile; the nodes are still there.
            return scan(value, max);
        }
    }

    @Override
    public void close() {
        if (cursor != null) {
            cursor.close();
        }
    }

    private void open() throws KernelException {
        if (opened) {
            return;
        }
        opened = true;
        KernelTransaction kernel = transaction.kernelTransaction();
        TokenRead tokens = kernel.tokenRead();
        int labelNumber = tokens.nodeLabel(label);
        key = tokens.propertyKey(property);
        if (labelNumber == TokenConstants.NO_TOKEN || key == TokenConstants.NO_TOKEN) {
            return;
        }
        IndexDescriptor found =
                kernel.schemaRead()
                        .indexForSchemaAndIndexTypeNonTransactional(
                                SchemaDescriptors.forLabel(labelNumber, key), IndexType.RANGE);
        if (found == IndexDescriptor.NO_INDEX
                || kernel.schemaRead().indexGetStateNonLocking(found)
                        != InternalIndexState.ONLINE) {
            return;
        }
        index = kernel.dataRead().indexReadSession(found);
        cursor =
                kernel.cursors()
                        .allocateNodeValueIndexCursor(
                                kernel.cursorContext(), kernel.memoryTracker());
    }

    private long[] seek(Object value, int max) throws KernelException {
        KernelTransaction kernel = transaction.kernelTransaction();
        kernel.dataRead()
                .nodeIndexSeek(
                        kernel.queryContext(),
                        index,
                        cursor,
                        IndexQueryConstraints.unconstrained(),
                        PropertyIndexQuery.exact(key, value));
        LongArrayList nodes = new LongArrayList(1);
        while (nodes.size() < max && cursor.next()) {
            nodes.add(cursor.nodeReference());
        }
        return nodes.toArray();
    }

    private long[] scan(Object value, int max) {
        Value wanted = Values.of(value);
        TerminationTicker ticker = new TerminationTicker(termination);
        LongArrayList found = new LongArrayList(1);
        // The server's own search by value cannot be interrupted.
        try (ResourceIterator<Node> nodes = transaction.findNodes(Label.label(label))) {
            while (found.size() < max && nodes.hasNext()) {
                ticker.tick();
                Node node = nodes.next();
                if (has(node, wanted)) {
                    found.add(transaction.elementIdMapper().nodeId(node.getElementId()));
                }
            }
        }
        return found.toArray();
    }

    private boolean has(Node node, Value wanted) {
        try {
            Object held = node.getProperty(property, null);
            return held != null && wanted.equals(Values.of(held));
        } catch (NotFoundException deleted) {
            return false;
        }
    }
}
