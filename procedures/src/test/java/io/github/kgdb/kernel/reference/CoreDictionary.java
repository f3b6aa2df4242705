package io.github.kgdb.kernel.reference;

import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.Entity;

import org.neo4j.graphdb.Node;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

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
        String id = String.valueOf(node.getProperty(graph.idProperty(), elementId));
        return new Entity(id, String.valueOf(node.getProperty(graph.nameProperty(), id)));
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
