package io.github.kgdb.kernel.api;

import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Ids and names of nodes. Each is read at most once while its account is open; those that an
 * earlier call has cached are not read at all.
 */
public final class EntityMemo {
    private static final int ID_BYTES = 100;

    private final LongObjectHashMap<Entity> entities = new LongObjectHashMap<>();
    private final LongObjectHashMap<String> ids = new LongObjectHashMap<>();
    private final GraphView view;
    private final MemoryBudget.Account account;

    public EntityMemo(GraphView view, MemoryBudget.Account account) {
        this.view = view;
        this.account = account;
    }

    public Entity get(long node) {
        Entity cached = view.dictionary().cached(node);
        if (cached != null) {
            return cached;
        }
        Entity entity = entities.get(node);
        if (entity == null) {
            view.termination().check();
            account.allocate(Entity.HEAP_BYTES);
            entity = view.dictionary().entity(node);
            account.allocate(entity.longTextBytes());
            entities.put(node, entity);
        }
        return entity;
    }

    /** The id alone: it is faster to read, and it is enough to order most nodes. */
    public String id(long node) {
        Entity cached = view.dictionary().cached(node);
        if (cached != null) {
            return cached.id();
        }
        String id = ids.get(node);
        if (id == null) {
            view.termination().check();
            account.allocate(ID_BYTES);
            id = view.dictionary().id(node);
            account.allocate(Entity.longTextBytes(id.length()));
            ids.put(node, id);
        }
        return id;
    }
}
