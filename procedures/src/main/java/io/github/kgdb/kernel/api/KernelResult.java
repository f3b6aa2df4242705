package io.github.kgdb.kernel.api;

import java.util.List;
import java.util.function.Function;

/**
 * What a kernel found for one start set.
 *
 * @param cut what caps left out, as rows tell it; empty where the rows are all there are
 */
public record KernelResult<T>(List<T> rows, List<String> cut) {
    public static <T> KernelResult<T> of(List<T> rows, Truncation truncation, GraphView view) {
        return new KernelResult<>(rows, truncation.describe(view.dictionary(), view.termination()));
    }

    public <S> KernelResult<S> map(Function<T, S> each) {
        return new KernelResult<>(rows.stream().map(each).toList(), cut);
    }
}
