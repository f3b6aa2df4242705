package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.CypherValues;
import io.github.kgdb.graph.ThoughtTransaction;
import io.github.kgdb.thought.ErrorCode;
import io.github.kgdb.thought.Limits;
import io.github.kgdb.thought.ParsedScript;
import io.github.kgdb.thought.ScriptError;
import io.github.kgdb.thought.Thought;
import io.github.kgdb.thought.ThoughtParser;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.TransactionTerminatedException;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public final class ThoughtProcedure {
    private static final Set<String> KEYS =
            Set.of("maxLength", "maxNodes", "maxRelationships", "maxListLength");
    private static final int TIMEOUT_MS = 1000;
    private static final String OK = "ok";

    @Context public GraphDatabaseService database;

    @Context public TerminationGuard terminationGuard;

    @Procedure(name = "kgdb.got.run", mode = Mode.READ)
    @Description(
            "Runs a graph of thought that a language model wrote, in a transaction that is always"
                + " rolled back. Always one row: status is ok, or the code of an error that message,"
                + " line and column explain. triples are the relationships as head, relation and"
                + " tail; nodes and relationships are the graph with all its properties.")
    public Stream<ThoughtRow> run(
            @Name(value = "script", description = "All that the model said.") String script,
            @Name(value = "config", defaultValue = "{}", description = "")
                    Map<String, Object> config) {
        try {
            return Stream.of(row(script, Config.of(config, KEYS)));
        } catch (KgdbException error) {
            throw error.in("kgdb.got.run");
        }
    }

    private ThoughtRow row(String script, Config config) {
        if (script == null) {
            throw KgdbException.usage(
                    "script: expected a STRING, got " + CypherValues.describe(null));
        }
        Limits most = Limits.HIGHEST;
        Limits limits =
                new Limits(
                        config.count("maxLength", 1, most.maxLength()),
                        config.count("maxNodes", 1, most.maxNodes()),
                        config.count("maxRelationships", 0, most.maxRelationships()),
                        config.count("maxListLength", 0, most.maxListLength()));
        int milliseconds = config.count("timeoutMs", 1, TIMEOUT_MS);
        ParsedScript parsed = ThoughtParser.parse(script, limits);
        return parsed instanceof Thought thought
                ? executed(thought, milliseconds)
                : new ThoughtRow((ScriptError) parsed);
    }

    private ThoughtRow executed(Thought thought, int milliseconds) {
        TimeLimit limit = new TimeLimit(terminationGuard, milliseconds);
        try {
            return new ThoughtRow(
                    thought, ThoughtTransaction.run(database, thought, milliseconds, limit));
        } catch (KgdbException | TransactionTerminatedException late) {
            // Where it is the caller's own transaction that ended, this ends the call.
            terminationGuard.check();
            return new ThoughtRow(
                    new ScriptError(
                            ErrorCode.TIME,
                            "stopped after " + milliseconds + " ms (timeoutMs)",
                            1,
                            1));
        }
    }

    public static final class ThoughtRow {
        public final String status;
        public final String message;
        public final Long line;
        public final Long column;
        public final List<List<String>> triples;
        public final List<Map<String, Object>> nodes;
        public final List<Map<String, Object>> relationships;
        public final boolean executed;

        ThoughtRow(ScriptError error) {
            this.status = error.code().name();
            this.message = error.message();
            this.line = (long) error.line();
            this.column = (long) error.column();
            this.triples = List.of();
            this.nodes = List.of();
            this.relationships = List.of();
            this.executed = false;
        }

        ThoughtRow(Thought thought, ThoughtTransaction.Outcome outcome) {
            this.status = OK;
            this.message = outcome.obstacle();
            this.line = null;
            this.column = null;
            this.triples = outcome.triples();
            this.nodes = nodes(thought);
            this.relationships = relationships(thought);
            this.executed = outcome.obstacle() == null;
        }

        private static List<Map<String, Object>> nodes(Thought thought) {
            return IntStream.range(0, thought.nodes().size())
                    .mapToObj(position -> node(thought, position))
                    .toList();
        }

        private static Map<String, Object> node(Thought thought, int position) {
            Thought.Node node = thought.nodes().get(position);
            Map<String, Object> row = new HashMap<>();
            row.put("variable", node.variable());
            row.put("name", thought.displayName(position));
            row.put("labels", node.labels());
            row.put("properties", node.properties());
            return row;
        }

        private static List<Map<String, Object>> relationships(Thought thought) {
            return thought.relationships().stream().map(ThoughtRow::relationship).toList();
        }

        private static Map<String, Object> relationship(Thought.Relationship relationship) {
            return Map.of(
                    "source",
                    (long) relationship.source(),
                    "type",
                    relationship.type(),
                    "target",
                    (long) relationship.target(),
                    "properties",
                    relationship.properties());
        }
    }
}
