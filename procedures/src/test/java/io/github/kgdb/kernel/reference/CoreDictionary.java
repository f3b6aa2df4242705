package io.github.kgdb.kernel.reference;

import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.NameSource;
import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.Entity;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.stream.Collectors;

/** The same contract through Neo4j's public API: the reference for the cursor implementation. */
final class CoreDictionary implements Dictionary {
    private final InternalTransaction transaction;
    private final KnowledgeGraph graph;

    CoreDictionary(InternalTransaction transaction, KnowledgeGraph graph) {
        this.transaction = transaction;
        this.graph = graph;
    }

    @Override
    public Entity entity(long number) {
        String elementId = transaction.elementIdMapper().nodeElementId(number);
        Node node = transaction.getNodeByElementId(elementId);
        String id =
                graph.idProperty() == null
                        ? elementId
                        : String.valueOf(node.getProperty(graph.idProperty(), elementId));
        return new Entity(id, name(node, graph, id));
    }

    static String name(Node node, KnowledgeGraph graph, String id) {
        return graph.names().stream()
                .filter(source -> isAt(node, source))
                .findFirst()
                .map(source -> name(node, source))
                .orElse(id);
    }

    /** Whether the node has the label and all properties of the name. */
    private static boolean isAt(Node node, NameSource source) {
        return (source.label() == null || node.hasLabel(Label.label(source.label())))
                && source.properties().stream().allMatch(node::hasProperty);
    }

    private static String name(Node node, NameSource source) {
        String values =
                source.properties().stream()
                        .map(property -> String.valueOf(node.getProperty(property)))
                        .collect(Collectors.joining(" "));
        return source.withLabel() ? source.label() + " " + values : values;
    }

    @Override
    public String id(long number) {
        return entity(number).id();
    }

    @Override
    public String relation(int relation) {
        return transaction.kernelTransaction().tokenRead().relationshipTypeGetName(relation);
    }
}
