package io.github.kgdb.graph;

import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.RelationStep;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Walks every path of a chain one by one, keeping the relationships used. */
final class PathsByBruteForce {
    /**
     * @param sequences the ids of the nodes on each path, from the end backwards, in order
     */
    record Found(int starts, long count, List<List<String>> sequences) {}

    private static final Comparator<List<String>> BY_IDS =
            (left, right) -> {
                for (int i = 0; i < left.size(); i++) {
                    int order = left.get(i).compareTo(right.get(i));
                    if (order != 0) {
                        return order;
                    }
                }
                return 0;
            };

    private final Label label;
    private final List<RelationStep> chain;
    private final List<String> types;
    private final Map<String, Set<String>> starts = new TreeMap<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, Set<List<String>>> sequences = new TreeMap<>();

    private PathsByBruteForce(KnowledgeGraph graph, List<RelationStep> chain, List<String> types) {
        this.label = Label.label(graph.label());
        this.chain = chain;
        this.types = types;
    }

    /** By the end's id. @param types the names of the chain's relations */
    static Map<String, Found> follow(
            KnowledgeGraph graph, List<Node> starts, List<RelationStep> chain, List<String> types) {
        PathsByBruteForce search = new PathsByBruteForce(graph, chain, types);
        starts.forEach(start -> search.walk(start, List.of(id(start)), new HashSet<>()));
        Map<String, Found> found = new TreeMap<>();
        search.counts.forEach(
                (end, count) ->
                        found.put(
                                end,
                                new Found(
                                        search.starts.get(end).size(),
                                        count,
                                        List.copyOf(search.sequences.get(end)))));
        return found;
    }

    private void walk(Node node, List<String> backwards, Set<Relationship> used) {
        int depth = backwards.size() - 1;
        if (depth == chain.size()) {
            String end = id(node);
            counts.merge(end, 1L, Long::sum);
            starts.computeIfAbsent(end, unseen -> new HashSet<>()).add(backwards.get(depth));
            sequences.computeIfAbsent(end, unseen -> new TreeSet<>(BY_IDS)).add(backwards);
            return;
        }
        boolean out = chain.get(depth).direction() == Direction.OUT;
        List<Relationship> next =
                node
                        .getRelationships(
                                out
                                        ? org.neo4j.graphdb.Direction.OUTGOING
                                        : org.neo4j.graphdb.Direction.INCOMING,
                                RelationshipType.withName(types.get(depth)))
                        .stream()
                        .toList();
        for (Relationship relationship : next) {
            Node other = relationship.getOtherNode(node);
            if (other.hasLabel(label) && used.add(relationship)) {
                List<String> longer = new ArrayList<>(List.of(id(other)));
                longer.addAll(backwards);
                walk(other, longer, used);
                used.remove(relationship);
            }
        }
    }

    private static String id(Node node) {
        return (String) node.getProperty("id");
    }
}
