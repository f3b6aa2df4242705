package io.github.kgdb.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CountsTest {
    @Test
    void sums() {
        assertEquals(5, Counts.plus(2, 3));
    }

    @Test
    void sumsStopAtTheLargest() {
        assertEquals(Long.MAX_VALUE, Counts.plus(Long.MAX_VALUE - 1, 2));
    }

    @Test
    void products() {
        assertEquals(6, Counts.times(2, 3));
    }

    @Test
    void productsOfZero() {
        assertEquals(0, Counts.times(Long.MAX_VALUE, 0));
    }

    @Test
    void productsStopAtTheLargest() {
        assertEquals(Long.MAX_VALUE, Counts.times(Long.MAX_VALUE / 2, 3));
    }
}
