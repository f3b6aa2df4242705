package io.github.kgdb;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The demo graph, as {@code kgdb load demo} creates it. */
public final class DemoGraph {
    private static final Path FACTS = Path.of("..", "loaders", "demo.txt");

    private DemoGraph() {}

    /** A database with the demo graph and nothing else. */
    public static TestDatabase load() throws IOException {
        TestDatabase database =
                TestDatabase.with(
                        "CREATE (:KnowledgeGraph {name: 'demo', label: 'Demo'})",
                        "CREATE CONSTRAINT FOR (n:Demo) REQUIRE n.id IS UNIQUE",
                        "CREATE FULLTEXT INDEX kgdb_Demo_names FOR (n:Demo) ON EACH [n.name]"
                            + " OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}");
        List<String[]> facts =
                Files.readAllLines(FACTS).stream().map(line -> line.split("\\|")).toList();
        try (Transaction transaction = database.service().beginTx()) {
            Map<String, Node> entities =
                    facts.stream()
                            .flatMap(fact -> Stream.of(fact[0], fact[2]))
                            .distinct()
                            .collect(Collectors.toMap(id -> id, id -> entity(transaction, id)));
            for (String[] fact : facts) {
                entities.get(fact[0])
                        .createRelationshipTo(
                                entities.get(fact[2]), RelationshipType.withName(fact[1]));
            }
            transaction.commit();
        }
        database.rows("CALL db.awaitIndexes(60)");
        return database;
    }

    private static Node entity(Transaction transaction, String id) {
        Node node = transaction.createNode(Label.label("Entity"), Label.label("Demo"));
        node.setProperty("id", id);
        node.setProperty("name", id);
        return node;
    }
}
