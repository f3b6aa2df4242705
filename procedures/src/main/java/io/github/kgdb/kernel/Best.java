package io.github.kgdb.kernel;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Keeps the first of what it is offered, by some order, and nothing else in memory. */
final class Best<T> {
    private final Comparator<? super T> order;
    private final long most;
    private final PriorityQueue<T> kept;

    /**
     * @param most how many to keep; more than 0
     */
    Best(Comparator<? super T> order, long most) {
        this.order = order;
        this.most = most;
        // The worst of the kept is at the head.
        this.kept = new PriorityQueue<>(order.reversed());
    }

    /** Returns false where something had to be dropped, this one or another. */
    boolean offer(T item) {
        if (kept.size() < most) {
            kept.add(item);
            return true;
        }
        if (order.compare(item, kept.element()) < 0) {
            kept.remove();
            kept.add(item);
        }
        return false;
    }

    /** The one that a better one would replace, or null while there is room. */
    T worst() {
        return kept.size() < most ? null : kept.element();
    }

    /** Whether the item would not be dropped at once. */
    boolean wouldKeep(T item) {
        return kept.size() < most || order.compare(item, kept.element()) < 0;
    }

    List<T> sorted() {
        return kept.stream().sorted(order).toList();
    }
}
