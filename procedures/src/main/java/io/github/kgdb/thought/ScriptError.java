package io.github.kgdb.thought;

/**
 * A refusal, in words that a language model can mend its script by.
 *
 * @param line of the text as it was given, from 1
 * @param column in that line, in code points, from 1
 */
public record ScriptError(ErrorCode code, String message, int line, int column)
        implements ParsedScript {

    /** The same at an offset in the text. */
    static ScriptError at(String text, int offset, ErrorCode code, String message) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < offset; i++) {
            char c = text.charAt(i);
            boolean isPair = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (c == '\n' || c == '\r' && !isPair) {
                line++;
                lineStart = i + 1;
            }
        }
        return new ScriptError(code, message, line, 1 + text.codePointCount(lineStart, offset));
    }
}
