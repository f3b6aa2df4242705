package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.CypherValues;
import io.github.kgdb.graph.StartSets;

import java.util.Collections;
import java.util.List;

/** Arguments that are lists, and of which each start set may have its own. */
final class PerSet {
    private PerSet() {}

    /**
     * The list of each start set: the same for all, or, where {@code argument} is a list of lists,
     * one for each.
     */
    static List<List<?>> of(String name, List<Object> argument, StartSets starts) {
        if (argument == null) {
            throw KgdbException.usage(name + ": expected a LIST, got null");
        }
        int sets = starts.sets().size();
        if (argument.isEmpty() || !(argument.get(0) instanceof List<?>)) {
            return Collections.nCopies(sets, argument);
        }
        for (Object item : argument) {
            if (!(item instanceof List<?>)) {
                throw KgdbException.usage(
                        name
                                + ": expected a LIST for each start set, as the first item is, got "
                                + CypherValues.describe(item));
            }
        }
        if (!starts.isBatch() || argument.size() != sets) {
            throw KgdbException.usage(
                    name
                            + ": "
                            + argument.size()
                            + " lists are given for "
                            + (starts.isBatch()
                                    ? sets + " start sets"
                                    : "nodes that are no LIST of" + " LISTs")
                            + "; give one list, or one for each start set");
        }
        return argument.stream().<List<?>>map(item -> (List<?>) item).toList();
    }

    static String text(String name, Object item) {
        if (item instanceof String text) {
            return text;
        }
        throw KgdbException.usage(
                name + ": expected a LIST of STRINGs, got " + CypherValues.describe(item));
    }
}
