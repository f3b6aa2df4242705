package io.github.kgdb.thought;

/**
 * @param text of a name or string: its value, without quotes and escapes
 * @param start offset of its first character
 */
record Token(Kind kind, String text, int start) {
    enum Kind {
        WORD,
        BACKTICKED,
        STRING,
        INTEGER,
        FLOAT,
        SYMBOL,
        END
    }

    private static final int MAX_SHOWN_LENGTH = 40;

    boolean is(char symbol) {
        return kind == Kind.SYMBOL && text.charAt(0) == symbol;
    }

    /** Whether it is this keyword, in ASCII letters of either case. */
    boolean is(String keyword) {
        if (kind != Kind.WORD || text.length() != keyword.length()) {
            return false;
        }
        for (int i = 0; i < keyword.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'a' && c <= 'z') {
                c -= 'a' - 'A';
            }
            if (c != keyword.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.BACKTICKED;
    }

    /** The form in error messages. */
    String shown() {
        return switch (kind) {
            case END -> "the end of the script";
            case STRING -> "the text '" + shorten(text) + "'";
            case BACKTICKED -> "`" + shorten(text) + "`";
            default -> "'" + shorten(text) + "'";
        };
    }

    static String shorten(String text) {
        if (text.codePointCount(0, text.length()) <= MAX_SHOWN_LENGTH) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN_LENGTH)) + "…";
    }
}
