package io.github.kgdb.thought;

/** The tokens of a script, from the current one on. */
final class Tokens {
    private final Lexer lexer;
    private Token current;

    Tokens(String script) {
        this.lexer = new Lexer(script);
        this.current = lexer.token();
    }

    Token current() {
        return current;
    }

    boolean isEnd() {
        return current.kind() == Token.Kind.END;
    }

    Token take() {
        Token taken = current;
        current = lexer.token();
        return taken;
    }

    boolean accept(char symbol) {
        boolean is = current.is(symbol);
        if (is) {
            take();
        }
        return is;
    }

    boolean accept(String keyword) {
        boolean is = current.is(keyword);
        if (is) {
            take();
        }
        return is;
    }

    /**
     * @param purpose what the symbol does, as in "to close the node"
     */
    void expect(char symbol, String purpose) {
        if (!accept(symbol)) {
            throw unexpected("'" + symbol + "' " + purpose);
        }
    }

    /** A word or a name in backticks. */
    String expectName(String expected) {
        if (!current.isName()) {
            throw unexpected(expected);
        }
        return take().text();
    }

    ScriptException unexpected(String expected) {
        return unexpected(ErrorCode.SYNTAX, expected, "");
    }

    /**
     * @param advice how to correct it, part of a sentence with its own comma or semicolon
     */
    ScriptException unexpected(ErrorCode code, String expected, String advice) {
        return new ScriptException(
                code,
                current.start(),
                "expected " + expected + ", found " + current.shown() + advice);
    }
}
