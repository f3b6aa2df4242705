package io.github.kgdb;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.kgdb.procedure.Catalog;

import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.harness.Neo4j;
import org.neo4j.harness.Neo4jBuilder;
import org.neo4j.harness.Neo4jBuilders;

import java.util.List;
import java.util.Map;

/** A disposable Neo4j with the plugin's procedures, none of them listed as unrestricted. */
public final class TestDatabase implements AutoCloseable {
    private final Neo4j neo4j;

    private TestDatabase(Neo4j neo4j) {
        this.neo4j = neo4j;
    }

    /** A database filled by {@code statements}, one transaction each. */
    public static TestDatabase with(String... statements) {
        return started(builder(), statements);
    }

    /** The same, with a memory limit for each transaction. */
    public static TestDatabase withMemory(long bytes, String... statements) {
        return started(
                builder().withConfig(GraphDatabaseSettings.memory_transaction_max_size, bytes),
                statements);
    }

    /**
     * The same, where nodes with that many relationships are dense: the store keeps their degrees.
     */
    public static TestDatabase withDenseNodes(int relationships, String... statements) {
        return started(
                builder().withConfig(GraphDatabaseSettings.dense_node_threshold, relationships),
                statements);
    }

    private static Neo4jBuilder builder() {
        Neo4jBuilder builder =
                Neo4jBuilders.newInProcessBuilder()
                        .withDisabledServer()
                        .withConfig(BoltConnector.enabled, false);
        Catalog.CLASSES.forEach(builder::withProcedure);
        builder.withFunction(Catalog.FUNCTIONS);
        return builder;
    }

    private static TestDatabase started(Neo4jBuilder builder, String... statements) {
        TestDatabase database = new TestDatabase(builder.build());
        for (String statement : statements) {
            database.rows(statement);
        }
        return database;
    }

    public GraphDatabaseService service() {
        return neo4j.defaultDatabaseService();
    }

    public List<Map<String, Object>> rows(String cypher) {
        return rows(cypher, Map.of());
    }

    public List<Map<String, Object>> rows(String cypher, Map<String, Object> parameters) {
        try (Transaction transaction = service().beginTx()) {
            List<Map<String, Object>> rows = rows(transaction, cypher, parameters);
            transaction.commit();
            return rows;
        }
    }

    public static List<Map<String, Object>> rows(
            Transaction transaction, String cypher, Map<String, Object> parameters) {
        try (Result result = transaction.execute(cypher, parameters)) {
            return result.stream().toList();
        }
    }

    /** The single column of the rows. */
    public List<Object> column(String cypher) {
        return rows(cypher).stream().map(row -> row.values().iterator().next()).toList();
    }

    /** The message that a client of a failing statement sees. */
    public String error(String cypher) {
        return failure(cypher).getMessage();
    }

    public QueryExecutionException failure(String cypher) {
        return assertThrows(QueryExecutionException.class, () -> rows(cypher));
    }

    @Override
    public void close() {
        neo4j.close();
    }
}
