package io.github.kgdb.cypher;

import io.github.kgdb.kernel.api.Termination;

/**
 * A text that checks a {@link Termination} while it is read. A regular expression can backtrack
 * over a text for a very long time, and nothing else stops it.
 */
final class InterruptibleCharSequence implements CharSequence {
    private static final int STEPS = 1 << 14;

    private final String text;
    private final Termination termination;
    private int left = STEPS;

    InterruptibleCharSequence(String text, Termination termination) {
        this.text = text;
        this.termination = termination;
    }

    @Override
    public char charAt(int index) {
        if (--left == 0) {
            left = STEPS;
            termination.check();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
