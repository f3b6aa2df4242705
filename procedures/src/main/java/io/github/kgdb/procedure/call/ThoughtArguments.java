package io.github.kgdb.procedure.call;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;
import io.github.kgdb.kernel.beam.Hop;
import io.github.kgdb.kernel.beam.Pattern;
import io.github.kgdb.thought.Limits;

import org.eclipse.collections.api.map.primitive.LongDoubleMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongDoubleHashMap;
import org.neo4j.graphdb.Node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Converts a graph of thought and its grounding, the arguments of {@code kgdb.got.match}, into a
 * pattern.
 */
public final class ThoughtArguments {
    private static final String THOUGHT = "thought";
    private static final String GROUNDING = "grounding";
    private static final int VARIABLES_SHOWN = 20;

    /**
     * A thought as a pattern.
     *
     * @param variables their names, by their indexes in the pattern
     * @param pattern the pattern to search
     */
    public record Grounded(List<String> variables, Pattern pattern) {
        /** The index of the variable of that name. */
        public int index(String name) {
            int index = variables.indexOf(name);
            if (index < 0) {
                throw unknownVariable("answer", name, variables);
            }
            return index;
        }
    }

    private final GraphCall.Input input;
    private final HopParser similarities;
    private final Map<String, Integer> indices = new LinkedHashMap<>();

    private ThoughtArguments(GraphCall.Input input) {
        this.input = input;
        this.similarities = new HopParser(input);
    }

    public static Grounded read(GraphCall.Input input, Object thought, Object grounding) {
        Map<?, ?> argument = map(THOUGHT, thought, List.of("nodes", "relationships"));
        Map<?, ?> ground = map(GROUNDING, grounding, List.of("nodes", "relations"));
        return new ThoughtArguments(input).read(argument, ground);
    }

    private Grounded read(Map<?, ?> thought, Map<?, ?> grounding) {
        List<?> nodes = list(THOUGHT + ".nodes", thought.get("nodes"), Limits.HIGHEST.maxNodes());
        for (int i = 0; i < nodes.size(); i++) {
            Object variable = map(THOUGHT + ".nodes", nodes.get(i)).get("variable");
            indices.put(variable instanceof String name ? name : "_" + i, i);
        }
        if (indices.size() < nodes.size()) {
            throw KgdbException.usage(THOUGHT + ".nodes: two nodes have the same variable");
        }
        List<Pattern.Edge> edges = edges(thought, nodes.size(), relations(grounding));
        List<LongDoubleMap> groundings = groundings(grounding);
        List<String> variables = List.copyOf(indices.keySet());
        Pattern pattern = new Pattern(groundings, edges);
        int[] unreachable = pattern.unreachable();
        if (unreachable.length > 0) {
            throw KgdbException.usage(
                    GROUNDING
                            + ": no way leads from a grounded node to "
                            + shown(
                                    Arrays.stream(unreachable)
                                            .mapToObj(variables::get)
                                            .map(CypherValues::quote)
                                            .toList())
                            + "; ground one of them in "
                            + GROUNDING
                            + ".nodes");
        }
        return new Grounded(variables, pattern);
    }

    private List<Pattern.Edge> edges(Map<?, ?> thought, int nodes, Map<String, Hop> relations) {
        List<Pattern.Edge> edges = new ArrayList<>();
        int max = Limits.HIGHEST.maxRelationships();
        for (Object item : list(THOUGHT + ".relationships", thought.get("relationships"), max)) {
            Map<?, ?> edge = map(THOUGHT + ".relationships", item);
            if (!(edge.get("type") instanceof String type)) {
                throw wrong(THOUGHT + ".relationships: type", "a STRING", edge.get("type"));
            }
            Hop hop = relations.get(type);
            if (hop == null) {
                throw KgdbException.usage(
                        GROUNDING
                                + ".relations says nothing of the type "
                                + CypherValues.quote(type)
                                + "; give a MAP of relations to similarities for it"
                                + Suggestions.didYouMean(type, relations.keySet().stream()));
            }
            edges.add(
                    new Pattern.Edge(
                            index("source", edge.get("source"), nodes),
                            index("target", edge.get("target"), nodes),
                            hop,
                            Boolean.TRUE.equals(edge.get("optional"))));
        }
        if (edges.isEmpty()) {
            throw KgdbException.usage(
                    THOUGHT + ".relationships: expected at least one relationship, got none");
        }
        return edges;
    }

