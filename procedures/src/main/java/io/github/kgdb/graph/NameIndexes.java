package io.github.kgdb.graph;

import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.Dictionary;
import io.github.kgdb.kernel.Entity;
import io.github.kgdb.kernel.NameIndex;

import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.IndexQueryConstraints;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.NodeValueIndexCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.PropertyIndexQuery;
import org.neo4j.internal.kernel.api.QueryContext;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.SchemaRead;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.schema.IndexDescriptor;
import org.neo4j.internal.schema.IndexType;
import org.neo4j.internal.schema.SchemaDescriptors;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.storageengine.api.PropertySelection;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.TextArray;
import org.neo4j.values.storable.TextValue;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The indexes that a loader made over the names of one graph, read without Cypher: a statement for
 * each mention would cost more than the search itself.
 */
final class NameIndexes implements NameIndex, AutoCloseable {
    private static final String PRIOR = "pagerank";

    private final Read read;
    private final SchemaRead schema;
    private final TokenRead tokens;
    private final QueryContext context;
    private final KnowledgeGraph graph;
    private final Dictionary dictionary;
    private final NodeValueIndexCursor found;
    private final NodeCursor node;
    private final PropertyCursor property;
    private final IndexDescriptor fulltext;
    private final EmbeddingIndex embeddings;
    private final List<IndexDescriptor> exact;
    private final int[] nameKeys;
    private final int priorKey;
    private final PropertySelection told;
    private final int graphLabel;
    private final int mediatorLabel;
    private final int literalLabel;
    private final int[] labels;

    /**
     * @param labels one of which an entity must carry, or none: any entity
     */
    NameIndexes(
            KernelTransaction transaction,
            KnowledgeGraph graph,
            List<String> labels,
            Dictionary dictionary) {
        Labels names = new Labels(transaction.tokenRead());
        this.read = transaction.dataRead();
        this.schema = transaction.schemaRead();
        this.tokens = transaction.tokenRead();
        this.context = transaction.queryContext();
        this.graph = graph;
        this.dictionary = dictionary;
        this.graphLabel = names.number(graph.label());
        this.mediatorLabel = names.number(Labels.MEDIATOR);
        this.literalLabel = names.number(Labels.LITERAL);
        this.labels = names.known(labels);
        this.fulltext = fulltext();
        this.embeddings = EmbeddingIndex.of(schema, graph);
        this.exact = exact();
        this.nameKeys = fulltext.schema().getPropertyIds();
        this.priorKey = tokens.propertyKey(PRIOR);
        this.told = told();
        this.found =
                transaction
                        .cursors()
                        .allocateNodeValueIndexCursor(
                                transaction.cursorContext(), transaction.memoryTracker());
        this.node =
                transaction
                        .cursors()
                        .allocateNodeCursor(
                                transaction.cursorContext(), transaction.memoryTracker());
        this.property =
                transaction
                        .cursors()
                        .allocatePropertyCursor(
                                transaction.cursorContext(), transaction.memoryTracker());
    }

    @Override
    public long[] named(String text) {
        LongArrayList nodes = new LongArrayList();
        for (IndexDescriptor index : exact) {
            int key = index.schema().getPropertyId();
            nodes.addAll(
                    seek(
                            index,
                            IndexQueryConstraints.unconstrained(),
                            PropertyIndexQuery.exact(key, Values.utf8Value(text))));
        }
        return nodes.toArray();
    }

    @Override
    public long[] search(String query, int limit) {
        return seek(
                        fulltext,
                        IndexQueryConstraints.unconstrained().limit(limit),
                        PropertyIndexQuery.fulltextSearch(query))
                .toArray();
    }

    @Override
    public long[] nearest(float[] vector, int limit) {
        IndexDescriptor index = embeddings.checked(vector);
        return seek(
                        index,
                        IndexQueryConstraints.unconstrained(),
                        PropertyIndexQuery.nearestNeighbors(limit, vector))
                .toArray();
    }

    @Override
    public int fields() {
        return nameKeys.length;
    }

    @Override
    public Named read(long reference) {
        read.singleNode(reference, node);
        if (!node.next() || !mayBeMeant()) {
            return null;
        }
        double prior = Double.NEGATIVE_INFINITY;
        node.properties(property, told);
        List<String> others = new ArrayList<>();
        while (property.next()) {
            Value value = property.propertyValue();
            if (property.propertyKey() != priorKey) {
                addTexts(others, value);
            } else if (value instanceof NumberValue number) {
                prior = number.doubleValue();
            }
        }
        Entity entity = dictionary.entity(reference);
        return new Named(entity, names(entity.name(), others), prior);
    }

    @Override
    public Double similarity(long reference, float[] vector) {
        read.singleNode(reference, node);
        if (!node.next()) {
            return null;
        }
        node.properties(property, PropertySelection.selection(embeddings.key()));
        return property.next() ? embeddings.similarity(property.propertyValue(), vector) : null;
    }

    @Override
    public void close() {
        property.close();
        node.close();
        found.close();
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

    /** What is read of each entity: the names and the prior. */
    private PropertySelection told() {
        int[] keys = Arrays.copyOf(nameKeys, nameKeys.length + 1);
        keys[nameKeys.length] = priorKey;
        return PropertySelection.selection(keys);
    }

    private boolean mayBeMeant() {
        return node.hasLabel(graphLabel)
                && !node.hasLabel(mediatorLabel)
                && !node.hasLabel(literalLabel)
                && (labels.length == 0 || Arrays.stream(labels).anyMatch(node::hasLabel));
    }

    private LongArrayList seek(
            IndexDescriptor index, IndexQueryConstraints constraints, PropertyIndexQuery query) {
        LongArrayList nodes = new LongArrayList();
        try {
            read.nodeIndexSeek(context, read.indexReadSession(index), found, constraints, query);
        } catch (KernelException unusable) {
            throw KgdbException.usage(
                    "the index " + index.getName() + " cannot be read: " + unusable.getMessage());
        }
        while (found.next()) {
            nodes.add(found.nodeReference());
        }
        return nodes;
    }

    private IndexDescriptor fulltext() {
        IndexDescriptor index = schema.indexGetForName("kgdb_" + graph.label() + "_names");
        if (index == IndexDescriptor.NO_INDEX) {
            throw KgdbException.usage(
                    "graph '"
                            + graph.name()
                            + "' has no full-text index kgdb_"
                            + graph.label()
                            + "_names over its names; load it again");
        }
        return index;
    }

    /** Over ids and, where the loader made one, over names. */
    private List<IndexDescriptor> exact() {
        List<IndexDescriptor> indexes = new ArrayList<>();
        Set<String> properties = new LinkedHashSet<>();
        properties.add(graph.idProperty());
        properties.add(graph.nameProperty());
        for (String name : properties) {
            Iterator<IndexDescriptor> over =
                    schema.indexForSchemaNonTransactional(
                            SchemaDescriptors.forLabel(graphLabel, tokens.propertyKey(name)));
            while (over.hasNext()) {
                IndexDescriptor index = over.next();
                if (index.getIndexType() == IndexType.RANGE) {
                    indexes.add(index);
                    break;
                }
            }
        }
        return indexes;
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
