package io.github.kgdb.thought;

import io.github.kgdb.TextPosition;

/**
 * A refusal, worded so that a language model can correct its script.
 *
 * @param line in the original text, from 1
 * @param column in that line, in code points, from 1
 */
public record ScriptError(ErrorCode code, String message, int line, int column)
        implements ParsedScript {

    /** The error at an offset in the text. */
    static ScriptError at(String text, int offset, ErrorCode code, String message) {
        TextPosition position = TextPosition.at(text, offset);
        return new ScriptError(code, message, position.line(), position.column());
    }
}
