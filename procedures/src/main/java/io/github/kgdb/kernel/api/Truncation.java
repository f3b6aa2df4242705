package io.github.kgdb.kernel.api;

import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Collects the limits that left rows out of the result for one start set. */
public final class Truncation {
    private static final String MAX_DEGREE = "maxDegree: ";
    private static final int MAX_HUBS_LISTED = 10;

    private final LongHashSet hubs = new LongHashSet();
    private final Set<Limit> limits = EnumSet.noneOf(Limit.class);

    public void addIf(boolean reached, Limit limit) {
        if (reached) {
            limits.add(limit);
        }
    }

    /** Adds a node that was not expanded because it has too many relationships. */
    public void addHub(long node) {
        hubs.add(node);
    }

    /**
     * The entries of the column {@code cut}: the hubs by id (the first of them, then their number),
     * then the other limits.
     */
    public List<String> describe(Dictionary dictionary, Termination termination) {
        if (hubs.isEmpty() && limits.isEmpty()) {
            return List.of();
        }
        List<String> descriptions = new ArrayList<>();
        TopK<String> first = new TopK<>(CodePoints.ORDER, MAX_HUBS_LISTED);
        hubs.forEach(
                hub -> {
                    termination.check();
                    first.offer(dictionary.entity(hub).id());
                });
        first.sorted().forEach(id -> descriptions.add(MAX_DEGREE + id));
        if (hubs.size() > MAX_HUBS_LISTED) {
            descriptions.add(MAX_DEGREE + "and " + (hubs.size() - MAX_HUBS_LISTED) + " more");
        }
        limits.forEach(limit -> descriptions.add(limit.key()));
        return descriptions;
    }
}
