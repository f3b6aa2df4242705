package io.github.kgdb.kernel.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Keeps the first of what it is offered, by some order, and nothing else in memory. */
public final class TopK<T> {
    private final Comparator<? super T> order;
    private final long capacity;
    private final Consumer<? super T> dropped;

    // Nothing is compared while there is room: the order may have to read what it goes by.
    private List<T> unordered = new ArrayList<>();
    private PriorityQueue<T> worstFirst;

    /**
     * @param capacity how many to keep; more than 0
     */
    public TopK(Comparator<? super T> order, long capacity) {
        this(order, capacity, item -> {});
    }

    /**
     * @param dropped sees each that was offered and is not kept
     */
    public TopK(Comparator<? super T> order, long capacity, Consumer<? super T> dropped) {
        this.order = order;
        this.capacity = capacity;
        this.dropped = dropped;
    }

    /** Returns false where something had to be dropped, this one or another. */
    public boolean offer(T item) {
        if (worst() == null) {
            unordered.add(item);
            return true;
        }
        if (order.compare(item, worstFirst.element()) < 0) {
            dropped.accept(worstFirst.remove());
            worstFirst.add(item);
        } else {
            dropped.accept(item);
        }
        return false;
    }

    /** The one that a better one would replace, or null while there is room. */
    public T worst() {
        if (worstFirst == null) {
            if (unordered.size() < capacity) {
                return null;
            }
            worstFirst = new PriorityQueue<>(order.reversed());
            worstFirst.addAll(unordered);
            unordered = List.of();
        }
        return worstFirst.element();
    }

    /** Whether the item would not be dropped at once. */
    public boolean wouldKeep(T item) {
        T worst = worst();
        return worst == null || order.compare(item, worst) < 0;
    }

    /** In no order. */
    public Collection<T> items() {
        return worstFirst == null ? unordered : worstFirst;
    }

    public List<T> sorted() {
        return items().stream().sorted(order).toList();
    }
}
