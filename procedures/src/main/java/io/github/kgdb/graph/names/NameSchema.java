package io.github.kgdb.graph.names;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.store.GraphLabels;
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
import org.neo4j.token.api.TokenConstants;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Where the names of one graph are: the properties that hold them, and the indexes over these
 * properties.
 *
 * @param ids the index over ids, or null
 * @param names the indexes over names: none for a label without one, or whose names are ids
 * @param fulltext the full-text index over names and aliases
 * @param selection the properties to read of each entity: aliases and the prior
 * @param priorKey the property that holds the prior
 * @param nameKeys the properties with names
 * @param graph the labels of the graph's entities
 * @param mediator the label of nodes that no mention means
 * @param literal the label of literals, which no mention means
 */
record NameSchema(
        IndexDescriptor ids,
        List<IndexDescriptor> names,
        IndexDescriptor fulltext,
        EmbeddingIndex matches,
        PropertySelection selection,
        int priorKey,
        int[] nameKeys,
        GraphLabels graph,
        int mediator,
        int literal) {
    private static final String PRIOR = "pagerank";

    /** The schema of a graph; fails if its names are in no full-text index. */
    static NameSchema of(KernelTransaction transaction, KnowledgeGraph graph) {
        SchemaRead schema = transaction.schemaRead();
        TokenRead tokens = transaction.tokenRead();
        Labels labels = new Labels(tokens);
        IndexDescriptor fulltext = fulltext(schema, graph);
        int priorKey = tokens.propertyKey(PRIOR);
        return new NameSchema(
                graph.idProperty() == null
                        ? null
                        : range(schema, tokens, graph.labels().get(0), graph.idProperty()),
                overNames(schema, tokens, graph),
                fulltext,
                EmbeddingIndex.of(schema, graph),
                selection(tokens, graph, priorKey),
                priorKey,
                graph.names().stream()
                        .flatMap(source -> source.properties().stream())
                        .mapToInt(tokens::propertyKey)
                        .toArray(),
                GraphLabels.of(graph, tokens),
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
        return Arrays.stream(nameKeys).allMatch(mode::allowsReadPropertyAllLabels);
    }

    private static PropertySelection selection(
            TokenRead tokens, KnowledgeGraph graph, int priorKey) {
        IntStream aliases = graph.aliasProperties().stream().mapToInt(tokens::propertyKey);
        return PropertySelection.selection(
                IntStream.concat(aliases, IntStream.of(priorKey)).toArray());
    }

    /** The indexes over whole names. A name of several properties has none. */
    private static List<IndexDescriptor> overNames(
            SchemaRead schema, TokenRead tokens, KnowledgeGraph graph) {
        return graph.names().stream()
                .filter(source -> source.onlyProperty() != null)
                .filter(source -> !source.onlyProperty().equals(graph.idProperty()))
                .map(source -> range(schema, tokens, source.label(), source.onlyProperty()))
                .filter(Objects::nonNull)
                .toList();
    }

    private static IndexDescriptor fulltext(SchemaRead schema, KnowledgeGraph graph) {
        IndexDescriptor index = schema.indexGetForName(graph.namesIndex());
        if (index == IndexDescriptor.NO_INDEX) {
            throw KgdbException.usage(
                    "graph '"
                            + graph.name()
                            + "' has no full-text index "
                            + graph.namesIndex()
                            + " over its names; load it again");
        }
        return index;
    }

    private static IndexDescriptor range(
            SchemaRead schema, TokenRead tokens, String label, String property) {
        int labelNumber = tokens.nodeLabel(label);
        int key = tokens.propertyKey(property);
        if (labelNumber == TokenConstants.NO_TOKEN || key == TokenConstants.NO_TOKEN) {
            return null;
        }
        Iterator<IndexDescriptor> over =
                schema.indexForSchemaNonTransactional(
                        SchemaDescriptors.forLabel(labelNumber, key));
        while (over.hasNext()) {
            IndexDescriptor index = over.next();
            if (index.getIndexType() == IndexType.RANGE) {
                return index;
            }
        }
        return null;
    }
}
