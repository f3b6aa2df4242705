package io.github.kgdb.cypher;

import io.github.kgdb.kernel.api.Termination;

/**
 * A text that looks at the clock while it is read: regular expressions go back and forth in it for
 * longer than it is long, and nothing else stops them.
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
