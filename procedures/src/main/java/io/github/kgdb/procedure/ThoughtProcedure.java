package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.sandbox.ThoughtTransaction;
import io.github.kgdb.procedure.call.Config;
import io.github.kgdb.procedure.call.ConfigKey;
import io.github.kgdb.procedure.call.Parameters;
import io.github.kgdb.procedure.call.TimeLimit;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

public final class ThoughtProcedure {
    static final String NAME = "kgdb.got.run";

    private static final String OK = "ok";
    private static final Limits MAX = Limits.HIGHEST;

    private static final ConfigKey<Integer> MAX_LENGTH =
            atMost("maxLength", 1, MAX.maxLength(), "characters of the script, prose included");
    private static final ConfigKey<Integer> MAX_NODES =
            atMost("maxNodes", 1, MAX.maxNodes(), "nodes of the graph");
    private static final ConfigKey<Integer> MAX_RELATIONSHIPS =
            atMost("maxRelationships", 0, MAX.maxRelationships(), "relationships of the graph");
    private static final ConfigKey<Integer> MAX_LIST_LENGTH =
            atMost("maxListLength", 0, MAX.maxListLength(), "items of a list value");
    private static final ConfigKey<Integer> TIMEOUT_MS =
            ConfigKey.count(
                    "timeoutMs",
                    1,
                    60_000,
                    1000,
                    "the script is stopped after this many milliseconds, with status TIME");

    static final List<ConfigKey<?>> KEYS =
            List.of(MAX_LENGTH, MAX_NODES, MAX_RELATIONSHIPS, MAX_LIST_LENGTH, TIMEOUT_MS);

    @Context public GraphDatabaseService database;

    @Context public TerminationGuard terminationGuard;

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "Runs a graph of thought that a language model wrote with CREATE and MERGE, in a"
                + " separate transaction that is always rolled back. Always one row: status says"
                + " why a script is refused.")
    public Stream<ThoughtRow> run(
            @Name(
                            value = "script",
                            description = "The model's whole reply, with prose and code fences.")
                    String script,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        try {
            return Stream.of(row(script, Config.of(config, KEYS)));
        } catch (KgdbException error) {
            throw error.in(NAME);
        }
    }

    private ThoughtRow row(String script, Config config) {
        if (script == null) {
            throw KgdbException.usage("script: expected a STRING, got null");
        }
        Limits limits =
                new Limits(
                        config.get(MAX_LENGTH),
                        config.get(MAX_NODES),
                        config.get(MAX_RELATIONSHIPS),
                        config.get(MAX_LIST_LENGTH));
        int milliseconds = config.get(TIMEOUT_MS);
        ParsedScript parsed = ThoughtParser.parse(script, limits);
        return parsed instanceof Thought thought
                ? executed(thought, milliseconds)
                : new ThoughtRow((ScriptError) parsed);
    }

    private static ConfigKey<Integer> atMost(String name, int min, int max, String what) {
        return ConfigKey.count(name, min, max, max, "maximum " + what);
    }

    private ThoughtRow executed(Thought thought, int milliseconds) {
        TimeLimit limit = new TimeLimit(terminationGuard, milliseconds);
        try {
            return new ThoughtRow(
                    thought, ThoughtTransaction.run(database, thought, milliseconds, limit));
        } catch (KgdbException | TransactionTerminatedException late) {
            // If the caller's own transaction has ended, this ends the call.
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
        @Description("'ok', or the code of the refusal; the table of codes explains each.")
        public final String status;

        @Description(
                "What is wrong, worded so that the model can correct it; with 'ok', why executed is"
                        + " false.")
        public final String message;

        @Description("The line of script where it is wrong, from 1; null with 'ok'.")
        public final Long line;

        @Description("The column in that line, in characters, from 1; null with 'ok'.")
        public final Long column;

        @Description(
                "Head, relation and tail of each relationship; heads and tails are display names.")
        public final List<List<String>> triples;

        @Description("The nodes, each a map of variable, name, labels and properties.")
        public final List<Map<String, Object>> nodes;

        @Description(
                "The relationships, each a map of source and target (indexes into nodes), type and"
                        + " properties.")
        public final List<Map<String, Object>> relationships;

        @Description(
                "Whether the graph was created in the database and the triples were read from it."
                        + " Otherwise they come from the parser, and message says why.")
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
