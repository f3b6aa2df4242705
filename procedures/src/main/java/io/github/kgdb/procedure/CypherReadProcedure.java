package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.cypher.ReadQuery;
import io.github.kgdb.graph.sandbox.CypherReader;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.procedure.call.Config;
import io.github.kgdb.procedure.call.ConfigKey;
import io.github.kgdb.procedure.call.GraphCall;
import io.github.kgdb.procedure.call.Parameters;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

public final class CypherReadProcedure {
    static final String NAME = "kgdb.cypher.read";

    private static final ConfigKey<String> KG =
            ConfigKey.text(
                    Parameters.KG.name(),
                    "the graph that the query can read; its id and name properties identify nodes"
                            + " in the answer; without it, the whole store");
    private static final ConfigKey<Boolean> WHOLE_STORE =
            ConfigKey.flag(
                    "wholeStore",
                    false,
                    "let the query read the other graphs of the store and kgdb's bookkeeping too");
    private static final ConfigKey<Integer> MAX_ROWS =
            ConfigKey.count(
                    "maxRows",
                    1,
                    10_000,
                    1000,
                    "maximum rows of the answer, and maximum items of each list in it");
    private static final ConfigKey<Integer> MAX_PATH_LENGTH =
            ConfigKey.count(
                    "maxPathLength",
                    1,
                    6,
                    4,
                    "maximum upper bound of a variable-length path, as in *1..4");
    private static final ConfigKey<Integer> MAX_LENGTH =
            ConfigKey.count("maxLength", 1, 20_000, 20_000, "maximum characters of the script");
    private static final ConfigKey<Integer> TIMEOUT_MS =
            ConfigKey.count(
                    Parameters.TIMEOUT_MS.name(),
                    1,
                    60_000,
                    2000,
                    "the query is stopped after this many milliseconds, with status TIME");

    static final List<ConfigKey<?>> KEYS =
            List.of(KG, WHOLE_STORE, MAX_ROWS, MAX_PATH_LENGTH, MAX_LENGTH, TIMEOUT_MS);

    @Context public GraphDatabaseService database;

    @Context public TerminationGuard terminationGuard;

    @Context public ProcedureMemory memory;

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "Runs a query that a language model wrote, if it can only read, and stops it at its"
                + " limits. Always one row: the result, or an error that can be shown to the model."
                + " No script makes the call fail.")
    public Stream<AnswerRow> read(
            @Name(
                            value = "script",
                            description =
                                    "One Cypher query; it may have a Markdown fence, comments and a"
                                            + " final ';'.")
                    String script,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        MemoryBudget.Account results = GraphCall.account(memory.newTracker());
        try {
            CypherReader reader = new CypherReader(database, terminationGuard::check, results);
            CypherReader.Answer answer = reader.read(request(script, Config.of(config, KEYS)));
            // The rows stay on the heap until the caller has read them.
            return Stream.of(new AnswerRow(answer)).onClose(results::close);
        } catch (KgdbException error) {
            results.close();
            throw error.in(NAME);
        } catch (RuntimeException error) {
            results.close();
            throw error;
        }
    }

    private static CypherReader.Request request(String script, Config config) {
        if (script == null) {
            throw KgdbException.usage("script: expected a STRING, got null");
        }
        return new CypherReader.Request(
                script,
                new ReadQuery.Limits(config.get(MAX_LENGTH), config.get(MAX_PATH_LENGTH)),
                config.get(KG),
                config.get(KG) != null && !config.get(WHOLE_STORE),
                config.get(MAX_ROWS),
                config.get(TIMEOUT_MS));
    }

    public static final class AnswerRow {
        @Description("'ok', or the code of the error.")
        public final String status;

        @Description("What is wrong and what to do instead; null with 'ok'.")
        public final String message;

        @Description("The line of script where it is wrong, from 1, or null.")
        public final Long line;

        @Description("The column in that line, in characters, from 1, or null.")
        public final Long column;

        @Description("The names of the columns that the query returns.")
        public final List<String> columns;

        @Description(
                "Its rows. A node is {id, name, labels}. A relationship is {relation, source,"
                    + " target} with ids. A path is a list of id, relation, id and so on; '^' marks"
                    + " a relation against its direction.")
        public final List<List<Object>> rows;

        @Description("Whether a limit left out rows or shortened a list or a text.")
        public final boolean truncated;

        AnswerRow(CypherReader.Answer answer) {
            this.status = answer.status().text();
            this.message = answer.message();
            this.line = answer.position() == null ? null : (long) answer.position().line();
            this.column = answer.position() == null ? null : (long) answer.position().column();
            this.columns = answer.columns();
            this.rows = answer.rows();
            this.truncated = answer.truncated();
        }
    }
}
