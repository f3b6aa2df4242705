package io.github.kgdb.graph.sandbox;

import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.thought.Thought;

import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.WriteOperationsNotAllowedException;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.token.api.TokenConstants;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Creates a graph of thought in the database, reads it back and rolls it back.
 *
 * <p>Nothing remains. The transaction is separate from the caller's and never commits. It may write
 * data, but no schema and no new name, because a name would stay in the store even after the
 * rollback. So the model's texts become values under existing names, and the database itself
 * refuses anything else.
 */
public final class ThoughtTransaction {
    // Created by cypher/load/thought_names.cypher.
    private static final Label NODE = Label.label("KgdbThought");
    private static final RelationshipType RELATIONSHIP = RelationshipType.withName("KGDB_THOUGHT");
    private static final String NAME = "name";
    private static final String POSITION = "position";
    private static final String TYPE = "type";

    private final Thought thought;
    private final Termination termination;

    private ThoughtTransaction(Thought thought, Termination termination) {
        this.thought = thought;
        this.termination = termination;
    }

    /**
     * @param triples head, relation and tail of each relationship, as the database held them
     * @param obstacle why the database could not hold the thought, or null
     */
    public record Outcome(List<List<String>> triples, String obstacle) {}

    /**
     * Runs the thought. If the database cannot hold it, the triples come from the parsed script.
     *
     * @param milliseconds the time limit of the transaction in the database
     * @param termination checked before each step; the transaction ends if it throws
     */
    public static Outcome run(
            GraphDatabaseService database,
            Thought thought,
            long milliseconds,
            Termination termination) {
        try (Transaction transaction = database.beginTx(milliseconds, TimeUnit.MILLISECONDS)) {
            InternalTransaction internal = (InternalTransaction) transaction;
            if (!hasNames(internal.kernelTransaction().tokenRead())) {
                return new Outcome(
                        thought.triples(),
                        "the database lacks the names that it is written with: load any graph with"
                                + " kgdb load, or once run cypher/load/thought_names.cypher, which"
                                + " the page of kgdb.got.run shows");
            }
            KernelTransaction.Revertable writing =
                    internal.overrideWith(
                            internal.securityContext().withMode(AccessMode.Static.WRITE));
            try {
                return new Outcome(
                        new ThoughtTransaction(thought, termination).triples(transaction), null);
            } catch (WriteOperationsNotAllowedException readOnly) {
                return new Outcome(thought.triples(), "the database is read-only");
            } finally {
                writing.close();
            }
        }
    }

    private static boolean hasNames(TokenRead tokens) {
        return tokens.nodeLabel(NODE.name()) != TokenConstants.NO_TOKEN
                && tokens.relationshipType(RELATIONSHIP.name()) != TokenConstants.NO_TOKEN
                && Stream.of(NAME, POSITION, TYPE)
                        .allMatch(key -> tokens.propertyKey(key) != TokenConstants.NO_TOKEN);
    }

    private List<List<String>> triples(Transaction transaction) {
        SortedMap<Integer, List<String>> triples = new TreeMap<>();
        for (Node node : create(transaction)) {
            termination.check();
            String head = (String) node.getProperty(NAME);
            for (Relationship relationship : node.getRelationships(Direction.OUTGOING)) {
                triples.put(
                        (Integer) relationship.getProperty(POSITION),
                        List.of(
                                head,
                                (String) relationship.getProperty(TYPE),
                                (String) relationship.getEndNode().getProperty(NAME)));
            }
        }
        return List.copyOf(triples.values());
    }

    private List<Node> create(Transaction transaction) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < thought.nodes().size(); i++) {
            termination.check();
            Node node = transaction.createNode(NODE);
            node.setProperty(NAME, thought.displayName(i));
            nodes.add(node);
        }
        for (int i = 0; i < thought.relationships().size(); i++) {
            termination.check();
            Thought.Relationship wanted = thought.relationships().get(i);
            Relationship relationship =
                    nodes.get(wanted.source())
                            .createRelationshipTo(nodes.get(wanted.target()), RELATIONSHIP);
            relationship.setProperty(TYPE, wanted.type());
            relationship.setProperty(POSITION, i);
        }
        return nodes;
    }
}
