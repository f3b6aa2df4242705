package io.github.kgdb.graph.store;

import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.storageengine.api.PropertySelection;

import java.util.List;

/**
 * The relationships of a graph that may be followed, by their properties. A relationship has to
 * fulfil every condition that is for its relation.
 */
public final class RelationshipFilter {
    /** Allows every relationship. */
    public static final RelationshipFilter NONE = new RelationshipFilter(List.of());

    private final List<PropertyCondition> conditions;
    private final IntObjectHashMap<Conditions> byRelation = new IntObjectHashMap<>();

    /** The conditions for one relation and the properties to read for them. */
    private record Conditions(List<PropertyCondition> conditions, PropertySelection properties) {}

    public RelationshipFilter(List<PropertyCondition> conditions) {
        this.conditions = List.copyOf(conditions);
    }

    public boolean isEmpty() {
        return conditions.isEmpty();
    }

    /**
     * Whether the relationship at the cursor is allowed.
     *
     * @param properties a cursor to read its properties with
     */
    public boolean allows(RelationshipTraversalCursor relationship, PropertyCursor properties) {
        if (conditions.isEmpty()) {
            return true;
        }
        Conditions wanted = of(relationship.type());
        for (PropertyCondition condition : wanted.conditions()) {
            relationship.properties(properties, wanted.properties());
            if (!fulfils(condition, properties)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fulfils(PropertyCondition condition, PropertyCursor properties) {
        while (properties.next()) {
            if (properties.propertyKey() == condition.property()) {
                return condition.isFulfilledBy(properties.propertyValue());
            }
        }
        return false;
    }

    private Conditions of(int relation) {
        return byRelation.getIfAbsentPut(
                relation,
                () -> {
                    List<PropertyCondition> own =
                            conditions.stream()
                                    .filter(each -> isFor(each, relation))
                                    .toList();
                    int[] properties =
                            own.stream().mapToInt(PropertyCondition::property).distinct().toArray();
                    return new Conditions(own, PropertySelection.selection(properties));
                });
    }

    private static boolean isFor(PropertyCondition condition, int relation) {
        return condition.relation() == PropertyCondition.EVERY_RELATION
                || condition.relation() == relation;
    }
}
