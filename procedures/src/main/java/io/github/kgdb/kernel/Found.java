package io.github.kgdb.kernel;

import java.util.List;
import java.util.function.Function;

/**
 * What a kernel found for one start set.
 *
 * @param cut what caps left out, as rows tell it; empty where the rows are all there are
 */
public record Found<T>(List<T> rows, List<String> cut) {
    static <T> Found<T> of(List<T> rows, Cuts cuts, GraphView view) {
        return new Found<>(rows, cuts.told(view.dictionary(), view.termination()));
    }

    public <S> Found<S> map(Function<T, S> each) {
        return new Found<>(rows.stream().map(each).toList(), cut);
    }
}
