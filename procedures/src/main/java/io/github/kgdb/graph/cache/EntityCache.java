package io.github.kgdb.graph.cache;

import io.github.kgdb.kernel.api.Entity;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Ids and names of one graph that calls have read, until the next commit. Questions keep returning
 * to the same hubs, and reading names would take half of many calls.
 *
 * <p>All graphs share one table of fixed size. A new entry replaces an old one in its slot, also
 * one of a former state of a graph.
 */
public final class EntityCache {
    /** For callers that must not share what they read. */
    public static final EntityCache NONE = new EntityCache();

    /** About 16 MB when all slots are in use. */
    private static final int SLOTS = 1 << 16;

    /** Longer texts are not cached, so that the size of an entry is bounded. */
    private static final int MAX_LENGTH = 200;

    /** Instead of a node: no entity has the id. */
    private static final long ABSENT = -1;

    private static final AtomicReferenceArray<Entry> BY_NODE = new AtomicReferenceArray<>(SLOTS);
    private static final AtomicReferenceArray<Entry> BY_ID = new AtomicReferenceArray<>(SLOTS);

    /**
     * @param entity null if only the id was read
     */
    private record Entry(EntityCache owner, long node, String id, Entity entity) {}

    /** Null if it is not cached. */
    Entity entity(long node) {
        Entry entry = BY_NODE.getAcquire(slot(node));
        return isOf(entry, node) ? entry.entity() : null;
    }

    /** Null if it is not cached. */
    String id(long node) {
        Entry entry = BY_NODE.getAcquire(slot(node));
        return isOf(entry, node) ? entry.id() : null;
    }

    /** The only node with that id, or {@code unknown} if it is not cached. */
    public long node(String id, long unknown) {
        Entry entry = BY_ID.getAcquire(slot(id));
        return isOf(entry, id) && entry.node() != ABSENT ? entry.node() : unknown;
    }

    /** Whether the cache knows that no entity has this id; most mentions are no ids. */
    public boolean isAbsent(String id) {
        Entry entry = BY_ID.getAcquire(slot(id));
        return isOf(entry, id) && entry.node() == ABSENT;
    }

    void put(long node, Entity entity) {
        if (this != NONE && entity.id().length() + entity.name().length() <= MAX_LENGTH) {
            BY_NODE.setRelease(slot(node), new Entry(this, node, entity.id(), entity));
        }
    }

    void putId(long node, String id) {
        if (this != NONE && id.length() <= MAX_LENGTH) {
            BY_NODE.setRelease(slot(node), new Entry(this, node, id, null));
        }
    }

    /** Caches the only node that has the id. */
    public void putNode(String id, long node) {
        if (this != NONE && id.length() <= MAX_LENGTH) {
            BY_ID.setRelease(slot(id), new Entry(this, node, id, null));
        }
    }

    public void putAbsent(String id) {
        putNode(id, ABSENT);
    }

    private boolean isOf(Entry entry, String id) {
        return entry != null && entry.owner() == this && entry.id().equals(id);
    }

    private boolean isOf(Entry entry, long node) {
        return entry != null && entry.owner() == this && entry.node() == node;
    }

    private static int slot(long node) {
        return (int) node & SLOTS - 1;
    }

    private static int slot(String id) {
        int hash = id.hashCode();
        return (hash ^ hash >>> 16) & SLOTS - 1;
    }
}
