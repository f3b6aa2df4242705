package io.github.kgdb.graph.names;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.Labels;

import org.neo4j.internal.kernel.api.SchemaRead;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.schema.IndexDescriptor;
import org.neo4j.internal.schema.IndexType;
import org.neo4j.internal.schema.SchemaDescriptors;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.storageengine.api.PropertySelection;

import java.util.Arrays;
import java.util.Iterator;

/**
 * Where the names of one graph are: the properties that hold them, and the indexes over these
 * properties.
 *
 * @param ids the index over ids, or null
 * @param names the index over names, or null if there is none or if names are ids
 * @param fulltext the full-text index over names and aliases
 * @param selection the properties to read of each entity: names, aliases and the prior
 * @param priorKey the property that holds the prior
 * @param graph the label of the graph's entities
 * @param mediator the label of nodes that no mention means
 * @param literal the label of literals, which no mention means
 */
record NameSchema(
        IndexDescriptor ids,
        IndexDescriptor names,
        IndexDescriptor fulltext,
        EmbeddingIndex matches,
        PropertySelection selection,
        int priorKey,
        int graph,
        int mediator,
        int literal) {
    private static final String PRIOR = "pagerank";

    /** The schema of a graph; fails if its names are in no full-text index. */
    static NameSchema of(KernelTransaction transaction, KnowledgeGraph graph) {
        SchemaRead schema = transaction.schemaRead();
        TokenRead tokens = transaction.tokenRead();
        Labels labels = new Labels(tokens);
        int label = labels.number(graph.label());
        IndexDescriptor fulltext = fulltext(schema, graph);
        int priorKey = tokens.propertyKey(PRIOR);
        boolean apart = !graph.nameProperty().equals(graph.idProperty());
        return new NameSchema(
                range(schema, label, tokens.propertyKey(graph.idProperty())),
                apart ? range(schema, label, tokens.propertyKey(graph.nameProperty())) : null,
                fulltext,
                EmbeddingIndex.of(schema, graph),
                selection(fulltext.schema().getPropertyIds(), priorKey),
                priorKey,
                label,
                labels.number(Labels.MEDIATOR),
                labels.number(Labels.LITERAL));
    }

    /** Whether the caller may read all of {@link #selection} of every entity. */
    boolean isSeenBy(AccessMode mode) {
        for (int index = 0; index < selection.numberOfKeys(); index++) {
            if (!mode.allowsReadPropertyAllLabels(selection.key(index))) {
                return false;
            }
        }
        return true;
    }

    private static PropertySelection selection(int[] nameKeys, int priorKey) {
        int[] keys = Arrays.copyOf(nameKeys, nameKeys.length + 1);
        keys[nameKeys.length] = priorKey;
        return PropertySelection.selection(keys);
    }

    private static IndexDescriptor fulltext(SchemaRead schema, KnowledgeGraph graph) {
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

    private static IndexDescriptor range(SchemaRead schema, int label, int property) {
        Iterator<IndexDescriptor> over =
                schema.indexForSchemaNonTransactional(SchemaDescriptors.forLabel(label, property));
        while (over.hasNext()) {
            IndexDescriptor index = over.next();
            if (index.getIndexType() == IndexType.RANGE) {
                return index;
            }
        }
        return null;
    }
}
