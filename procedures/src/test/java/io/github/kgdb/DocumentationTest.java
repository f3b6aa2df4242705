package io.github.kgdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every example of the page gives, on the demo graph, the rows that the page shows. */
class DocumentationTest {
    private static final Path PAGE = Path.of("..", "docs", "procedures.md");
    private static final Path DEMO = Path.of("..", "loaders", "demo.txt");
    private static final Pattern EXAMPLE =
            Pattern.compile("```cypher\n(.*?)```\n```text\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CYPHER = Pattern.compile("^```cypher$", Pattern.MULTILINE);

    private static TestDatabase database;

    @BeforeAll
    static void start() throws IOException {
        database = TestDatabase.with("CREATE (:KnowledgeGraph {name: 'demo', label: 'Demo'})");
        List<String[]> facts =
                Files.readAllLines(DEMO).stream().map(line -> line.split("\\|")).toList();
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
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @TestFactory
    Stream<DynamicTest> examples() throws IOException {
        String page = Files.readString(PAGE);
        List<MatchResult> examples = EXAMPLE.matcher(page).results().toList();
        assertEquals(
                CYPHER.matcher(page).results().count(),
                examples.size(),
                "examples that show their rows");
        return examples.stream()
                .map(
                        example ->
                                DynamicTest.dynamicTest(
                                        example.group(1).lines().findFirst().orElseThrow(),
                                        () ->
                                                assertEquals(
                                                        example.group(2),
                                                        table(example.group(1)))));
    }

    private static Node entity(Transaction transaction, String id) {
        Node node = transaction.createNode(Label.label("Entity"), Label.label("Demo"));
        node.setProperty("id", id);
        node.setProperty("name", id);
        return node;
    }

    private static String table(String cypher) {
        try (Transaction transaction = database.service().beginTx();
                Result result = transaction.execute(cypher)) {
            return result.resultAsString().replace(System.lineSeparator(), "\n");
        }
    }
}
