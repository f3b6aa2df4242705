package io.github.kgdb.procedure.call;

import io.github.kgdb.kernel.api.Direction;

import java.util.List;

/** Arguments and config keys that several procedures share. */
public final class Parameters {
    public static final String NODES =
            "A NODE, an entity id (STRING; requires config kg), a LIST of these, or a LIST of such"
                    + " LISTs: a batch of start sets. Each start set gives the rows that it gives"
                    + " alone. A duplicate in a set counts once.";
    public static final String CONFIG =
            "A MAP of config keys. CALL kgdb.help('PROCEDURE NAME') lists them.";

    public static final String BATCH = "The index of the start set in nodes, from 0.";
    public static final String CUT =
            "The limits that left rows out of this start set: 'maxDegree: ID' for each hub that was"
                + " not expanded, and the names of the other limits. Empty if the rows are"
                + " complete. If a limit leaves a start set without any row, it has one row with"
                + " batch and cut only.";

    public static final ConfigKey<String> KG =
            ConfigKey.text("kg", "the loaded graph to search; required if nodes are given by id");
    public static final ConfigKey<Long> TIMEOUT_MS =
            ConfigKey.limit("timeoutMs", 0, "the call fails after this many milliseconds");
    public static final ConfigKey<List<String>> RELATIONS =
            ConfigKey.texts(
                    "relations",
                    "follow only these relations, [] = all; '^r' follows r against its direction;"
                        + " if any item has a '^', an item without one follows along the direction"
                        + " only");
    public static final ConfigKey<List<String>> EXCLUDE =
            ConfigKey.texts(
                    "exclude",
                    "never follow these relations; if no item has a '^', both directions are"
                            + " excluded");
    public static final ConfigKey<Direction> DIRECTION =
            ConfigKey.direction(
                    "direction",
                    List.of(Direction.values()),
                    Direction.BOTH,
                    "the direction in which to follow relations without a '^'");
    public static final ConfigKey<Direction> DIRECTION_OF_EDGES =
            ConfigKey.direction(
                    "direction",
                    List.of(Direction.values()),
                    Direction.OUT,
                    "the direction in which scores pass over an edge; GDS calls these NATURAL,"
                            + " REVERSE and UNDIRECTED");
    public static final ConfigKey<List<String>> LABELS =
            ConfigKey.texts(
                    "labels",
                    "visit only nodes with at least one of these labels, [] = any; start nodes are"
                            + " exempt");
    public static final ConfigKey<Boolean> MEDIATORS =
            ConfigKey.flag(
                    "mediators",
                    false,
                    "count an edge at a node labelled Mediator as half a hop; labels does not apply"
                            + " to mediators");

    public static final ConfigKey<Boolean> IN_MEMORY =
            ConfigKey.flag(
                    "inMemory",
                    false,
                    "read relationships from a copy of the graph in the server's memory. The first"
                        + " call makes the copy, and so does the first call after a commit: use it"
                        + " for thousands of searches between changes");

    public static final ConfigKey<List<?>> WHERE =
            new ConfigKey<>(
                    "where",
                    "LIST<MAP>",
                    "[]",
                    "follow only relationships whose properties fulfil all of these conditions,"
                        + " each {property, operator, value, relation}: operator is =, <>, <, <=,"
                        + " >, >=, CONTAINS or STARTS WITH (default =); a condition with a relation"
                        + " is for this relation only. A text with a year or a month covers all"
                        + " dates in it. They are read from the store, also with inMemory; degrees"
                        + " count all relationships",
                    value -> value instanceof List<?> list ? list : null,
                    List.of());
    public static final ConfigKey<Boolean> PROPERTIES =
            ConfigKey.flag(
                    "properties",
                    false,
                    "return the properties of relationships, too; requires config kg");
    public static final String PROPERTIES_OF_STEPS =
            "With config properties, for each relation of the row a list of the properties of its"
                    + " relationships, of up to 10 parallel ones; otherwise null.";

    public static final String PROPERTIES_OF_PATHS =
            "With config properties, for each of the paths the same as a list for each relation;"
                    + " otherwise null.";

    private static final String MAX_DEGREE = "maxDegree";

    private Parameters() {}

    public static ConfigKey<Integer> limit(int fallback) {
        return ConfigKey.count(
                "limit", 1, Integer.MAX_VALUE, fallback, "maximum rows of each start set");
    }

    /** For procedures that expand node by node. */
    public static final ConfigKey<Long> EXPANDED_DEGREE =
            ConfigKey.limit(
                    MAX_DEGREE,
                    0,
                    "a node with more relationships to follow than this is a hub; hubs are not"
                            + " expanded, and cut lists them");

    /** For procedures that join nodes. */
    public static final ConfigKey<Long> INNER_DEGREE =
            ConfigKey.limit(
                    MAX_DEGREE,
                    0,
                    "a node with more relationships to follow than this is a hub. A path may begin"
                        + " or end at a hub but not pass through it; cut lists the hubs that a path"
                        + " within maxHops may have needed");
}
