package io.github.kgdb.kernel.reference;

import io.github.kgdb.graph.store.KnowledgeGraph;

import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A graph as a list of edges, with the rules of what may be followed in it. The brute-force
 * references use it; they share no code with the kernels.
 */
record ReferenceGraph(Map<String, ReferenceNode> places, List<Edge> edges, Rules rules) {
    static final Comparator<String> BY_CODE_POINT =
            (left, right) ->
                    Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray());
    static final Comparator<List<String>> ITEM_BY_ITEM =
            (left, right) ->
                    Arrays.compare(
                            left.toArray(String[]::new),
                            right.toArray(String[]::new),
                            BY_CODE_POINT);

    private static final String AGAINST = "^";

    record ReferenceNode(String id, String name, Set<String> labels, boolean inGraph) {}

    /**
     * @param weight its property, or null
     */
    record Edge(int number, String from, String relation, String to, Long weight) {}

    /** An edge in one direction. */
    record Arc(Edge edge, String spec, String to) {}

    /**
     * What may be followed and visited, in the caller's words.
     *
     * @param direction null if absent
     * @param maxDegree 0 for no limit
     * @param minWeight the least weight of a relationship to follow, or null
     */
    record Rules(
            List<String> relations,
            String direction,
            List<String> exclude,
            List<String> labels,
            boolean mediators,
            long maxDegree,
            Long minWeight) {
        Rules withoutConditions() {
            return new Rules(relations, direction, exclude, labels, mediators, maxDegree, null);
        }

        boolean allow(Edge edge) {
            return minWeight == null || edge.weight() != null && edge.weight() >= minWeight;
        }

        boolean allows(String spec) {
            return isAmong(relations, spec, direction == null ? "both" : direction)
                    && (exclude.isEmpty() || !isAmong(exclude, spec, "both"));
        }

        boolean areSymmetric() {
            return RandomGraph.TYPES.stream()
                    .allMatch(
                            type ->
                                    canGoBack(relations, direction, type)
                                            && (exclude.isEmpty()
                                                    || canGoBack(exclude, null, type)));
        }

        private static boolean canGoBack(List<String> list, String direction, String type) {
            String read = direction == null ? "both" : direction;
            return isAmong(list, type, read) == isAmong(list, AGAINST + type, read);
        }

        private static boolean isAmong(List<String> list, String spec, String direction) {
            boolean against = spec.startsWith(AGAINST);
            if (list.stream().anyMatch(item -> item.startsWith(AGAINST))) {
                return list.contains(spec);
            }
            return (list.isEmpty() || list.contains(bare(spec)))
                    && (direction.equals("both") || direction.equals(against ? "in" : "out"));
        }
    }

    static ReferenceGraph of(RandomGraph graph, Rules rules, boolean wholeStore) {
        Map<String, ReferenceNode> places = new TreeMap<>();
        Map<String, Edge> edges = new TreeMap<>();
        KnowledgeGraph scope = wholeStore ? KnowledgeGraph.wholeStore() : graph.graph();
        Stream.concat(graph.nodes().stream(), Stream.of(graph.outside()))
                .forEach(
                        node -> {
                            boolean inside = !node.equals(graph.outside());
                            places.put(id(node), place(node, scope, wholeStore || inside));
                            for (Relationship each : node.getRelationships()) {
                                edges.computeIfAbsent(
                                        each.getElementId(), key -> edge(edges.size(), each));
                            }
                        });
        return new ReferenceGraph(places, List.copyOf(edges.values()), rules);
    }

    /** The arcs from the node whose properties fulfil the conditions. */
    List<Arc> open(String node) {
        return arcs(node).stream().filter(arc -> rules.allow(arc.edge)).toList();
    }

    /** Every outgoing arc of a relation that may be followed, whatever its other end. */
    List<Arc> arcs(String node) {
        List<Arc> arcs = new ArrayList<>();
        for (Edge edge : edges) {
            if (edge.from.equals(node) && rules.allows(edge.relation)) {
                arcs.add(new Arc(edge, edge.relation, edge.to));
            }
            if (edge.to.equals(node) && rules.allows(AGAINST + edge.relation)) {
                arcs.add(new Arc(edge, AGAINST + edge.relation, edge.from));
            }
        }
        return arcs;
    }

    /** The arcs into the node that are {@link #open}, as they look from their other ends. */
    List<Arc> openInto(String node) {
        return places.keySet().stream()
                .flatMap(
                        from ->
                                open(from).stream()
                                        .filter(arc -> arc.to.equals(node))
                                        .map(arc -> new Arc(arc.edge, arc.spec, from)))
                .toList();
    }

    boolean isHub(String node) {
        return rules.maxDegree > 0 && arcs(node).size() > rules.maxDegree;
    }

    boolean isMediator(String node) {
        return rules.mediators && places.get(node).labels.contains("Mediator");
    }

    boolean isVisible(String node) {
        ReferenceNode place = places.get(node);
        return place.inGraph
                && (rules.labels.isEmpty()
                        || isMediator(node)
                        || rules.labels.stream().anyMatch(place.labels::contains));
    }

    String name(String node) {
        return places.get(node).name;
    }

    static boolean isAgainst(String spec) {
        return spec.startsWith(AGAINST);
    }

    static String bare(String spec) {
        return isAgainst(spec) ? spec.substring(1) : spec;
    }

    static String reversed(String spec) {
        return isAgainst(spec) ? bare(spec) : AGAINST + spec;
    }

    static Set<String> ordered() {
        return new TreeSet<>(BY_CODE_POINT);
    }

    /** The column {@code cut}; graphs this small have fewer hubs than it lists by id. */
    static List<String> cut(Set<String> hubs, String... caps) {
        return Stream.concat(
                        hubs.stream().map(hub -> "maxDegree: " + hub),
                        Arrays.stream(caps).filter(cap -> !cap.isEmpty()))
                .toList();
    }

    private static Edge edge(int number, Relationship relationship) {
        return new Edge(
                number,
                id(relationship.getStartNode()),
                relationship.getType().name(),
                id(relationship.getEndNode()),
                (Long) relationship.getProperty("weight", null));
    }

    private static ReferenceNode place(Node node, KnowledgeGraph graph, boolean inGraph) {
        Set<String> labels =
                StreamSupport.stream(node.getLabels().spliterator(), false)
                        .map(label -> label.name())
                        .collect(Collectors.toSet());
        return new ReferenceNode(
                id(node), CoreDictionary.name(node, graph, id(node)), labels, inGraph);
    }

    private static String id(Node node) {
        return (String) node.getProperty("id");
    }
}
