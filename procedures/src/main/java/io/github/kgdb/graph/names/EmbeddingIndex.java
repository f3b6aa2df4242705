package io.github.kgdb.graph.names;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.store.KnowledgeGraph;

import org.neo4j.internal.kernel.api.SchemaRead;
import org.neo4j.internal.schema.IndexDescriptor;
import org.neo4j.internal.schema.IndexType;
import org.neo4j.values.storable.FloatingPointArray;
import org.neo4j.values.storable.IntegralValue;
import org.neo4j.values.storable.TextValue;
import org.neo4j.values.storable.Value;

/** The vector index over the names of one graph, if the graph has one. */
final class EmbeddingIndex {
    private static final String DIMENSIONS = "vector.dimensions";
    private static final String FUNCTION = "vector.similarity_function";
    private static final String EUCLIDEAN = "EUCLIDEAN";

    private final KnowledgeGraph graph;
    private final IndexDescriptor index;

    private EmbeddingIndex(KnowledgeGraph graph, IndexDescriptor index) {
        this.graph = graph;
        this.index = index;
    }

    static EmbeddingIndex of(SchemaRead schema, KnowledgeGraph graph) {
        return new EmbeddingIndex(graph, schema.indexGetForName(graph.embeddingsIndex()));
    }

    /** The index; fails if the vector cannot be searched in it. */
    IndexDescriptor checked(float[] vector) {
        if (index == IndexDescriptor.NO_INDEX || index.getIndexType() != IndexType.VECTOR) {
            throw KgdbException.usage(
                    "vectors: graph '"
                            + graph.name()
                            + "' has no vector index "
                            + graph.embeddingsIndex()
                            + " over its names; write the embeddings first, or leave vectors out");
        }
        Value dimensions = index.getIndexConfig().get(DIMENSIONS);
        if (dimensions instanceof IntegralValue expected && expected.longValue() != vector.length) {
            throw KgdbException.usage(
                    "vectors: expected vectors of "
                            + expected.longValue()
                            + " numbers, as the index "
                            + index.getName()
                            + " holds, got one of "
                            + vector.length);
        }
        if (!isEuclidean() && squares(vector) == 0) {
            throw KgdbException.usage(
                    "vectors: got one that is all zeros, which points nowhere; give [] for a"
                            + " mention without a vector");
        }
        return index;
    }

    /** The property key of the embeddings. */
    int key() {
        return index.schema().getPropertyId();
    }

    /**
     * Neo4j's similarity of the two vectors, from 0 to 1, without the rounding of the index; null
     * if the value is no embedding of that length.
     */
    Double similarity(Value match, float[] vector) {
        if (!(match instanceof FloatingPointArray numbers) || numbers.intSize() != vector.length) {
            return null;
        }
        double product = 0;
        double squares = 0;
        double distance = 0;
        for (int i = 0; i < vector.length; i++) {
            double number = numbers.doubleValue(i);
            product += number * vector[i];
            squares += number * number;
            distance += (number - vector[i]) * (number - vector[i]);
        }
        if (isEuclidean()) {
            return 1 / (1 + distance);
        }
        double lengths = Math.sqrt(squares) * Math.sqrt(squares(vector));
        return lengths == 0 ? null : (Double) ((1 + product / lengths) / 2);
    }

    private boolean isEuclidean() {
        Value function = index.getIndexConfig().get(FUNCTION);
        return function instanceof TextValue text && EUCLIDEAN.equalsIgnoreCase(text.stringValue());
    }

    private static double squares(float[] vector) {
        double squares = 0;
        for (float number : vector) {
            squares += (double) number * number;
        }
        return squares;
    }
}
