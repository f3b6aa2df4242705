package io.github.kgdb.procedure.call;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.arguments.StartSets;
import io.github.kgdb.kernel.api.Termination;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** List arguments that may differ from one start set to the next. */
public final class BatchArguments {
    private static final int MAX_CHAIN_LENGTH = 100;

    private BatchArguments() {}

    /**
     * The value for each start set: the same for all or, if {@code argument} is a list of lists,
     * one for each.
     */
    public static <T> List<T> of(
            String name,
            List<Object> argument,
            StartSets starts,
            Termination termination,
            Function<List<?>, T> reader) {
        if (argument == null) {
            throw KgdbException.usage(name + ": expected a LIST, got null");
        }
        int sets = starts.sets().size();
        if (argument.isEmpty() || !(argument.get(0) instanceof List<?>)) {
            return sets == 0 ? List.of() : Collections.nCopies(sets, reader.apply(argument));
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
        List<T> read = new ArrayList<>(sets);
        for (Object item : argument) {
            termination.check();
            read.add(reader.apply((List<?>) item));
        }
        return read;
    }

    /**
     * Refuses a chain that is longer than any question needs. This protects the stack, whose depth
     * grows with the chain.
     */
    public static void requireLength(String name, List<?> chain, String steps) {
        if (chain.size() > MAX_CHAIN_LENGTH) {
            throw KgdbException.usage(
                    name
                            + ": expected at most "
                            + MAX_CHAIN_LENGTH
                            + " "
                            + steps
                            + " in a chain, got "
                            + chain.size());
        }
    }

    public static String text(String name, Object item) {
        if (item instanceof String text) {
            return text;
        }
        throw KgdbException.usage(
                name + ": expected a LIST of STRINGs, got " + CypherValues.describe(item));
    }
}
