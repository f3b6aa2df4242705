package io.github.kgdb.graph.cache;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Hubs of one graph, and lesser nodes, that calls have read, for as long as nothing is committed
 * and there is memory enough. A hub has its place in one of two slots; of three that share them the
 * largest two stay, as hubs that took each other's place would be copied anew by every call that
 * reads them.
 */
public final class AdjacencyListCache {
    /** For callers that share what they see with nobody. */
    public static final AdjacencyListCache NONE = new AdjacencyListCache(0, 0);

    /** With fewer relationships than this, what holds a copy would take more than its arcs. */
    public static final long MIN_DEGREE = 16;

    private static final int SLOTS = 1 << 16;
    private static final int HEAP_SHARE = 32;

    /** Of a relationship: as it was read, by its neighbor, and the neighbor itself. */
    private static final int ARC_BYTES = 3 * Long.BYTES;

    /** Of a copy without its relationships: records, and the heads of ten arrays. */
    private static final int COPY_BYTES = 400;

    private static final int MAX_MISSES = 1 << 29;

    private final long minDegree;
    private final long maxBytes;
    private final AtomicLong takenBytes = new AtomicLong();
    private SoftReference<AtomicReferenceArray<CachedAdjacencyList>> lists =
            new SoftReference<>(null);
    private AtomicIntegerArray misses;

    /**
     * @param minDegree relationships of a node that is worth remembering
     * @param maxBytes of all of them
     */
    public AdjacencyListCache(long minDegree, long maxBytes) {
        this.minDegree = minDegree;
        this.maxBytes = maxBytes;
    }

    /** With room in a 32nd of the heap. */
    public static AdjacencyListCache empty() {
        return new AdjacencyListCache(MIN_DEGREE, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** What the copy of a node with so many relationships takes, about. */
    public static long bytes(long relationships) {
        return COPY_BYTES + ARC_BYTES * relationships;
    }

    /** Returns null where it is not remembered. */
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

    /** Whether there is memory for a node with so many, and no larger hubs in both its slots. */
    boolean hasRoomFor(long node, long relationships) {
        if (takenBytes.get() + bytes(relationships) > maxBytes) {
            return false;
        }
        AtomicReferenceArray<CachedAdjacencyList> slots = lists.get();
        return slots == null || size(slots.getAcquire(slotFor(slots, node))) < relationships;
    }

    /** Whether the node has been read for want of a copy, or one that shares its slot. */
    boolean isMissed(long node) {
        return misses().get(slot(node)) > 0;
    }

    /**
     * Counts reads for want of a copy of the node. Nodes that share a slot share the count: one may
     * be copied a bit early.
     *
     * @return whether to count the node's relationships, as there may have been as many reads:
     *     asked at each doubling only, since counting takes long where there are many relations
     */
    boolean recordMiss(long node, long reads) {
        int more = (int) Math.min(reads, MAX_MISSES);
        int now = misses().addAndGet(slot(node), more);
        if (now > MAX_MISSES) {
            // So that the next do not make it negative.
            misses().set(slot(node), MAX_MISSES);
            return true;
        }
        return now >= minDegree && Integer.highestOneBit(now) > Integer.highestOneBit(now - more);
    }

    /** Whether as many have been read as making a copy takes; the count begins anew then. */
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

    /** The slot that holds the node, or the one of its two that holds less. */
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

    /** Made when first asked for, as most graphs are changed again before. */
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
