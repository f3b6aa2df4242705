package io.github.kgdb.graph.names;

import io.github.kgdb.graph.cache.EntityCache;
import io.github.kgdb.kernel.linking.NameIndex.Named;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * What the entities of one graph are called, aliases and all, ready to be compared with a mention,
 * and which indexes hold it: as long as nothing is committed. Mentions that have words in common
 * have candidates in common.
 *
 * <p>All graphs share one table of fixed size, as in {@link EntityCache}.
 */
public final class NameCache {
    /** For callers that share what they see with nobody. */
    public static final NameCache NONE = new NameCache();

    private static final int SLOTS = 1 << 14;

    /**
     * What takes more is read each time: 64 MB when all slots are taken, mostly a quarter of it.
     */
    private static final int MAX_BYTES = 4096;

    private static final AtomicReferenceArray<Entry> BY_NODE = new AtomicReferenceArray<>(SLOTS);

    private volatile NameSchema schema;

    private record Entry(NameCache owner, long node, Named named) {}

    /** Where the names are, found out by {@code read} where that is not remembered. */
    NameSchema schema(Supplier<NameSchema> read) {
        NameSchema known = schema;
        if (known == null) {
            known = read.get();
            if (this != NONE) {
                schema = known;
            }
        }
        return known;
    }

    /** Returns null where it is not remembered. */
    Named get(long node) {
        Entry known = BY_NODE.getAcquire(slot(node));
        return known != null && known.owner() == this && known.node() == node
                ? known.named()
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
