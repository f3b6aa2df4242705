package io.github.kgdb.kernel.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SaturatedMathTest {
    @Test
    void sums() {
        assertEquals(5, SaturatedMath.plus(2, 3));
    }

    @Test
    void sumsStopAtTheLargest() {
        assertEquals(Long.MAX_VALUE, SaturatedMath.plus(Long.MAX_VALUE - 1, 2));
    }

    @Test
    void products() {
        assertEquals(6, SaturatedMath.times(2, 3));
    }

    @Test
    void productsOfZero() {
        assertEquals(0, SaturatedMath.times(Long.MAX_VALUE, 0));
    }

    @Test
    void productsStopAtTheLargest() {
        assertEquals(Long.MAX_VALUE, SaturatedMath.times(Long.MAX_VALUE / 2, 3));
    }
}
