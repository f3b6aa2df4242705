package io.github.kgdb.kernel.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Keeps the first k of the items that it is offered, by some order, and no others in memory. */
public final class TopK<T> {
    private final Comparator<? super T> order;
    private final long capacity;
    private final Consumer<? super T> dropped;

    // Compares nothing until it is full, because a comparison may have to read from the store.
    private List<T> unordered = new ArrayList<>();
    private PriorityQueue<T> worstFirst;

    /**
     * @param capacity the number of items to keep; at least 1
     */
    public TopK(Comparator<? super T> order, long capacity) {
        this(order, capacity, item -> {});
    }

    /**
     * @param dropped receives each item that was offered and is not kept
     */
    public TopK(Comparator<? super T> order, long capacity, Consumer<? super T> dropped) {
        this.order = order;
        this.capacity = capacity;
        this.dropped = dropped;
    }

    /** Returns false if it had to drop an item, this one or another. */
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

    /** The item that a better one would replace, or null until it is full. */
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

    /** Whether {@link #offer} would keep the item. */
    public boolean wouldKeep(T item) {
        T worst = worst();
        return worst == null || order.compare(item, worst) < 0;
    }

    /** The items in no particular order. */
    public Collection<T> items() {
        return worstFirst == null ? unordered : worstFirst;
    }

    public List<T> sorted() {
        return items().stream().sorted(order).toList();
    }
}
