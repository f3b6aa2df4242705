package io.github.kgdb.thought;

/** Stops parsing; it never leaves the parser. */
final class ScriptException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final int offset;

    ScriptException(ErrorCode code, int offset, String message) {
        super(message, null, false, false);
        this.code = code;
        this.offset = offset;
    }

    ScriptError in(String text) {
        return ScriptError.at(text, offset, code, getMessage());
    }
}
