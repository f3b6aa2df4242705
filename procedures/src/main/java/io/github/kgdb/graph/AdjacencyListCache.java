package io.github.kgdb.graph;

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
final class AdjacencyListCache {
    /** For callers that share what they see with nobody. */
    static final AdjacencyListCache NONE = new AdjacencyListCache(0, 0);

    /** With fewer relationships than this, what holds a copy would take more than its arcs. */
    static final long LEAST = 16;

    private static final int SLOTS = 1 << 16;
    private static final int HEAP_SHARE = 32;

    /** Of a relationship: as it was read, by its neighbour, and the neighbour itself. */
    private static final int ARC_BYTES = 3 * Long.BYTES;

    /** Of a copy without its relationships: records, and the heads of ten arrays. */
    private static final int COPY_BYTES = 400;

    private static final int MOST_MISSED = 1 << 29;

    private final long least;
    private final long mostBytes;
    private final AtomicLong takenBytes = new AtomicLong();
    private SoftReference<AtomicReferenceArray<CachedAdjacencyList>> hubs = new SoftReference<>(null);
    private AtomicIntegerArray missed;

    /**
     * @param least relationships of a node that is worth remembering
     * @param mostBytes of all of them
     */
    AdjacencyListCache(long least, long mostBytes) {
        this.least = least;
        this.mostBytes = mostBytes;
    }

    /** With room in a 32nd of the heap. */
    static AdjacencyListCache empty() {
        return new AdjacencyListCache(LEAST, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** What the copy of a node with so many relationships takes, about. */
    static long bytes(long relationships) {
        return COPY_BYTES + ARC_BYTES * relationships;
    }

    /** Returns null where it is not remembered. */
    CachedAdjacencyList get(long node) {
        AtomicReferenceArray<CachedAdjacencyList> slots = hubs.get();
        if (slots == null) {
            return null;
        }
        int first = slot(node);
        CachedAdjacencyList hub = slots.getAcquire(first);
        if (!isOf(hub, node)) {
            hub = slots.getAcquire(other(first));
        }
        return isOf(hub, node) ? hub : null;
    }

    boolean isWorthwhile(long relationships) {
        return relationships >= least;
    }

    /** Whether there is memory for a node with so many, and no larger hubs in both its slots. */
    boolean hasRoomFor(long node, long relationships) {
        if (takenBytes.get() + bytes(relationships) > mostBytes) {
            return false;
        }
        AtomicReferenceArray<CachedAdjacencyList> slots = hubs.get();
        return slots == null || size(slots.getAcquire(place(slots, node))) < relationships;
    }

    /** Whether the node has been read for want of a copy, or one that shares its slot. */
    boolean isMissed(long node) {
        return missed().get(slot(node)) > 0;
    }

    /**
     * Counts reads for want of a copy of the node. Nodes that share a slot share the count: one may
     * be copied a bit early.
     *
     * @return whether to count the node's relationships, as there may have been as many reads: asked
     *     at each doubling only, since counting takes long where there are many relations
     */
    boolean miss(long node, long reads) {
        int more = (int) Math.min(reads, MOST_MISSED);
        int now = missed().addAndGet(slot(node), more);
        if (now > MOST_MISSED) {
            // So that the next do not make it negative.
            missed().set(slot(node), MOST_MISSED);
            return true;
        }
        return now >= least && Integer.highestOneBit(now) > Integer.highestOneBit(now - more);
    }

    /** Whether as many have been read as making a copy takes; the count begins anew then. */
    boolean isDue(long node, long relationships) {
        if (missed().get(slot(node)) < Math.min(relationships, MOST_MISSED)) {
            return false;
        }
        missed().set(slot(node), 0);
        return true;
    }

    void remember(CachedAdjacencyList hub) {
        AtomicReferenceArray<CachedAdjacencyList> slots = slots();
        CachedAdjacencyList replaced = slots.getAndSet(place(slots, hub.node()), hub);
        takenBytes.addAndGet(bytes(hub.size()) - (replaced == null ? 0 : bytes(replaced.size())));
    }

    /** The slot that holds the node, or the one of its two that holds less. */
    private static int place(AtomicReferenceArray<CachedAdjacencyList> slots, long node) {
        int first = slot(node);
        CachedAdjacencyList there = slots.getAcquire(first);
        CachedAdjacencyList beside = slots.getAcquire(other(first));
        if (isOf(there, node)) {
            return first;
        }
        return isOf(beside, node) || size(beside) < size(there) ? other(first) : first;
    }

    private static boolean isOf(CachedAdjacencyList hub, long node) {
        return hub != null && hub.node() == node;
    }

    private static int size(CachedAdjacencyList hub) {
        return hub == null ? 0 : hub.size();
    }

    private synchronized AtomicReferenceArray<CachedAdjacencyList> slots() {
        AtomicReferenceArray<CachedAdjacencyList> slots = hubs.get();
        if (slots == null) {
            slots = new AtomicReferenceArray<>(SLOTS);
            hubs = new SoftReference<>(slots);
            takenBytes.set(0);
        }
        return slots;
    }

    /** Made when first asked for, as most graphs are changed again before. */
    private synchronized AtomicIntegerArray missed() {
        if (missed == null) {
            missed = new AtomicIntegerArray(SLOTS);
        }
        return missed;
    }

    private static int other(int slot) {
        return slot ^ 1;
    }

    private static int slot(long node) {
        return (int) node & SLOTS - 1;
    }
}
