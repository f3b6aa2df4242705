package io.github.kgdb.kernel.linking;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.TerminationTicker;

import java.util.List;

/** Finds the entities of a graph by their names. */
public interface NameIndex {
    /** Entities that have exactly this text as id. */
    long[] identified(String text);

    /** Entities that have exactly this text as name. */
    long[] named(String text);

    /** Entities that a full-text query finds, best first. */
    long[] search(String query, int limit);

    /** Entities whose embeddings are nearest, best first. */
    long[] nearest(float[] vector, int limit);

    /** Properties that {@link #search} looks into. */
    int fields();

    /** Null for a node that no mention can mean. */
    Named read(long node);

    /** From 0 to 1, or null for an entity without an embedding. */
    Double similarity(long node, float[] vector);

    /** An entity with all it is called, in the forms in which mentions are compared with it. */
    final class Named {
        /** The entity with its id, and what holds the parts together. */
        private static final int FIXED_BYTES = 300;

        /** A name as it was given, and each of its forms. */
        private static final int FORMS = 5;

        private static final int STRING_BYTES = 56;

        private final Entity entity;
        private final List<String> names;
        private final NameForms[] forms;
        private final double prior;

        /**
         * @param names what it is called, the name first
         * @param prior its PageRank in the whole graph, or negative infinity where none is kept
         * @param ticker one for each name
         */
        public Named(Entity entity, List<String> names, double prior, TerminationTicker ticker) {
            this.entity = entity;
            this.names = names;
            this.forms = new NameForms[names.size()];
            this.prior = prior;
            for (int i = 0; i < forms.length; i++) {
                ticker.next();
                forms[i] = NameForms.of(names.get(i));
            }
        }

        Entity entity() {
            return entity;
        }

        int size() {
            return forms.length;
        }

        /** The first is the name for people, the others are aliases. */
        String name(int index) {
            return names.get(index);
        }

        NameForms forms(int index) {
            return forms[index];
        }

        double prior() {
            return prior;
        }

        /** About what it costs on the heap, rather more than less. */
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
