package io.github.kgdb.procedure.call;

import io.github.kgdb.kernel.api.Direction;

import java.util.List;

/** Arguments and config keys that several procedures share. */
public final class Parameters {
    public static final String NODES =
            "A NODE, an entity id (STRING, with config kg), a LIST of one of these, or a LIST of"
                    + " such LISTs: several start sets, each searched as if it were called alone."
                    + " Duplicates in a set count once.";
    public static final String CONFIG =
            "See the config keys: CALL kgdb.help('NAME OF THE PROCEDURE').";

    public static final String BATCH = "The place of the start set in nodes, from 0.";
    public static final String CUT =
            "What caps left out of this start set: 'maxDegree: ID' for each hub not gone through,"
                    + " and the names of other caps; empty where nothing was left out. A start set"
                    + " that has no row for that reason has one with batch and cut only.";

    public static final ConfigKey<String> KG =
            ConfigKey.text(
                    "kg",
                    "the loaded graph to stay in; needed where ids are given instead of nodes");
    public static final ConfigKey<Long> TIMEOUT_MS =
            ConfigKey.limit(
                    "timeoutMs", 0, "milliseconds after which the call fails instead of going on");
    public static final ConfigKey<List<String>> RELATIONS =
            ConfigKey.texts(
                    "relations",
                    "the only relations to follow, [] = all; '^r' is r against its direction, and"
                            + " as soon as one of the list has a '^', 'r' is r along it");
    public static final ConfigKey<List<String>> EXCLUDE =
            ConfigKey.texts(
                    "exclude",
                    "relations never to follow; without any '^' in the list, in neither direction");
    public static final ConfigKey<Direction> DIRECTION =
            ConfigKey.direction(
                    "direction",
                    List.of(Direction.values()),
                    Direction.BOTH,
                    "the direction of relations that have none by '^'");
    public static final ConfigKey<Direction> DIRECTION_OF_EDGES =
            ConfigKey.direction(
                    "direction",
                    List.of(Direction.values()),
                    Direction.OUT,
                    "which way scores go over an edge; GDS calls these NATURAL, REVERSE and"
                            + " UNDIRECTED");
    public static final ConfigKey<List<String>> LABELS =
            ConfigKey.texts(
                    "labels",
                    "visit only nodes with one of these labels, [] = any; start nodes need none");
    public static final ConfigKey<Boolean> MEDIATORS =
            ConfigKey.flag(
                    "mediators",
                    false,
                    "go through nodes labelled Mediator as half a hop, whatever labels says");

    public static final ConfigKey<Boolean> IN_MEMORY =
            ConfigKey.flag(
                    "inMemory",
                    false,
                    "read relationships from a copy of the graph in the server's memory, which is"
                        + " made when first asked for and again after the database has changed: for"
                        + " thousands of searches between changes");

    private static final String MAX_DEGREE = "maxDegree";

    private Parameters() {}

    public static ConfigKey<Integer> limit(int fallback) {
        return ConfigKey.count(
                "limit", 1, Integer.MAX_VALUE, fallback, "rows of each start set, the first ones");
    }

    /** For procedures that expand node by node. */
    public static final ConfigKey<Long> EXPANDED_DEGREE =
            ConfigKey.limit(
                    MAX_DEGREE,
                    0,
                    "a node with more relationships of those that would be followed is a hub: it"
                            + " is not expanded, and cut tells it");

    /** For procedures that join nodes. */
    public static final ConfigKey<Long> INNER_DEGREE =
            ConfigKey.limit(
                    MAX_DEGREE,
                    0,
                    "a node with more relationships of those that may be followed is a hub: no"
                            + " path goes through it (it may begin or end there), and cut tells the"
                            + " hubs that paths within maxHops may have needed");
}
