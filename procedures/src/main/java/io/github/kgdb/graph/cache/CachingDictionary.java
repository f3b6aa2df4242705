package io.github.kgdb.graph.cache;

import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.Entity;

/** Reads from the cache first, and from the store what earlier calls have not read. */
public final class CachingDictionary implements Dictionary {
    private final Dictionary store;
    private final EntityCache cache;

    public CachingDictionary(Dictionary store, EntityCache cache) {
        this.store = store;
        this.cache = cache;
    }

    @Override
    public Entity cached(long node) {
        return cache.entity(node);
    }

    @Override
    public Entity entity(long node) {
        Entity entity = cache.entity(node);
        if (entity == null) {
            entity = store.entity(node);
            cache.put(node, entity);
        }
        return entity;
    }

    @Override
    public String id(long node) {
        String id = cache.id(node);
        if (id == null) {
            id = store.id(node);
            cache.putId(node, id);
        }
        return id;
    }

    @Override
    public String relation(int relation) {
        return store.relation(relation);
    }
}
