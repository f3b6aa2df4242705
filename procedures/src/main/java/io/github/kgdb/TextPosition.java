package io.github.kgdb;

/**
 * A position in a script; line and column count from 1.
 *
 * @param line lines end with a line feed, a carriage return or both
 * @param column in code points
 */
public record TextPosition(int line, int column) {
    public static final TextPosition START = new TextPosition(1, 1);

    /**
     * The position of the UTF-16 unit at {@code offset} of {@code text}, or of the end of the text.
     */
    public static TextPosition at(String text, int offset) {
        int line = 1;
        int lineStart = 0;
        int end = Math.min(offset, text.length());
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean isPair = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (c == '\n' || c == '\r' && !isPair) {
                line++;
                lineStart = i + 1;
            }
        }
        return new TextPosition(line, 1 + text.codePointCount(lineStart, end));
    }
}
