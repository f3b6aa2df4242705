package io.github.kgdb.graph;

import io.github.kgdb.kernel.Entity;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Ids and names of one graph that calls have read, for as long as nothing is committed: reading
 * them again would be half of many a call, as questions keep coming back to the same hubs.
 *
 * <p>All graphs share one table of fixed size. What is read later takes the place of what was read
 * before, also of what belongs to graphs as they were.
 */
final class EntityCache {
    /** For callers that share what they see with nobody. */
    static final EntityCache NONE = new EntityCache();

    /** About 16 MB when all slots are taken. */
    private static final int SLOTS = 1 << 16;

    /** What is longer is read each time, so that a slot takes no more than so much. */
    private static final int LONGEST = 200;

    /** In the place of the node where no entity has the id. */
    private static final long NOBODY = -1;

    private static final AtomicReferenceArray<Known> BY_NODE = new AtomicReferenceArray<>(SLOTS);
    private static final AtomicReferenceArray<Known> BY_ID = new AtomicReferenceArray<>(SLOTS);

    /**
     * @param entity null where only the id was read
     */
    private record Known(EntityCache owner, long node, String id, Entity entity) {}

    /** Returns null where it is not remembered. */
    Entity entity(long node) {
        Known known = BY_NODE.getAcquire(slot(node));
        return isOf(known, node) ? known.entity() : null;
    }

    /** Returns null where it is not remembered. */
    String id(long node) {
        Known known = BY_NODE.getAcquire(slot(node));
        return isOf(known, node) ? known.id() : null;
    }

    /** The only node with that id, or {@code unknown} where it is not remembered. */
    long node(String id, long unknown) {
        Known known = BY_ID.getAcquire(slot(id));
        return isOf(known, id) && known.node() != NOBODY ? known.node() : unknown;
    }

    /** Whether it is remembered that no entity has this text as its id: most mentions are none. */
    boolean isNobody(String id) {
        Known known = BY_ID.getAcquire(slot(id));
        return isOf(known, id) && known.node() == NOBODY;
    }

    void remember(long node, Entity entity) {
        if (this != NONE && entity.id().length() + entity.name().length() <= LONGEST) {
            BY_NODE.setRelease(slot(node), new Known(this, node, entity.id(), entity));
        }
    }

    void rememberId(long node, String id) {
        if (this != NONE && id.length() <= LONGEST) {
            BY_NODE.setRelease(slot(node), new Known(this, node, id, null));
        }
    }

    /** Remembers the only node that has the id. */
    void rememberNode(String id, long node) {
        if (this != NONE && id.length() <= LONGEST) {
            BY_ID.setRelease(slot(id), new Known(this, node, id, null));
        }
    }

    void rememberNobody(String id) {
        rememberNode(id, NOBODY);
    }

    private boolean isOf(Known known, String id) {
        return known != null && known.owner() == this && known.id().equals(id);
    }

    private boolean isOf(Known known, long node) {
        return known != null && known.owner() == this && known.node() == node;
    }

    private static int slot(long node) {
        return (int) node & SLOTS - 1;
    }

    private static int slot(String id) {
        int hash = id.hashCode();
        return (hash ^ hash >>> 16) & SLOTS - 1;
    }
}
