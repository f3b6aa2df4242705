package io.github.kgdb.kernel;

import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Ids and names of nodes, each read once and kept for as long as its account is open. */
final class Entities {
    private final LongObjectHashMap<Entity> known = new LongObjectHashMap<>();
    private final GraphView view;
    private final MemoryBudget.Account account;

    Entities(GraphView view, MemoryBudget.Account account) {
        this.view = view;
        this.account = account;
    }

    Entity get(long node) {
        Entity entity = known.get(node);
        if (entity == null) {
            view.termination().check();
            account.allocate(Entity.HEAP_BYTES);
            entity = view.dictionary().entity(node);
            known.put(node, entity);
        }
        return entity;
    }
}
