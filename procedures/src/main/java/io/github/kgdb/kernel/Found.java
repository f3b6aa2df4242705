package io.github.kgdb.kernel;

import java.util.List;

/**
 * What a kernel found for one start set.
 *
 * @param cut what caps left out, as rows tell it; empty where the rows are all there are
 */
public record Found<T>(List<T> rows, List<String> cut) {
    static <T> Found<T> of(List<T> rows, Cuts cuts, GraphView view) {
        return new Found<>(rows, cuts.told(view.dictionary()));
    }
}
