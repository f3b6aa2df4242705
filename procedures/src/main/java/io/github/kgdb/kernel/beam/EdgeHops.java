package io.github.kgdb.kernel.beam;

import java.util.List;

/** The edges of a pattern as hops, in both directions. */
final class EdgeHops {
    private final List<Hop> forwards;
    private final List<Hop> backwards;

    EdgeHops(Pattern pattern) {
        this.forwards = pattern.edges().stream().map(Pattern.Edge::hop).toList();
        this.backwards = forwards.stream().map(Hop::reversed).toList();
    }

    /**
     * @param reversed whether the hop goes from the edge's target to its source
     */
    Hop over(int edge, boolean reversed) {
        return (reversed ? backwards : forwards).get(edge);
    }
}
