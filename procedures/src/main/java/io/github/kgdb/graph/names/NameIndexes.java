package io.github.kgdb.graph.names;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.cache.EntityCache;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.Labels;
import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.linking.NameIndex;

import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.IndexQueryConstraints;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.NodeValueIndexCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.PropertyIndexQuery;
import org.neo4j.internal.kernel.api.QueryContext;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.schema.IndexDescriptor;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.storageengine.api.PropertySelection;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.TextArray;
import org.neo4j.values.storable.TextValue;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The indexes over the names of one graph that loading created. Read without Cypher, because a
 * statement for each mention would cost more than the search itself.
 */
public final class NameIndexes implements NameIndex, AutoCloseable {
    private static final long[] NONE = {};

    private final Read read;
    private final QueryContext context;
    private final Dictionary dictionary;
    private final EntityCache entities;
    private final NameCache cache;
    private final NameSchema schema;
    private final NodeValueIndexCursor hits;
    private final NodeCursor node;
    private final PropertyCursor property;
    private final int[] labels;
    private final TerminationTicker ticker;

    /**
     * @param labels an entity must have at least one of these; empty: any entity
     */
    public NameIndexes(
            KernelTransaction transaction,
            KnowledgeGraph graph,
            List<String> labels,
            Dictionary dictionary,
            EntityCache entities,
            NameCache cache,
            Termination termination) {
        this.ticker = new TerminationTicker(termination);
        this.read = transaction.dataRead();
        this.context = transaction.queryContext();
        this.dictionary = dictionary;
        this.entities = entities;
        this.labels = new Labels(transaction.tokenRead()).required(labels);
        this.schema = cache.schema(() -> NameSchema.of(transaction, graph));
        // Cached names do not include labels.
        this.cache =
                labels.isEmpty() && schema.isSeenBy(transaction.securityContext().mode())
                        ? cache
                        : NameCache.NONE;
        CursorFactory cursors = transaction.cursors();
        CursorContext cursorContext = transaction.cursorContext();
        MemoryTracker memory = transaction.memoryTracker();
        this.hits = cursors.allocateNodeValueIndexCursor(cursorContext, memory);
        this.node = cursors.allocateNodeCursor(cursorContext, memory);
        this.property = cursors.allocatePropertyCursor(cursorContext, memory);
    }

    @Override
    public long[] identified(String text) {
        if (schema.ids() == null || entities.isAbsent(text)) {
            return NONE;
        }
        long[] nodes = equal(schema.ids(), text);
        if (nodes.length == 0) {
            entities.putAbsent(text);
        }
        return nodes;
    }

    @Override
    public long[] named(String text) {
        List<IndexDescriptor> indexes = schema.names();
        if (indexes.size() == 1) {
            return equal(indexes.get(0), text);
        }
        // A node with two labels may be in two indexes.
        return indexes.stream()
                .flatMapToLong(index -> Arrays.stream(equal(index, text)))
                .distinct()
                .toArray();
    }

    @Override
    public long[] search(String query, int limit) {
        return seek(
                schema.fulltext(),
                IndexQueryConstraints.unconstrained().limit(limit),
                PropertyIndexQuery.fulltextSearch(query));
    }

    @Override
    public long[] nearest(float[] vector, int limit) {
        return seek(
                schema.matches().checked(vector),
                IndexQueryConstraints.unconstrained(),
                PropertyIndexQuery.nearestNeighbors(limit, vector));
    }

    @Override
    public int fields() {
        return schema.fulltext().schema().getPropertyIds().length;
    }

    @Override
    public Named read(long reference) {
        Named named = cache.get(reference);
        if (named == null) {
            named = readInStore(reference);
            if (named != null) {
                cache.put(reference, named);
            }
        }
        return named;
    }

    @Override
    public Double similarity(long reference, float[] vector) {
        read.singleNode(reference, node);
        if (!node.next()) {
            return null;
        }
        node.properties(property, PropertySelection.selection(schema.matches().key()));
        return property.next()
                ? schema.matches().similarity(property.propertyValue(), vector)
                : null;
    }

    @Override
    public void close() {
        property.close();
        node.close();
        hits.close();
    }

    private Named readInStore(long reference) {
        read.singleNode(reference, node);
        if (!node.next() || !mayBeMeant()) {
            return null;
        }
        double prior = Double.NEGATIVE_INFINITY;
        node.properties(property, schema.selection());
        List<String> others = new ArrayList<>();
        while (property.next()) {
            Value value = property.propertyValue();
            if (property.propertyKey() != schema.priorKey()) {
                addTexts(others, value);
            } else if (value instanceof NumberValue number) {
                prior = number.doubleValue();
            }
        }
        Entity entity = dictionary.entity(reference);
        return new Named(entity, names(entity.name(), others), prior, ticker);
    }

    private static List<String> names(String first, List<String> others) {
        if (others.stream().allMatch(first::equals)) {
            return List.of(first);
        }
        Set<String> names = new LinkedHashSet<>();
        names.add(first);
        names.addAll(others);
        return List.copyOf(names);
    }

    private boolean mayBeMeant() {
        return schema.graph().contain(node)
                && !node.hasLabel(schema.mediator())
                && !node.hasLabel(schema.literal())
                && (labels.length == 0 || Arrays.stream(labels).anyMatch(node::hasLabel));
    }

    /** The entities with exactly this value in the index. */
    private long[] equal(IndexDescriptor index, String text) {
        return seek(
                index,
                IndexQueryConstraints.unconstrained(),
                PropertyIndexQuery.exact(
                        index.schema().getPropertyId(), Values.utf8Value(text)));
    }

    private long[] seek(
            IndexDescriptor index, IndexQueryConstraints constraints, PropertyIndexQuery query) {
        try {
            read.nodeIndexSeek(context, read.indexReadSession(index), hits, constraints, query);
        } catch (KernelException unusable) {
            throw KgdbException.usage(
                    "the index " + index.getName() + " cannot be read: " + unusable.getMessage());
        }
        if (!hits.next()) {
            return NONE;
        }
        LongArrayList nodes = new LongArrayList();
        do {
            ticker.tick();
            nodes.add(hits.nodeReference());
        } while (hits.next());
        return nodes.toArray();
    }

    private static void addTexts(List<String> texts, Value value) {
        if (value instanceof TextValue text) {
            texts.add(text.stringValue());
        } else if (value instanceof TextArray array) {
            for (int i = 0; i < array.intSize(); i++) {
                texts.add(array.stringValue(i));
            }
        }
    }
}
