package io.github.kgdb;

import org.neo4j.graphdb.Entity;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.schema.ConstraintDefinition;
import org.neo4j.graphdb.schema.IndexDefinition;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Everything in a store that a script could change. Names come from the store's own lists, because
 * db.labels() and its like list only names in use.
 */
public record StoreState(
        List<String> entities,
        List<String> labels,
        List<String> types,
        List<String> keys,
        List<String> indexes,
        List<String> constraints) {
    public static StoreState of(GraphDatabaseService database) {
        try (Transaction transaction = database.beginTx()) {
            return new StoreState(
                    Stream.concat(
                                    transaction.getAllNodes().stream().map(StoreState::node),
                                    transaction.getAllRelationships().stream()
                                            .map(
                                                    r ->
                                                            r.getElementId()
                                                                    + r.getType()
                                                                    + properties(r)))
                            .toList(),
                    sorted(transaction.getAllLabels(), Label::name),
                    sorted(transaction.getAllRelationshipTypes(), RelationshipType::name),
                    sorted(transaction.getAllPropertyKeys(), key -> key),
                    sorted(transaction.schema().getIndexes(), IndexDefinition::getName),
                    sorted(transaction.schema().getConstraints(), ConstraintDefinition::getName));
        }
    }

    private static String node(Node node) {
        return node.getElementId() + node.getLabels() + properties(node);
    }

    private static Map<String, String> properties(Entity entity) {
        Map<String, String> properties = new TreeMap<>();
        entity.getAllProperties()
                .forEach((k, v) -> properties.put(k, Arrays.deepToString(new Object[] {v})));
        return properties;
    }

    private static <T> List<String> sorted(Iterable<T> items, Function<T, String> name) {
        return StreamSupport.stream(items.spliterator(), false).map(name).sorted().toList();
    }
}
