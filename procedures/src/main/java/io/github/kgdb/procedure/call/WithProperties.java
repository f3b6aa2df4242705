package io.github.kgdb.procedure.call;

import io.github.kgdb.graph.arguments.RelationshipProperties;
import io.github.kgdb.kernel.api.KernelResult;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A row of a kernel with the properties of its relationships.
 *
 * @param paths for each path of the row and each of its steps the properties of its relationships;
 *     null if the caller does not want them
 */
public record WithProperties<F>(F row, List<List<List<Map<String, Object>>>> paths) {
    private static final long VALUE_BYTES = 100;

    /**
     * The nodes and relations of a path in a row.
     *
     * @param relations between the nodes; {@code ^r}: against the direction of r
     */
    public record Shown(List<String> ids, List<String> relations) {}

    /**
     * The rows of a kernel, with properties if config {@code properties} says so.
     *
     * @param shown the paths that a row shows
     */
    public static <F> KernelResult<WithProperties<F>> of(
            GraphCall.Input input, KernelResult<F> found, Function<F, List<Shown>> shown) {
        if (!input.config().get(Parameters.PROPERTIES)) {
            return found.map(row -> new WithProperties<>(row, null));
        }
        RelationshipProperties properties = input.session().relationshipProperties();
        return found.map(
                row -> new WithProperties<>(row, read(input, properties, shown.apply(row))));
    }

    private static List<List<List<Map<String, Object>>>> read(
            GraphCall.Input input, RelationshipProperties properties, List<Shown> shown) {
        List<List<List<Map<String, Object>>>> paths = new ArrayList<>(shown.size());
        for (Shown path : shown) {
            List<List<Map<String, Object>>> steps =
                    properties.ofPath(path.ids(), path.relations());
            long values = steps.stream().flatMap(List::stream).mapToLong(Map::size).sum();
            input.results().allocate((values + steps.size()) * VALUE_BYTES);
            paths.add(steps);
        }
        return paths;
    }

    /** The properties of a row that shows one path. */
    public List<List<Map<String, Object>>> path() {
        return paths == null ? null : paths.get(0);
    }
}
