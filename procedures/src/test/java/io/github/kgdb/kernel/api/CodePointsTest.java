package io.github.kgdb.kernel.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

class CodePointsTest {
    @Test
    void codePointsBeyondTheFirstPlaneComeLast() {
        assertEquals(
                List.of("", "a", "aa", "ab", "\uFF5A", "\uD835\uDC9C", "\uD835\uDC9D"),
                Stream.of("\uD835\uDC9D", "\uFF5A", "ab", "\uD835\uDC9C", "", "aa", "a")
                        .sorted(CodePoints.ORDER)
                        .toList());
    }
}
