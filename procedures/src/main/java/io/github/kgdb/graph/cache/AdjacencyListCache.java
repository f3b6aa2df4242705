package io.github.kgdb.graph.cache;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Caches adjacency lists of one graph, mainly of hubs, until the next commit and as far as memory
 * allows. A node has two possible slots. Of three hubs that share both, the two largest stay:
 * otherwise hubs would evict each other, and every call would read them again.
 */
public final class AdjacencyListCache {
    /** For callers that must not share what they read. */
    public static final AdjacencyListCache NONE = new AdjacencyListCache(0, 0);

    /** Below this degree, the overhead of a cached list is larger than its arcs. */
    public static final long MIN_DEGREE = 16;

    private static final int SLOTS = 1 << 16;
    private static final int HEAP_SHARE = 32;

    /** For each relationship: as it was read, sorted by neighbor, and in the list of neighbors. */
    private static final int ARC_BYTES = 3 * Long.BYTES;

    /** The overhead of a list: records, and the headers of ten arrays. */
    private static final int COPY_BYTES = 400;

    private static final int MAX_MISSES = 1 << 29;

    private final long minDegree;
    private final long maxBytes;
    private final AtomicLong takenBytes = new AtomicLong();
    private SoftReference<AtomicReferenceArray<CachedAdjacencyList>> lists =
            new SoftReference<>(null);
    private AtomicIntegerArray misses;

    /**
     * @param minDegree minimum degree of a node worth caching
     * @param maxBytes maximum heap size of all lists
     */
    public AdjacencyListCache(long minDegree, long maxBytes) {
        this.minDegree = minDegree;
        this.maxBytes = maxBytes;
    }

    /** An empty cache that may take a 32nd of the heap. */
    public static AdjacencyListCache empty() {
        return new AdjacencyListCache(MIN_DEGREE, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** The approximate heap size of the list of a node with that degree. */
    public static long bytes(long relationships) {
        return COPY_BYTES + ARC_BYTES * relationships;
    }

    /** The cached list, or null. */
    CachedAdjacencyList get(long node) {
        AtomicReferenceArray<CachedAdjacencyList> slots = lists.get();
        if (slots == null) {
            return null;
        }
        int firstSlot = slot(node);
        CachedAdjacencyList list = slots.getAcquire(firstSlot);
        if (!isOf(list, node)) {
            list = slots.getAcquire(other(firstSlot));
        }
        return isOf(list, node) ? list : null;
    }

    boolean isWorthwhile(long relationships) {
        return relationships >= minDegree;
    }

    /**
     * Whether there is memory for a node of that degree, and one of its slots holds no larger list.
     */
    boolean hasRoomFor(long node, long relationships) {
        if (takenBytes.get() + bytes(relationships) > maxBytes) {
            return false;
        }
        AtomicReferenceArray<CachedAdjacencyList> slots = lists.get();
        return slots == null || size(slots.getAcquire(slotFor(slots, node))) < relationships;
    }

    /** Whether there were cache misses for the node, or for one that shares its slot. */
    boolean isMissed(long node) {
        return misses().get(slot(node)) > 0;
    }

    /**
     * Counts cache misses. Nodes that share a slot share the count, so one may be cached a little
     * early.
     *
     * @return whether to compare the count with the node's degree; true only at each doubling of
     *     the count, because computing the degree takes long if there are many relations
     */
    boolean recordMiss(long node, long reads) {
        int more = (int) Math.min(reads, MAX_MISSES);
        int now = misses().addAndGet(slot(node), more);
        if (now > MAX_MISSES) {
            // Prevents an overflow at the next miss.
            misses().set(slot(node), MAX_MISSES);
            return true;
        }
        return now >= minDegree && Integer.highestOneBit(now) > Integer.highestOneBit(now - more);
    }

    /** Whether the misses have cost as much as filling the cache would; resets the count if so. */
    boolean isDue(long node, long relationships) {
        if (misses().get(slot(node)) < Math.min(relationships, MAX_MISSES)) {
            return false;
        }
        misses().set(slot(node), 0);
        return true;
    }

    void put(CachedAdjacencyList list) {
        AtomicReferenceArray<CachedAdjacencyList> slots = slots();
        CachedAdjacencyList replaced = slots.getAndSet(slotFor(slots, list.node()), list);
        takenBytes.addAndGet(bytes(list.size()) - (replaced == null ? 0 : bytes(replaced.size())));
    }

    /** The slot that holds the node, or the one of its two slots with the smaller list. */
    private static int slotFor(AtomicReferenceArray<CachedAdjacencyList> slots, long node) {
        int firstSlot = slot(node);
        CachedAdjacencyList first = slots.getAcquire(firstSlot);
        CachedAdjacencyList second = slots.getAcquire(other(firstSlot));
        if (isOf(first, node)) {
            return firstSlot;
        }
        return isOf(second, node) || size(second) < size(first) ? other(firstSlot) : firstSlot;
    }

    private static boolean isOf(CachedAdjacencyList list, long node) {
        return list != null && list.node() == node;
    }

    private static int size(CachedAdjacencyList list) {
        return list == null ? 0 : list.size();
    }

    private synchronized AtomicReferenceArray<CachedAdjacencyList> slots() {
        AtomicReferenceArray<CachedAdjacencyList> slots = lists.get();
        if (slots == null) {
            slots = new AtomicReferenceArray<>(SLOTS);
            lists = new SoftReference<>(slots);
            takenBytes.set(0);
        }
        return slots;
    }

    /** Allocated lazily, because most graphs change again before they need it. */
    private synchronized AtomicIntegerArray misses() {
        if (misses == null) {
            misses = new AtomicIntegerArray(SLOTS);
        }
        return misses;
    }

    private static int other(int slot) {
        return slot ^ 1;
    }

    private static int slot(long node) {
        return (int) node & SLOTS - 1;
    }
}
