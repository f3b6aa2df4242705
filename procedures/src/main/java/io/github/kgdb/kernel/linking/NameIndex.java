package io.github.kgdb.kernel.linking;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.TerminationTicker;

import java.util.List;

/** The indexes over the names of a graph. */
public interface NameIndex {
    /** Entities with exactly this id. */
    long[] identified(String text);

    /** Entities with exactly this name. */
    long[] named(String text);

    /** The hits of a full-text query, best first. */
    long[] search(String query, int limit);

    /** The entities with the nearest embeddings, nearest first. */
    long[] nearest(float[] vector, int limit);

    /** The number of properties that {@link #search} searches. */
    int fields();

    /** The entity with its names; null for a node that no mention can mean. */
    Named read(long node);

    /** The similarity of the entity's embedding, from 0 to 1; null if it has none. */
    Double similarity(long node, float[] vector);

    /** An entity with all its names, in the forms in which mentions are compared with them. */
    final class Named {
        /** The entity with its id, and the objects that hold the parts together. */
        private static final int FIXED_BYTES = 300;

        /** The original name and each of its forms. */
        private static final int FORMS = 5;

        private static final int STRING_BYTES = 56;

        private final Entity entity;
        private final List<String> names;
        private final NameForms[] forms;
        private final double prior;

        /**
         * @param names the name, then the aliases
         * @param prior its PageRank in the whole graph, or negative infinity if there is none
         * @param ticker ticked once for each name
         */
        public Named(Entity entity, List<String> names, double prior, TerminationTicker ticker) {
            this.entity = entity;
            this.names = names;
            this.forms = new NameForms[names.size()];
            this.prior = prior;
            for (int i = 0; i < forms.length; i++) {
                ticker.tick();
                forms[i] = NameForms.of(names.get(i));
            }
        }

        Entity entity() {
            return entity;
        }

        int size() {
            return forms.length;
        }

        /** The name at index 0, then the aliases. */
        String name(int index) {
            return names.get(index);
        }

        NameForms forms(int index) {
            return forms[index];
        }

        double prior() {
            return prior;
        }

        /** The approximate heap size, rather too high than too low. */
        public long heapBytes() {
            long bytes = FIXED_BYTES;
            for (int index = 0; index < forms.length; index++) {
                long letters = names.get(index).length();
                int words = forms[index].tokens().size();
                bytes += FORMS * (STRING_BYTES + letters * Character.BYTES);
                bytes += words * STRING_BYTES + letters * Character.BYTES;
            }
            return bytes;
        }
    }
}
