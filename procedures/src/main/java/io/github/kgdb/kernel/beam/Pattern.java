package io.github.kgdb.kernel.beam;

import org.eclipse.collections.api.map.primitive.LongDoubleMap;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A graph of thought as a pattern: variables, of which some are grounded in entities, joined by
 * edges that are grounded in relations.
 *
 * @param groundings per variable, how well each entity fits it, or null: any entity
 */
public record Pattern(List<LongDoubleMap> groundings, List<Edge> edges) {
    /**
     * @param source the place of a variable
     * @param target the place of a variable
     * @param hop how similar relations are, as they are followed from the source to the target
     * @param optional whether embeddings without it count as well
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
     * The edges that must be there and lie between grounded variables, or in a circle: all but
     * those that end, over whatever others, in nothing that is known.
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

    /** Each once. */
    private IntStream ends(int edge) {
        return IntStream.of(edges.get(edge).source(), edges.get(edge).target()).distinct();
    }

    /**
     * @param touching how many edges there are at each variable
     */
    private boolean hangsLoose(int edge, int[] touching) {
        Edge at = edges.get(edge);
        return !isGrounded(at.source()) && touching[at.source()] == 1
                || !isGrounded(at.target()) && touching[at.target()] == 1;
    }

    /** Variables with an edge from which no way over edges leads to a grounded one. */
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
