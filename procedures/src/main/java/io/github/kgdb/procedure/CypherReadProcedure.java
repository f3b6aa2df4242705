package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.cypher.ReadQuery;
import io.github.kgdb.graph.CypherReader;
import io.github.kgdb.kernel.MemoryBudget;

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
import java.util.Set;
import java.util.stream.Stream;

public final class CypherReadProcedure {
    private static final String NAME = "kgdb.cypher.read";
    private static final Set<String> KEYS = Set.of("maxRows", "maxPathLength", "maxLength");
    private static final int MAX_ROWS = 1000;
    private static final int MAX_PATH_LENGTH = 4;
    private static final int MAX_LENGTH = 20_000;
    private static final int TIMEOUT_MS = 2000;

    @Context public GraphDatabaseService database;

    @Context public TerminationGuard terminationGuard;

    @Context public ProcedureMemory memory;

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "Runs a query that a language model wrote, if it can do nothing but read, and tells in"
                + " one row what it gave or why it was not run.")
    public Stream<AnswerRow> read(
            @Name(value = "script", description = "The query.") String script,
            @Name(value = "config", defaultValue = "{}") Map<String, Object> config) {
        try {
            Config checked = Config.of(config, KEYS);
            if (script == null) {
                throw KgdbException.usage("script: expected a STRING, got null");
            }
            CypherReader.Request request =
                    new CypherReader.Request(
                            script,
                            new ReadQuery.Limits(
                                    checked.count("maxLength", 1, MAX_LENGTH),
                                    checked.count("maxPathLength", 1, MAX_PATH_LENGTH)),
                            checked.text(Config.KG),
                            checked.count("maxRows", 1, MAX_ROWS),
                            checked.count(Config.TIMEOUT_MS, 1, TIMEOUT_MS));
            MemoryBudget.Account results = GraphCall.account(memory.newTracker());
            try {
                CypherReader reader =
                        new CypherReader(database, terminationGuard::check, results);
                return Stream.of(new AnswerRow(reader.read(request))).onClose(results::close);
            } catch (RuntimeException error) {
                results.close();
                throw error;
            }
        } catch (KgdbException error) {
            throw error.in(NAME);
        }
    }

    public static final class AnswerRow {
        public final String status;
        public final String message;
        public final Long line;
        public final Long column;
        public final List<String> columns;
        public final List<List<Object>> rows;
        public final boolean truncated;

        AnswerRow(CypherReader.Answer answer) {
            this.status = answer.status().text();
            this.message = answer.message();
            this.line = answer.place() == null ? null : (long) answer.place().line();
            this.column = answer.place() == null ? null : (long) answer.place().column();
            this.columns = answer.columns();
            this.rows = answer.rows();
            this.truncated = answer.truncated();
        }
    }
}
