package io.github.kgdb.graph.cache;

import io.github.kgdb.kernel.api.Entity;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Ids and names of one graph that calls have read, for as long as nothing is committed: reading
 * them again would be half of many a call, as questions keep coming back to the same hubs.
 *
 * <p>All graphs share one table of fixed size. What is read later takes the place of what was read
 * before, also of what belongs to graphs as they were.
 */
public final class EntityCache {
    /** For callers that share what they see with nobody. */
    public static final EntityCache NONE = new EntityCache();

    /** About 16 MB when all slots are taken. */
    private static final int SLOTS = 1 << 16;

    /** What is longer is read each time, so that a slot takes no more than so much. */
    private static final int MAX_LENGTH = 200;

    /** In the place of the node where no entity has the id. */
    private static final long ABSENT = -1;

    private static final AtomicReferenceArray<Entry> BY_NODE = new AtomicReferenceArray<>(SLOTS);
    private static final AtomicReferenceArray<Entry> BY_ID = new AtomicReferenceArray<>(SLOTS);

    /**
     * @param entity null where only the id was read
     */
    private record Entry(EntityCache owner, long node, String id, Entity entity) {}

    /** Returns null where it is not remembered. */
    Entity entity(long node) {
        Entry entry = BY_NODE.getAcquire(slot(node));
        return isOf(entry, node) ? entry.entity() : null;
    }

    /** Returns null where it is not remembered. */
    String id(long node) {
        Entry entry = BY_NODE.getAcquire(slot(node));
        return isOf(entry, node) ? entry.id() : null;
    }

    /** The only node with that id, or {@code unknown} where it is not remembered. */
    public long node(String id, long unknown) {
        Entry entry = BY_ID.getAcquire(slot(id));
        return isOf(entry, id) && entry.node() != ABSENT ? entry.node() : unknown;
    }

    /** Whether it is remembered that no entity has this text as its id: most mentions are none. */
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

    /** Remembers the only node that has the id. */
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
