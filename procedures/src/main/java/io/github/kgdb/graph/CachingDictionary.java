package io.github.kgdb.graph;

import io.github.kgdb.kernel.Dictionary;
import io.github.kgdb.kernel.Entity;

/** Reads what calls before it have not read. */
final class CachingDictionary implements Dictionary {
    private final Dictionary store;
    private final EntityCache remembered;

    CachingDictionary(Dictionary store, EntityCache remembered) {
        this.store = store;
        this.remembered = remembered;
    }

    @Override
    public Entity remembered(long node) {
        return remembered.entity(node);
    }

    @Override
    public Entity entity(long node) {
        Entity entity = remembered.entity(node);
        if (entity == null) {
            entity = store.entity(node);
            remembered.remember(node, entity);
        }
        return entity;
    }

    @Override
    public String id(long node) {
        String id = remembered.id(node);
        if (id == null) {
            id = store.id(node);
            remembered.rememberId(node, id);
        }
        return id;
    }

    @Override
    public String relation(int relation) {
        return store.relation(relation);
    }
}
