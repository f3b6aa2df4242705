package io.github.kgdb.kernel.api;

/** Arithmetic that saturates at {@link Long#MAX_VALUE} instead of overflowing. */
public final class SaturatedMath {
    private SaturatedMath() {}

    public static long plus(long left, long right) {
        return left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right;
    }

    public static long times(long left, long right) {
        return right != 0 && left > Long.MAX_VALUE / right ? Long.MAX_VALUE : left * right;
    }
}
