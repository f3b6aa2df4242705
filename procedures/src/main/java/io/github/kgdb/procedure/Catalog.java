package io.github.kgdb.procedure;

import io.github.kgdb.procedure.call.ConfigKey;

import org.neo4j.procedure.Procedure;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Every procedure of the plugin with its config keys. */
public final class Catalog {
    /** In the order in which to learn them. */
    public static final List<Class<?>> CLASSES =
            List.of(
                    VersionProcedure.class,
                    HelpProcedure.class,
                    LinkProcedure.class,
                    RelationsProcedure.class,
                    NeighborsProcedure.class,
                    FollowProcedure.class,
                    PathsProcedure.class,
                    BeamProcedure.class,
                    PageRankProcedure.class,
                    ThoughtProcedure.class,
                    MatchProcedure.class,
                    CypherReadProcedure.class);

    /** The functions that only queries rewritten by the plugin call. */
    public static final Class<?> FUNCTIONS = GuardFunctions.class;

    private static final Map<String, List<ConfigKey<?>>> KEYS =
            Map.ofEntries(
                    Map.entry(LinkProcedure.NAME, LinkProcedure.KEYS),
                    Map.entry(RelationsProcedure.NAME, RelationsProcedure.KEYS),
                    Map.entry(NeighborsProcedure.NAME, NeighborsProcedure.KEYS),
                    Map.entry(FollowProcedure.NAME, FollowProcedure.KEYS),
                    Map.entry(PathsProcedure.ALL, PathsProcedure.KEYS_OF_ALL),
                    Map.entry(PathsProcedure.SHORTEST, PathsProcedure.KEYS_OF_SHORTEST),
                    Map.entry(BeamProcedure.NAME, BeamProcedure.KEYS),
                    Map.entry(PageRankProcedure.NAME, PageRankProcedure.KEYS),
                    Map.entry(ThoughtProcedure.NAME, ThoughtProcedure.KEYS),
                    Map.entry(MatchProcedure.NAME, MatchProcedure.KEYS),
                    Map.entry(CypherReadProcedure.NAME, CypherReadProcedure.KEYS));

    private Catalog() {}

    /** The procedures' methods, by class and then by name. */
    static List<Method> procedures() {
        return CLASSES.stream()
                .flatMap(
                        type ->
                                Arrays.stream(type.getMethods())
                                        .filter(m -> m.isAnnotationPresent(Procedure.class))
                                        .sorted(Comparator.comparing(Catalog::name)))
                .toList();
    }

    static String name(Method procedure) {
        return procedure.getAnnotation(Procedure.class).name();
    }

    /** The config keys of a procedure; empty if it takes no config. */
    static List<ConfigKey<?>> keys(String procedure) {
        return KEYS.getOrDefault(procedure, List.of());
    }
}
