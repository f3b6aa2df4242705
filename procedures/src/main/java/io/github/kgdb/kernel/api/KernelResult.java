package io.github.kgdb.kernel.api;

import java.util.List;
import java.util.function.Function;

/**
 * The result of a kernel for one start set.
 *
 * @param cut the limits that left rows out, as the column {@code cut} shows them; empty if the rows
 *     are complete
 */
public record KernelResult<T>(List<T> rows, List<String> cut) {
    public static <T> KernelResult<T> of(List<T> rows, Truncation truncation, GraphView view) {
        return new KernelResult<>(rows, truncation.describe(view.dictionary(), view.termination()));
    }

    public <S> KernelResult<S> map(Function<T, S> each) {
        return new KernelResult<>(rows.stream().map(each).toList(), cut);
    }
}
