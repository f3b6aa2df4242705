package io.github.kgdb.cypher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.Trials;

import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.QueryExecutionType.QueryType;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Random mutations of realistic scripts. */
class ReadQueryFuzzTest {
    private static final int SCRIPTS = Trials.of(10_000);
    private static final int EXPLAINED = Trials.of(200);
    private static final ReadQuery.Limits LIMITS = new ReadQuery.Limits(20_000, 4);
    private static final List<String> PARTS =
            List.of(
                    "CREATE (x)",
                    "DELETE n",
                    "SET n.x = 1",
                    "REMOVE n.x",
                    "MERGE (n)",
                    "CALL",
                    "CALL { RETURN 1 }",
                    "LOAD CSV FROM 'file:///x' AS r",
                    "USE neo4j",
                    "FOREACH",
                    "UNION",
                    "RETURN",
                    "MATCH",
                    "WITH *",
                    "UNWIND",
                    "EXISTS {",
                    "}",
                    "COUNT {",
                    "(",
                    ")",
                    "[",
                    "]",
                    "{",
                    "'",
                    "\"",
                    "`",
                    "//",
                    "/*",
                    "*/",
                    ";",
                    "\\",
                    "\\u0027",
                    "\\u0060",
                    "\\u0044",
                    "\\u",
                    "$x",
                    "$(",
                    ":",
                    "|",
                    "&",
                    "!",
                    "%",
                    "*",
                    "*..",
                    "1",
                    "1e9",
                    "0x",
                    "..",
                    "->",
                    "<-",
                    "-",
                    "=~",
                    "+",
                    "null",
                    "\n",
                    "\t",
                    "\u0000",
                    "\u00a0",
                    "\u200b",
                    "\ufeff",
                    "\ud83d",
                    "中",
                    "```",
                    "rand()",
                    "IN",
                    "AS",
                    ",");

    private final Random random = new Random(20_260);

    private String mutated(List<String> scripts) {
        StringBuilder script = new StringBuilder(pick(scripts));
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(script.length() + 1);
            switch (random.nextInt(5)) {
                case 0 -> script.insert(at, pick(PARTS));
                case 1 -> script.insert(at, " " + pick(PARTS) + " ");
                case 2 -> script.delete(at, Math.min(script.length(), at + random.nextInt(8)));
                case 3 -> {
                    String other = pick(scripts);
                    int begin = random.nextInt(other.length() + 1);
                    int end = Math.min(other.length(), begin + random.nextInt(30));
                    script.insert(at, other, begin, end);
                }
                default -> script.setLength(at);
            }
        }
        return script.toString();
    }

    private String pick(List<String> items) {
        return items.get(random.nextInt(items.size()));
    }

    @Test
    void onlyRefusalsAndQueriesThatRead() {
        List<String> scripts =
                Stream.concat(Corpus.run().stream(), Corpus.refused().stream())
                        .map(Corpus.Case::script)
                        .filter(script -> script.length() < 1000)
                        .toList();
        List<String> accepted = new ArrayList<>();
        for (int i = 0; i < SCRIPTS; i++) {
            String script = mutated(scripts);
            try {
                accepted.add(ReadQuery.of(script, LIMITS, null).text());
            } catch (Refusal refusal) {
                assertTrue(!refusal.getMessage().isBlank(), script);
            } catch (RuntimeException | Error failure) {
                throw new AssertionError(script, failure);
            }
        }
        assertTrue(accepted.size() > SCRIPTS / 20, () -> "accepted: " + accepted.size());
        try (TestDatabase database = TestDatabase.with(Corpus.graph())) {
            int step = accepted.size() / EXPLAINED;
            for (int i = 0; i < EXPLAINED; i++) {
                assertReads(database, accepted.get(i * step));
            }
        }
    }

    /** The server may find errors that no parser sees, but the query never does more than read. */
    private static void assertReads(TestDatabase database, String query) {
        try (Transaction transaction = database.service().beginTx();
                Result result = transaction.execute("EXPLAIN " + query)) {
            assertEquals(QueryType.READ_ONLY, result.getQueryExecutionType().queryType(), query);
        } catch (QueryExecutionException wrong) {
            assertTrue(wrong.getStatusCode().startsWith("Neo.ClientError.Statement"), query);
        }
    }
}
