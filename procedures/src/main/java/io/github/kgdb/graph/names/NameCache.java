package io.github.kgdb.graph.names;

import io.github.kgdb.graph.cache.EntityCache;
import io.github.kgdb.kernel.linking.NameIndex.Named;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * The names and aliases of one graph's entities, prepared for comparison with mentions, and the
 * indexes that hold them. Valid until the next commit. Mentions with common words have common
 * candidates.
 *
 * <p>All graphs share one table of fixed size, as in {@link EntityCache}.
 */
public final class NameCache {
    /** For callers that must not share what they read. */
    public static final NameCache NONE = new NameCache();

    private static final int SLOTS = 1 << 14;

    /**
     * Larger entries are not cached: 64 MB when all slots are in use, usually a quarter of that.
     */
    private static final int MAX_BYTES = 4096;

    private static final AtomicReferenceArray<Entry> BY_NODE = new AtomicReferenceArray<>(SLOTS);

    private volatile NameSchema schema;

    private record Entry(NameCache owner, long node, Named named) {}

    /** Where the names are; calls {@code read} if that is not cached. */
    NameSchema schema(Supplier<NameSchema> read) {
        NameSchema cached = schema;
        if (cached == null) {
            cached = read.get();
            if (this != NONE) {
                schema = cached;
            }
        }
        return cached;
    }

    /** The cached names, or null. */
    Named get(long node) {
        Entry cached = BY_NODE.getAcquire(slot(node));
        return cached != null && cached.owner() == this && cached.node() == node
                ? cached.named()
                : null;
    }

    void put(long node, Named named) {
        if (this != NONE && named.heapBytes() <= MAX_BYTES) {
            BY_NODE.setRelease(slot(node), new Entry(this, node, named));
        }
    }

    private static int slot(long node) {
        return (int) node & SLOTS - 1;
    }
}
