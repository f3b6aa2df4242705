package io.github.kgdb.kernel.beam;

import org.eclipse.collections.api.map.primitive.LongDoubleMap;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A graph of thought as a pattern: variables, some of them grounded in entities, and edges grounded
 * in relations.
 *
 * @param groundings per variable, how well each entity fits it; null: any entity
 */
public record Pattern(List<LongDoubleMap> groundings, List<Edge> edges) {
    /**
     * @param source index of a variable
     * @param target index of a variable
     * @param hop the similarities of relations, followed from the source to the target
     * @param optional whether a match may lack the edge
     */
    public record Edge(int source, int target, Hop hop, boolean optional) {}

    int variables() {
        return groundings.size();
    }

    LongDoubleMap grounding(int variable) {
        return groundings.get(variable);
    }

    boolean isGrounded(int variable) {
        return groundings.get(variable) != null;
    }

    /**
     * The required edges between grounded variables or on a cycle: all except those on branches
     * that end in a variable without grounding.
     */
    BitSet between() {
        BitSet between = new BitSet();
        int[] touching = new int[variables()];
        for (int edge = 0; edge < edges.size(); edge++) {
            if (!edges.get(edge).optional()) {
                between.set(edge);
                ends(edge).forEach(end -> touching[end]++);
            }
        }
        int before = -1;
        while (between.cardinality() != before) {
            before = between.cardinality();
            for (int edge = 0; edge < edges.size(); edge++) {
                if (between.get(edge) && hangsLoose(edge, touching)) {
                    between.clear(edge);
                    ends(edge).forEach(end -> touching[end]--);
                }
            }
        }
        return between;
    }

    /** The distinct ends of the edge. */
    private IntStream ends(int edge) {
        return IntStream.of(edges.get(edge).source(), edges.get(edge).target()).distinct();
    }

    /**
     * @param touching the number of edges at each variable
     */
    private boolean hangsLoose(int edge, int[] touching) {
        Edge at = edges.get(edge);
        return !isGrounded(at.source()) && touching[at.source()] == 1
                || !isGrounded(at.target()) && touching[at.target()] == 1;
    }

    /** The variables that have edges but are not connected to a grounded variable. */
    public int[] unreachable() {
        BitSet reached = new BitSet();
        IntStream.range(0, variables()).filter(this::isGrounded).forEach(reached::set);
        int before = -1;
        while (reached.cardinality() > before) {
            before = reached.cardinality();
            for (Edge edge : edges) {
                if (reached.get(edge.source()) || reached.get(edge.target())) {
                    reached.set(edge.source());
                    reached.set(edge.target());
                }
            }
        }
        return edges.stream()
                .flatMapToInt(edge -> IntStream.of(edge.source(), edge.target()))
                .filter(variable -> !reached.get(variable))
                .distinct()
                .toArray();
    }
}
