package io.github.kgdb.thought;

import io.github.kgdb.TextPosition;

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
        TextPosition position = TextPosition.at(text, offset);
        return new ScriptError(code, message, position.line(), position.column());
    }
}