    /** The index of a node, given as an index or as a variable, which may be new. */
    private int index(String key, Object argument, int nodes) {
        if (argument instanceof Long index && index >= 0 && index < nodes) {
            return index.intValue();
        }
        if (argument instanceof String variable && (nodes == 0 || indices.containsKey(variable))) {
            return indices.computeIfAbsent(variable, unseen -> indices.size());
        }
        throw wrong(
                THOUGHT + ".relationships: " + key,
                "a variable, or a place in thought.nodes (0 to " + Math.max(0, nodes - 1) + ")",
                argument);
    }

    private Map<String, Hop> relations(Map<?, ?> grounding) {
        Map<String, Hop> relations = new LinkedHashMap<>();
        map(GROUNDING + ".relations", grounding.get("relations"))
                .forEach(
                        (type, hop) -> {
                            input.termination().check();
                            relations.put(
                                    (String) type, similarities.hop(GROUNDING + ".relations", hop));
                        });
        return relations;
    }

    private List<LongDoubleMap> groundings(Map<?, ?> grounding) {
        LongDoubleMap[] groundings = new LongDoubleMap[indices.size()];
        map(GROUNDING + ".nodes", grounding.get("nodes"))
                .forEach(
                        (variable, entities) -> {
                            Integer index = indices.get((String) variable);
                            if (index == null) {
                                throw unknownVariable(
                                        GROUNDING + ".nodes",
                                        (String) variable,
                                        List.copyOf(indices.keySet()));
                            }
                            groundings[index] = entities(entities);
                        });
        return Arrays.asList(groundings);
    }

    private LongDoubleMap entities(Object argument) {
        LongDoubleHashMap entities = new LongDoubleHashMap();
        if (argument instanceof Map<?, ?> scored && !(argument instanceof Node)) {
            scored.forEach(
                    (id, score) ->
                            entities.put(
                                    number(id),
                                    HopParser.number(GROUNDING + ".nodes", (String) id, score)));
        } else {
            for (long[] set : input.session().startSets(GROUNDING + ".nodes", argument).sets()) {
                for (long node : set) {
                    entities.put(node, 0);
                }
            }
        }
        return entities;
    }

    private long number(Object id) {
        return input.session().startSets(GROUNDING + ".nodes", id).sets().get(0)[0];
    }

    private static Map<?, ?> map(String name, Object argument, List<String> keys) {
        Map<?, ?> map = map(name, argument);
        Optional<String> unknown =
                map.keySet().stream()
                        .map(String.class::cast)
                        .filter(key -> !keys.contains(key))
                        .min(Comparator.naturalOrder());
        if (unknown.isPresent()) {
            throw KgdbException.usage(
                    name
                            + ": unknown key "
                            + CypherValues.quote(unknown.get())
                            + "; expected "
                            + String.join(" and ", keys));
        }
        return map;
    }

    private static Map<?, ?> map(String name, Object argument) {
        if (argument instanceof Map<?, ?> map) {
            return map;
        }
        throw wrong(name, "a MAP", argument);
    }

    /** Empty if absent. */
    private static List<?> list(String name, Object argument, int max) {
        if (argument == null) {
            return List.of();
        }
        if (!(argument instanceof List<?> list)) {
            throw wrong(name, "a LIST of MAPs", argument);
        }
        if (list.size() > max) {
            throw KgdbException.usage(
                    name + ": expected at most " + max + " MAPs, got " + list.size());
        }
        return list;
    }

    private static KgdbException unknownVariable(
            String name, String variable, List<String> variables) {
        return KgdbException.usage(
                name
                        + ": the thought has no variable "
                        + CypherValues.quote(variable)
                        + "; it has "
                        + shown(variables.stream().map(CypherValues::shorten).toList())
                        + Suggestions.didYouMean(variable, variables.stream()));
    }

    private static String shown(List<String> variables) {
        int hidden = variables.size() - VARIABLES_SHOWN;
        return variables.stream().limit(VARIABLES_SHOWN).collect(Collectors.joining(", "))
                + (hidden > 0 ? " and " + hidden + " more" : "");
    }

    private static KgdbException wrong(String name, String expected, Object argument) {
        return KgdbException.usage(
                name + ": expected " + expected + ", got " + CypherValues.describe(argument));
    }
}
